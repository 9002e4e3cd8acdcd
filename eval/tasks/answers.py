"""Whether hardware computes the right results: checked before it is synthesised.

The tests run the contract of every design of the catalog. A user's or a third-party design may
never have been checked: its multiplier and its exponentiator must pass the contract's cases at
level batch here, once for each version of its Verilog.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from eval.catalog.point import Point
from eval.catalog.processor import ALONE, WORD, Processor, Target
from eval.catalog.user_designs import design_code, with_option
from eval.catalog.workloads import WORKLOADS
from eval.tasks.simulation import Simulation
from eval.tasks.task import Task, measure
from eval.tasks.unit import EXPONENTIATOR, MULTIPLIER, OnStep, translation
from sim.build_cache import kept
from sim.closure import hash_data
from sim.errors import RunError
from sim.paths import build_dir
from sim.stages import stages

CHECKED_AT = "batch"


def check_answers(target: Target, on_step: OnStep) -> None:
    """Raise RunError unless the target computes its workloads correctly and, if a user brought it,
    passes the cases of its contract; stored results count."""
    if isinstance(target, Point) and design_code(target.design):
        check_contract(target, on_step)
    elif isinstance(target, Processor) and design_code(target.attached):
        check_contract(Point(target.attached, target.nbits), on_step)
    for task in workloads_of(target):

        def say(step: str, task: Task = task) -> None:
            on_step(f"{task}, {step}")

        measure(task, say)


def check_contract(point: Point, on_step: OnStep) -> None:
    """Raise RunError unless multiplier and exponentiator of a point pass their cases in batch.

    It names the request that failed and the command that repeats the check. A check that passed is
    not run again for the same Verilog, entry and contract.
    """
    from eval.contract.design import Broken, Check, tried_parts

    design = point.entry
    for part in (EXPONENTIATOR, MULTIPLIER):
        if design.bare or part not in tried_parts(design):
            continue
        check = Check(part, point.nbits, CHECKED_AT)

        def passed(scratch: Path, check: Check = check) -> Path:
            on_step(f"checking the {check.part} of {point}")
            try:
                cases, stalled = check.run(design)
            except Broken as error:
                asked = ", ".join(f"{name} = {v}" for name, v in (error.request or {}).items())
                raise RunError(
                    f"{point} fails its check, so it is not synthesised: {error}"
                    f"{f' (the request: {asked})' * bool(asked)}; `modexplorer check "
                    f"{point.arguments} --part {check.part} --level {check.level}"
                    f"{with_option(point.design)}` repeats the check"
                ) from error
            made = scratch / "passed"
            made.write_text(f"{cases} cases, {stalled} under stalls\n")
            return made

        name = point.design
        key = hash_data([repr(check), name, design_code(name), translation(point, part).digest])
        kept(build_dir("checked") / f"{key[:24]}-{_contract()}", passed)


@cache
def _contract() -> str:
    """Hash the code that makes and compares the cases."""
    return stages().digest(["check"])


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
