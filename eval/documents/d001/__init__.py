"""Document 001."""
