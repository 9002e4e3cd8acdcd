"""Numbers and outputs that texts quote: measured by commands, stored, written into pages and items.

A text names the command that prints a number, and the path of the number in the command's JSON.
"""
