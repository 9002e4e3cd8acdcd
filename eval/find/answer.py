"""The answer to a need: the design, the runners-up, what binds, and how it is known."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np

from eval.catalog import find
from eval.catalog.point import Point
from eval.find.candidates import PERIOD
from eval.find.known import stored
from eval.find.model import DOUBTS, Spot, left_out
from eval.find.need import Need
from eval.find.quantities import QUANTITIES
from eval.find.search import NARROW_BITS, RUNNERS_UP, Search, run_of
from eval.find.space import counts
from eval.table import Table, numbers, words
from eval.tasks.flow_run.task import POWER, TIMING
from eval.tasks.noise_section import USUAL, USUALLY, said
from eval.tasks.simulation import Simulation

BEST, FRONT, RUNNER_UP, NEAREST = "best", "front", "runner-up", "nearest"
SO_FAR = " so far"
COMPOSED = "composed"  # a runner-up that the flow has not made
EQUAL = "="  # marks what differs from the best by no more than noise
MOST_NAMED = 3


@dataclass(frozen=True)
class Line:
    """A netlist that the answer shows, and what it is there for; `equal` as far as noise tells."""

    rank: str
    spot: Spot
    cycles: int
    figures: Mapping[str, float]
    workload: str
    equal: bool = False

    def get(self, name: str) -> float | None:
        """Return a figure; None if it was not measured."""
        return self.figures.get(name)

    @property
    def point(self) -> Point:
        """The design at its width."""
        return Point(self.spot.design, self.spot.nbits)

    @property
    def commands(self) -> tuple[str, str]:
        """The commands that reproduce area, clock and energy, and the cycles."""
        run = run_of(self.spot, "energy" in self.figures)
        cycles = Simulation(self.point, self.workload).port_command
        return run.command_to(POWER if run.energy else TIMING), cycles

    def as_dict(self) -> dict[str, Any]:
        """Return all values by their names."""
        entry = find(self.spot.design)
        return {
            "rank": self.rank,
            "design": self.spot.design,
            "nbits": self.spot.nbits,
            "clock": self.spot.clock_ns,
            "gated": self.spot.gated,
            "area": self.get("area"),
            "period": self.get(PERIOD),
            "cycles": self.cycles,
            "time": self.get("time"),
            "energy": self.get("energy"),
            "equal": self.equal,
            "family": entry.family,
            "moduli": entry.moduli.kind,
            "constant": "yes" if entry.constant_time else "no",
        }


NAMES = (
    *("rank", "design", "nbits", "clock", "gated", "area", "period", "cycles", "time", "energy"),
    *("equal", "family", "moduli", "constant"),
)


class Answer:
    """What a search has found."""

    def __init__(self, search: Search) -> None:
        self.search, self.need, self.steps = search, search.need, search.steps
        self.met = bool(search.fit())
        self.left_out = search.left_out
        self.lines = [*self._lines()]

    def _lines(self) -> Iterator[Line]:
        search = self.search
        if not self.met:
            for spot in search.shown():
                yield self._line(NEAREST, spot)
            return
        front = search.front()
        rank = (BEST if len(self.need.least) == 1 else FRONT) + SO_FAR * (not self.complete)
        for spot in search.shown():
            if spot in front:
                yield self._line(rank, spot)
            else:
                yield self._line(RUNNER_UP, spot, self._is_equal(spot, front))
        shown = search.shown()
        designs, room = {spot.design for spot in shown}, RUNNERS_UP - len(shown) + len(front)
        for spot, figures in self._composed():
            if spot.design not in designs and room > 0:
                designs, room = designs | {spot.design}, room - 1
                yield self._line(COMPOSED, spot, self._are_equal(figures, front), figures)

    def _composed(self) -> list[tuple[Spot, Mapping[str, float]]]:
        """List the composed netlists that keep to all limits, the best first; none where energy
        decides, which they do not have."""
        if "energy" in self.need.quantities:
            return []
        search = self.search
        found = [(s, figures) for s, figures in search.candidates.composed()]
        fit = [(spot, figures) for spot, figures in found if search.over(figures) <= 0]
        return sorted(fit, key=lambda one: search.order(one[1]))

    def _line(
        self,
        rank: str,
        spot: Spot,
        equal: bool = False,
        figures: Mapping[str, float] | None = None,
    ) -> Line:
        cycles, figures = self.search.candidates.cycles[spot.design], figures or self._figures(spot)
        return Line(rank, spot, cycles, figures, self.need.workload, equal)

    def _figures(self, spot: Spot) -> dict[str, float]:
        return self.search.candidates.figures(spot)

    def _is_equal(self, spot: Spot, front: list[Spot]) -> bool:
        """Tell whether noise alone may part a spot from one of the front."""
        return self._are_equal(self._figures(spot), front)

    def _are_equal(self, figures: Mapping[str, float], front: list[Spot]) -> bool:
        value, band = self.search.value, self.search.candidates.band
        return any(
            all(figures[n] * (1 - band(n)) <= value(best, n) for n in self.need.least)
            for best in front
        )

    @property
    def open(self) -> list[str]:
        """The designs that are not measured and could still be better."""
        steps = self.steps
        known = self.met or steps.feasible
        return sorted({*steps.open, *steps.too_large}) if known else []

    @property
    def complete(self) -> bool:
        """Whether nothing that was considered could still be better."""
        return not self.open

    @property
    def headline(self) -> list[str]:
        """What comes first: that the answer is not complete, and which designs were left out."""
        found = [self.incomplete[0].upper() + self.incomplete[1:]] if self.incomplete else []
        reasons: dict[str, list[str]] = {}
        for name, why in self.left_out.items():
            reasons.setdefault(why, []).append(name)
        return found + [f"Not considered: {_some(names)}: {why}." for why, names in reasons.items()]

    @property
    def incomplete(self) -> str:
        """Say that the answer is the best so far, and what to do; "" if it is complete."""
        if self.complete:
            return ""
        could = "could still be better" if self.met else "could meet the need"
        what = f"{several(len(self.open), 'candidate')} not measured {could}"
        if self.steps.open:
            remedy = "repeat the command to go on"
        else:
            remedy = "they are too large or take too long to be measured here"
        first = "best so far" if self.met else "no design meets the need so far"
        return f"{first}: {what}; {remedy}."

    @property
    def best(self) -> Line | None:
        """What is asked for; None if nothing measured is."""
        return self.lines[0] if self.met else None

    @property
    def remedy(self) -> str:
        """Say what to do where no design meets the need."""
        if not self.lines and not self.search.candidates.cycles:
            return "no design is left to consider; name others"
        if not self.lines:
            return "nothing was measured in the time; give a longer --budget"
        open_still = not self.steps.in_time and bool(self.steps.open) and self.steps.feasible
        raised = "give a longer --budget, or raise a limit" if open_still else "raise a limit"
        return f"{raised}; {self.lines[0].spot.design} is nearest"

    def binds(self) -> list[str]:
        """Say which limit would have to give for the next better, limit by limit."""
        if not self.met:
            return [*self._missed()]
        return [self._binding(name) for name in self.need.at_most]

    def _missed(self) -> Iterator[str]:
        for line in self.lines:
            for name, limit in self.need.at_most.items():
                value, quantity = line.get(name), QUANTITIES[name]
                if value is not None and value > limit:
                    yield (
                        f"{name}: {line.spot.design} has {quantity.text(value)}, "
                        f"{_over(value / limit)} the limit of {quantity.text(limit)}."
                    )
            if (clock := self.need.clock_ns) and (line.get(PERIOD) or 0) > clock:
                yield (
                    f"clock: {line.spot.design} reaches {line.figures[PERIOD]:.3f} ns, "
                    f"not {clock:g} ns."
                )

    def _binding(self, name: str) -> str:
        """Say what comes of a limit, if it gives: the nearest netlist beyond it alone that is
        better by more than noise in something that is to be least."""
        search, quantity = self.search, QUANTITIES[name]
        limit = self.need.at_most[name]
        used = max(search.value(spot, name) for spot in search.front())
        room = f"{name}: {quantity.text(used)} of {quantity.text(limit)}"
        least = [other for other in self.need.least if other != name]
        beyond = [
            spot
            for spot in search.measured()
            if search.value(spot, name) > limit
            and all(
                search.value(spot, other) <= most
                for other, most in self.need.at_most.items()
                if other != name
            )
            and (not self.need.clock_ns or search.value(spot, PERIOD) <= self.need.clock_ns)
            and any(
                all(
                    search.value(spot, o) < search.value(best, o) * (1 - search.candidates.band(o))
                    for best in search.front()
                )
                for o in least
            )
        ]
        if not beyond:
            return f"{room}; no measured netlist beyond it is better.{self._estimated(name, least)}"
        first = min(beyond, key=lambda spot: search.value(spot, name))
        gains = ", ".join(
            f"{other} {QUANTITIES[other].text(search.value(first, other))}" for other in least
        )
        return (
            f"{room}; it binds: at {quantity.text(search.value(first, name))} "
            f"{first.design} has {gains}."
        )

    def _estimated(self, name: str, least: Sequence[str]) -> str:
        """Say which design may be, by estimate, the nearest beyond a limit alone that is better."""
        search = self.search
        candidates, mean = search.candidates, search.estimates.mean
        better = mean[name] > candidates.limits[name]
        for other, limit in candidates.limits.items():
            better &= (mean[other] <= limit) | (other == name)
        gains = np.zeros_like(better)
        for other in least:
            best = min(search.value(spot, other) for spot in search.front())
            gains |= mean[other] < log(best * (1 - candidates.band(other)))
        numbers = np.flatnonzero(better & gains)
        if not len(numbers):
            return ""
        first = min(numbers, key=lambda number: float(mean[name][number]))
        told = {n: QUANTITIES[n].text(exp(float(mean[n][first]))) for n in (name, *least)}
        values = ", ".join(f"{other} {told[other]}" for other in least)
        design = candidates.spots[first].design
        return f" By estimate, {design} has {values} at about {told[name]}."

    def how(self) -> list[str]:
        """Say how it is known."""
        steps, need = self.steps, self.need
        known = steps.mapped + steps.composed
        fresh = f" ({several(steps.new, 'row')} now, the others before)" * (steps.new < known)
        counted = f"{several(steps.points, 'point')} by formula"
        if steps.drawn:
            counted += f", {steps.drawn} of them drawn by seed {need.seed}"
            counted += f" and {steps.beside} next to the best" * (steps.beside > 0)
        if not need.designs and not need.families:
            counted += f", of {sum(counts(need.nbits).values())} at {need.nbits} bits"
        narrow = f"{several(steps.narrow, 'netlist')} of {NARROW_BITS} bits with energy; "
        composed = (
            f"{several(steps.composed, 'design')} composed, {steps.curves} for several clocks; "
        )
        found = [
            f"{counted}; {steps.out} cannot win by estimate; "
            f"{narrow * (steps.narrow > 0)}"
            f"{composed * (steps.composed > 0)}"
            f"{several(steps.mapped, 'netlist')} of the flow{fresh}, {steps.energies} with energy.",
            "Cycles are exact: hardware obeys the formulas, and the flow's designs were simulated.",
            self._doubt(),
            f"Noise: {said(USUAL)}, {USUALLY}. {EQUAL} marks what is as good, as far as it tells.",
        ]
        if steps.drawn:
            found.append("Points of large families that were not drawn were not looked at.")
        if not self.met and not steps.feasible:
            found.append("No point keeps to all limits, not even at best by its estimate.")
        may = "may meet the need" if steps.feasible else "may be nearer"
        may = "may win" if self.met else may
        for names, text in (
            (steps.open, f"not measured{' in the time' * (not steps.in_time)}, {may}"),
            (steps.too_large, f"too large or too long to be measured here, {may}"),
            (steps.failed, "failed in the flow"),
        ):
            if names:
                found.append(f"{len(names)} {text}: {_some(names)}.")
        return found

    def _doubt(self) -> str:
        """Say how good the estimates are by which others were dropped."""
        rows = [one.known(self.need.workload) for one in stored()]
        off = left_out([one for one in rows if one.spot.nbits == self.need.nbits], "area")
        text = f"Others were dropped at {DOUBTS:g} standard deviations of their estimates"
        if len(off) < MOST_NAMED:
            return f"{text}, which few netlists of this width confirm as yet."
        held = sum(abs(error) <= DOUBTS * doubt for error, doubt in off)
        typical = sorted(abs(error) for error, _ in off)[len(off) // 2]
        return (
            f"{text}; of {len(off)} netlists of this width, estimated by the others, {held} are "
            f"within these, half of them within {percent(exp(typical) - 1)} (area)."
        )

    def study(self, command: str) -> str:
        """Write a study file of what is shown, and of all that was measured at the clock of the
        best, at that clock: TOML, as `modexplorer report` takes it."""
        clock_ns = self.lines[0].spot.clock_ns
        there = [spot for spot in self.search.measured() if spot.clock_ns == clock_ns]
        made = (line for line in self.lines if line.rank != COMPOSED)
        names = dict.fromkeys([line.spot.design for line in made])
        names |= dict.fromkeys(sorted(spot.design for spot in there))
        to = POWER if "energy" in self.need.quantities else TIMING
        values = {
            "designs": [*names],
            "nbits": self.need.nbits,
            "clock": clock_ns,
            "workloads": [self.need.workload],
            "to": to,
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
        if looked := [f"  {json.dumps(one)}," for one in self.looked()]:
            lines += ["# estimates of the area in um2 and the time in us of designs that were not"]
            lines += ["# measured, and than which none is smaller and faster", "looked = ["]
            lines += [*looked, "]"]
        return "\n".join([f"# {self.need.text}", f"# written by {command}", *lines, ""])

    def looked(self) -> Iterator[tuple[str, float, float]]:
        """List designs that were not measured with the area and time that are estimated of them, at
        the clock at which their area x time is least: those that no other is smaller and faster
        than, by its estimate or measured."""
        candidates, mean = self.search.candidates, self.search.estimates.mean
        product = mean["area"] + mean["time"]
        known = {spot.design for spot in candidates.known}
        best: dict[str, int] = {}
        for number, spot in enumerate(candidates.spots):
            if spot.design not in known:
                then = best.setdefault(spot.design, number)
                best[spot.design] = min(then, number, key=product.__getitem__)
        told = [(mean["area"][i], mean["time"][i], design) for design, i in best.items()]
        known_figures = map(candidates.figures, candidates.known)
        there = [(log(one["area"]), log(one["time"]), "") for one in known_figures if one]
        fastest = np.inf
        for area, time, design in sorted([*told, *there]):
            if time < fastest:
                fastest = time
                if design:
                    yield design, float(f"{exp(area):.4g}"), float(f"{exp(time):.4g}")

    def as_json(self) -> dict[str, Any]:
        """Put it into one JSON object."""
        steps = vars(self.steps)
        rows = [line.as_dict() | {"commands": line.commands} for line in self.lines]
        return {
            "need": self.need.text,
            "met": self.met,
            "complete": self.complete,
            "open": len(self.open),
            "left_out": self.left_out,
            "rows": rows,
            "binds": self.binds(),
            "how": self.how(),
            "steps": steps,
        }


def _some(names: Sequence[str]) -> str:
    """Write the first of some names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED)
    return ", ".join(names[:MOST_NAMED]) + more


