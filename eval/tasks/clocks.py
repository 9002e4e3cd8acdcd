"""The area-delay curve of a design: its accelerator mapped for one clock period after another."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, log
from typing import Any

import msgspec

from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.tasks.at_clock import HURRIED, LEAST_CLOCK_NS, DesignAtClock, hurried
from eval.tasks.composed import Composed, ComposedResult
from eval.tasks.flow_run.task import POWER, TIMING, Figures, FlowResult, FlowRun
from eval.tasks.task import MetricsResult, measure
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.results.curve import ComposedPoint
from flow.technologies.asked import DEFAULT

RELAXED = 2.0  # times the minimum period where the first clock is missed
LARGER = 1.5  # times the area at the longest clock
APART = 2.0  # the largest ratio of clocks between which none is tried
CLOSE = 1.3  # the same, next to the least area x period, where energies are measured there
ROUGHLY = 1.005  # times the period of a composed netlist, which is at most so much longer
FURTHER = 1.02  # times the least that was reached: if a clock is longer, a shorter one is tried
COMPOSED_FROM = 1024  # bits; the flow then takes minutes, and no flat netlist


class Run(Figures):
    """What a mapping came to at a clock that was asked for; where they were measured, the energies
    of the workloads with glitches, at the period reached, and by how much they may be off; the
    period in the typical corner, too, where setup is told in another."""

    clock_ns: float
    period_typical_ns: float | None = None
    energies_nj: dict[str, float] = {}
    errors_nj: dict[str, float] = {}

    @property
    def met(self) -> bool:
        """Whether it meets that clock."""
        return self.setup_slack_ns >= 0


class CurveResult(MetricsResult):
    """The figures at each clock, the longest first, and as a metric the shortest period of all; of
    a wide design the composed curve, of which the runs are to confirm some points."""

    runs: list[Run]
    composed: ComposedResult | None = None


@dataclass(frozen=True)
class Curve(DesignAtClock[CurveResult]):
    """Search DESIGN's accelerator's shortest clock period, and its area at longer ones.

    The search starts at --clock. Every flow run is kept. With --energy, energies of the workloads
    are measured at the clocks of least area, of least area x period, and of the shortest period.
    From 1024 bits on the curve is composed of modules, the flow runs at up to three clocks, and at
    shorter ones if its netlist is faster; energies are measured at that of least area x period.
    """

    energy: bool = field(default=False, compare=False)
    kind = "clocks"
    Result = CurveResult

    @property
    def place(self) -> str:
        """With the point, if it is in the usual technology."""
        return "points" if self.tech == DEFAULT else super().place

    @property
    def about(self) -> Point:
        """The point, whose shortest period it is."""
        return self.point

    @property
    def command(self) -> str:
        """The command that reproduces the curve, with its energies."""
        return self.command_of(self.shell.format(self) + " --energy" * self.energy)

    def parameters(self) -> dict[str, Any]:
        """The first clock, how the next ones follow, and the workloads if energies are asked."""
        found: dict[str, Any] = {
            "clock_ns": self.clock_ns,
            "rule": (RELAXED, HURRIED, LARGER, APART, CLOSE),
        }
        if self._is_composed:
            found["rule"] = ("composed", ROUGHLY, FURTHER)
        found |= self.in_tech
        return found | ({"energy": True} | self._run().workloads() if self.energy else {})

    def tools(self) -> dict[str, str]:
        """The tools of its flow runs."""
        return self._run().tools()

    def stages(self) -> Iterable[str]:
        """List the stages of its flow runs, and of composing."""
        composing = self._composed().stages() if self._is_composed else ()
        return dict.fromkeys([*self._run().stages(), *composing])

    @property
    def _is_composed(self) -> bool:
        return self.point.nbits >= COMPOSED_FROM

    def _composed(self) -> Composed:
        return Composed(self.point, self.clock_ns, tech=self.tech)

    def _run(self) -> FlowRun:
        """Return the flow run at the first clock, which uses what all use."""
        to = POWER if self.energy else TIMING
        return FlowRun(self.point, ACCELERATOR, self.clock_ns, to, tech=self.tech)

    def as_json(self, result: CurveResult) -> dict[str, Any]:
        """Put the curve among the units of the point."""
        found = {"units": {"curve": self.shown(result)}}
        return found if self.place == "points" else super().as_json(result)

    def compute(self, on_step: OnStep) -> CurveResult:
        """Ask for less than any netlist reaches, for that again where the fastest is so large that
        others may do as well, and for clocks between, which smaller netlists meet; of a wide design
        for some points of its composed curve."""
        tools: dict[str, str] = {}
        runs: dict[float, Run] = {}

        def take(task: FlowRun) -> FlowResult:
            done = measure(task, lambda step: on_step(f"{task.clock_ns:g} ns, {step}"))
            tools.update(done.result.tools)
            return done.result

        def ask(clock_ns: float) -> Run:
            clock_ns = in_ps(clock_ns)
            if clock_ns not in runs:
                found = take(replace(self._run(), clock_ns=clock_ns, to=TIMING))
                runs[clock_ns] = Run.of(found.metrics, clock_ns=clock_ns)
            return runs[clock_ns]

        composed = None
        if self._is_composed:
            composed = measure(self._composed(), on_step).result
            tools.update(composed.tools)
            for clock_ns in to_confirm(composed.points):
                ask(clock_ns)
            while shorter := further(runs.values()):
                ask(shorter)
        else:
            self._search(runs, ask)
        met = [run for run in runs.values() if run.met]
        wanted = [min(met, key=product)] if composed and met else chosen(met)
        for run in wanted if self.energy else ():
            task = replace(self._run(), clock_ns=run.clock_ns, to=POWER)
            runs[run.clock_ns] = with_energies(run, take(task))
        found = sorted(runs.values(), key=lambda run: -run.clock_ns)
        best = min(found, key=lambda run: (run.period_ns, run.area_um2))
        metrics = {
            "shortest_period_ns": best.period_ns,
            "fastest_area_um2": best.area_um2,
        }
        return CurveResult(tools, metrics, found, composed)

    def _search(self, runs: Mapping[float, Run], ask: Callable[[float], Run]) -> None:
        """Ask for the clocks of a curve that is not composed."""
        relaxed = fastest = ask(self.clock_ns)
        if relaxed.setup_slack_ns < 0:
            relaxed = ask(RELAXED * relaxed.period_ns)
        while fastest.setup_slack_ns >= 0 and fastest.clock_ns > LEAST_CLOCK_NS:
            fastest = ask(hurried(fastest.period_ns))
        shortest = min(run.period_ns for run in runs.values())
        if self.energy or fastest.area_um2 > LARGER * relaxed.area_um2:
            ask(shortest)
        longest = relaxed.period_ns
        parts = ceil(log(longest / shortest) / log(APART))
        for part in range(1, parts):
            ask(shortest * (longest / shortest) ** (part / parts))
        while self.energy and (between := beside_best(runs.values())) and between not in runs:
            ask(between)


def clock_of(point: ComposedPoint) -> float:
    """Tell the clock by which the flow confirms a composed point: that for which its gates were
    sized, or if it misses that, the period that it reaches for certain."""
    return point.clock_ns if point.met else in_ps(ROUGHLY * point.period_ns)


def to_confirm(points: Sequence[ComposedPoint]) -> list[float]:
    """Choose the clocks at which the flow runs beside a composed curve: the longest, that of the
    least area x period, and the shortest; each once."""
    densest = min(points, key=lambda point: point.area_um2 * point.period_ns)
    return [*dict.fromkeys(map(clock_of, (points[0], densest, points[-1])))]


def further(runs: Collection[Run]) -> float | None:
    """Tell the clock of the shortest period that the flow reached, if that is far below all clocks
    that it was asked for: at that clock faster recipes may reach still less."""
    reached = in_ps(min(run.period_ns for run in runs))
    return reached if FURTHER * reached < min(run.clock_ns for run in runs) else None


def chosen(runs: Sequence[Run]) -> list[Run]:
    """Choose the runs that somebody may want: of least area, of least area x period, and of the
    shortest period; each once."""
    best = [
        min(runs, key=least, default=None)
        for least in (
            lambda run: (run.area_um2, run.period_ns),
            product,
            lambda run: (run.period_ns, run.area_um2),
        )
    ]
    return [*{run.clock_ns: run for run in best if run}.values()]


def beside_best(runs: Iterable[Run]) -> float | None:
    """Choose a clock between the least area x period and its neighbours, if one is far: the middle
    of the wider gap. A clock between what a netlist reaches and what it was asked for is tried."""
    met = sorted((run for run in runs if run.met), key=lambda run: run.period_ns)
    if len(met) < 2:
        return None
    at = met.index(min(met, key=product))
    gaps = [
        (shorter.clock_ns, longer.period_ns)
        for shorter, longer in pairwise(met[max(at - 1, 0) : at + 2])
    ]
    short, long = max(gaps, key=lambda gap: gap[1] / gap[0])
    return in_ps((short * long) ** 0.5) if long / short > CLOSE else None


def in_ps(clock_ns: float) -> float:
    """Round a clock up to whole picoseconds, as the flow is asked for it."""
    return ceil(1000 * clock_ns) / 1000


def product(run: Run) -> float:
    """Tell area x period, what is least where a netlist does most for its area."""
    return run.area_um2 * run.period_ns


def with_energies(run: Run, measured: FlowResult) -> Run:
    """Add the energies of the workloads at the period that the netlist reaches: those at the clock
    asked for, less what leaks in the rest of each cycle."""
    energies, errors = {}, {}
    for name in WORKLOADS:
        if (whole := measured.metrics.get(f"energy_glitches_{name}_nj")) is None:
            continue
        energies[name] = whole
        if measured.energy:
            window, operation = measured.energy.windows[name], measured.energy.operations[name]
            rest_us = operation.cycles * (run.clock_ns - run.period_ns) / 1000
            energies[name] -= window.power_mw.leakage * rest_us
        if (error := measured.metrics.get(f"energy_error_{name}_nj")) is not None:
            errors[name] = error
    return msgspec.structs.replace(run, energies_nj=energies, errors_nj=errors)
