"""The catalog's entries, a file a family: its MULTIPLIERS and its DESIGNS."""
