"""The area-delay curve of a design: its accelerator mapped for one clock period after another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eval.tasks.at_clock import DesignAtClock
from eval.tasks.flow_run.task import Figures, FlowRun
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.section import Section, measured
from eval.tasks.task import OnStep, Result, measure
from eval.tasks.unit import ACCELERATOR

SLOWER = (2.0, 1.5)  # times the shortest period at the first clock
STEP = 0.9  # from one clock to the next shorter one
MOST = 8  # clocks


class Run(Figures):
    """What a mapping came to at a clock that was asked for."""

    clock_ns: float


class CurveResult(Result):
    """The figures at each clock, the longest first, and the shortest period of all."""

    runs: list[Run]
    shortest_period_ns: float


@dataclass(frozen=True)
class Curve(DesignAtClock[CurveResult]):
    """Map DESIGN's accelerator for one clock period after another, down to one that it misses.

    The search starts at --clock. Every flow run is kept.
    """

    kind = "clocks"
    Result = CurveResult

    def parameters(self) -> dict[str, Any]:
        """The first clock, and how the next ones follow."""
        return super().parameters() | {"rule": (SLOWER, STEP, MOST)}

    def compute(self, on_step: OnStep) -> CurveResult:
        """Map at longer clocks than the first, and at shorter ones down to the first missed."""
        tools: dict[str, str] = {}

        def run(clock_ns: float) -> Run:
            task = FlowRun(self.point, ACCELERATOR, round(clock_ns, 3))
            found = measure(task, lambda step: on_step(f"{task.clock_ns:g} ns, {step}")).result
            tools.update(found.tools)
            return Run.of(found.metrics, clock_ns=task.clock_ns)

        first = run(self.clock_ns)
        reached = first.shortest_period_ns
        runs = [first, *(run(factor * reached) for factor in SLOWER)]
        clock_ns = min(reached, self.clock_ns)
        while len(runs) < MOST:
            runs.append(run(clock_ns))
            if runs[-1].setup_slack_ns < 0:
                break
            clock_ns = STEP * min(clock_ns, runs[-1].shortest_period_ns)
        runs.sort(key=lambda found: -found.clock_ns)
        shortest = min(found.shortest_period_ns for found in runs)
        return CurveResult(tools, runs, shortest)


def clocks_grid(rows: Mapping[Curve, CurveResult | None]) -> Grid | None:
    """Show area and reached period at every clock asked for; None if nothing was measured."""
    return grid(
        "Area for each clock period",
        (
            words("design")
            + numbers(0, "bits")
            + numbers(3, "asked,\nns")
            + numbers(1, "area,\num2")
            + numbers(3, "reached,\nns")
            + words("met", "")
        ),
        (
            line(
                *(task.point.design, task.point.nbits, run.clock_ns, run.area_um2),
                *(run.shortest_period_ns, "yes" if run.setup_slack_ns >= 0 else "no"),
                "shortest" if run.shortest_period_ns == result.shortest_period_ns else "",
                commands=(FlowRun(task.point, ACCELERATOR, run.clock_ns).command,),
            )
            for task, result in measured(rows).items()
            for run in result.runs
        ),
        "The smallest netlist of the portfolio that meets the clock, else the fastest.",
    )


TASK = Curve
SECTION = Section(results=lambda rows: [clocks_grid(rows)])
