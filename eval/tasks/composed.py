"""The composed curve of a design: area over the clock, of netlists composed of its modules."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict

from eval.tasks.answers import check_answers
from eval.tasks.at_clock import DesignAtClock, in_names
from eval.tasks.keyed import stages_of
from eval.tasks.task import FLOW, Result
from eval.tasks.unit import ACCELERATOR, OnStep, translation
from flow.results.curve import ComposedCurve, ComposedPoint
from flow.results.run import read_results
from sim.paths import build_dir

STEPS = ("rtl", "curve", "summary")


class ComposedResult(Result):
    """The points, the longest clock first, and what they took: the mappings of a module and the
    timing runs of the whole; `modules` are the different ones of the design."""

    points: list[ComposedPoint]
    modules: int
    mappings: int
    timings: int


@dataclass(frozen=True)
class Composed(DesignAtClock[ComposedResult]):
    """Compose DESIGN's accelerator's area over the clock from its modules, mapped once each.

    The design is mapped for --clock. Each shorter clock begins with the netlist of the one before;
    only modules that make it too slow are mapped again. Each point is a netlist, which is timed.
    The last is for --shortest, if that is given.
    """

    shortest_ns: float = 0.0

    kind = "composed"
    Result = ComposedResult

    @property
    def command(self) -> str:
        """The command that reproduces the curve, to its shortest clock."""
        last = f" --shortest {self.shortest_ns:.10g}" if self.shortest_ns else ""
        return self.command_of(self.shell.format(self) + last)

    def parameters(self) -> dict[str, Any]:
        """The clock, and the shortest one if the curve has one."""
        last = {"shortest_ns": self.shortest_ns} if self.shortest_ns else {}
        return {"clock_ns": self.clock_ns} | last

    @property
    def rank(self) -> int:
        """It takes what some flow runs do."""
        return FLOW

    def stages(self) -> Iterable[str]:
        """List the stages of the steps that compose."""
        return stages_of(STEPS)

    def compute(self, on_step: OnStep) -> ComposedResult:
        """Compose the curve, if the hardware's answers are right."""
        from flow.curve.run import run_curve

        check_answers(self.point, on_step)
        last = f"-to-{self.shortest_ns:.10g}ns" if self.shortest_ns else ""
        done = translation(self.point, ACCELERATOR)
        made = run_curve(
            f"{self.point.top_of(ACCELERATOR)}-{self.clock_ns:.10g}ns{in_names(self.tech)}-curve{last}",
            done.text,
            done.top,
            build_dir("flow"),
            clock_period=self.clock_ns,
            tech=self.tech,
            flatten=done.flattened,
            carry_save=done.carry_save,
            shortest_clock=self.shortest_ns,
            on_step=lambda step, event: on_step(f"{step} {event}"),
            wait=True,
        )
        found = ComposedCurve.of(made)
        return ComposedResult(tools=read_results(made).tools, **asdict(found))
