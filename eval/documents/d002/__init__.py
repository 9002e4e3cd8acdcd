"""Document 002."""
