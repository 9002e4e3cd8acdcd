"""Measure a design point once: simulations and flow runs, kept in the store."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from eval.catalog.point import Point, shorten
from eval.catalog.workloads import WORKLOADS, Request
from eval.tasks.harden import TIMING, Target, harden, run_name, translation
from eval.tasks.run import Answer, simulate, simulate_xcel
from eval.tasks.store import Key, Store, as_text
from eval.tasks.versions import energy_tools, flow_tools, simulation_tools
from sim.errors import RunError

OnStep = Callable[[str], None]


@dataclass(frozen=True, order=True)
class Simulation:
    """A workload on a point at level batch: exponentiator and accelerator."""

    point: Point
    workload: str

    def __str__(self) -> str:
        return f"{self.point} workload {self.workload}"

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="simulate",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"level": "batch"}),
            workload=as_text(vars(self._request)),
            verilog=translation(self.point).digest,
            tools=as_text(simulation_tools()),
        )

    @property
    def _request(self) -> Request:
        return WORKLOADS[self.workload].request(self.point.nbits, self.point.entry.moduli.key)

    def compute(self, on_step: OnStep) -> dict[str, Any]:
        """Simulate; RunError if an answer is wrong."""
        request, w = self._request, self.workload
        on_step("exponentiator")
        direct = simulate(self.point, [request], "batch")[0]
        on_step("accelerator")
        through_port = simulate_xcel(self.point, [request], "batch")[0]
        for what, answer in (("exponentiator", direct), ("accelerator", through_port)):
            self._check(what, answer, request.result)
        metrics = {f"cycles_{w}": direct.cycles, f"xcel_cycles_{w}": through_port.cycles}
        return {
            "metrics": metrics,
            "request": vars(request),
            "result": direct.result,
            "tools": simulation_tools(),
        }

    def _check(self, what: str, answer: Answer, expected: int) -> None:
        if (answer.result, answer.status) != (expected, 0):
            raise RunError(
                f"{self}: the {what} answered {shorten(str(answer.result))} "
                f"(status {answer.status}), right is {shorten(str(expected))}"
            )


@dataclass(frozen=True, order=True)
class Hardening:
    """A unit of a point through the flow at a clock, up to step `to`: from power on its workloads
    are simulated, which changes nothing else. Its clocks may be gated."""

    point: Target
    unit: str
    clock_ns: float
    to: str = field(default=TIMING, compare=False)
    gated: bool = False

    def __str__(self) -> str:
        return f"{self.point} {self.unit} flow" + ", gated clocks" * self.gated

    @property
    def run(self) -> str:
        """The flow's run, and its folder in build/flow."""
        return run_name(self.point, self.unit, self.clock_ns, gated=self.gated)

    @property
    def energy(self) -> bool:
        """Whether power and energy are measured."""
        return self.to != TIMING

    @property
    def key(self) -> Key:
        """The row's key."""
        parameters = {"clock_ns": self.clock_ns, "unit": self.unit}
        return Key(
            kind="flow",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text(parameters | ({"gated": True} if self.gated else {})),
            workload=self.to if self.energy else "",
            verilog=translation(self.point, self.unit).digest,
            tools=as_text(flow_tools() | (energy_tools() if self.energy else {})),
        )

    def compute(self, on_step: OnStep) -> dict[str, Any]:
        """Run the flow."""
        workload = None
        if self.energy:
            from eval.tasks.energy_workload import workload_for

            on_step("recording the workload")
            workload = workload_for(self.point)
        result = harden(
            *(self.point, self.clock_ns, self.unit, on_step),
            to=self.to,
            workload=workload,
            gated=self.gated,
        )
        result["tools"] |= {"flow code": flow_tools()["flow code"]}
        return result


class Task(Protocol):
    """What is measured once: its key names all that decides the result."""

    @property
    def key(self) -> Key:
        """The row's key."""
        ...

    def compute(self, on_step: OnStep) -> dict[str, Any]:
        """Measure; RunError if something is wrong."""
        ...


@dataclass(frozen=True)
class Row:
    """A finished task: its result, and whether the store had it already."""

    task: Task
    result: dict[str, Any]
    reused: bool


def measure(task: Task, on_step: OnStep = lambda step: None) -> Row:
    """The task's row, from the store or computed and stored."""
    with Store() as store:
        result, reused = store.once(task.key, lambda: task.compute(on_step))
    return Row(task, result, reused)
