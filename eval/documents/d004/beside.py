"""What of document 004's table 1 stands beside ours: its elements, and how its algorithms grow."""

from eval.documents.accelerator import PRIVATE, Accelerator
from eval.documents.d004.figures import SOURCE, TABLE_1, cells
from eval.documents.d004.table_1 import ALGORITHMS
from eval.documents.published import Published, Statement

SHOWN = ("Algo 4", "Algo 6")
# Without the misprints.
CYCLES = {
    name: {
        row.nbits: cell.cycles for row in TABLE_1 if not (cell := cells(row.nbits)[name]).misprint
    }
    for name in SHOWN
}
GROWING = {"Algo 4": "mmm-004", "Algo 6": "ssmm-004"}  # converting the base only

PUBLISHED = tuple(
    Published(ALGORITHMS[name], what, name.lower(), row.nbits, value, SOURCE, "", "cyclonev")
    for names in (SHOWN, ("Algo 2",))
    for row in TABLE_1
    for name in names
    for cell in [cells(row.nbits)[name]]
    for what, value in (("alms", cell.alms), ("ffs", cell.registers))
    if value
)
ACCELERATORS = tuple(
    Accelerator(
        *(f"004, {name}", "Cyclone V", nbits, PRIVATE, SOURCE, cycles),
        *(cell.mhz, cycles / cell.mhz / 1000, f"{cell.alms} ALM"),
        note="Document 004 prints the mean of both exponents.",
    )
    for name, by_width in CYCLES.items()
    for nbits, cycles in by_width.items()
    for cell in [cells(nbits)[name]]
)
STATEMENTS = tuple(
    Statement(SOURCE, f"{of}, {name}", GROWING[name], metric, exponent, figures)
    for name in SHOWN
    for column in [{row.nbits: cells(row.nbits)[name] for row in TABLE_1}]
    for of, metric, exponent, figures in (
        ("cycles", "xcel_cycles_d", 2, CYCLES[name]),
        ("ALMs", "area_um2", None, {n: cell.alms for n, cell in column.items()}),
        (
            *("period", "period_ns", None),
            {n: 1000 / cell.mhz for n, cell in column.items() if cell.mhz},
        ),
    )
)
