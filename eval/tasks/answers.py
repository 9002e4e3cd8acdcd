"""Whether hardware answers its workloads rightly: asked before any figure of it is made."""

from collections.abc import Iterator

from eval.catalog.point import Point
from eval.catalog.processor import ALONE, WORD, Processor, Target
from eval.catalog.workloads import WORKLOADS
from eval.tasks.simulation import Simulation
from eval.tasks.task import Task, measure
from eval.tasks.unit import OnStep


def check_answers(target: Target, on_step: OnStep) -> None:
    """Simulate the target's workloads, or take their rows; RunError names one that goes wrong."""
    for task in workloads_of(target):

        def say(step: str, task: Task = task) -> None:
            on_step(f"{task}, {step}")

        measure(task, say)


def workloads_of(target: Target) -> Iterator[Task]:
    """List what is run on a design or a processor, each of which checks its answer.

    The benchmark has operands of a word: of other widths the accelerator runs by itself. Nothing
    runs on a bare core.
    """
    if isinstance(target, Point):
        if target.entry.bare:
            return
        yield from (Simulation(target, workload) for workload in WORKLOADS)
    elif isinstance(target, Processor) and target.attached != ALONE:
        if target.runs_benchmark and target.nbits == WORD:
            from eval.tasks.execution import Execution
            from eval.tasks.systems import variants_of

            yield from (Execution(target, variant) for variant in variants_of(target))
        else:
            yield from workloads_of(Point(target.attached, target.nbits))
