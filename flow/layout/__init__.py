"""Place and route for the kit's cells: what the layout steps share.

Lengths are whole numbers of half a nanometre (UNITS_PER_UM), the unit of the DEF file.
"""
