"""A run of the flow: area and timing of a unit, and from step power on its power and energy."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM
from eval.tasks.at_clock import DesignAtClock, GatedClocks, UnitAtClock
from eval.tasks.keyed import recorded_by, steps_to
from eval.tasks.task import FLOW, PROCESSOR, MetricsResult, R
from eval.tasks.unit import ACCELERATOR, MULTIPLIER, PERIPHERAL, OnStep
from eval.tasks.versions import energy_tools, flow_tools, processor_tools
from flow.results.energy import Energy
from flow.results.netlist import Candidate, Equivalence, Module, Path
from flow.results.record import Kit, Metrics, Record
from flow.technologies.asked import DEFAULT

TIMING, POWER, EQUIVALENCE = "timing", "power", "equivalence"
LONG = 50_000  # cycles of an operation that is not replayed whole


class Figures(Record):
    """Says in short what a mapping came to."""

    area_um2: float
    setup_slack_ns: float
    period_ns: float

    @classmethod
    def of(cls, metrics: Metrics, **more: Any) -> Self:
        """Take the figures from the metrics of a run."""
        known = (name for name in cls.__struct_fields__ if name in metrics)
        return cls(**{name: metrics[name] for name in known}, **more)


KEPT = ("recipe", "modules", "hierarchical", "flat")  # of what synthesis says
METRICS_OF_FLOW = ("area_um2", "cells", "setup_slack_ns", "period_ns", "period_typical_ns")


class FlowResult(MetricsResult):
    """What is kept of a run: `hierarchical` and `flat` are the best netlists of either kind. With
    gated clocks `clocked` is in which share of each window's cycles a register is clocked."""

    recipe: str
    modules: list[Module]
    hierarchical: Candidate | None
    flat: Candidate | None
    critical_path: Path | None
    kit: Kit
    energy: Energy | None = None
    gating: GatedClocks | None = None
    clocked: dict[str, float] | None = None
    equivalence: Equivalence | None = None
    untimed: list[str] = []


@dataclass(frozen=True)
class FlowRun(UnitAtClock[FlowResult]):
    """A unit through the flow at a clock, up to step `to`: from power on its workloads are
    simulated, which changes nothing else."""

    to: str = field(default=TIMING, compare=False)
    kind = "flow"
    Result = FlowResult
    text = "{0.point} {0.unit} flow{0.with_gates}"

    @property
    def energy(self) -> bool:
        """Whether power and energy are measured."""
        return self.to != TIMING

    @property
    def has_workload(self) -> bool:
        """Whether this is a whole design, an accelerator, a peripheral or a processor with an
        accelerator: these have workloads, and so energies."""
        if self.unit == SYSTEM:
            return self.point.runs_benchmark
        return self.unit in (ACCELERATOR, PERIPHERAL)

    @property
    def rank(self) -> int:
        """Processors take longest of all."""
        return PROCESSOR if self.unit == SYSTEM else FLOW

    @property
    def command(self) -> str:
        """The command that reproduces area and timing."""
        return self.command_to(TIMING)

    def command_to(self, step: str) -> str:
        """Write the command that reproduces what is known after a step."""
        options = self.unit_option + ("" if step == TIMING else f" --to {step}") + self.gated_option
        return self.command_of(f"flow {self.point.arguments} --clock {self.clock_ns:.10g}{options}")

    @property
    def about(self) -> Point | None:
        """The point, if this is its accelerator with plain clocks."""
        return self.point if self.unit == ACCELERATOR and not self.gated else None

    @property
    def place(self) -> str:
        """With the points, the processors, or all other results."""
        if self.gated or self.tech != DEFAULT:
            return "others"
        return "processors" if self.unit == SYSTEM else "points"

    def parameters(self) -> dict[str, Any]:
        """Name the last step, if it is unusual."""
        found = super().parameters()
        if self.energy:
            found |= {"to": self.to} | self.workloads()
        return found

    def tools(self) -> dict[str, str]:
        """Add what records workloads to the flow's tools."""
        recording = energy_tools() if self.energy else {}
        if self.energy and self.unit == SYSTEM:
            recording |= processor_tools()
        return flow_tools(self.tech) | recording

    def stages(self) -> Iterable[str]:
        """List the stages of the steps up to the last, and of recording workloads."""
        return steps_to(self.to, self.energy) + (recorded_by(self.unit) if self.energy else [])

    def verilog(self) -> str:
        """Hash that of the unit with the name of its multiplier, whose area is told; with energies
        that of the processor, too, whose ports are recorded."""
        found = super().verilog()
        if self.unit == ACCELERATOR:
            found = f"{found} {multiplier_class(self.point)}"
        if self.energy and self.unit == SYSTEM:
            from eval.tasks.traced import traced_digest

            found = f"{found} {traced_digest(self.point)}"
        return found

    def compute(self, on_step: OnStep) -> FlowResult:
        """Run the flow, and keep what is read again."""
        found = self.run(self.to, on_step, energy=self.energy)
        steps, synthesis = found.steps, found.steps.synthesis
        assert synthesis, self
        assert steps.timing, self
        assert found.kit, self
        metrics = {n: found.metrics[n] for n in METRICS_OF_FLOW if n in found.metrics}
        row = multiplier_row(self.point, synthesis.modules) if self.unit == ACCELERATOR else None
        if row:
            metrics["multiplier_area_um2"] = row.area_each_with_submodules_um2
        if steps.power and self.unit != SYSTEM:
            metrics |= energy_metrics(steps.power)
        gating, clocked = GatedClocks.of(steps), None
        if gating and steps.simulation:
            clocked = {name: row.clocked for name, row in steps.simulation.windows.items()}
        return FlowResult(
            metrics=metrics,
            **{name: getattr(synthesis, name) for name in KEPT},
            critical_path=steps.timing.critical_path,
            energy=steps.power,
            gating=gating,
            clocked=clocked,
            equivalence=steps.equivalence,
            untimed=steps.timing.untimed,
            tools=found.tools,
            kit=found.kit,
        )

    def as_json(self, result: FlowResult) -> dict[str, Any]:
        """Put the result among the units of the point or of the processor."""
        units = {"units": {self.unit: self.shown(result)}}
        if self.place == "processors":
            return vars(self.point) | units
        return units if self.place == "points" else super().as_json(result)


