"""The processor's interrupts and bus: cases at every level, and random programs in lock-step."""

from pathlib import Path

import pytest

from proc import csr
from proc.bus_map import WINDOW
from proc.fl.bus_processor import BusProcessorFL
from proc.fl.interrupts import EXTERNAL_CAUSE
from proc.fl.processor import ProcessorFL
from proc.isa import decode
from proc.manager import Manager
from proc.programs.build import build
from proc.programs.elf import load_elf
from proc.retire import Retire
from proc.run.batch_system import BatchSystem
from proc.run.functional_system import FunctionalBusSystem
from proc.run.timing import Timing
from tests.cases.instructions import Case
from tests.cases.interrupted_streams import COUNT, interrupted_stream
from tests.cases.interrupts import INTERRUPTED, REFUSED
from tests.cases.traps import TrapCase
from tests.proc.alarm import AlarmFL
from tests.proc.test_rtl import trap_of
from tests.proc_harness import TIMINGS, answers, bus_batch, bus_cl, bus_python, traced
from tests.unicorn_iss import UnicornISS

FUNCTIONAL = FunctionalBusSystem(AlarmFL)


@pytest.mark.quick
@pytest.mark.parametrize("case", INTERRUPTED[:-1], ids=str)  # the last one takes time
def test_case_of_the_interpreter(case: Case):
    assert answers(FUNCTIONAL, case)[0] == case.outputs


@pytest.mark.parametrize("case", INTERRUPTED, ids=str)
def test_case(case: Case):
    for name, timing in TIMINGS.items():
        assert answers(bus_batch("fast"), case, timing)[0] == case.outputs, name


@pytest.mark.parametrize("case", INTERRUPTED[-6:], ids=str)
def test_verilog_takes_the_cycles_of_the_python_simulation(case: Case):
    expected = answers(bus_python("fast"), case, TIMINGS["random-1"])
    assert answers(bus_batch("fast"), case, TIMINGS["random-1"]) == expected


@pytest.mark.parametrize("timing", ["fast", "random-2"])
@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_trap(case: TrapCase, timing: str):
    expected = trap_of(FUNCTIONAL, case.image())
    assert case.cause in expected[0]
    assert trap_of(bus_batch("fast"), case.image(), timing=TIMINGS[timing]) == expected


@pytest.mark.parametrize("system", [bus_cl, bus_batch])
def test_no_interrupt_is_lost_before_the_sleep(system):
    """By the library's way to wait, in C."""
    source = Path(__file__).with_name("c") / "test_interrupts.c"
    manager = Manager()
    system("fast").run(load_elf(build([source])), manager, limit=100_000)
    assert manager.reason == "passed"


def known(retired: Retire) -> bool:
    """Whether the independent simulator has what the instruction works on."""
    ins = decode(retired.word)
    if ins.spec.kind == "csr":
        return ins.imm in csr.INTERRUPTS - {csr.MSTATUS}  # more modes are in its mstatus
    return ins.name != "wfi" and not (retired.access and retired.access.address >= WINDOW)


def lock_step(system: BatchSystem, seed: int, instructions: int) -> int:
    """RTL, FL and the independent ISS do the same, interrupted where RTL is; how often that was."""
    image = interrupted_stream(seed, instructions)
    timing = Timing(1 + seed % 7, seed if seed % 3 else None)
    trace, run = traced(system, image, timing, limit=60 * instructions)
    assert run.instructions == len(trace)
    processor, iss = BusProcessorFL(image, device=AlarmFL()), UnicornISS(image)
    interrupts, handler, taken = processor.interrupts, image.symbols["handler"], 0
    interrupts.line = lambda: True
    for retired in trace:
        if retired.pc == handler:
            assert interrupts.pending
            processor.pc = interrupts.enter(processor.pc)
            iss.interrupt(EXTERNAL_CAUSE)
            taken += 1
        assert retired == ProcessorFL.step(processor)
        if retired.pc >= image.symbols["end"]:
            continue
        assert retired.pc == iss.pc
        if known(retired):
            iss.step()
            assert retired.value == iss.regs[retired.rd]
        else:
            iss.put(retired.rd, retired.value)
    assert system.memory == processor.memory
    assert int.from_bytes(system.memory[COUNT : COUNT + 4], "little") == taken
    return taken


@pytest.mark.long
def test_many_interrupted_streams_agree():
    assert sum(lock_step(bus_batch("fast"), seed, 4000) for seed in range(100, 130)) > 5_000


def test_interrupted_streams_agree_with_the_interpreter_and_the_independent_simulator():
    assert sum(lock_step(bus_batch("fast"), seed, 1000) for seed in range(6)) > 200
