"""The libraries of cells that designs are mapped to, an entry each: nothing else names a cell."""
