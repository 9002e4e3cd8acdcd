"""The processor at cycle level in lock-step with the hardware: what is complete in each cycle."""

from types import SimpleNamespace

import pytest

from fl.xcel import READ, WRITE
from proc import csr
from proc.asm.assembler import assemble
from proc.cl.csr import TimedCsrFile
from proc.cl.execute import request_of
from proc.isa import decode
from proc.manager import Manager
from proc.programs.build import APP, VARIANTS, build_benchmark
from proc.programs.elf import load_elf
from proc.programs.load import load_program
from proc.retire import Trap
from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.cycle_system import CycleSystem
from proc.run.python_system import PythonSystem
from proc.run.timing import Timing
from sim.trace_key import trace_key
from tests.cases.hazards import HAZARDS
from tests.cases.instruction_streams import random_stream
from tests.cases.instructions import INSTRUCTIONS
from tests.cases.interrupted_streams import interrupted_stream
from tests.cases.interrupts import INTERRUPTED, REFUSED
from tests.cases.traps import TRAPS
from tests.proc.pausing_xcel import PausingXcelRTL
from tests.proc_harness import (
    DIVIDERS,
    TIMINGS,
    answers,
    batch,
    bus_batch,
    bus_cl,
    bus_python,
    cl,
    done_at_cl,
    lock_step,
    python,
)

END = "li a7, 0x20000\ncsrw proc2mngr, a7\n"


def timing_of(seed: int) -> Timing:
    """Memory that answers after 1 to 7 cycles, at random but for each third seed."""
    return Timing(1 + seed % 7, seed if seed % 3 else None)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("divider", DIVIDERS)
def test_every_case_takes_the_cycles_of_the_hardware(divider: str, timing: str):
    for case in INSTRUCTIONS + HAZARDS:
        expected = answers(batch(divider), case, TIMINGS[timing])
        assert answers(cl(divider), case, TIMINGS[timing]) == expected, case


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("divider", DIVIDERS)
def test_random_programs_in_lock_step(divider: str, seed: int):
    image = random_stream(seed, 1000)
    done = lock_step(cl(divider), batch(divider), image, timing_of(seed))
    assert len(done.trace) > 800


@pytest.mark.long
@pytest.mark.parametrize("divider", DIVIDERS)
def test_many_random_programs_in_lock_step(divider: str):
    for seed in range(300, 360):
        image = random_stream(seed, 3000)
        lock_step(cl(divider), batch(divider), image, timing_of(seed))


@pytest.mark.parametrize("timing", TIMINGS)
def test_traps(timing: str):
    for case in TRAPS:
        lock_step(cl("seed"), batch("seed"), case.image(), TIMINGS[timing])


@pytest.mark.parametrize("seed", range(6))
def test_interrupted_programs_in_lock_step(seed: int):
    image = interrupted_stream(seed, 500)
    done = lock_step(bus_cl("fast"), bus_batch("fast"), image, timing_of(seed))
    assert image.symbols["handler"] in {retired.pc for retired in done.trace}


@pytest.mark.parametrize("timing", TIMINGS)
def test_cases_of_interrupts_and_the_bus(timing: str):
    for case in INTERRUPTED:
        expected = answers(bus_batch("fast"), case, TIMINGS[timing])
        assert answers(bus_cl("fast"), case, TIMINGS[timing]) == expected, case
    for case in REFUSED:
        lock_step(bus_cl("fast"), bus_batch("fast"), case.image(), TIMINGS[timing])


@pytest.mark.parametrize("timing", TIMINGS)
def test_an_accelerator_that_is_late(timing: str):
    text = "".join(
        f"csrw xr0, a{i}\ncsrr a{j}, xr0\n" + "nop\n" * (i % 3) + f"addi a{j}, a{j}, {i}\n"
        f"lw a{i}, 0(x0)\nadd a{j}, a{i}, a{j}\n"
        for i, j in ((0, 1), (1, 1), (1, 2), (2, 3), (3, 0), (0, 0), (2, 1), (3, 3))
    )
    pushes = "csrw xr0, a0\ncsrw xr0, a1\ncsrr a2, xr0\ncsrr a3, xr0\ncsrr a2, xr1\n"
    image = assemble(3 * (text + pushes) + "li a7, 0x20000\ncsrw proc2mngr, a7\n")
    hardware = BatchSystem(ProcessorSystem("seed", PausingXcelRTL))
    lock_step(CycleSystem(PausingXcelRTL, "seed"), hardware, image, TIMINGS[timing])
    hardware.close()


