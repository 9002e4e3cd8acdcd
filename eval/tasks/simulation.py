"""A workload simulated on a design: its cycles through the port and, behind it, by itself."""

from dataclasses import dataclass
from typing import Any

from cl.xcel import xcel_cycles
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS, Request
from eval.tasks.exponentiation import (
    FORMULA,
    Answer,
    by_formula,
    check_request,
    simulate,
    simulate_xcel,
)
from eval.tasks.task import SHORT, MetricsResult, Task
from eval.tasks.unit import ACCELERATOR, OnStep
from eval.tasks.versions import simulation_tools


class SimulationResult(MetricsResult):
    """The cycles as metrics, the request and the answer to it."""

    request: dict[str, int]
    result: int


@dataclass(frozen=True)
class Simulation(Task[SimulationResult]):
    """A workload on a point at level batch."""

    point: Point
    workload: str
    kind = "simulate"
    Result = SimulationResult
    text = "{0.point} workload {0.workload}"
    level = "batch"
    shell = "simulate {0.point.arguments} --workload {0.workload} --level {0.level}"
    unit = ACCELERATOR
    rank = SHORT
    place = "points"

    @property
    def runs(self) -> str:
        """The workload."""
        return self.workload

    @property
    def port_command(self) -> str:
        """The command that simulates the accelerator, through its port."""
        return f"{self.command} --xcel"

    @property
    def about(self) -> Point:
        """The point."""
        return self.point

    def parameters(self) -> dict[str, Any]:
        """Name the level and the request."""
        return {"level": self.level, "request": vars(self.request)}

    def tools(self) -> dict[str, str]:
        """Name what simulates."""
        return simulation_tools()

    @property
    def request(self) -> Request:
        """What is computed."""
        return WORKLOADS[self.workload].request(self.point.nbits, self.point.entry.moduli.key)

    def compute(self, on_step: OnStep) -> SimulationResult:
        """Simulate the accelerator; what its port takes of the cycles is known."""
        request, workload = self.request, self.workload
        check_request(self.point, request)
        answer = self.answer(request)
        inside = answer.cycles - xcel_cycles(self.point.nbits, 0)
        cycles = {f"cycles_{workload}": inside, f"xcel_cycles_{workload}": answer.cycles}
        return SimulationResult(self.tools(), cycles, vars(request), request.result)

    def answer(self, request: Request) -> Answer:
        """Simulate the accelerator."""
        [answer] = simulate_xcel(self.point, [request], self.level)
        return answer

    def as_json(self, result: SimulationResult) -> dict[str, Any]:
        """Put the request among those of the point."""
        return {"requests": {self.workload: result.request}}


class Untranslated(Simulation):
    """The same of a model: nothing is translated or compiled. What is assumed of a design that is
    no hardware, its area and its shortest period, is told with the cycles."""

    by_entry = True

    def verilog(self) -> str:
        """Return nothing: there need be no Verilog."""
        return ""

    def tools(self) -> dict[str, str]:
        """Name no tool."""
        return {}

    def compute(self, on_step: OnStep) -> SimulationResult:
        """Ask the model, and what is assumed."""
        result, entry = super().compute(on_step), self.point.entry
        assumed = {
            "area_um2": entry.assumed_area_um2,
            "period_ns": entry.assumed_period_ns,
        }
        given = {name: value for name, value in assumed.items() if value is not None}
        result.metrics.update(given)
        return result


class ByFormula(Untranslated):
    """The same by the design's formula: nothing is run, either.

    Every design of the catalog is tested to take the cycles that its formula says.
    """

    level = FORMULA

    def answer(self, request: Request) -> Answer:
        """Ask the formula."""
        [answer] = by_formula(self.point, [request], through_port=True)
        return answer


class AtCycleLevel(Untranslated):
    """The same at cycle level, of a design of somebody's own that is no hardware yet."""

    level = "cl"

    def answer(self, request: Request) -> Answer:
        """Simulate the exponentiator, whose cycles must be its formula's, and then the port."""
        simulate(self.point, [request], self.level)
        return super().answer(request)
