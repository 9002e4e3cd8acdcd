"""Figures that texts quote: measured by commands, kept in a file, written into pages and items.

A text never holds a figure of ours: it names the command that prints it, and where in the command's
JSON it stands.
"""