@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("variant", [v for v in VARIANTS if v != "xcel"])
def test_the_benchmark(variant: str, divider: str):
    image = load_elf(build_benchmark(variant))
    for timing in (Timing(), Timing(6, 5)):
        assert lock_step(cl(divider), batch(divider), image, timing).end.reason == "passed"


@pytest.mark.parametrize("timing", TIMINGS)
def test_a_program_of_the_library(timing: str):
    lock_step(cl("seed"), batch("seed"), load_program(APP / "hello.c"), TIMINGS[timing])


ENDS = {
    "inputs that are read": ("csrr a0, mngr2proc\ncsrw proc2mngr, a0\n" * 5, (1, 2, 3, 4, 0x20000)),
    "no input left": ("1: csrr a0, mngr2proc\nj 1b\n", (1, 2)),
    "no end": ("1: nop\nj 1b\n", ()),
    "no program": ("", ()),
    "fetch outside": ("li a0, 0x100000\njr a0\n", ()),
    "load outside behind a load": ("lui a0, 0x80000\nlw a1, 0(x0)\nlw a1, 0(a0)\n", ()),
    "a store over what is fetched": (
        "la a0, 1f\nlw a1, 0(x0)\nsw a1, 0(a0)\n1: nop\nnop\nli a7, 0x20000\ncsrw proc2mngr, a7",
        (),
    ),
}


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("end", ENDS)
def test_how_a_program_ends(end: str, timing: str):
    text, inputs = ENDS[end]
    lock_step(cl("seed"), batch("seed"), assemble(text), TIMINGS[timing], inputs)


@pytest.mark.quick
def test_both_halves_of_the_counters_at_cycle_level():
    """Of cycles and of instructions, each by its own."""
    csrs = TimedCsrFile(Manager(), None, lambda: 0x3_80000001)
    retired = 0x5_00000007
    cycles = csr.MCYCLE, csr.CYCLE, csr.MCYCLEH, csr.CYCLEH
    assert [csrs.read(number, retired) for number in cycles] == [0x80000001] * 2 + [3] * 2
    instructions = csr.MINSTRET, csr.INSTRET, csr.MINSTRETH, csr.INSTRETH
    assert [csrs.read(number, retired) for number in instructions] == [7] * 2 + [5] * 2


STATISTICS = """
    csrwi stats_en, 3
    nop
    csrwi stats_en, 1
    li a0, 6
    csrr a1, stats_en
    csrs stats_en, a0
    csrr a2, stats_en
    csrw stats_en, a0
    csrr a3, stats_en
    csrwi stats_en, 5
    csrwi stats_en, 2
    li a7, 0x20000
    csrw proc2mngr, a7
"""


@pytest.mark.parametrize("timing", TIMINGS)
def test_statistics_are_of_bit_0_however_often_it_is_set(timing: str):
    done = lock_step(cl("fast"), batch("fast"), assemble(STATISTICS), TIMINGS[timing])
    assert [window.instructions for window in done.end.windows] == [6, 0]
    assert [one.value for one in done.trace if one.rd in (11, 12, 13)] == [1, 1, 0]


# Each waits for the load where it reads a0, of number 10, and not where 10 is its operand.
OPERANDS_OF_CSRS = "".join(
    f"lw a0, 0(x0)\n{access}\n"
    for access in (
        *("csrw stats_en, a0", "csrs stats_en, a0", "csrc stats_en, a0"),
        *("csrwi stats_en, 10", "csrsi stats_en, 10", "csrci stats_en, 10"),
    )
)


@pytest.mark.parametrize("timing", TIMINGS)
def test_which_accesses_of_csrs_wait_for_a_register(timing: str):
    image = assemble(OPERANDS_OF_CSRS + END)
    lock_step(cl("fast"), batch("fast"), image, TIMINGS[timing])


@pytest.mark.quick
@pytest.mark.parametrize("register", [0, 1, 15, 16, 17, 31])
def test_what_is_asked_of_the_accelerator(register: int):
    """Its register of 32, and data of a register or a number of the instruction."""
    regs = [100 + i for i in range(33)]
    for funct3, data in ((1, 109), (5, 9)):
        x = SimpleNamespace(word=9 << 15 | funct3 << 12)
        for writes, type_ in ((False, READ), (True, WRITE)):
            *asked, of = request_of(x, 0x7E0 + register, writes)
            assert (*asked, of(regs)) == (type_, register, data)


