"""Document 003."""
