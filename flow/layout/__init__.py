"""Place and route designs of the kit's cells.

Lengths are whole numbers of half a nanometre (UNITS_PER_UM), the unit of the DEF file.
"""
