"""What a study found at one clock, in three sentences made of its rows: who is best, how far
designs are apart, and what changes at another width, or under constant time.

Where clocks were searched, and at the widths of RSA keys in use, times are compared at each
design's own clock (headline.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.catalog.workloads import WORKLOADS
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.report.pareto import key_widths
from eval.study.results import PointResult, StudyResult
from eval.table.units import engineering
from eval.tasks.metrics import METRICS
from eval.tasks.section import Section, commonest

WORKLOAD = list(WORKLOADS)[-1]


@dataclass(frozen=True)
class Told:
    """A metric at the clock asked for: the band of the noise that moves it, how the least is told,
    how far the most is from it, and what is told of the only design."""

    name: str
    metric: str
    band: str
    least: str
    apart: str
    alone: str

    def value(self, p: PointResult) -> float | None:
        """Return a point's value."""
        return p.get(self.metric)

    def moved(self, noise: NoiseBands, p: PointResult) -> float:
        """Return the part by which noise moves it; 0 for a time, whose clock is given."""
        return noise.of(p.point, self.band) if self.band else 0.0

    def text(self, value: float) -> str:
        """Write a value with its unit."""
        return engineering(value, METRICS[self.metric].unit)


TOLD = (
    Told(
        *("area", "area_um2", "area"),
        "is the smallest ({}{})",
        "the largest has {} times the least area",
        "has {}",
    ),
    Told(
        *("time", f"time_{WORKLOAD}_us", ""),
        f"is the fastest ({{}} for workload {WORKLOAD}{{}})",
        "the slowest takes {} times the least time",
        f"takes {{}} for workload {WORKLOAD}",
    ),
    Told(
        *("energy", f"energy_glitches_{WORKLOAD}_nj", "energy"),
        "takes the least energy ({}{})",
        "the most energy is {} times the least",
        "takes {} for it",
    ),
)


@dataclass(frozen=True)
class Ranking:
    """Points of one width by a metric, the least first."""

    told_of: Told
    found: StudyResult
    points: Sequence[PointResult]

    def value(self, p: PointResult) -> float:
        """Return a point's value."""
        value = self.told_of.value(p)
        assert value is not None, p
        return value

    @property
    def least(self) -> PointResult:
        """Return the best point."""
        return self.points[0]

    @property
    def apart(self) -> str:
        """Say how many times the least the most is."""
        return self.told_of.apart.format(times(self.value(self.points[-1]), self.value_least))

    @property
    def value_least(self) -> float:
        """Return the least value."""
        return self.value(self.least)

    @property
    def told(self) -> str:
        """Tell what the least is, and which are as good as far as the noise lets tell."""
        noise = noise_bands_of(self.found)
        limit = self.value_least * (1 + self.told_of.moved(noise, self.least))
        same = [
            self.found.name_of(p)
            for p in self.points[1:]
            if self.value(p) * (1 - self.told_of.moved(noise, p)) <= limit
        ]
        also = f"; within the noise {some(same)}, too" if same else ""
        return self.told_of.least.format(self.told_of.text(self.value_least), also)


def findings(found: StudyResult) -> list[str]:
    """Write the sentences; none if the study took no accelerator through the flow, or all is about
    RSA keys in use."""
    main = main_width(found)
    here = rankings(found, main)
    if not here or main in key_widths(found):
        return []
    sentences = [_best(found, main, here)]
    if len(here[0].points) > 1:
        sentences.append(_apart(found, main, here))
    others = sorted({p.point.nbits for p in found.points} - {main, *key_widths(found)})
    compared = [n for n in others if any(len(r.points) > 1 for r in rankings(found, n))]
    if compared:
        widest = compared[-1]
        sentences.append(_best(found, widest, rankings(found, widest)))
    else:
        sentences += _constant_time(found, main, here[0])
    return sentences


def main_width(found: StudyResult) -> int:
    """Find the width at which most designs were measured; 0 if none was."""
    return commonest(p.point.nbits for p in found.points if p.metrics)


def rankings(found: StudyResult, nbits: int, constant_time: bool = False) -> list[Ranking]:
    """Rank designs for any key that meet the clock by each metric that several have, or the only
    design has; by time unless clocks were searched."""
    points = [
        p
        for p in found.points
        if p.point.nbits == nbits and not (p.point.entry.moduli.some or p.point.entry.assumed)
        if p.metrics.get("setup_slack_ns", -1.0) >= 0
        if p.point.entry.constant_time or not constant_time
    ]
    ranked = []
    for told in TOLD:
        having = {p: value for p in points if (value := told.value(p)) is not None}
        if told.name == "time" and any(len(found.netlists.get(p.point, ())) > 1 for p in points):
            continue  # headline.py compares times
        if len(having) > 1 or len(points) == 1 == len(having):
            in_order = sorted(having, key=having.__getitem__)
            ranked.append(Ranking(told, found, in_order))
    return ranked


def _best(found: StudyResult, nbits: int, ranked: Sequence[Ranking]) -> str:
    at = _at(found, nbits)
    if len(ranked[0].points) == 1:
        name = found.name_of(ranked[0].least)
        alone = listed([r.told_of.alone.format(r.told_of.text(r.value_least)) for r in ranked])
        return f"{at} {name}, the only design for any key that meets the clock, {alone}."
    of = f"of {len(ranked[0].points)} designs for any key that meet the clock"
    return f"{at}, {of}, {_told(ranked)}."


def _at(found: StudyResult, nbits: int) -> str:
    return f"At {nbits} bits and {found.study.clock_ns:g} ns{in_technology(found)}"


def in_technology(found: StudyResult) -> str:
    """Name the technology of what a sentence tells, if the study has several."""
    return f" in {found.study.tech}" * (len(found.techs) > 1)


def _told(ranked: Sequence[Ranking]) -> str:
    """Tell who is the least by which axes."""
    by_name: dict[str, list[str]] = {}
    for ranking in ranked:
        by_name.setdefault(ranking.found.name_of(ranking.least), []).append(ranking.told)
    return "; ".join(f"{name} {listed(told)}" for name, told in by_name.items())


def _apart(found: StudyResult, nbits: int, ranked: Sequence[Ranking]) -> str:
    text = f"{_at(found, nbits)} {listed([ranking.apart for ranking in ranked])}"
    by_name = {ranking.told_of.name: ranking for ranking in ranked}
    if {"area", "time"} <= by_name.keys():
        small, fast = by_name["area"].least, by_name["time"].least
        if small is not fast:
            area = times(by_name["area"].value(fast), by_name["area"].value_least)
            time = times(by_name["time"].value(small), by_name["time"].value_least)
            text += f"; the fastest has {area} times the area of the smallest"
            text += f" and {time} times its speed"
    return f"{text}."


def _constant_time(found: StudyResult, nbits: int, all_by_area: Ranking) -> list[str]:
    ranked = rankings(found, nbits, constant_time=True)
    if not ranked or ranked[0].points == all_by_area.points:
        return []
    smallest = "the smallest of them is that of all"
    if ranked[0].value_least != all_by_area.value_least:
        more = times(ranked[0].value_least, all_by_area.value_least)
        smallest = f"the smallest of them has {more} times the least area of all"
    return [
        f"{_at(found, nbits)}, of the {len(ranked[0].points)} that take the same time for every "
        f"key, {_told(ranked)}; {smallest}."
    ]


def times(most: float, least: float) -> str:
    """Write a ratio."""
    ratio = most / least
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 2 else f"{ratio:.2f}"


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
