"""What kinds have in common that are measured at a clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.tasks.answers import check_answers
from eval.tasks.task import R, Task
from eval.tasks.unit import ACCELERATOR, PERIPHERAL, WHOLE, OnStep, Target, translation
from flow.results.run import Results, read_results
from sim.paths import build_dir

LEAST_CLOCK_NS = 0.1  # that commands take
HURRIED = 0.25  # times a period that was reached


def hurried(reached_ns: float) -> float:
    """Choose a clock that no netlist meets, so that synthesis looks for the fastest."""
    return round(max(HURRIED * reached_ns, LEAST_CLOCK_NS), 3)


@dataclass(frozen=True)
class DesignAtClock(Task[R]):
    """A question about a design's accelerator, with a command of its own: `modexplorer KIND DESIGN
    --nbits N --clock NS`."""

    point: Point
    clock_ns: float
    text = "{0.point} {0.kind}"
    shell = "{0.kind} {0.point.arguments} --clock {0.clock_ns:.10g}"
    unit = ACCELERATOR


@dataclass(frozen=True)
class UnitAtClock(Task[R]):
    """A unit of a design, or the processor, that goes through the flow."""

    point: Target
    unit: str
    clock_ns: float

    @property
    def unit_option(self) -> str:
        """The unit on a command line, if it is not the whole."""
        return "" if self.unit in WHOLE else f" --unit {self.unit}"

    @property
    def folder(self) -> str:
        """The name of the flow's run, and of its folder in build/flow."""
        return f"{self.point.top_of(self.unit)}-{self.clock_ns:.10g}ns"

    def run(
        self,
        to: str,
        on_step: OnStep,
        recipes: Sequence[str] = (),
        seed: int = 0,
        energy: bool = False,
        gated: bool = False,
    ) -> Results:
        """Run the flow up to a step, if the hardware's answers are right; with energies, record the
        workloads first. Runs in one folder wait for each other."""
        from flow.run import run_flow

        check_answers(self.point, on_step)
        recording = None
        if energy:
            from eval.tasks.flow_run.bus_recording import record_peripheral
            from eval.tasks.flow_run.recording import record

            on_step("recording the workload")
            of_unit = record_peripheral if self.unit == PERIPHERAL else record
            recording = of_unit(self.point)
        done = translation(self.point, self.unit)
        found = run_flow(
            self.folder + (f"-seed{seed}" if seed else ""),
            done.text,
            done.top,
            build_dir("flow"),
            clock_period=self.clock_ns,
            to=to,
            recording=recording,
            dissolve=done.dissolved,
            carry_save=done.carry_save,
            recipes=recipes,
            seed=seed,
            gated=gated,
            on_step=lambda step, event: on_step(f"{step} {event}"),
            wait=True,
        )
        return read_results(found)
