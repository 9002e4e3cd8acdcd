"""The candidates of a search: designs at clocks, with what is known or estimated of each.

All is in logarithms: an estimate is a mean and a doubt, what was measured has none.
"""

from collections.abc import Callable, Iterable, Mapping
from math import log

import numpy as np

from eval.catalog import find
from eval.find.drawn import draw
from eval.find.formula import all_cycles, cycles_of
from eval.find.known import Netlist
from eval.find.model import DOUBTS, Array, Known, Mask, Model, Places, Spot
from eval.find.need import Need
from eval.find.quantities import QUANTITIES
from eval.find.space import named, neighbours, place_of, suits
from eval.tasks.noise_section import USUAL

CLOCKS_NS = tuple(round(3.0 * 1.3**i, 2) for i in range(-7, 5))  # that a free one is chosen from
ROOM = 1.3  # a clock that a netlist meets with so much room made it as small as it can be
MOST_UM2, MOST_CYCLES = 1.5e6, 500e6  # what is larger, or longer, takes an hour to map or simulate
PERIOD = "period"  # limited where the clock is fixed


class Candidates:
    """What a need chooses from, in one order: spots, their cycles, and figures of each."""

    def __init__(
        self,
        need: Need,
        model: Callable[[], Model],
        there: Iterable[str],
        on_step: Callable[[str], None],
    ) -> None:
        """model: makes that by which points of large families are drawn. there: designs of which
        something was measured, which those of large families join."""
        self.need = need
        on_step("counting cycles by formula")
        names, large = named(need)
        cycles = all_cycles(names, need.nbits, need.workload)
        self.clocks = CLOCKS_NS if need.clock_ns is None else (need.clock_ns,)
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
        self.cycles = cycles
        self.spots = [
            Spot(name, need.nbits, clock_ns, gated)
            for name in cycles
            for clock_ns in self.clocks
            for gated in need.clocks_gated
        ]
        self._number = {spot: number for number, spot in enumerate(self.spots)}
        self._places: Places | None = None
        self.known: dict[Spot, Known] = {}
        self.composed: dict[str, set[Spot]] = {}  # by design, the spots of its curve

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

    def tell_curve(self, design: str, netlists: Iterable[Netlist]) -> None:
        """Note a composed curve of a design: its clocks are the only ones left to choose from."""
        self.composed[design] = {one.spot for one in netlists}
        for one in netlists:
            self._join(one.spot)

    def widen(self, design: str) -> None:
        """Let the neighbours of a design join, if its family is one of which some were drawn."""
        if place_of(design).family not in self._large or design in self._widened:
            return
        self._widened.add(design)
        need = self.need
        new = (name for name in neighbours(design, need.nbits) if name not in self.cycles)
        names = [name for name in dict.fromkeys(new) if suits(find(name), need)]
        self.beside += len(names)
        self.cycles |= {name: cycles_of(name, need.nbits, need.workload) for name in names}
        for name in names:
            for clock_ns in self.clocks:
                for gated in need.clocks_gated:
                    self._join(Spot(name, need.nbits, clock_ns, gated))

    def _join(self, spot: Spot) -> None:
        if spot not in self._number:
            self._number[spot] = len(self.spots)
            self.spots.append(spot)
            self._places = None

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
        clock_ns = self.need.clock_ns or one.period_ns
        found = {
            "area": one.area_um2,
            "time": self.cycles[spot.design] * clock_ns / 1000,
            PERIOD: one.period_ns,
        }
        return found | ({} if one.energy_nj is None else {"energy": one.energy_nj})

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
        """Estimate all candidates, but take what was measured as it is."""
        places = self._places = self._places or Places(self.spots)
        mean, doubt = {}, {}
        for name in ("area", PERIOD, *(["energy"] if "energy" in self.need.quantities else [])):
            mean[name], doubt[name] = model.estimate(name, places)
        cycles = np.log([self.cycles[spot.design] for spot in self.spots])
        mean["area"] += log(self.need.nbits)
        told = {spot: figures for spot in self.known if (figures := self.figures(spot))}
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
        return Estimates(mean, doubt, {"area": self._least_areas()})

    def _least_areas(self) -> Array:
        """Tell the logarithms of the least areas that there can be, but for noise: a shorter clock
        makes no smaller netlist of a design than a longer one."""
        by: dict[tuple[str, bool], list[tuple[float, float]]] = {}
        for spot in self.known:
            if area_um2 := self.figures(spot).get("area"):
                by.setdefault((spot.design, spot.gated), []).append((spot.clock_ns, area_um2))
        found = np.full(len(self.spots), -np.inf)
        for number, spot in enumerate(self.spots):
            longer = [a for c, a in by.get((spot.design, spot.gated), ()) if c >= spot.clock_ns]
            if longer:
                found[number] = log(max(longer) * (1 - self.band("area")))
        return found

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
            curve = None if spot.gated else self.composed.get(spot.design)
            return (curve is not None and spot not in curve) or any(
                period_ns <= spot.clock_ns
                and (spot.clock_ns <= clock_ns or period_ns * ROOM <= clock_ns)
                for clock_ns, period_ns in by.get((spot.design, spot.gated), ())
            )

        designs = {design for design, _ in by} | self.composed.keys()
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

    def optimistic(self, name: str) -> Array:
        """Return what a quantity is at best, as far as is believed."""
        best: Array = self.mean[name] - DOUBTS * self.doubt[name]
        return np.maximum(best, self._least[name]) if name in self._least else best
