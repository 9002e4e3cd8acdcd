"""Document 000's tables 7 to 18 beside ours, figure by figure."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from eval.documents.d000.exponentiators import name_of, pairs
from eval.documents.d000.figures import BY_UNITS, KEY_BITS, Exponentiators
from eval.documents.document import written
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.table import Grid, Table, numbers, words
from eval.tasks.fpga.task import OnFpga
from fl.fixed_exp import correction_steps, family

COLUMNS = tuple(f"{way}-{form}" for way in ("dm", "cm", "mm") for form in ("modulus", "pseudo"))
HEADINGS = tuple(f"{way}\n{form}" for way in ("DM", "CM", "MM") for form in ("modulus", "pseudo"))
PRINTED_MM = {"mm-modulus": "mm-printed-2", "mm-pseudo": "mm-printed-pseudo-2"}
DEVICE = "cyclonev"
E, D = "e", "d"
MISPRINTED = 1.5  # by how much a printed time must differ from its delay's to be no rounding
COUNTS = {2: "two multipliers", 1: "one multiplier"}
UNITS_SHOWN = tuple(COUNTS)  # in the order of a Quantity's tables
Value = Callable[[PointResult], float | None]


def product_ns(p: PointResult) -> float | None:
    """Return the time of an iteration in ns: a period, of MM's as many as a product takes."""
    period, unit = p.get("period_ns"), p.point.entry.multiplier.at(p.point.nbits)
    return period * unit.latency(0, 0, 1) if period else None


def _time(p: PointResult, workload: str) -> float | None:
    """Return the time of a workload in us, at the shortest period."""
    cycles, period = p.get(f"cycles_{workload}"), p.get("period_ns")
    return cycles * period / 1000 if cycles and period else None


def _mhz(p: PointResult) -> float | None:
    period = p.get("period_ns")
    return 1000 / period if period else None


def _area_delay(p: PointResult) -> float | None:
    area, delay = p.get("area_um2"), product_ns(p)
    return area * delay / 1000 if area and delay else None


class Quantity(NamedTuple):
    """A table of two multipliers and of one, what both print, and ours, each in its unit."""

    title: str
    tables: tuple[int, int]
    printed: str
    unit: str
    digits: int
    ours: Value
    our_unit: str


QUANTITIES = (
    Quantity("Logic", (7, 13), "elements", "LE", 1, lambda p: p.get("area_um2"), "um2"),
    Quantity("Delay of an iteration", (8, 14), "delay_ns", "ns", 3, product_ns, "ns"),
    Quantity("Logic x delay", (9, 15), "products", "LE s", 6, _area_delay, "um2 us"),
    *(
        Quantity(title, tables, printed, "us", 3, partial(_time, workload=w), "us")
        for title, tables, printed, w in (
            ("Time of an encryption", (10, 16), "encryption_us", E),
            ("Time of a decryption", (11, 17), "decryption_us", D),
        )
    ),
    Quantity("Highest frequency", (12, 18), "mhz", "MHz", 3, _mhz, "MHz"),
)


def columns_of(found: StudyResult, units: int) -> dict[str, list[PointResult]]:
    """Take our designs column by column, in studies that have a modulus and its pseudo-modulus: at
    each width the one most like the document's. mm-000 alone, which many studies have, shows none.
    """
    if not pairs(found):
        return {}
    points = {(p.point.design, p.point.nbits): p for p in found.points if p.get("area_um2")}
    names = {column: _designs(column, units) for column in COLUMNS}
    shown = {name for of in names.values() for name in of if name.endswith(f"-{units}")}
    widths = sorted({nbits for design, nbits in points if design in shown})
    return {
        column: [
            next(points[name, nbits] for name in of if (name, nbits) in points)
            for nbits in widths
            if any((name, nbits) in points for name in of)
        ]
        for column, of in names.items()
    }


def table_grids(found: StudyResult) -> Iterator[Grid | None]:
    """Show each table with ours below it; None where nothing of it was measured."""
    for units in UNITS_SHOWN:
        if any((columns := columns_of(found, units)).values()):
            for quantity in QUANTITIES:
                yield _grid(found, quantity, units, columns)


