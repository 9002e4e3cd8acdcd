"""The RTL processor: the case tables, traps, and random streams in lock-step with two others."""

from collections import Counter

import pytest

from proc.asm.assembler import assemble
from proc.fl.processor import ProcessorFL
from proc.fl.xcel_port import NullXcel
from proc.isa import SPECS, decode
from proc.manager import Manager
from proc.programs.image import Image
from proc.retire import Cause, Retire, Trap
from proc.rtl.processor import ProcessorRTL
from proc.run import batch_system
from proc.run.functional_system import FunctionalSystem
from proc.run.timing import Timing
from sim.errors import RunError, UserError
from sim.verilate import stored_bytes
from tests.cases.hazards import HAZARDS
from tests.cases.instruction_streams import random_stream
from tests.cases.instructions import INSTRUCTIONS, Case
from tests.cases.traps import TRAPS, TrapCase
from tests.proc_harness import DIVIDERS, LIMIT, TIMINGS, answers, batch, cl, python, traced
from tests.unicorn_iss import UnicornISS

CASES = INSTRUCTIONS + HAZARDS
SAMPLE = [CASES[i] for i in range(0, len(CASES), 9)]  # PyMTL3's simulator takes its time


@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, divider: str):
    for name, timing in TIMINGS.items():
        assert answers(batch(divider), case, timing)[0] == case.outputs, name


@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_verilog_takes_the_cycles_of_the_python_simulation(case: Case, divider: str):
    timing = TIMINGS["fast" if divider == "seed" else "random-2"]
    expected = answers(python(divider), case, timing)
    assert expected[0] == case.outputs
    assert answers(batch(divider), case, timing) == expected


