"""Compose the curve of area over the clock of a design from its modules."""
