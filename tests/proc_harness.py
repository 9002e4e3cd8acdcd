"""Processor systems shared by the tests of a process, and how a case is run on one."""

from functools import cache

from proc.manager import Manager
from proc.programs.image import Image
from proc.retire import Retire
from proc.rtl.bus_system import BusSystem
from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.python_system import PythonSystem
from proc.run.system_run import SystemRun
from proc.run.systems import DIVIDERS
from proc.run.timing import FAST, Timing
from tests.cases.instructions import Case
from tests.proc.alarm import AlarmRTL

__all__ = ["DIVIDERS", "TIMINGS", "answers", "batch", "bus_batch", "bus_python", "python", "traced"]

LIMIT = 100_000

TIMINGS = {
    "fast": FAST,
    "slow": Timing(latency=3),
    "random-1": Timing(latency=2, seed=1),
    "random-2": Timing(latency=7, seed=2),
}


@cache
def batch(divider: str) -> BatchSystem:
    """The Verilated processor with NullXcel."""
    return BatchSystem(ProcessorSystem(divider))


@cache
def python(divider: str) -> PythonSystem:
    """The same in PyMTL3's simulator."""
    return PythonSystem(ProcessorSystem(divider))


@cache
def bus_batch(divider: str) -> BatchSystem:
    """The Verilated processor with interrupts, and an alarm on its bus."""
    return BatchSystem(BusSystem(AlarmRTL, divider))


@cache
def bus_python(divider: str) -> PythonSystem:
    """The same in PyMTL3's simulator."""
    return PythonSystem(BusSystem(AlarmRTL, divider))


def answers(
    system: BatchSystem | PythonSystem, case: Case, timing: Timing = FAST, limit: int = LIMIT
) -> tuple[tuple[int, ...], SystemRun]:
    """What the processor answers to a case, and what the run took."""
    manager = Manager(case.inputs, words=len(case.outputs))
    run = system.run(case.image(), manager, timing, limit)
    return tuple(manager.outputs), run


def traced(
    system: BatchSystem | PythonSystem, image: Image, timing: Timing = FAST, limit: int = LIMIT
) -> tuple[list[Retire], SystemRun]:
    """Every instruction of a program that passes, and what the run took."""
    trace: list[Retire] = []
    run = system.run(image, Manager(), timing, limit, on_retire=trace.append)
    assert run.exit_code == 0, run.reason
    return trace, run