# Of an alarm's sum: what each takes of it, what is loaded to no register, and what goes on.
PARTS_OF_A_WORD = """
    li s0, 0x40000000
    li a0, 0x7f80ff01
    sw a0, 4(s0)
    lb a1, 4(s0)
    lb a2, 5(s0)
    lbu a3, 5(s0)
    lb a4, 6(s0)
    lb a5, 7(s0)
    lh a6, 4(s0)
    lhu s1, 4(s0)
    lh s2, 6(s0)
    lw x0, 4(s0)
    lb x0, 5(s0)
    li a7, 0x20000
    csrw proc2mngr, a7
"""
WORDS = [0x01, 0xFFFFFFFF, 0xFF, 0xFFFFFF80, 0x7F, 0xFFFFFF01, 0xFF01, 0x7F80]


@pytest.mark.parametrize("timing", TIMINGS)
def test_parts_of_a_word_on_the_bus(timing: str):
    image = assemble(PARTS_OF_A_WORD)
    done = lock_step(bus_cl("fast"), bus_batch("fast"), image, TIMINGS[timing])
    loads = [one for one in done.trace if one.access and not one.access.write]
    assert [(one.rd == 0, one.value) for one in loads] == [
        *((False, word) for word in WORDS),
        *[(True, 0)] * 2,
    ]


def lines(system: CycleSystem | PythonSystem, seed: int, image) -> list[str]:
    shown: list[str] = []
    system.run(image, Manager(), timing_of(seed), 10_000, on_line=shown.append)
    return shown


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_line_trace_is_that_of_the_hardware(seed: int):
    image = random_stream(seed, 80)
    assert lines(cl("fast"), seed, image) == lines(python("fast"), seed, image)


FAILS = {
    "a target by its immediate": "li a0, 0x200\njalr ra, 2(a0)",
    "a target by its register": "li a0, 0x202\njalr ra, 4(a0)",
    "a branch": ".word 0x00000363",
    "a load": "li a0, 0x202\nlw a1, 0(a0)",
    "no instruction": "nop\n.word 0",
}


@pytest.mark.parametrize("fails", FAILS)
def test_the_line_trace_shows_what_fails(fails: str):
    image = assemble(FAILS[fails])
    shown: list[list[str]] = []
    for system in (cl("fast"), python("fast")):
        shown.append([])
        with pytest.raises(Trap):
            system.run(image, Manager(), Timing(3), 100, on_line=shown[-1].append)
    assert shown[0] == shown[1]
    assert "|!" in shown[0][-1]


def test_a_jump_that_waits_does_not_fail():
    """For the load ahead, to a target that only its immediate makes whole words of."""
    image = assemble("li a0, 0x20e\nlw a1, 0(x0)\njalr ra, 2(a0)\n.word 0\n" + END)
    shown: list[list[str]] = []
    for system in (cl("fast"), python("fast")):
        shown.append([])
        system.run(image, Manager(), Timing(3), 100, on_line=shown[-1].append)
    assert shown[0] == shown[1]
    assert not any("|!" in line for line in shown[0])


def test_the_line_trace_with_interrupts_is_that_of_the_hardware():
    image = interrupted_stream(2, 60)
    found = lines(bus_cl("fast"), 2, image)
    assert found == lines(bus_python("fast"), 2, image)
    assert any("|irq " in line for line in found)


@pytest.mark.quick
def test_the_key_of_the_line_trace_is_that_of_the_hardware():
    for ours, theirs in ((cl("fast"), python("fast")), (bus_cl("fast"), bus_python("fast"))):
        assert ours.trace_key() == trace_key(theirs.top)


def test_random_programs_have_all_that_makes_an_instruction_wait():
    """A branch to the next instruction, two divisions of the same registers, uses of loads."""
    found = set()
    for seed in range(8):
        ahead = None
        for retired in done_at_cl(cl("fast"), random_stream(seed, 1000)).trace:
            ins = decode(retired.word)
            if ins.spec.kind == "branch" and ins.imm == 4:
                found.add("to the next")
            if ahead and ahead.spec.kind == "load" and ahead.rd in (ins.rs1, ins.rs2):
                found.add("load-use")
            if ahead and ahead.spec.kind == ins.spec.kind == "div":
                found.add("divisions")
            ahead = ins
    assert found == {"to the next", "load-use", "divisions"}
