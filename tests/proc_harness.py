"""Processor systems shared by the tests of a process, and how a case is run on one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.programs.image import Image
from proc.retire import Retire
from proc.rtl.bus_system import BusSystem
from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.cycle_system import CycleBusSystem, CycleSystem
from proc.run.python_system import PythonSystem
from proc.run.system_run import SystemRun
from proc.run.systems import DIVIDERS
from proc.run.timing import FAST, Timing
from rtl.port.xcel import NullXcelRTL
from sim.errors import RunError
from sim.verilate import stored_bytes
from tests.cases.instructions import Case
from tests.proc.alarm import AlarmRTL

__all__ = [
    "DIVIDERS",
    "TIMINGS",
    "Done",
    "answers",
    "batch",
    "bus_batch",
    "bus_cl",
    "bus_python",
    "cl",
    "done_at_cl",
    "lock_step",
    "python",
    "traced",
]

LIMIT = 100_000

System = BatchSystem | PythonSystem | CycleSystem

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
def cl(divider: str) -> CycleSystem:
    """The processor at cycle level with NullXcel."""
    return CycleSystem(NullXcelRTL, divider)


@cache
def bus_cl(divider: str) -> CycleBusSystem:
    """The processor at cycle level with interrupts, and the same alarm."""
    return CycleBusSystem(AlarmRTL, divider)


@cache
def bus_batch(divider: str) -> BatchSystem:
    """The Verilated processor with interrupts, and an alarm on its bus."""
    return BatchSystem(BusSystem(AlarmRTL, divider))


@cache
def bus_python(divider: str) -> PythonSystem:
    """The same in PyMTL3's simulator."""
    return PythonSystem(BusSystem(AlarmRTL, divider))


def answers(
    system: System, case: Case, timing: Timing = FAST, limit: int = LIMIT
) -> tuple[tuple[int, ...], SystemRun]:
    """What the processor answers to a case, and what the run took."""
    manager = Manager(case.inputs, words=len(case.outputs))
    run = system.run(case.image(), manager, timing, limit)
    return tuple(manager.outputs), run


def traced(
    system: System, image: Image, timing: Timing = FAST, limit: int = LIMIT
) -> tuple[list[Retire], SystemRun]:
    """Every instruction of a program that passes, and what the run took."""
    trace: list[Retire] = []
    run = system.run(image, Manager(), timing, limit, on_retire=trace.append)
    assert run.exit_code == 0, run.reason
    return trace, run


@dataclass
class Done:
    """All that a run shows: what was complete, in which cycles, and how it ended."""

    trace: list[Retire]
    cycles: list[int]
    end: SystemRun | str
    outputs: list[int]
    memory: bytes


CLEAR = assemble("".join(f"li x{i}, 0\n" for i in range(1, 32)) + "csrwi proc2mngr, 0\n")


def done_at_rtl(
    system: BatchSystem,
    image: Image,
    timing: Timing = FAST,
    inputs: tuple[int, ...] = (),
    limit: int = LIMIT,
) -> Done:
    """What the compiled hardware does from registers of 0 on, with the cycles of its port `retire`
    but for the two after the program's last word."""
    ports = {name: port for name, (_, port) in system.model.ports.items()}
    names = list(ports)
    at = sum(stored_bytes(ports[name]) for name in names[: names.index("retire__val")])
    seen, trace = bytearray(), []

    def watch(records: bytes) -> None:
        seen.extend(records[at :: system.model.record_bytes])

    system.run(CLEAR, Manager(words=1), limit=LIMIT)
    manager = Manager(inputs)
    on = {"on_retire": trace.append, "on_ports": watch}
    end = _end(lambda: system.run(image, manager, timing, limit, **on))
    cycles = [cycle for cycle, retires in enumerate(seen) if retires]
    return Done(trace, cycles, end, manager.outputs, bytes(system.memory))


def done_at_cl(
    system: CycleSystem,
    image: Image,
    timing: Timing = FAST,
    inputs: tuple[int, ...] = (),
    limit: int = LIMIT,
) -> Done:
    """What the cycle level does."""
    manager, trace, cycles = Manager(inputs), [], []

    def note(retired: Retire) -> None:
        trace.append(retired)
        cycles.append(system.cycle)

    end = _end(lambda: system.run(image, manager, timing, limit, on_retire=note))
    return Done(trace, cycles, end, manager.outputs, bytes(system.memory))


def lock_step(
    found: CycleSystem,
    hardware: BatchSystem,
    image: Image,
    timing: Timing = FAST,
    inputs: tuple[int, ...] = (),
    limit: int = LIMIT,
) -> Done:
    """What both do, which is the same in the same cycles."""
    expected = done_at_rtl(hardware, image, timing, inputs, limit)
    done = done_at_cl(found, image, timing, inputs, limit)
    assert len(done.trace) - 2 <= len(expected.cycles) <= len(done.trace)
    assert done == replace(expected, cycles=expected.cycles + done.cycles[len(expected.cycles) :])
    return done


def _end(run: Callable[[], SystemRun]) -> SystemRun | str:
    try:
        return run()
    except RunError as error:
        return str(error)
