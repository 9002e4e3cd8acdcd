"""What kinds have in common that are measured at a clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from msgspec.structs import asdict

from eval.catalog.point import Point
from eval.tasks.answers import check_answers
from eval.tasks.keyed import asked_of
from eval.tasks.task import R, Task
from eval.tasks.unit import ACCELERATOR, PERIPHERAL, WHOLE, OnStep, translation
from flow.results.netlist import Gating
from flow.results.run import Results, Steps, read_results
from flow.technologies.asked import AT, DEFAULT
from sim.paths import build_dir

LEAST_CLOCK_NS = 0.1  # that commands take
HURRIED = 0.25  # times a period that was reached


def hurried(reached_ns: float) -> float:
    """Choose a clock that no netlist meets, so that synthesis looks for the fastest."""
    return round(max(HURRIED * reached_ns, LEAST_CLOCK_NS), 3)


def in_names(tech: str) -> str:
    """What names of folders say of the technology."""
    return "" if tech == DEFAULT else f"-{tech.replace(AT, '-')}"


@dataclass(frozen=True)
class DesignAtClock(Task[R]):
    """A question about a design's accelerator, with a command of its own: `modexplorer KIND DESIGN
    --nbits N --clock NS`."""

    point: Point
    clock_ns: float
    tech: str = field(default=DEFAULT, kw_only=True)
    text = "{0.point} {0.kind}{0.with_tech}"
    shell = "{0.kind} {0.point.arguments} --clock {0.clock_ns:.10g}{0.tech_option}"
    unit = ACCELERATOR

    @property
    def with_tech(self) -> str:
        """What the text says of the technology."""
        return "" if self.tech == DEFAULT else f", {self.tech}"

    def parameters(self) -> dict[str, Any]:
        """Name the technology only if it is unusual."""
        found = super().parameters()
        found.pop("tech")
        return found | self.in_tech


class GatedClocks(Gating):
    """The gates of a netlist, and the slack of their enables; None without any gate."""

    enable_slack_ns: float | None

    @classmethod
    def of(cls, steps: Steps) -> Self | None:
        """Take them from what the steps say; None if clocks are not gated."""
        if not (steps.synthesis and steps.timing and (found := steps.synthesis.gating)):
            return None
        return cls(**asdict(found), enable_slack_ns=steps.timing.enable_slack_ns)


def folder_of(found: Results, step: str) -> Path:
    """Find where a step of a run of the flow ran."""
    [folder] = (Path(run.folder) for run in found.run if run.step == step)
    return folder


@dataclass(frozen=True)
class UnitAtClock(Task[R]):
    """A unit of a design, or the processor, that goes through the flow. Its clocks may be gated."""

    point: Any  # a Target
    unit: str
    clock_ns: float
    gated: bool = field(default=False, kw_only=True)
    tech: str = field(default=DEFAULT, kw_only=True)

    def parameters(self) -> dict[str, Any]:
        """Name the unit and the clock, and only what is unusual of the rest."""
        found: dict[str, Any] = {"clock_ns": self.clock_ns, "unit": self.unit}
        return found | ({"gated": True} if self.gated else {}) | self.in_tech

    @property
    def unit_option(self) -> str:
        """The unit on a command line, if it is not the whole."""
        return "" if self.unit in WHOLE else f" --unit {self.unit}"

    @property
    def gated_option(self) -> str:
        """Gated clocks, and the technology, on a command line."""
        return (" --gated" if self.gated else "") + self.tech_option

    @property
    def with_gates(self) -> str:
        """What the text says of the clocks, and of the technology."""
        of_tech = "" if self.tech == DEFAULT else f", {self.tech}"
        return (", gated clocks" if self.gated else "") + of_tech

    @property
    def folder(self) -> str:
        """The name of the flow's run, and of its folder in build/flow; a layout of the same unit
        shares it."""
        gated = "-gated" if self.gated else ""
        return f"{self.point.top_of(self.unit)}-{self.clock_ns:.10g}ns{gated}{in_names(self.tech)}"

    def workloads(self) -> dict[str, str]:
        """Name what is recorded, for a key."""
        return {"workloads": asked_of(self.point)} if isinstance(self.point, Point) else {}

    def run(
        self,
        to: str,
        on_step: OnStep,
        recipes: Sequence[str] = (),
        seed: int = 0,
        energy: bool = False,
        **asked: Any,
    ) -> Results:
        """Run the flow up to a step, if the hardware's answers are right; with energies, record the
        workloads first. The flow's Request names what else may be asked. Runs in one folder wait
        for each other."""
        from flow.run import run_flow

        check_answers(self.point, on_step)
        recording = None
        if energy:
            on_step("recording the workload")
            if self.unit == PERIPHERAL:
                from eval.tasks.flow_run.bus_recording import record as record_bus

                recording = record_bus(self.point)
            else:
                from eval.tasks.flow_run.recording import record

                recording = record(self.point)
        done = translation(self.point, self.unit)
        found = run_flow(
            self.folder + (f"-seed{seed}" if seed else ""),
            done.text,
            done.top,
            build_dir("flow"),
            clock_period=self.clock_ns,
            to=to,
            recording=recording,
            flatten=done.flattened,
            carry_save=done.carry_save,
            recipes=recipes,
            seed=seed,
            gated=self.gated,
            tech=self.tech,
            on_step=lambda step, event: on_step(f"{step} {event}"),
            wait=True,
            **asked,
        )
        return read_results(found)