def _designs(column: str, units: int) -> tuple[str, ...]:
    """Name our designs of a column, the most alike first; MM has two units in all tables."""
    way, form = column.split("-")
    if way == "mm":
        return PRINTED_MM[column], name_of(way, form, 2)
    return (name_of(way, form, units),)


class Line(NamedTuple):
    """A line of a table: whose it is in which unit, bits, a value for each column, the commands."""

    of: str
    nbits: int
    values: Sequence[Any]
    commands: tuple[str, ...] = ()


def _grid(
    found: StudyResult, quantity: Quantity, units: int, columns: dict[str, list[PointResult]]
) -> Grid | None:
    number = quantity.tables[UNITS_SHOWN.index(units)]
    values = {heading: partial(_value, i) for i, heading in enumerate(HEADINGS)}
    return Table(
        f"{quantity.title}, {COUNTS[units]} (document 000, table {number})",
        words({"": "of"}) + numbers(0, {"bits": "nbits"}) + numbers(quantity.digits, values),
        _note(quantity, BY_UNITS[units]),
    ).of([*_of_document(quantity, units), *_of_ours(found, quantity, columns)])


def _value(column: int, line: Line) -> float | str | None:
    return line.values[column]


def _of_document(quantity: Quantity, units: int) -> Iterator[Line]:
    table: dict[str, tuple[float, ...]] = getattr(BY_UNITS[units], quantity.printed)
    for i, nbits in enumerate(KEY_BITS):
        shown = [f"{table[c][i]:.12g}" if c in table else "" for c in COLUMNS]
        yield Line(f"000, {quantity.unit}", nbits, shown)


def _of_ours(
    found: StudyResult, quantity: Quantity, columns: dict[str, list[PointResult]]
) -> Iterator[Line]:
    ours = {column: {p.point.nbits: p for p in of} for column, of in columns.items()}
    for nbits in sorted({nbits for of in ours.values() for nbits in of}):
        here = [ours[column].get(nbits) for column in COLUMNS]
        runs = tuple(accelerator_run(found, p).command for p in here if p)
        values = [p and quantity.ours(p) for p in here]
        yield Line(f"ours, {quantity.our_unit}", nbits, values, runs)
        if quantity.printed == "elements":
            alms = [p and alms_of(found, p) for p in here]
            if any(alms):
                mapped = [p for p, a in zip(here, alms, strict=True) if a]
                commands = tuple(OnFpga(p.point, DEVICE).command for p in mapped)
                yield Line("ours, ALM", nbits, [a and f"{a:g}" for a in alms], commands)


def alms_of(found: StudyResult, p: PointResult) -> float | None:
    """Return the modules of a Cyclone V that the exponentiator takes, if that was measured."""
    result = found.results.get(OnFpga(p.point, DEVICE))
    return result.metrics.get("alms") if result else None


def _note(quantity: Quantity, printed: Exponentiators) -> str:
    misprints = ""
    if quantity.printed == "decryption_us":
        misprints = "".join(
            f" {value:g} us of {column.upper().replace('-', ' ')} at {nbits} bits is a misprint: "
            f"{nbits} iterations of {delay:g} ns are {follows:g}."
            for column, nbits, value, delay, follows in misprinted(printed)
        )
    note = written("000", "tables")["notes"][quantity.printed]
    return " ".join(note.split()) + misprints


def misprinted(printed: Exponentiators) -> Iterator[tuple[str, int, float, float, float]]:
    """Yield column, bits, printed time in us, delay in ns, and the time that it gives, where these
    differ by more than rounding: an iteration per bit, half as many more with one multiplier, and
    the correction."""
    for column, times in printed.decryption_us.items():
        for i, nbits in enumerate(KEY_BITS):
            delay = printed.delay_ns[column][i]
            per_bit = 1.5 if printed.units == 1 and not column.startswith("mm") else 1
            correction = correction_steps(family(nbits).c) if column == "cm-pseudo" else 0
            follows = (nbits * per_bit + correction) * delay / 1000
            if not 1 / MISPRINTED < times[i] / follows < MISPRINTED:
                yield column, nbits, times[i], delay, follows
