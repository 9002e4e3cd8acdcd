"""The sentence of a width: which of the designs compared is best in which quantity.

The netlists, their clocks, values and noise bands are those of the picture (space.py), so that
sentence, fronts, points and datasheets report the same numbers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eval.report.pareto import key_widths
from eval.report.space import WORKLOAD, Place, compared, least_of, places, summary
from eval.study.results import StudyResult
from eval.tasks.section import Section

CLAIMS = {
    "time": "is the fastest",
    "area": "is the smallest",
    "area-time": "has the least area x time",
    "energy": "needs the least energy",
}


@dataclass(frozen=True)
class Best:
    """The place with the least of a quantity, how many designs have the quantity, and the names of
    the other designs that are as good within the synthesis noise."""

    place: Place
    count: int
    same: tuple[str, ...]

    @property
    def noise(self) -> str:
        """Name the designs that are as good."""
        return f" (within noise: {some(self.same)})" if self.same else ""


def best(shown: Sequence[Place], quantity: str) -> Best | None:
    """Find the least of a quantity among places; None if none of them has it."""
    by_design: dict[str, list[Place]] = {}
    for place in shown:
        if quantity in place["values"]:
            by_design.setdefault(place["name"], []).append(place)
    least = [least_of(own, quantity) for own in by_design.values()]
    if not least:
        return None

    def bound(place: Place, side: int) -> float:
        return place["values"][quantity] * (1 + side * place["bands"].get(quantity, 0.0))

    first = least_of(least, quantity)
    same = [p["name"] for p in least if p is not first and bound(p, -1) <= bound(first, 1)]
    return Best(first, len(least), tuple(same))


def headline(found: StudyResult, nbits: int, shown: Sequence[Place] | None = None) -> str | None:
    """Write the sentence of a width; None unless two designs are compared. `shown` are the places
    of the study, if they are known."""
    here = compared(found, nbits, places(found) if shown is None else shown)
    here = [place for place in here if "area" in place["values"]]
    count = len({place["name"] for place in here})
    if count < 2:
        return None
    told: dict[int, tuple[Place, list[str]]] = {}

    def tell(of: Best, text: str) -> None:
        told.setdefault(id(of.place), (of.place, []))[1].append(text + of.noise)

    for quantity, claim in CLAIMS.items():
        if (of := best(here, quantity)) and of.count > 1:
            tell(of, claim + f" of the {of.count} measured" * (of.count < count))
    if steady := best([place for place in here if place["constant"] == "yes"], "time"):
        several = f"is the fastest of {steady.count} constant-time designs"
        tell(steady, several if steady.count > 1 else "is the only constant-time design")
    claims = [f"{p['name']} {listed(texts)}, with {summary(p)}" for p, texts in told.values()]
    once = sum(1 for name in {p["name"] for p in here} if _count(here, name) == 1)
    but = f"; {once} were synthesised for one clock period only" * (0 < once < count)
    return (
        f"At {nbits} bits{in_technology(found)}, workload {WORKLOAD}, of {count} designs for any "
        f"key, each netlist at its minimum clock period{but}: {'; '.join(claims)}."
    )


def _count(shown: Sequence[Place], name: str) -> int:
    return sum(place["name"] == name for place in shown)


def _only(found: StudyResult, shown: Sequence[Place]) -> Iterator[str]:
    """Write the sentence of the widest width at which one design for any key was synthesised."""
    for nbits in sorted({p.point.nbits for p in found.points}, reverse=True):
        here = [p for p in compared(found, nbits, shown) if "area" in p["values"]]
        if here:
            place = least_of(here, "area-time")
            yield (
                f"At {nbits} bits{in_technology(found)}, workload {WORKLOAD}: {place['name']} is "
                f"the only design for any key that was synthesised, with {summary(place)}."
            )
            return


def findings(found: StudyResult) -> Iterator[str]:
    """Write the sentence of each width at which designs are compared, those of keys in use first;
    of one design if none are."""
    keys, shown = key_widths(found), places(found)
    widths = sorted({p.point.nbits for p in found.points}, key=lambda n: (n not in keys, n))
    sentences = [s for nbits in widths if (s := headline(found, nbits, shown))]
    yield from sentences or _only(found, shown)


def by_width(sentences: Iterable[str]) -> dict[int, str]:
    """Choose of a report's findings the first that is about each width."""
    found: dict[int, str] = {}
    for sentence in sentences:
        if about := re.match(r"At (\d+) bits", sentence):
            found.setdefault(int(about[1]), sentence)
    return found


def in_technology(found: StudyResult) -> str:
    """Name the technology of what a sentence is about, if the study has several."""
    return f" in {found.study.tech}" * (len(found.techs) > 1)


def listed(parts: Sequence[str], between: str = ", ") -> str:
    """Join parts as a sentence does."""
    return " and ".join([between.join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def some(names: Sequence[str]) -> str:
    """Join names, of many the first and how many others."""
    most = 3
    return listed(
        names if len(names) <= most + 1 else [*names[:most], f"{len(names) - most} others"]
    )


SECTION = Section(findings=findings)
