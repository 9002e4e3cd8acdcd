"""The candidates of a search: designs at clocks, with what is known or estimated of each.

All is in logarithms: an estimate is a mean and a doubt, what was measured has none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, floor, log

import numpy as np

from eval.catalog import find
from eval.catalog.point import Point
from eval.find.drawn import draw
from eval.find.formula import all_cycles, cycles_of
from eval.find.known import Netlist
from eval.find.model import DOUBTS, Array, Known, Mask, Model, Places, Spot
from eval.find.need import Need
from eval.find.quantities import QUANTITIES
from eval.find.space import named, neighbours, place_of, suits
from eval.tasks.composed import Composed
from eval.tasks.noise_section import USUAL
from flow.synthesis.front import OUT_OF_REACH

CLOCKS_NS = tuple(round(3.0 * 1.3**i, 2) for i in range(-7, 5))  # that a free one is chosen from
ROOM = 1.3  # a clock that a netlist meets with so much room made it as small as it can be
MOST_UM2, MOST_CYCLES = 1.5e6, 500e6  # what is larger, or longer, takes an hour to map or simulate
COMPOSED_FROM = 128  # bits; narrower netlists of the flow take seconds
PERIOD = "period"  # limited where the clock is fixed
COMPOSED_AT_NS = 3.0  # the longest clock of a curve, as of `modexplorer composed`
# By which part the flow differs from a composed netlist, half of the most that was seen; and from
# one that is so small that it tries netlists without hierarchy, too: these are smaller by 6 % of
# array-4 at 128 bits, by 12 % of ssmm-ct.
CONFIRMED = {"area": 0.005, PERIOD: 0.0025}
CONFIRMED_FLAT, FLAT_TO_UM2 = {"area": 0.06, PERIOD: 0.05}, 100_000


def confirmed(one: Netlist) -> Mapping[str, float]:
    """Tell by which part the flow may differ from a composed netlist, half of the most."""
    return CONFIRMED if (one.area_um2 or 0.0) > FLAT_TO_UM2 else CONFIRMED_FLAT


class Candidates:
    """What a need chooses from, in one order: spots, their cycles, and figures of each."""

    def __init__(
        self,
        need: Need,
        model: Callable[[], Model],
        there: Iterable[str],
        on_step: Callable[[str], None],
        simulate: Callable[[Sequence[str]], Mapping[str, int]] = lambda names: {},
    ) -> None:
        """model: makes that by which points of large families are drawn. there: designs of which
        something was measured, which those of large families join. simulate: counts the cycles of
        designs that have no formula, of those that it can."""
        self.need = need
        on_step("counting cycles by formula")
        names, large = named(need)
        without = [name for name in names if find(name).at(need.nbits).measured]
        formulas = [name for name in names if name not in {*without}]
        cycles = all_cycles(formulas, need.nbits, need.workload)
        if without:
            cycles |= simulate(without)
        self.composes = need.nbits >= COMPOSED_FROM
        self.composed_at_ns = max(COMPOSED_AT_NS, need.clock_ns or 0.0)  # where curves begin
        longest = COMPOSED_AT_NS if self.composes else CLOCKS_NS[-1]
        free = tuple(clock_ns for clock_ns in CLOCKS_NS if clock_ns <= longest)
        self.clocks = free if need.clock_ns is None else (need.clock_ns,)
        self.drawn = 0
        for family in large:
            on_step(f"drawing points of family {family.name}")
            some = draw(family, need, model, self.clocks)
            self.drawn += len(some)
            cycles |= some
        self._large = {family.name for family in large}
        self._widened: set[str] = set()
        self.beside = 0  # points that came in beside good ones
        more = [name for name in dict.fromkeys(there) if place_of(name).family in self._large]
        cycles |= all_cycles([n for n in more if suits(find(n), need)], need.nbits, need.workload)
        self.cycles = {name: need.powers * count for name, count in cycles.items()}
        self.spots: list[Spot] = []
        self._number: dict[Spot, int] = {}
        self._places = Places()
        self.known: dict[Spot, Known] = {}
        self.relaxed: dict[str, Netlist] = {}  # by design, the first netlist of its curve
        self.curves: dict[str, dict[Spot, Netlist]] = {}  # and all netlists composed of it
        for name in cycles:
            self._join_all(name)

    def clocks_of(self, design: str) -> tuple[float, ...]:
        """Tell the clocks that a design is mapped for at first. Where time is limited, and nothing
        is gained by less, it is the one that keeps to the limit."""
        limit_us, free = self.need.at_most.get("time"), self.need.clock_ns is None
        if not free or limit_us is None or "time" in self.need.least:
            return self.clocks
        in_time = floor(1e6 * limit_us / self.cycles[design]) / 1000
        return (min(max(in_time, self.clocks[0]), self.clocks[-1]),)

    def curve_of(self, design: str) -> Composed:
        """Tell which curve of a design is composed next: one that ends at the longest clock, which
        tells the least area; then one to the clock that is given, to that which keeps to the limit
        of time, or to the shortest that is reached."""
        longest = self.composed_at_ns
        last = self._last_clock(design) if design in self.relaxed else longest
        return Composed(Point(design, self.need.nbits), longest, shortest_ns=last)

    def takes(self, task: Composed) -> bool:
        """Return whether a curve is one that is composed for this need."""
        ends = (self.composed_at_ns, self._last_clock(task.point.design))
        return task.clock_ns == self.composed_at_ns and task.shortest_ns in ends

    def _last_clock(self, design: str) -> float:
        """Tell where a design's curve may end: at the clock that is given, or that keeps to the
        limit of time; at the longest if no time is asked for; 0 is nowhere."""
        if self.need.clock_ns is not None:
            return self.need.clock_ns
        if "time" in self.need.least:
            return 0.0
        limited = "time" in self.need.at_most
        return self.clocks_of(design)[0] if limited else COMPOSED_AT_NS

    def tell(self, netlists: Iterable[Netlist]) -> None:
        """Note what was measured of spots; one at a clock that is no candidate joins them."""
        for one in netlists:
            spot = one.spot
            fits = spot.nbits == self.need.nbits and spot.gated in self.need.clocks_gated
            if spot.design not in self.cycles or not fits:
                continue
            if self.need.clock_ns not in (None, spot.clock_ns):
                continue
            self._join(spot)
            self.known[spot] = one.known(self.need.workload)

    def tell_curve(self, task: Composed, netlists: Sequence[Netlist]) -> None:
        """Note a composed curve, no netlist if that failed. Once it is whole, its clocks are the
        only ones of the design that are left to choose from. Where the clock is given, the smallest
        netlist that meets it, or else the fastest, is that of the design."""
        design, clock_ns = task.point.design, self.need.clock_ns
        if netlists:
            self.relaxed[design] = first = netlists[0]
            if clock_ns is None:
                self._join(first.spot)
            last = self._last_clock(design)
            if task.shortest_ns > last and (first.period_ns or 0.0) > last:
                return
        if clock_ns is not None:
            meet = (one for one in netlists if (one.period_ns or 0.0) <= clock_ns)
            at_clock = Spot(design, self.need.nbits, clock_ns)
            netlists = [replace(one, spot=at_clock) for one in [*meet, *netlists[-1:]][:1]]
        self.curves[design] = {one.spot: one for one in netlists}
        for spot in self.curves[design]:
            self._join(spot)

    def is_composed(self, spot: Spot) -> bool:
        """Return whether a spot is of a composed curve."""
        return not spot.gated and spot in self.curves.get(spot.design, ())

    def waits_for_curve(self, spot: Spot) -> bool:
        """Return whether the curve of a spot's design is composed before the flow runs."""
        return self.composes and not spot.gated and spot.design not in self.curves

    def widen(self, design: str) -> None:
        """Let the neighbours of a design join, if its family is one of which some were drawn."""
        if place_of(design).family not in self._large or design in self._widened:
            return
        self._widened.add(design)
        need = self.need
        new = (name for name in neighbours(design, need.nbits) if name not in self.cycles)
        names = [name for name in dict.fromkeys(new) if suits(find(name), need)]
        self.beside += len(names)
        self.cycles |= {
            name: need.powers * cycles_of(name, need.nbits, need.workload) for name in names
        }
        for name in names:
            self._join_all(name)

    def _join_all(self, design: str) -> None:
        for clock_ns in self.clocks_of(design):
            for gated in self.need.clocks_gated:
                self._join(Spot(design, self.need.nbits, clock_ns, gated))

    def _join(self, spot: Spot) -> None:
        if spot not in self._number:
            self._number[spot] = len(self.spots)
            self.spots.append(spot)
            self._places.add(spot)

    def marked(self, spots: Iterable[Spot]) -> Mask:
        """Mark some spots."""
        found = np.zeros(len(self.spots), dtype=bool)
        found[[self._number[spot] for spot in spots]] = True
        return found

    def figures(self, spot: Spot) -> dict[str, float]:
        """Return the quantities of a spot that were measured; with a fixed clock it is that which
        decides, if the netlist meets it."""
        one = self.known.get(spot)
        if one is None or one.area_um2 is None or one.period_ns is None:
            return {}
        found = self._at_period(spot, one.area_um2, one.period_ns)
        if one.energy_nj is not None:
            found["energy"] = self.need.powers * one.energy_nj
        return found

    def composed(self) -> Iterator[tuple[Spot, dict[str, float]]]:
        """Go through the composed netlists that the flow has not made, with their quantities."""
        for one in self._netlists():
            if one.spot not in self.known and one.area_um2 and one.period_ns:
                yield one.spot, self._at_period(one.spot, one.area_um2, one.period_ns)

    def _netlists(self) -> Iterator[Netlist]:
        """Go through the composed netlists: of each design its curve, or the first of it if that
        is for a clock that may be chosen."""
        for design, first in self.relaxed.items():
            if design in self.curves:
                yield from self.curves[design].values()
            elif first.spot in self._number:
                yield first

    def _at_period(self, spot: Spot, area_um2: float, period_ns: float) -> dict[str, float]:
        time_us = self.cycles[spot.design] * (self.need.clock_ns or period_ns) / 1000
        return {"area": area_um2, "time": time_us, PERIOD: period_ns}

    @property
    def limits(self) -> dict[str, float]:
        """The logarithms of what limits each quantity; with a fixed clock, of the period, too."""
        found = {name: log(value) for name, value in self.need.at_most.items()}
        return found | ({} if self.need.clock_ns is None else {PERIOD: log(self.need.clock_ns)})

    def band(self, name: str) -> float:
        """Tell by which part noise moves a quantity; time at a fixed clock has none."""
        if name == PERIOD or (name == "time" and self.need.clock_ns is not None):
            return 0.0
        return getattr(USUAL, QUANTITIES[name].band)

    def is_known(self, spot: Spot) -> bool:
        """Return whether all that decides was measured."""
        return self.figures(spot).keys() >= {*self.need.quantities}

    def estimates(self, model: Model) -> "Estimates":
        """Estimate all candidates, but take what was composed nearly, and what was measured exactly
        as it is."""
        mean, doubt = {}, {}
        for name in ("area", PERIOD, *(["energy"] if "energy" in self.need.quantities else [])):
            mean[name], doubt[name] = model.estimate(name, self._places)
        cycles = np.log([self.cycles[spot.design] for spot in self.spots])
        mean["area"] += log(self.need.nbits)
        told = {spot: figures for spot in self.known if (figures := self.figures(spot))}
        for one in self._netlists():
            self._tell_composed(one, mean, doubt)
        for name in ("area", PERIOD):
            self._tell(name, told, mean, doubt)
        if "energy" in mean:
            mean["energy"] += mean["area"] + cycles
            doubt["energy"] = np.hypot(doubt["energy"], doubt["area"])
            self._tell("energy", told, mean, doubt)
        if self.need.clock_ns is None:
            mean["time"] = mean[PERIOD] + cycles - log(1000)
            doubt["time"] = doubt[PERIOD]
        else:
            mean["time"] = cycles + log(self.need.clock_ns / 1000)
            doubt["time"] = np.zeros(len(self.spots))
        return Estimates(mean, doubt, self._least())

    def expected(self, spot: Spot, estimates: "Estimates") -> Known:
        """Return what a spot is expected to be: its estimates, as if they were measured."""
        value = {name: exp(mean[self._number[spot]]) for name, mean in estimates.mean.items()}
        cycles, energy = self.cycles[spot.design], value.get("energy")
        return Known(spot, value["area"], value[PERIOD], energy, cycles)

    def _least(self) -> dict[str, Array]:
        """Tell the logarithms of the least areas that there can be, but for noise: a shorter clock
        makes no smaller netlist of a design than a longer one. And of the least periods and times:
        none is far shorter than that of the first netlist of a curve."""
        by: dict[tuple[str, bool], list[tuple[float, float]]] = {}
        for spot in self.known:
            if area_um2 := self.figures(spot).get("area"):
                least = area_um2 * (1 - self.band("area"))
                by.setdefault((spot.design, spot.gated), []).append((spot.clock_ns, least))
        for design, one in self.relaxed.items():
            least = (one.area_um2 or 0.0) * (1 - DOUBTS * confirmed(one)["area"])
            by.setdefault((design, False), []).append((one.spot.clock_ns, least))
        area = np.full(len(self.spots), -np.inf)
        period, cycles = area.copy(), np.ones(len(area))
        for number, spot in enumerate(self.spots):
            longer = [a for c, a in by.get((spot.design, spot.gated), ()) if c >= spot.clock_ns]
            if longer:
                area[number] = log(max(longer))
            if not spot.gated and (first := self.relaxed.get(spot.design)):
                period[number] = log((first.period_ns or 0.0) / OUT_OF_REACH)
                cycles[number] = self.cycles[spot.design]
        found = {"area": area, PERIOD: period}
        if self.need.clock_ns is None:
            found["time"] = period + np.log(cycles / 1000)
        return found

    def _tell_composed(
        self,
        one: Netlist,
        mean: Mapping[str, Array],
        doubt: Mapping[str, Array],
    ) -> None:
        """Put a composed netlist in the place of estimates. The flow does not miss the clock that
        this one meets: it leaves a margin for what is timed roughly."""
        assert one.area_um2, one
        assert one.period_ns, one
        number, clock_ns = self._number[one.spot], one.spot.clock_ns
        doubts = dict(confirmed(one))
        if one.period_ns <= clock_ns:
            doubts[PERIOD] = min(doubts[PERIOD], log(clock_ns / one.period_ns) / DOUBTS)
        for name, value in (("area", one.area_um2), (PERIOD, one.period_ns)):
            mean[name][number], doubt[name][number] = log(value), doubts[name]

    def _tell(
        self,
        name: str,
        told: Mapping[Spot, Mapping[str, float]],
        mean: Mapping[str, Array],
        doubt: Mapping[str, Array],
    ) -> None:
        """Put what was measured in the place of estimates."""
        for spot, figures in told.items():
            if name in figures:
                number = self._number[spot]
                mean[name][number], doubt[name][number] = log(figures[name]), 0.0

    def settled(self) -> Mask:
        """Mark the spots of which a known netlist of the design tells all: those at clocks that it
        meets, for which no smaller one is made. Beside a composed curve no other clock is tried."""
        by: dict[tuple[str, bool], list[tuple[float, float]]] = {}
        for spot in self.known:
            if period_ns := self.figures(spot).get(PERIOD):
                by.setdefault((spot.design, spot.gated), []).append((spot.clock_ns, period_ns))

        def is_settled(spot: Spot) -> bool:
            if spot in self.known:
                return False
            curve = None if spot.gated else self.curves.get(spot.design)
            return (curve is not None and spot not in curve) or any(
                period_ns <= spot.clock_ns
                and (spot.clock_ns <= clock_ns or period_ns * ROOM <= clock_ns)
                for clock_ns, period_ns in by.get((spot.design, spot.gated), ())
            )

        designs = {design for design, _ in by} | self.curves.keys()
        spots = (spot for spot in self.spots if spot.design in designs)
        return self.marked(spot for spot in spots if is_settled(spot))

    def too_large(self, estimates: "Estimates") -> Mask:
        """Mark the spots that nobody wants to map, by estimate, or to simulate."""
        cycles = np.array([self.cycles[spot.design] for spot in self.spots])
        return ~self.marked(self.known) & (
            (estimates.mean["area"] > log(MOST_UM2)) | (cycles > MOST_CYCLES)
        )


class Estimates:
    """Means and doubts of the candidates' quantities, and what they are at least, in logarithms."""

    def __init__(
        self,
        mean: Mapping[str, Array],
        doubt: Mapping[str, Array],
        least: Mapping[str, Array],
    ) -> None:
        self.mean, self.doubt, self._least = mean, doubt, least

    def pessimistic(self, name: str) -> Array:
        """Return what a quantity is at worst, as far as is believed."""
        worst: Array = self.mean[name] + DOUBTS * self.doubt[name]
        return worst

    def optimistic(self, name: str) -> Array:
        """Return what a quantity is at best, as far as is believed."""
        best: Array = self.mean[name] - DOUBTS * self.doubt[name]
        return np.maximum(best, self._least[name]) if name in self._least else best
