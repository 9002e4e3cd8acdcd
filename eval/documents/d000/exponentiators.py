"""Document 000's tables 7 to 18 in the report: exponentiators by modulus or pseudo-modulus."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from eval.documents.d000.figures import BY_UNITS, KEY_BITS
from eval.documents.tables import table
from eval.study.results import PointResult, StudyResult, accelerator_run

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
    """A point of a pair, with the ratios of the pair: area x period of ours, and the document's;
    empty where there is none."""

    point: PointResult
    command: str
    ratio: float | str = ""
    of_000: float | str = ""


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
    ours = products[1] / products[0] if all(products) else ""
    printed, bits = BY_UNITS[units], max(nbits, KEY_BITS[0])
    of_000: float | str = ""
    if bits in KEY_BITS and way != "cm-late":
        of_000 = printed.ratio("elements", way, bits) * printed.ratio("delay_ns", way, bits)
    yield Line(modulus, accelerator_run(found, modulus).command)
    yield Line(pseudo, accelerator_run(found, pseudo).command, ours, of_000)


def _product(p: PointResult) -> float:
    return (p.get("area_um2") or 0.0) * (p.get("period_ns") or 0.0)


PAIRS = table("000", "PAIRS", got={"marked": lambda line: line.point.marked()}, rows=pairs)