def several(count: int, what: str) -> str:
    """Write a count of something."""
    return f"{count} {what}{'s' * (count != 1)}"


def _over(times: float) -> str:
    """Say how far something is over a limit."""
    return f"{percent(times - 1)} over" if times < 2 else f"{times:.3g} times"


def percent(part: float) -> str:
    """Write a part as per cents."""
    return f"{100 * part:.0f} %" if part >= 0.095 else f"{100 * part:.1f} %"


def _clock(line: Line) -> str:
    return f"{line.spot.clock_ns:g}{' gated' * line.spot.gated}"


def _powers(need: Need) -> str:
    """Say what an operation is that is not one power of its width."""
    if need.powers == 1:
        return f"The design has {need.nbits} bits. " if need.nbits != need.key_bits else ""
    return f"An operation is {need.powers} powers of {need.nbits} bits, without the host's part. "


NOTE = (
    "Asked: the clock period that it is mapped for. Time: cycles through the accelerator's port x "
)
OWN = "its minimum period. "
FIXED = "that clock. "
IN_PARTS = "Composed: put together of mapped modules, not yet by the flow. "
LINES = Table(
    lambda answer: answer.need.text,
    words({"": lambda line: f"{line.rank}{f' {EQUAL}' * line.equal}"})
    + words({"design": "spot.design"})
    + words({"asked\nns": _clock})
    + numbers(3, {"period\nns": lambda line: line.get(PERIOD)})
    + numbers(0, {"cycles": "cycles"})
    + numbers(1, {"area\num2": lambda line: line.get("area")})
    + numbers(3, {"time\nus": lambda line: line.get("time")})
    + numbers(2, {"energy\nnJ": lambda line: line.get("energy")}),
    lambda answer: "".join(
        [
            NOTE + (OWN if answer.need.clock_ns is None else FIXED),
            _powers(answer.need),
            IN_PARTS * any(line.rank == COMPOSED for line in answer.lines),
        ]
    ),
    rows=lambda answer: answer.lines,
    commands=lambda line: () if line.rank in (RUNNER_UP, COMPOSED) else line.commands,
)
