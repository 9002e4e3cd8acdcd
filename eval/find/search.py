"""The search: what may still win is asked for the next, dearer figure, the most promising first.

A candidate may win if its optimistic figures keep to all limits and no measured one is as good,
within the noise, in all that is to be least. The search ends when nothing may win that is not
measured, or when its time is over.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import erf, log, pi, sqrt
from types import FrameType

import numpy as np

from eval.catalog.point import Point
from eval.find.candidates import COMPOSED_AT_NS, Candidates
from eval.find.known import Netlist, curves, energies_of, of_curve, quoted, stored
from eval.find.model import Array, Known, Mask, Model, Spot
from eval.find.need import Need
from eval.find.space import passed_over
from eval.study.failures import RowsFailed
from eval.tasks.composed import Composed
from eval.tasks.flow_run.task import POWER, TIMING, FlowRun
from eval.tasks.simulation import Simulation
from eval.tasks.store import Store
from eval.tasks.task import Row, Task, measure
from eval.tasks.unit import ACCELERATOR

Run = Callable[[Sequence[Task]], Sequence[Row]]
Say = Callable[[str], None]
Values = dict[str, float]  # logarithms of quantities, by name
MOST_NEAR = 6  # curves, and runs, that look for the nearest point where a need cannot be met
NEARER = 0.02  # by which part another must be nearer to be looked at
RUNNERS_UP = 5
LIKELY = 0.5  # the probability from which a composed netlist is confirmed first
NARROW_BITS = 64  # of netlists whose energy for each um2 and cycle tells of wide ones


class OutOfTime(Exception):
    """Ends runs that last longer than the search may."""


@dataclass
class Steps:
    """Counts what the search did: points by formula, of these drawn ones and those that joined
    beside the best, those that could not win by estimate, narrow netlists with energies, designs
    that were composed and those for several clocks, netlists of the flow and those with energies,
    how many rows are new; whether a point that is not measured may keep to all limits; points that
    are too large, those that failed, and those that may win still; whether the time was enough, and
    whether somebody interrupted it."""

    points: int = 0
    drawn: int = 0
    beside: int = 0
    out: int = 0
    narrow: int = 0
    composed: int = 0
    curves: int = 0
    mapped: int = 0
    energies: int = 0
    new: int = 0
    feasible: bool = True
    too_large: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    in_time: bool = True
    interrupted: bool = False


class Search:
    """A search under way for a need; `run` measures tasks, and `jobs` of them at once."""

    def __init__(self, need: Need, run: Run, jobs: int, say: Say = lambda step: None) -> None:
        self.need, self._run, self._jobs, self._say = need, run, jobs, say
        say("reading what is known")
        came_with, self._stored = quoted(), stored()
        there = [one.spot.design for one in self._stored if one.spot.nbits == need.nbits]
        self.left_out = passed_over(need)  # named designs that are no candidates, with the reason
        self._uncounted: list[str] = []
        self.candidates = Candidates(
            need,
            lambda: Model(one.known(need.workload) for one in came_with),
            there,
            say,
            self._simulated,
        )
        self.candidates.tell(self._stored)
        self._curves = curves()
        for task, netlists in self._curves.items() if self.candidates.composes else ():
            design, nbits = task.subject()
            looked_at = nbits == need.nbits and design in self.candidates.cycles
            if looked_at and self.candidates.takes(task) and has_row(task):
                self.candidates.tell_curve(task, netlists)
        self._others = [one for one in came_with if one.spot not in self._spots_stored()]
        self.steps = Steps(drawn=self.candidates.drawn)
        self._failed: set[Spot] = set()
        self._narrow = {
            one.spot
            for one in self._stored
            if one.spot.nbits == NARROW_BITS and dict(one.energies_nj).get(need.workload)
        }
        self._confirmed: dict[Spot, bool] = {}  # with energy or without
        self._near = {True: 0, False: 0}  # how often composed and run

    def _spots_stored(self) -> set[Spot]:
        return {one.spot for one in self._stored}

    def _simulated(self, names: Sequence[str]) -> dict[str, int]:
        """Count the cycles of designs without a formula, such as cores of others, by simulation."""
        need = self.need
        tasks: dict[Task, str] = {
            Simulation(Point(name, need.nbits), need.workload): name for name in names
        }
        self._say(", ".join(map(str, tasks)))
        try:
            with within(need.budget_s):
                rows = self._run([*tasks])
        except RowsFailed as error:
            rows = error.rows
            for task, reason in error.failures.items():
                self.left_out[tasks[task]] = f"its simulation failed: {reason.splitlines()[0]}"
        except OutOfTime:
            self._uncounted = [*names]
            return {}
        metric = f"xcel_cycles_{need.workload}"
        made = {row.task: row.result.metrics[metric] for row in rows}
        return {name: int(made[task]) for task, name in tasks.items() if task in made}

    def go(self) -> None:
        """Search until nothing may win that is not measured, the time is over, or somebody
        interrupts it."""
        self._end = time.monotonic() + self.need.budget_s
        self.estimates = self.candidates.estimates(self._learned())
        try:
            self._climb()
        except KeyboardInterrupt:
            self.steps.in_time, self.steps.interrupted = False, True
        self.estimates = self.candidates.estimates(self._learned())
        self._drop_old()
        self._count()

    def _climb(self) -> None:
        """Measure the most promising until nothing may win, or the time is over."""
        while True:
            for spot in self.front():
                self.candidates.widen(spot.design)
            self.estimates = self.candidates.estimates(self._learned())
            chosen = self._next()
            tasks: list[Task] = [task for spot in chosen if (task := self._task(spot))]
            tasks = tasks or [*self._unconfirmed()]
            if not tasks:
                break
            left = self._end - time.monotonic()
            if left <= 0:
                self.steps.in_time = False
                break
            try:
                with within(left):
                    self._measure(tasks)
            except OutOfTime:
                self.steps.in_time = False
                break

    def _drop_old(self) -> None:
        """Forget what would be shown, and was read from the store, but is of older code or tools:
        there was no time to make it anew."""
        while tasks := self._unconfirmed():
            for task in tasks:
                self._forget(spot_of(task))

    def _forget(self, spot: Spot) -> None:
        self._stored = [other for other in self._stored if other.spot != spot]
        self.candidates.known.pop(spot, None)

    def _learned(self, expected: Iterable[Known] = ()) -> Model:
        """Make the model of all that is known, and of what is expected."""
        known = {one.spot: one for curve in self._curves.values() for one in curve}
        known |= {one.spot: one for one in (*self._others, *self._stored)}
        return Model([*(one.known(self.need.workload) for one in known.values()), *expected])

    def _task(self, spot: Spot) -> Task | None:
        """Choose the next figure of a spot: its netlist, and then its energy; where curves are
        composed, first the energy of a narrow netlist of its design, then the curve, and then both
        of the spot at once."""
        figures, energy = self.candidates.figures(spot), "energy" in self.need.quantities
        if figures and not energy:
            return None
        if not figures and self.candidates.composes:
            narrow = Spot(spot.design, NARROW_BITS, COMPOSED_AT_NS, spot.gated)
            if energy and narrow not in self._narrow:
                return run_of(narrow, True)
            if self.candidates.waits_for_curve(spot):
                return self.candidates.curve_of(spot.design)
        return run_of(spot, energy and (bool(figures) or self.candidates.is_composed(spot)))

    def _measure(self, tasks: Sequence[Task]) -> None:
        self._say(", ".join(map(str, tasks)))
        try:
            rows = self._run(tasks)
        except RowsFailed as error:
            rows = error.rows
        except (OutOfTime, KeyboardInterrupt):
            made = [task for task in tasks if has_row(task)]  # others were under way
            self._tell(made, [*map(measure, made)])
            raise
        self._tell(tasks, rows)

    def _tell(self, tasks: Sequence[Task], rows: Sequence[Row]) -> None:
        """Note the results of tasks; those without a row failed."""
        made = {row.task: row for row in rows}
        for task in tasks:
            row = made.get(task)
            self.steps.new += row is not None and not row.reused
            if isinstance(task, Composed):
                self._curves[task] = of_curve(task.point, row.result) if row else []
                self.candidates.tell_curve(task, self._curves[task])
                self.steps.failed += [] if row else [task.point.design]
                continue
            assert isinstance(task, FlowRun), task
            spot = spot_of(task)
            self._forget(spot)
            narrow = spot.nbits != self.need.nbits
            if narrow:
                self._narrow.add(spot)
            if row is None:
                self._failed |= {spot} - self._narrow
                continue
            self._confirmed[spot] = self._confirmed.get(spot, False) or task.energy
            metrics = row.result.metrics
            figures = metrics["area_um2"], metrics["period_ns"]
            one = Netlist(spot, *figures, energies_of(metrics))
            self._stored.append(one)
            self._others = [other for other in self._others if other.spot != spot]
            self.candidates.tell([one])

    def _unconfirmed(self) -> list[FlowRun]:
        """List the runs of what would be shown, was read from the store, and has no row of the code
        and tools of now."""
        found = []
        for spot in self.shown():
            figures = self.candidates.figures(spot)
            energy = "energy" in figures and "energy" in self.need.quantities
            if self._confirmed.get(spot) is None or (energy and not self._confirmed[spot]):
                task = run_of(spot, energy)
                if has_row(task):
                    self._confirmed[spot] = energy
                else:
                    found.append(task)
        return found

    # What is known of the best.

    def measured(self) -> list[Spot]:
        """List the spots of which all that decides is known."""
        return [spot for spot in self.candidates.known if self.candidates.is_known(spot)]

    def value(self, spot: Spot, name: str) -> float:
        """Return a measured quantity."""
        return self.candidates.figures(spot)[name]

    def violation(self, spot: Spot) -> float:
        """Tell by which logarithm a measured spot exceeds a limit most; 0 if it keeps to all."""
        return self.over(self.candidates.figures(spot))

    def over(self, figures: Mapping[str, float]) -> float:
        """Tell by which logarithm figures exceed a limit most; 0 if they keep to all."""
        over = (log(figures[n]) - limit for n, limit in self.candidates.limits.items())
        return max(0.0, *over) if self.candidates.limits else 0.0

    def fit(self) -> list[Spot]:
        """List the measured spots that keep to all limits, the best first."""
        found = [spot for spot in self.measured() if self.violation(spot) <= 0]
        return sorted(found, key=self._order)

    def nearest(self) -> list[Spot]:
        """List the measured spots that exceed limits least first."""
        return sorted(self.measured(), key=lambda spot: (self.violation(spot), self._order(spot)))

    def _order(self, spot: Spot) -> tuple[float, ...]:
        return *self.order(self.candidates.figures(spot)), -spot.clock_ns

    def order(self, figures: Mapping[str, float]) -> tuple[float, ...]:
        """Put figures in the order in which they decide."""
        others = [name for name in ("area", "time") if name not in self.need.least]
        return tuple(figures[name] for name in (*self.need.least, *others))

    def front(self) -> list[Spot]:
        """List the spots that no other beats in all that is to be least, each design's best."""
        found: list[Spot] = []
        for spot in self.fit():
            values = [self.value(spot, name) for name in self.need.least]
            if not any(
                all(self.value(f, n) <= v for n, v in zip(self.need.least, values, strict=True))
                for f in found
            ):
                found.append(spot)
        return found

    def shown(self) -> list[Spot]:
        """List what is shown: the front, and the best of other designs; or what is nearest."""
        fit = self.fit()
        if not fit:
            return _one_each(self.nearest())[:1]
        front = self.front()
        designs = {spot.design for spot in front}
        return [*front, *_one_each(s for s in fit if s.design not in designs)[:RUNNERS_UP]]

    # What may win.

    def _next(self) -> list[Spot]:
        """Choose what is measured next: of different designs, as many as run at once. While nothing
        measured keeps to all limits, the flow first confirms a composed netlist that probably does,
        so that there is an answer. Each after the first is chosen as if those before it were
        measured and as expected: of designs that are alike, one shows what the others are."""
        may, likely, estimates = self._eligible(), self._likely(), self.estimates
        chosen: list[Spot] = []
        expected: list[Known] = []
        best: list[Values] = []
        while may.any() and len(chosen) < self._jobs:
            confirms = not chosen and (may & likely).any()
            score = np.where(may & likely if confirms else may, self._score(best), -np.inf)
            number = int(np.argmax(score))
            chosen.append(spot := self.candidates.spots[number])
            may &= [other.design != spot.design for other in self.candidates.spots]
            mean = self.estimates.mean
            if self._over(mean.__getitem__)[number] <= 0:
                best.append({name: mean[name][number] for name in self.need.least})
            expected.append(self.candidates.expected(spot, self.estimates))
            self.estimates = self.candidates.estimates(self._learned(expected))
        self.estimates = estimates
        return chosen

    def _eligible(self) -> Mask:
        """Mark what may be measured next. Where no candidate may keep to all limits, so many curves
        and runs look for the nearest."""
        may = self._may_win()
        if self.fit() or self._feasible().any():
            return may
        waits = may & self._waiting()
        ready, measured = may & ~waits, bool(self.measured())
        enough = self._near[True] >= MOST_NEAR
        composing = bool(waits.any()) and not (ready.any() and (enough or not measured))
        if enough and measured if composing else self._near[False] >= MOST_NEAR:
            return np.zeros_like(may)
        self._near[composing] += bool(may.any())
        return waits if composing else ready

    def _likely(self) -> Mask:
        """Mark the composed netlists that would be the first measured ones to keep to all limits,
        more likely than not; if there are none, and nothing is measured, any composed one."""
        composed = self._composed() & ~self._waiting() & (not self.fit())
        likely: Mask = composed & (self._chance() >= LIKELY)
        return likely if likely.any() or self.measured() else composed

    def _feasible(self) -> Mask:
        """Mark what keeps to all limits at best."""
        found = np.ones(len(self.candidates.spots), dtype=bool)
        for name, limit in self.candidates.limits.items():
            found &= self.estimates.optimistic(name) <= limit
        return found

    def _may_win(self) -> Mask:
        """Mark the candidates that are not measured and may be better than all that are."""
        candidates = self.candidates
        self.large = candidates.too_large(self.estimates)
        unknown = ~candidates.marked([*self.measured(), *self._failed])
        able = unknown & ~candidates.settled()
        fit = self.fit()
        if fit or (able & ~self.large & self._feasible()).any():
            may = able & self._feasible()
            for spot in fit:
                may &= ~self._is_beaten(self._values(spot))
            waits = self._waiting()
            for values in self._composed_values():
                may &= ~(waits & self._is_beaten(values))
        else:
            may = able & self._is_nearer(min(map(self.violation, self.measured()), default=np.inf))
            over, composed = self._over(self.estimates.pessimistic), self._composed()
            nearest = min(over[composed], default=np.inf)
            may &= self._is_nearer(nearest) | ~self._waiting()
        self.large &= may
        return may & ~self.large

    def _values(self, spot: Spot) -> Values:
        """Tell the logarithms of what is to be least, of a measured spot."""
        return {name: log(self.value(spot, name)) for name in self.need.least}

    def _composed_values(self) -> list[Values]:
        """Tell the same, at worst, of composed netlists that keep to all limits at worst, and that
        the flow has not made: those that no other beats."""
        worst = {name: self.estimates.pessimistic(name) for name in self._deciding()}
        able = self._composed()
        for name, limit in self.candidates.limits.items():
            able &= worst[name] <= limit
        found: list[Values] = []
        least = self.need.least
        for number in sorted(np.flatnonzero(able), key=lambda i: [worst[n][i] for n in least]):
            values = {name: float(worst[name][number]) for name in least}
            if not any(all(one[n] <= values[n] for n in least) for one in found):
                found.append(values)
        return found

    def _composed(self) -> Mask:
        """Mark composed netlists that the flow has not made."""
        spots = (spot for spot, _ in self.candidates.composed())
        return self.candidates.marked(spot for spot in spots if spot not in self._failed)

    def _deciding(self) -> set[str]:
        return {*self.need.least, *self.candidates.limits}

    def _waiting(self) -> Mask:
        """Mark the spots whose design has a curve to be composed before the flow runs."""
        waits = map(self.candidates.waits_for_curve, self.candidates.spots)
        return np.fromiter(waits, bool, len(self.candidates.spots))

    def _is_beaten(self, values: Values) -> Mask:
        """Mark what is at best not better than such values in anything that is to be least, but by
        the noise."""
        found = np.ones(len(self.candidates.spots), dtype=bool)
        for name in self.need.least:
            enough = values[name] + log(1 - self.candidates.band(name))
            found &= self.estimates.optimistic(name) >= enough
        return found

    def _over(self, values: Callable[[str], Array]) -> Array:
        """Tell by which logarithm candidates exceed a limit most."""
        over = np.zeros(len(self.candidates.spots))
        for name, limit in self.candidates.limits.items():
            over = np.maximum(over, values(name) - limit)
        return over

    def _is_nearer(self, nearest: float) -> Mask:
        """Mark what at best exceeds limits by less than so much."""
        found: Mask = self._over(self.estimates.optimistic) < nearest - NEARER
        return found

    def _score(self, expected: Sequence[Values]) -> Array:
        """Return the promise of candidates: of a composed netlist over those that are measured, as
        the flow is still to confirm it; of others over composed and expected ones, too."""
        measured = [*map(self._values, self.fit())]
        score = self._promise([*measured, *self._composed_values(), *expected])
        return np.where(self._composed(), self._promise(measured), score) if measured else score

    def _chance(self) -> Array:
        """Return the probability that candidates keep to all limits."""
        mean, doubt = self.estimates.mean, self.estimates.doubt
        chance = np.ones(len(self.candidates.spots))
        for name, limit in self.candidates.limits.items():
            chance *= _normal((limit - mean[name]) / np.maximum(doubt[name], 1e-6))
        return chance

    def _promise(self, best: Sequence[Values]) -> Array:
        """Return the logarithm of what is expected of candidates for the time that they take, which
        grows with the area: the gain over the best, times the chance to keep to the limits. What
        waits for its curve takes twice the time: the flow is to run after that. Where there is no
        best yet, the least of what is to be least comes first. Of an area of which little is known
        more is expected than its middle: the mean of its lognormal distribution."""
        mean, doubt, chance = self.estimates.mean, self.estimates.doubt, self._chance()
        usual = {name: mean[name] + doubt[name] ** 2 / 2 for name in ("area", *self.need.least)}
        hopes: Array = np.log(np.maximum(chance, 1e-300)) - usual["area"]
        hopes -= log(2) * self._waiting()
        if not best:
            wanted = sum(usual[name] for name in self.need.least)
            return hopes - self._over(mean.__getitem__) - wanted
        gain = np.full(len(chance), np.inf)
        for values in best:
            better = [values[name] - mean[name] for name in self.need.least]
            gain = np.minimum(gain, np.max(better, axis=0))
        spread = np.maximum(sum(doubt[name] for name in self.need.least), 1e-6)
        z = gain / spread
        expected = gain * _normal(z) + spread * np.exp(-z * z / 2) / sqrt(2 * pi)
        return hopes + np.log(np.maximum(expected, 1e-300))

    def _count(self) -> None:
        """Say what was done, and what may win still."""
        steps, spots = self.steps, self.candidates.spots
        may = self._may_win()
        unknown = ~self.candidates.marked([*self.measured(), *self._failed])
        able = unknown & ~self.candidates.settled()
        steps.feasible = bool((able & self._feasible()).any()) or bool(self._uncounted)
        steps.open = sorted({*_names(spots[i] for i in np.flatnonzero(may)), *self._uncounted})
        steps.too_large = _names(spots[i] for i in np.flatnonzero(self.large))
        steps.failed = sorted({*steps.failed, *_names(self._failed)})
        looked_at = self.candidates.cycles if "energy" in self.need.quantities else ()
        steps.narrow = sum(spot.design in looked_at for spot in self._narrow)
        composed = {*self.candidates.relaxed, *self.candidates.curves}
        steps.composed = len(composed)
        steps.curves = sum(len(curve) > 1 for curve in self.candidates.curves.values())
        known = self.candidates.known
        steps.points, steps.beside = len(self.candidates.cycles), self.candidates.beside
        steps.mapped = len(known)
        steps.energies = sum(one.energy_nj is not None for one in known.values())
        told = {*(spot.design for spot in known), *composed, *steps.open}
        told |= {*steps.too_large, *steps.failed}
        steps.out = steps.points - len(told)


