"""ModExplorer from Python: what `modexplorer explore` and its kin measure, as pandas frames.

These functions are the stable interface: while the version begins with 0, their names and columns
change with its second number only, and CHANGELOG.md says what changed.
"""

from modexplorer.frames import UNITS, add_designs, compare, designs, explore, families, tables

__all__ = ["UNITS", "add_designs", "compare", "designs", "explore", "families", "tables"]
