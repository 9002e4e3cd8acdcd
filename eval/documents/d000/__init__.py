"""Document 000."""
