"""What of document 002's figures stands beside ours: the array on an FPGA, and its growth."""

from eval.documents.accelerator import PRIVATE, Accelerator
from eval.documents.d002.figures import (
    EXPONENTIATION_CYCLES,
    OWN,
    PRODUCTS,
    TABLE_4,
    TAKEN,
    WHOLE,
    Compared,
)
from eval.documents.published import SAME, SAME_RADIX, Published, Statement

RESOURCES = {"luts": "tables", "ffs": "registers", "dsp": "DSP blocks"}
PRODUCTS_1024 = PRODUCTS[1023]
# Ours beside each: the iterated unit of the same radix, at the least width, as it takes yosys a
# quarter of an hour at 1024 bits; the array; the exponentiator, of which R and R^2 are inputs.
BESIDE = (
    ("mont-digit-16", [("multiplier", 512)], SAME_RADIX),
    ("systolic-printed", [key for key in TAKEN if key[0] == "multiplier"], SAME),
    ("systolic-given", [("exponentiator", 1024)], SAME),
)
PUBLISHED = tuple(
    Published(
        *(design, resource, of, nbits, getattr(TAKEN[of, nbits], resource)),
        *(f"002, table {TAKEN[of, nbits].table}", "", "artix7", algorithm),
    )
    for design, units, algorithm in BESIDE
    for of, nbits in units
    for resource in RESOURCES
)


def _exponentiation(row: Compared) -> Accelerator:
    """Take an exponentiation to be the products of the document's, its own as table 5 has it."""
    cycles, own = PRODUCTS_1024 * row.cycles, row is OWN
    counts = ((WHOLE.luts if own else row.luts, "LUT"), (row.dsp, "DSP"))
    by, on = row.of.split(", ")
    return Accelerator(
        *(by, on, 1024, PRIVATE, f"002, table {5 if own else 4}", cycles, row.mhz),
        *(cycles / row.mhz / 1000, ", ".join(f"{n} {what}" for n, what in counts if n)),
        note=f"Document 002's table 4 is of products: an exponentiation is {PRODUCTS_1024} of "
        "them, as that document counts.",
    )


ACCELERATORS = tuple(map(_exponentiation, TABLE_4))
STATEMENTS = (
    Statement(
        *("002, (2n+2)(3s+2)", "cycles, exponentiation", "systolic-16", "xcel_cycles_d"),
        figures=EXPONENTIATION_CYCLES,
    ),
    *(
        Statement(
            *("002, tables 1-3", f"{title}, multiplier", "systolic-16", "area_um2"),
            figures={n: getattr(taken, of) for (u, n), taken in TAKEN.items() if u == "multiplier"},
        )
        for of, title in RESOURCES.items()
    ),
)
