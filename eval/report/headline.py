"""The first sentence of a report: who is best for what, at a width, each design at its own clocks.

A claim needs rivals: designs whose clocks were searched, of which as many were measured in what is
claimed. Where no clock was searched, designs are compared at one (findings.py).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from eval.report.findings import in_technology, some
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.report.pareto import CURVES_VIEW, SIGN, key_widths
from eval.report.signers import points_in
from eval.study.netlists import Netlist
from eval.study.results import PointResult, StudyResult
from eval.table.units import engineering
from eval.tasks.section import Section


@dataclass(frozen=True)
class Quantity:
    """A quantity of a netlist, its unit, and the bands of the noise that move it."""

    of: Callable[[Netlist], float | None]
    unit: str
    bands: tuple[str, ...]


def _area_time(netlist: Netlist) -> float | None:
    time = netlist.time_us(SIGN)
    return None if time is None else netlist.area_um2 * time


TIME = Quantity(lambda netlist: netlist.time_us(SIGN), "us", ("period",))
AREA_TIME = Quantity(_area_time, "um2 us", ("area", "period"))
ENERGY = Quantity(lambda netlist: netlist.energy_nj(SIGN), "nJ", ("energy",))


@dataclass(frozen=True)
class Best:
    """The netlist with the least of a quantity, whose it is, of how many designs, and which others
    are as good as far as the noise lets tell."""

    name: str
    netlist: Netlist
    count: int
    same: tuple[str, ...]

    @property
    def figures(self) -> str:
        """Say its time, area and period, and who is as good."""
        time = self.netlist.time_us(SIGN)
        assert time is not None, "a design without cycles was compared"
        also = f"; within the noise {some(self.same)}, too" if self.same else ""
        area, period = self.netlist.area_um2, self.netlist.period_ns
        return f"{engineering(time, 'us')}, {engineering(area, 'um2')}, {period:.3g} ns{also}"


def for_any_key(found: StudyResult, nbits: int) -> dict[PointResult, list[Netlist]]:
    """List the designs for any key that were mapped at a width, with their netlists."""
    points = points_in(found, nbits, CURVES_VIEW)
    return {p: found.netlists[p.point] for p in points if not p.point.entry.moduli.some}


def rivals(found: StudyResult, nbits: int) -> dict[PointResult, list[Netlist]]:
    """List the designs for any key whose clocks were searched at a width, with their netlists; at
    the widths of keys in use, where fewer than two were, each with that for the longest clock."""
    mapped = for_any_key(found, nbits)
    searched = {p: netlists for p, netlists in mapped.items() if len(netlists) > 1}
    if len(searched) > 1:
        return searched
    once = {p: netlists[:1] for p, netlists in mapped.items()}
    return once if nbits in key_widths(found) and len(once) > 1 else {}


def compared_by_clocks(found: StudyResult) -> list[int]:
    """List the widths at which designs are compared at their own clocks, those of keys first."""
    keys = key_widths(found)
    widths = {p.point.nbits for p in found.points}
    return sorted(filter(lambda n: rivals(found, n), widths), key=lambda n: (n not in keys, n))


def headline(found: StudyResult, nbits: int) -> str | None:
    """Write the sentence of a width; None if there are no rivals."""
    shown = rivals(found, nbits)
    if not shown:
        return None
    noise = noise_bands_of(found)
    searched = any(len(netlists) > 1 for netlists in shown.values())
    clock = f"mapped for {found.study.clock_ns:g} ns, each at that netlist's shortest period"
    once = len(for_any_key(found, nbits)) - len(shown)
    are = "are" if once > 1 else "is"
    but = f" ({once} more, mapped for one clock, {are} not compared)" if once else ""
    at = "each at its own clock" if searched else clock
    fast, dense = best(found, shown, TIME, noise), best(found, shown, AREA_TIME, noise)
    if not fast or not dense:
        return None
    if fast.netlist is dense.netlist:
        told = [f"{fast.name} is fastest and has the least area x time ({fast.figures})"]
    else:
        told = [f"{fast.name} is fastest ({fast.figures})"]
        told.append(f"{dense.name} has the least area x time ({dense.figures})")
    thrifty = best(found, shown, ENERGY, noise)
    if thrifty and thrifty.count > 1:
        energy = engineering(thrifty.netlist.energy_nj(SIGN) or 0.0, "nJ")
        of = f", of {thrifty.count} measured" if thrifty.count < len(shown) else ""
        same = f"; within the noise {some(thrifty.same)}, too" if thrifty.same else ""
        told.append(f"{thrifty.name} takes the least energy ({energy}{of}{same})")
    constant = {p: n for p, n in shown.items() if p.point.entry.constant_time}
    if constant and (steady := best(found, constant, TIME, noise)):
        again = steady.netlist is fast.netlist
        too = ", too" * again
        rest = f"of {steady.count} in constant time {steady.name} is fastest{too}"
        alone = f"{steady.name} alone takes constant time"
        figures = f" ({steady.figures})" * (not again)
        told.append((rest if steady.count > 1 else alone) + figures)
    of = f"a private operation of {len(shown)} designs, {at}{but}"
    return f"At {nbits} bits{in_technology(found)}, {of}: {'; '.join(told)}."


def best(
    found: StudyResult,
    shown: dict[PointResult, list[Netlist]],
    quantity: Quantity,
    noise: NoiseBands,
) -> Best | None:
    """Find the least of a quantity among those that have it; None if nobody has."""

    def band(p: PointResult) -> float:
        return sum(noise.of(p.point, name) for name in quantity.bands)

    least: dict[PointResult, tuple[float, Netlist]] = {}
    for p, netlists in shown.items():
        values = [(value, n) for n in netlists if (value := quantity.of(n)) is not None]
        if values:
            least[p] = min(values, key=lambda pair: (pair[0], pair[1].area_um2))
    if not least:
        return None
    first = min(least, key=lambda p: least[p][0])
    limit = least[first][0] * (1 + band(first))
    same = [p for p in least if p is not first and least[p][0] * (1 - band(p)) <= limit]
    return Best(found.called(first), least[first][1], len(least), tuple(map(found.called, same)))


def findings(found: StudyResult) -> Iterator[str]:
    """Write the sentence of each width at which designs are compared at their own clocks."""
    for nbits in compared_by_clocks(found):
        if sentence := headline(found, nbits):
            yield sentence


def by_width(sentences: Iterable[str]) -> dict[int, str]:
    """Choose of a report's findings the first that is about each width."""
    found: dict[int, str] = {}
    for sentence in sentences:
        if about := re.match(r"At (\d+) bits", sentence):
            found.setdefault(int(about[1]), sentence)
    return found


SECTION = Section(findings=findings)
