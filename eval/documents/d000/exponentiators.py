"""Document 000's tables 7 to 18 in the report: exponentiators by modulus or pseudo-modulus."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from eval.documents.d000.figures import BY_UNITS, KEY_BITS
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.table import Table, numbers, words

WAYS = ("cm", "cm-late", "dm", "mm")
FORMS = ("modulus", "pseudo")
MM_MODULUS = "mm-000"  # takes any modulus


def name_of(way: str, form: str, units: int) -> str:
    """Name the design of a column of the document's tables; way cm-late is ours."""
    if way == "mm" and form == "modulus":
        return MM_MODULUS
    if way == "cm-late":
        return f"cm-{'late' if form == 'modulus' else form}-{units}"
    return f"{way}-{form}-{units}"


class Line(NamedTuple):
    """A point of a pair, with the ratios of the pair: area x period of ours, and the document's."""

    point: PointResult
    command: str
    ratio: float | None = None
    of_000: float | None = None


def pairs(found: StudyResult) -> Iterable[Line]:
    """List each way with the modulus and the pseudo-modulus, of which both were measured."""
    measured = {(p.point.design, p.point.nbits): p for p in found.points}
    return dict.fromkeys(
        line
        for nbits in sorted({nbits for _, nbits in measured})
        for units in (2, 1)
        for way in WAYS
        for pair in [[measured.get((name_of(way, f, units), nbits)) for f in FORMS]]
        if all(pair)
        for line in _lines(found, way, units, *pair)
    )


def _lines(
    found: StudyResult, way: str, units: int, modulus: PointResult, pseudo: PointResult
) -> Iterator[Line]:
    products, nbits = [_product(p) for p in (modulus, pseudo)], modulus.point.nbits
    ours = products[1] / products[0] if all(products) else None
    printed, bits = BY_UNITS[units], max(nbits, KEY_BITS[0])
    of_000 = None
    if bits in KEY_BITS and way != "cm-late":
        of_000 = printed.ratio("elements", way, bits) * printed.ratio("delay_ns", way, bits)
    yield Line(modulus, accelerator_run(found, modulus).command)
    yield Line(pseudo, accelerator_run(found, pseudo).command, ours, of_000)


def _product(p: PointResult) -> float:
    return (p.get("area_um2") or 0.0) * (p.get("period_reached_ns") or 0.0)


def _metric(name: str) -> Callable[[Line], float | None]:
    return lambda line: line.point.get(name)


def _or_nothing(name: str) -> Callable[[Line], float | str]:
    """Leave the cell of a ratio empty where there is none."""
    return lambda line: "" if getattr(line, name) is None else getattr(line, name)


PAIRS = Table(
    "Exponentiators with a modulus and with its pseudo-modulus (document 000, tables 7 to 18)",
    words({"design": lambda line: line.point.marked()})
    + numbers(0, {"bits": "point.point.nbits"})
    + numbers(0, {"cycles\ne": _metric("cycles_e"), "cycles\nd": _metric("cycles_d")})
    + numbers(1, {"area\num2": _metric("area_um2")})
    + numbers(3, {"slack\nns": _metric("setup_slack_ns")})
    + numbers(3, {"period\nns": _metric("period_reached_ns"), "time d\nus": _metric("time_d_us")})
    + numbers(2, {"ratio": _or_nothing("ratio"), "000": _or_nothing("of_000")}),
    "A name begins with the way of multiplying and ends in the number of multipliers. "
    "m = (2^N - 1)/3, worked with as it is or modulo 2^N - 1; the second line of a pair also "
    "says pseudo-modulus / modulus: area x period of ours, and logic elements x delay of the "
    "document's at the same key length, or at 32 bits below that. Cycles: of the exponentiator "
    "alone; area, slack and period: of the accelerator around it. MM with the modulus is "
    "mm-000, which takes any modulus, under the workloads' own key.",
    rows=pairs,
)
