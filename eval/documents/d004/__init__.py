"""Document 004."""
