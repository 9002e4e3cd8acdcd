"""The area-delay curve of a design: its accelerator mapped for one clock period after another."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, log
from typing import Any

from eval.catalog.point import Point
from eval.tasks.at_clock import HURRIED, LEAST_CLOCK_NS, DesignAtClock, hurried
from eval.tasks.flow_run.task import TIMING, Figures, FlowRun
from eval.tasks.keyed import steps_to
from eval.tasks.task import MetricsResult, OnStep, measure
from eval.tasks.unit import ACCELERATOR

RELAXED = 2.0  # times the minimum period where the first clock is missed
LARGER = 1.5  # times the area at the longest clock
APART = 2.0  # the largest ratio of clocks between which none is tried


class Run(Figures):
    """What a mapping came to at a clock that was asked for."""

    clock_ns: float


class CurveResult(MetricsResult):
    """The figures at each clock, the longest first, and as a metric the shortest period of all."""

    runs: list[Run]


@dataclass(frozen=True)
class Curve(DesignAtClock[CurveResult]):
    """Search DESIGN's accelerator's shortest clock period, and its area at longer ones.

    The search starts at --clock. Every flow run is kept.
    """

    kind = "clocks"
    Result = CurveResult
    place = "points"

    @property
    def about(self) -> Point:
        """The point, whose shortest period it is."""
        return self.point

    def parameters(self) -> dict[str, Any]:
        """The first clock, and how the next ones follow."""
        return super().parameters() | {"rule": (RELAXED, HURRIED, LARGER, APART)}

    def uses(self) -> Iterable[str]:
        """The steps of its flow runs."""
        return steps_to(TIMING, energy=False)

    def as_json(self, result: CurveResult) -> dict[str, Any]:
        """Put the curve among the units of the point."""
        return {"units": {"curve": self.shown(result)}}

    def compute(self, on_step: OnStep) -> CurveResult:
        """Ask for less than any netlist reaches, for that again where the fastest is so large that
        others may do as well, and for clocks between, which smaller netlists meet."""
        tools: dict[str, str] = {}
        runs: dict[float, Run] = {}

        def ask(clock_ns: float) -> Run:
            clock_ns = ceil(1000 * clock_ns) / 1000
            if clock_ns not in runs:
                task = FlowRun(self.point, ACCELERATOR, clock_ns)
                found = measure(task, lambda step: on_step(f"{clock_ns:g} ns, {step}")).result
                tools.update(found.tools)
                runs[clock_ns] = Run.of(found.metrics, clock_ns=clock_ns)
            return runs[clock_ns]

        relaxed = fastest = ask(self.clock_ns)
        if relaxed.setup_slack_ns < 0:
            relaxed = ask(RELAXED * relaxed.period_reached_ns)
        while fastest.setup_slack_ns >= 0 and fastest.clock_ns > LEAST_CLOCK_NS:
            fastest = ask(hurried(fastest.period_reached_ns))
        shortest = min(run.period_reached_ns for run in runs.values())
        if fastest.area_um2 > LARGER * relaxed.area_um2:
            ask(shortest)
        longest = relaxed.period_reached_ns
        parts = ceil(log(longest / shortest) / log(APART))
        for part in range(1, parts):
            ask(shortest * (longest / shortest) ** (part / parts))
        found = sorted(runs.values(), key=lambda run: -run.clock_ns)
        shortest = min(found, key=lambda run: (run.period_reached_ns, run.area_um2))
        metrics = {
            "shortest_period_ns": shortest.period_reached_ns,
            "fastest_area_um2": shortest.area_um2,
        }
        return CurveResult(tools, metrics, found)