@dataclass(frozen=True)
class EnergyAtClock(DesignAtClock[R]):
    """A question about a design's energies, too: a run of the flow measures these."""

    @property
    def flow_run(self) -> FlowRun:
        """The run of the flow that measures energies."""
        return FlowRun(self.point, ACCELERATOR, self.clock_ns, POWER, tech=self.tech)

    def tools(self) -> dict[str, str]:
        """The tools of that run."""
        return self.flow_run.tools()

    def stages(self) -> Iterable[str]:
        """List the stages of that run."""
        return self.flow_run.stages()

    def parameters(self) -> dict[str, Any]:
        """The clock, and the workloads."""
        return super().parameters() | self.flow_run.workloads()


def energy_metrics(energy: Energy) -> dict[str, float]:
    """Take power and energy of an accelerator's operations as metrics."""
    metrics = {"power_idle_mw": energy.windows["idle"].power_mw.total}
    for name, row in energy.operations.items():
        sampled = energy.windows[name].sampled
        assert sampled is not None, name
        metrics |= {
            f"power_{name}_mw": row.power_mw,
            f"energy_{name}_nj": row.energy_nj,
            f"energy_glitches_{name}_nj": row.energy_with_glitches_nj,
            f"toggle_factor_{name}": sampled.toggle_factor,
        }
        if row.energy_error_nj is not None:
            metrics[f"energy_error_{name}_nj"] = row.energy_error_nj
    return metrics


def multiplier_row(point: Point, modules: list[Module]) -> Module | None:
    """Find the row of the multiplier's module, among those of the accelerator; None if the
    exponentiator has no such module: it does the multiplier's work itself."""
    multiplier = multiplier_class(point)
    return next((row for row in modules if row.module.split("__")[0] == multiplier), None)


def multiplier_class(point: Point) -> str:
    """Name the class of the point's multiplier in hardware; "" of one inside a core of others."""
    if point.entry.multiplier.inside:
        return ""
    return type(point.component(MULTIPLIER)).__name__
