"""Document 000's items, by what they are of."""
