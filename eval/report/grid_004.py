"""Table 1 of document 004 in the report: printed, by formula, measured; misprints marked."""

from eval.catalog.point import Point
from eval.printed.document_004 import MISPRINT_4, MISPRINT_6
from eval.report.tabulate import Grid, Line
from eval.study.results import StudyResult
from eval.tasks.table_004 import ALGORITHMS, EXAMPLE_BITS, EXAMPLE_CYCLES, TableRow, table_1


def table_004_grid(found: StudyResult) -> Grid | None:
    """The table; None if the study does not have it."""
    if not found.study.table_004:
        return None
    widest = max(found.study.table_004)
    return Grid(
        "Table 1 of document 004: mean cycles of an encryption and a decryption",
        (
            *("algorithm", "design", "bits", "mean\nexponent bits", "004", "its formula,\nour key"),
            *("our formula", "measured", "measured /\n004"),
        ),
        tuple(Line(_cells(row), _commands(row, widest)) for row in table_1(found.table_004)),
        words=(0, 1),
        note="The document prints no key but that of 128 bits; ours have exponents as long as its "
        "algo 4 figures imply. Its formula for algo 6 is the mean over random operands. Measured: "
        "translated Verilog, compiled (level batch), every answer checked; wider ones are measured "
        f"by study table-004-long. * {MISPRINT_4.capitalize()} (algo 4), "
        f"{MISPRINT_6.removeprefix('misprint: ')} (algo 6). {_example(found)}".rstrip(),
    )


def _cells(row: TableRow) -> tuple[str, ...]:
    mark = "*" if row.misprint else ""
    return (
        row.algorithm,
        row.point.design,
        str(row.nbits),
        f"{row.exp_bits:.1f}",
        f"{row.printed}{mark}",
        f"{row.expected:.1f}",
        "-" if row.formula is None else f"{row.formula:.1f}",
        "-" if row.measured is None else f"{row.measured:.1f}",
        "-" if row.measured is None else f"{row.measured / row.printed:.3f}",
    )


def _commands(row: TableRow, widest: int) -> tuple[str, ...]:
    if row.formula is None:
        return ()
    return (f"modexplorer explore table-004{'' if widest <= 512 else '-long'}",)


def _example(found: StudyResult) -> str:
    """The example of 128 bits, the only one with a printed key, if it was measured."""
    design = ALGORITHMS["Algo 6"]
    cycles = found.table_004.get(Point(design, EXAMPLE_BITS), {}).get("cycles")
    if not cycles:
        return ""
    printed = " and ".join(map(str, EXAMPLE_CYCLES))
    ours = " and ".join(map(str, cycles))
    return (
        f"The {EXAMPLE_BITS}-bit example, encryption and decryption: the document's algo 6 takes "
        f"{printed} cycles, {design} {ours}."
    )