@pytest.mark.long
@pytest.mark.parametrize("divider", DIVIDERS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_case_in_the_python_simulation(case: Case, divider: str):
    expected = answers(batch(divider), case, TIMINGS["random-1"])
    assert answers(python(divider), case, TIMINGS["random-1"]) == expected


def trap_of(processor: object, image: Image, **options) -> tuple[str, list[Retire]]:
    trace: list[Retire] = []
    with pytest.raises(Trap) as trap:
        processor.run(image, Manager(), limit=LIMIT, on_retire=trace.append, **options)
    return str(trap.value), trace


@pytest.mark.parametrize("timing", ["fast", "random-2"])
@pytest.mark.parametrize("case", TRAPS, ids=str)
def test_trap(case: TrapCase, timing: str):
    expected = trap_of(FunctionalSystem(NullXcel), case.image())
    assert trap_of(batch("seed"), case.image(), timing=TIMINGS[timing]) == expected


@pytest.mark.parametrize("index", range(0, len(TRAPS), 7))
def test_trap_in_the_python_simulation(index: int):
    image = TRAPS[index].image()
    assert trap_of(python("seed"), image) == trap_of(batch("seed"), image)


@pytest.mark.parametrize("end", ["ecall", "lw a0, 1(x0)", ".word 0", "jr a1"])
@pytest.mark.parametrize("before", ["", "nop\n", "lw a2, 0(x0)\n", "div a2, a0, a1\n"])
def test_an_error_is_told_once_all_before_it_is_complete(before: str, end: str):
    """In the cycle after the last one has left W, and not before."""
    system, seen = batch("seed"), bytearray()
    image = assemble(f"li a0, 6\nli a1, 2\n{before}{end}\n")
    with pytest.raises(Trap):
        system.run(image, Manager(), limit=LIMIT, on_ports=seen.extend)
    ports = {name: port for name, (_, port) in system.model.ports.items()}
    names = list(ports)
    error, retires = (
        seen[sum(stored_bytes(ports[one]) for one in names[: names.index(name)]) :: size]
        for name, size in dict.fromkeys(("error", "retire__val"), system.model.record_bytes).items()
    )
    assert list(error) == [0] * (len(error) - 1) + [1]
    assert sum(retires) == 2 + bool(before)
    assert list(retires[-2:]) == [1, 0]


def test_fetch_outside_the_memory():
    image = assemble("li a0, 0x400\njr a0")
    text, trace = trap_of(batch("seed"), image, memory_size=0x400)
    assert text == "instruction fetch outside the memory, at pc 0x00000400"
    assert len(trace) == 2


@pytest.mark.parametrize(
    "case", [one for one in TRAPS if one.cause == Cause.MISALIGNED_TARGET], ids=str
)
def test_no_part_of_a_word_is_fetched(case: TrapCase):
    """Not from the target that the trap is about, either."""
    system, asked = python("seed"), []

    def note(_: str) -> None:
        request = system.top.imem.req
        if request.val:
            asked.append(int(request.msg.addr))

    trap_of(system, case.image(), on_line=note)
    assert [address for address in asked if address % 4] == []
    assert 0x200 in asked


def lock_step(divider: str, seed: int, instructions: int) -> Counter:
    """RTL, FL and the independent ISS do the same; the instructions that ran, by name."""
    image = random_stream(seed, instructions)
    timing = Timing(1 + seed % 7, seed if seed % 3 else None)
    trace, run = traced(batch(divider), image, timing, limit=100 * instructions)
    assert run.instructions == len(trace)
    processor, iss = ProcessorFL(image), UnicornISS(image)
    names: Counter = Counter()
    for retired in trace:
        assert retired == processor.step()
        names[decode(retired.word).name] += 1
        if retired.pc < image.symbols["end"]:
            assert retired.pc == iss.pc
            iss.step()
            assert retired.value == iss.regs[retired.rd]
    assert batch(divider).memory == processor.memory == iss.memory()
    return names


@pytest.mark.parametrize("divider", DIVIDERS)
def test_streams_agree_with_the_interpreter_and_the_independent_simulator(divider: str):
    names = sum((lock_step(divider, seed, 1000) for seed in range(6)), Counter())
    assert names.total() > 5000
    absent = {"csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci", "ecall", "ebreak", "mret", "wfi"}
    assert set(names) == set(SPECS) - absent


@pytest.mark.long
@pytest.mark.parametrize("divider", DIVIDERS)
def test_many_streams_agree(divider: str):
    assert sum(lock_step(divider, s, 5000).total() for s in range(200, 222)) > 100_000


def test_stream_takes_the_cycles_of_the_python_simulation():
    image = random_stream(3, 300)
    for timing in (TIMINGS["fast"], TIMINGS["random-1"]):
        assert traced(python("fast"), image, timing) == traced(batch("fast"), image, timing)


PIECES = """
    li a0, 9
1:  csrsi stats_en, 1
    lw a1, 0(x0)
    add a2, a1, a1
    csrci stats_en, 1
    csrw proc2mngr, a2
    addi a0, a0, -1
    bnez a0, 1b
    li a7, 0x20000
    csrw proc2mngr, a7
"""


@pytest.mark.parametrize(
    ("of", "size"),
    [("CYCLES", 2), ("CYCLES", 7), ("PORTS", 3), ("RECORDS", 2), ("RECORDS", 7), ("WINDOWS", 1)],
)
def test_a_run_in_pieces_is_that_in_one(monkeypatch, of: str, size: int):
    """However many cycles, records or windows a call of the loop has room for. (It has two cycles
    at least, after which the last word is complete.)"""
    image, ports = assemble(PIECES), []
    options = {"limit": LIMIT, "on_ports": ports.append} if of == "PORTS" else {"limit": LIMIT}

    def seen() -> tuple[object, ...]:
        trace, manager = [], Manager()
        ports.clear()
        run = batch("seed").run(
            image, manager, TIMINGS["random-1"], on_retire=trace.append, **options
        )
        return trace, manager.outputs, run, b"".join(ports)

    seen()  # from registers of this program on
    whole = seen()
    assert len(whole[0]) == whole[2].instructions == 3 + 9 * 7
    assert len(whole[2].windows) == 9
    monkeypatch.setattr(batch_system, f"{of}_A_CALL", size)
    assert seen() == whole


@pytest.mark.parametrize("system", [batch, python, cl])
def test_reading_more_than_there_is(system):
    image = assemble("1: csrr a0, mngr2proc\nj 1b")
    with pytest.raises(RunError, match="reads mngr2proc, but no input is left"):
        system("seed").run(image, Manager([1, 2]), limit=LIMIT)


@pytest.mark.parametrize("system", [batch, python, cl])
def test_limit(system):
    image = assemble("1: nop\nj 1b")
    with pytest.raises(RunError, match="did not end within 100 cycles; last done: .*, pc 0x0"):
        system("seed").run(image, Manager(), limit=100)


@pytest.mark.parametrize("system", [batch, python, cl])
def test_wrong_entry(system):
    image = Image((), entry=0x1000, name="high")
    with pytest.raises(UserError, match="high: starts at 0x1000, but the RTL processor at 0x200"):
        system("seed").run(image, Manager())


def test_line_trace():
    lines = []
    text = "li a0, 3\n1: lw a1, 0(x0)\nadd a2, a1, a1\naddi a0, a0, -1\nbnez a0, 1b\nj 2f\nnop"
    image = assemble(f"{text}\n2: li a7, 0x20000\ncsrw proc2mngr, a7\n.word 0\n")
    python("seed").run(image, Manager(), limit=LIMIT, on_line=lines.append)
    stages = [line.split(": ")[1].split("|", 4) for line in lines]
    assert {tuple(len(s) for s in line[:4]) for line in stages} == {(8, 24, 7, 7)}
    assert [s[1].strip() for s in stages[2:6]] == [
        "addi a0, zero, 3",
        "lw a1, 0(zero)",
        "#",
        "add a2, a1, a1",
    ]
    assert sum(s[1].strip() == "~" for s in stages) == 2  # two branches taken
    assert stages[-1][4].startswith("csrrw ")


def test_wrong_divider():
    with pytest.raises(ValueError, match="divider must be one of seed, fast, not 'slow'"):
        ProcessorRTL("slow").elaborate()
