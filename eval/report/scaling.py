"""How designs grow with the width, in powers of n, and which of the documents' statements hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from eval.documents.published import ByWord, Statement, statements
from eval.report.growth import LEAST_BITS, MOST_BITS, Growth, by_design, growth, growth_of, misses
from eval.study.results import PointResult, StudyResult
from eval.table import Table, numbers, words
from eval.tasks.section import Section, tables

WITHIN = 0.15  # of an exponent: the same growth
QUANTITIES = {
    "area_um2": "area",
    "period_ns": "period",
    "xcel_cycles_e": "cycles\ne",
    "xcel_cycles_d": "cycles\nd",
    "energy_glitches_e_nj": "energy\ne",
    "energy_glitches_d_nj": "energy\nd",
}


def range_of(widths: Sequence[int]) -> str:
    """Write from where to where they go."""
    return f"{widths[0]}-{widths[-1]}"


def marking(points: Sequence[PointResult]) -> PointResult:
    """Choose the point whose marks are those of all: the first that misses its clock, if any."""
    return next(filter(misses, points), points[0])


def written(law: Growth) -> str:
    """Write the exponent with the largest deviation."""
    exponent = round(law.exponent, 2) or 0.0  # -0.0 is 0
    return f"{exponent:.2f} {law.deviation:.0%}"


def _laws(found: StudyResult) -> Iterator[dict[str, Any]]:
    """List the laws of each design that has three widths, those of the same widths together."""
    for points in by_design(found).values():
        laws = {metric: law for metric in QUANTITIES if (law := growth_of(points, metric))}
        for widths in dict.fromkeys(law.widths for law in laws.values()):
            own = [p for p in points if p.point.nbits in widths]
            alike = {metric: written(law) for metric, law in laws.items() if law.widths == widths}
            bits = f"{range_of(widths)} ({len(widths)})"
            yield {"name": found.name_of(marking(own)), "widths": bits} | alike


LAWS = Table(
    "Growth with the width n, as powers of n",
    words({"design": "name", "widths": "widths"})
    + words({heading: metric for metric, heading in QUANTITIES.items()}),
    lambda found: (
        "1.02 3%: about n^1.02, by least squares of the logarithms; 3% is the largest part of the "
        "fitted value by which a measured one differs from it. Fitted to at least three widths "
        f"from {LEAST_BITS} to {MOST_BITS} bits, their number in brackets. Period: that which the "
        f"smallest netlist for {found.study.clock_ns:g} ns reaches, or the fastest where none "
        "meets it. Cycles: through the port; the exponent of e has 17 bits, that of d as many as "
        "n. Energy: with glitches."
    ),
    rows=_laws,
)


def growth_json(found: StudyResult) -> list[dict[str, Any]]:
    """List the laws as JSON has them."""
    return [
        {"design": design, "metric": metric} | asdict(law)
        for design, points in by_design(found).items()
        for metric in QUANTITIES
        if (law := growth_of(points, metric))
    ]


def _beside(found: StudyResult, statement: Statement) -> Mapping[int, PointResult]:
    """Find our points that a statement is held against, by n or by S."""
    if isinstance(statement, ByWord):
        known = {p.point.design: p for p in found.points if p.point.nbits == statement.nbits}
        designs = {word: statement.design.format(word) for word in statement.figures}
        return {word: known[design] for word, design in designs.items() if design in known}
    return {p.point.nbits: p for p in by_design(found).get(statement.design, ())}


def _law(statement: Statement, points: Mapping[int, PointResult]) -> Growth | None:
    """Fit our figures at the widths that the document prints, if these are enough."""
    ours = {x: p.get(statement.metric) for x, p in points.items()}
    return growth({x: ours[x] for x in ours if x in statement.figures}) or growth(ours)


def _compared(found: StudyResult) -> Iterator[dict[str, Any]]:
    """Go through what the documents say of growth of which the study tells, too."""
    for statement in statements():
        points, printed = _beside(found, statement), growth(statement.figures)
        if law := _law(statement, points):
            said = statement.exponent
            if (expected := said) is None:
                assert printed, statement
                expected = printed.exponent
            ours = marking([points[x] for x in law.widths])
            yield {
                **{"statement": statement, "printed": printed, "law": law},
                "name": ours.marked(statement.design.format("S")),
                "widths": range_of(law.widths),
                "holds": "yes" if abs(law.exponent - expected) <= WITHIN else "no",
            }


SAID = Table(
    "What the documents say of growth",
    words({"document": "statement.source", "of": "statement.of"})
    + numbers(2, {"says": "statement.exponent", "prints": "printed.exponent"})
    + words({"ours": "name", "widths": "widths"})
    + numbers(2, {"ours": "law.exponent"})
    + words({"holds": "holds"}),
    "Exponents of n, of S where it says so. Prints: fitted to its figures, without misprints. "
    "Widths: those of its figures, where at least three were measured, else all. Holds: ours "
    f"differs by at most {WITHIN:g} from what is said, or else from what is printed. Tables, "
    "registers and ALMs of FPGAs stand beside our area of standard cells, which is for one "
    "clock at all widths: wider designs may need faster, larger cells for it.",
    rows=_compared,
)


SECTION = Section(results=tables(LAWS, SAID))