def has_row(task: Task) -> bool:
    """Return whether the store has the task's row, of the code and tools of now."""
    with Store() as store:
        return store.get(task.key) is not None


def run_of(spot: Spot, energy: bool) -> FlowRun:
    """Name the run of the flow that makes a spot's netlist, and measures its energies."""
    to, point = POWER if energy else TIMING, Point(spot.design, spot.nbits)
    return FlowRun(point, ACCELERATOR, spot.clock_ns, to, gated=spot.gated)


def spot_of(task: FlowRun) -> Spot:
    """Tell what a run of the flow is of."""
    return Spot(task.point.design, task.point.nbits, task.clock_ns, task.gated)


def _names(spots: Iterator[Spot] | set[Spot]) -> list[str]:
    return sorted({spot.design for spot in spots})


def _one_each(spots: Iterator[Spot] | list[Spot]) -> list[Spot]:
    """Take the first spot of each design."""
    found: dict[str, Spot] = {}
    for spot in spots:
        found.setdefault(spot.design, spot)
    return [*found.values()]


def _normal(z: Array) -> Array:
    """Tell the chance that a standard normal number is below."""
    found: Array = (1 + np.vectorize(erf)(z / sqrt(2))) / 2
    return found


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise OutOfTime here when so many seconds are over; only a main thread can be told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
