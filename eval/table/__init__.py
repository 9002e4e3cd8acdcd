"""Tables: declared once, filled with rows, and written in any form."""

from eval.table.column import Column, Columns, numbers, percent, ratio, words
from eval.table.grid import Grid, Line
from eval.table.table import Row, Table, rows_of

__all__ = [
    "Column",
    "Columns",
    "Grid",
    "Line",
    "Row",
    "Table",
    "numbers",
    "percent",
    "ratio",
    "rows_of",
    "words",
]
