"""ModExplorer from Python: what `modexplorer explore` and its kin measure, as pandas frames.

These functions are the stable interface: names and columns change with a new major version only.
"""

from modexplorer.frames import UNITS, add_designs, compare, designs, explore, families, tables

__all__ = ["UNITS", "add_designs", "compare", "designs", "explore", "families", "tables"]
