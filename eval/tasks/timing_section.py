"""What a report shows of what time tells."""

from collections.abc import Iterator, Mapping
from functools import partial

from cl.exponentiator import FACTORS
from eval.table import Row, Table, numbers, words
from eval.tasks.columns import DESIGN, NBITS
from eval.tasks.section import Section, measured, tables
from eval.tasks.timing import AROUND, TimeTells, Told

Rows = Mapping[TimeTells, Told | None]


def _mark(factor: str, row: Row) -> str:
    declared, found = factor in row.result.declared, factor in row.result.found
    return {(0, 0): "-", (1, 1): "yes", (0, 1): "yes?", (1, 0): "(no)"}[declared, found]


def _cycles(place: str, row: Row) -> str | None:
    cycles = row.result.around.get(place)
    return None if cycles is None else "-".join(map(str, dict.fromkeys(cycles)))


OF_FACTORS = zip(("base", "length", "bits", "mod-\nulus", "one\nbefore"), FACTORS, strict=True)
OF_PLACES = zip(("cycles:\nport", "peri-\npheral", "C pro-\ngram"), AROUND, strict=True)
TELLS = Table(
    "Timing leakage",
    DESIGN
    + NBITS
    + numbers(0, {"requests": "requests"})
    + words({heading: partial(_mark, factor) for heading, factor in OF_FACTORS})
    + words({heading: partial(_cycles, place) for heading, place in OF_PLACES}),
    "Whether cycles differ between two requests that differ in the base alone, in the length "
    "of the exponent, in its other bits, in the modulus, or in whether the request before had "
    "the same modulus: at RTL (level batch), answers checked. A yes is declared by the design, "
    "too; ?: not declared; (no): declared, not seen. Of what no yes is at, cycles also through "
    "the accelerator's port, on the peripheral's bus and of a C program's call: one figure "
    "where all requests took as many.",
)


def _pairs(rows: Rows) -> Iterator[Row]:
    """List for each yes two requests that differ in it alone, and their cycles."""
    for task, told in measured(rows).items():
        for factor, pair in told.found.items():
            for *operands, cycles in pair:
                yield Row(task, told, factor=factor, operands=operands, cycles=cycles)


def _operand(number: int, row: Row) -> str:
    text = f"{row.operands[number]:#x}"
    return text if len(text) <= 14 else f"{text[:8]}..{text[-4:]}"


def _command(row: Row) -> str:
    base, exp, mod = row.operands
    asked = f"--base {base} --exp {exp} --mod {mod}"
    return row.task.command_of(f"simulate {row.point.arguments} {asked} --level batch")


OPERANDS = ("base", "exponent", "modulus")
PAIRS = Table(
    "Two requests each",
    DESIGN
    + NBITS
    + words({"they differ in": "factor"})
    + words({heading: partial(_operand, number) for number, heading in enumerate(OPERANDS)})
    + numbers(0, {"cycles": "cycles"}),
    rows=_pairs,
    commands=_command,
)


def findings(rows: Rows) -> list[str]:
    """Say which designs' time tells something that they do not declare."""
    return [
        f"{task.point} leaks {', '.join(told.undeclared)} by its time, and does not declare it."
        for task, told in measured(rows).items()
        if told.undeclared
    ]


SECTION = Section(
    findings=findings,
    results=tables(TELLS),
    details=tables(PAIRS),
    alone=tables(TELLS, PAIRS),
)
