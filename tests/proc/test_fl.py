"""The functional processor: every instruction, every hazard, traps, and the independent ISS."""

from collections import Counter

import pytest

from proc.asm.assembler import assemble
from proc.fl.processor import ProcessorFL
from proc.isa import SPECS, decode, signed
from proc.manager import Manager
from proc.programs.image import Image, Segment
from proc.retire import Access, Retire, Trap
from proc.semantics import ALU, BRANCH, MEMORY
from sim.errors import RunError, UserError
from tests.cases.hazards import HAZARDS
from tests.cases.instruction_streams import random_stream
from tests.cases.instructions import INSTRUCTIONS, Case
from tests.cases.traps import TRAPS, TrapCase
from tests.unicorn_iss import UnicornISS

CASES = INSTRUCTIONS + HAZARDS


def answers(case: Case) -> tuple[int, ...]:
    """What the processor answers to a case."""
    manager = Manager(case.inputs, words=len(case.outputs))
    ProcessorFL(case.image(), manager).run(limit=100_000)
    return tuple(manager.outputs)


def run(source: str, **options) -> ProcessorFL:
    processor = ProcessorFL(assemble(source), **options)
    processor.run(limit=100_000)
    return processor


@pytest.mark.quick
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert answers(case) == case.outputs


@pytest.mark.quick
@pytest.mark.parametrize("case", TRAPS, ids=str)
def test_trap(case: TrapCase):
    image = case.image()
    processor = ProcessorFL(image)
    with pytest.raises(Trap) as trap:
        processor.run(limit=100)
    bad = image.symbols["bad"]
    word = image.words()[bad // 4]
    error = trap.value
    assert (error.cause, error.pc, error.word, error.address) == (
        *(case.cause, bad, word),
        case.address,
    )
    assert f"pc {bad:#010x}" in str(error)
    assert f"{word:#010x}" in str(error)
    assert processor.pc == bad


@pytest.mark.quick
def test_fetch_outside_the_memory():
    with pytest.raises(Trap, match=r"instruction fetch outside the memory, at pc 0x00100000$"):
        run("li a0, 0x100000\njr a0")
    with pytest.raises(Trap, match="at pc 0x00000400$"):
        run("li a0, 0x400\njr a0", memory_size=0x400)


def lock_step(image: Image) -> Counter:
    """Step both models to the label `end`, compare everything; count the instructions by name."""
    processor, iss = ProcessorFL(image), UnicornISS(image)
    names = Counter()
    while iss.pc != image.symbols["end"]:
        retired = processor.step()
        iss.step()
        assert processor.pc == iss.pc, retired
        assert processor.regs[:32] == iss.regs, retired
        assert iss.regs[retired.rd] == retired.value, retired
        names[decode(retired.word).name] += 1
    assert bytes(processor.memory) == iss.memory()
    assert processor.run() == 0
    return names


def test_streams_agree_with_the_independent_simulator():
    names = sum((lock_step(random_stream(seed, 1000)) for seed in range(6)), Counter())
    assert names.total() > 5000
    absent = {"csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"}
    absent |= {"ecall", "ebreak", "mret", "wfi"}
    assert set(names) == set(SPECS) - absent


@pytest.mark.long
def test_many_streams_agree_with_the_independent_simulator():
    assert sum(lock_step(random_stream(s, 5000)).total() for s in range(100, 122)) > 100_000


FAULTS = {
    "sra fills with zeros": (ALU, "sra", lambda a, b: a >> (b & 31)),
    "slt without signs": (ALU, "slt", lambda a, b: int(a < b)),
    "mulhsu as mulh": (ALU, "mulhsu", ALU["mulh"]),
    "mulhsu as mulhu": (ALU, "mulhsu", ALU["mulhu"]),
    "div rounds down": (ALU, "div", lambda a, b: signed(a) // (signed(b) or 1) & 0xFFFFFFFF),
    "remu by 0 gives 0": (ALU, "remu", lambda a, b: a % b if b else 0),
    "bge as bgt": (BRANCH, "bge", lambda a, b: signed(a) > signed(b)),
    "bltu with signs": (BRANCH, "bltu", BRANCH["blt"]),
    "lb without sign": (MEMORY, "lb", (1, False)),
    "sh as sw": (MEMORY, "sh", (4, False)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_cases_catch_a_fault(fault: str, monkeypatch):
    table, name, wrong = FAULTS[fault]
    monkeypatch.setitem(table, name, wrong)
    assert any(_fails(case) for case in INSTRUCTIONS)


def _fails(case: Case) -> bool:
    try:
        return answers(case) != case.outputs
    except RunError:
        return True


@pytest.mark.parametrize("fault", ["sra fills with zeros", "mulhsu as mulhu", "lb without sign"])
def test_streams_catch_a_fault(fault: str, monkeypatch):
    table, name, wrong = FAULTS[fault]
    monkeypatch.setitem(table, name, wrong)
    with pytest.raises(AssertionError):
        sum(lock_step(random_stream(seed, 1000)).total() for seed in range(20))


@pytest.mark.quick
def test_retire_records():
    processor = ProcessorFL(
        assemble(
            "li a0, -2\nsh a0, 0x402(x0)\nlw a1, 0x400(x0)\nbeqz x0, 1f\nnop\n1: add x0, a0, a0"
        )
    )
    assert [processor.step() for _ in range(5)] == [
        Retire(0x200, 0xFFE00513, 10, 0xFFFFFFFE, None),
        Retire(0x204, 0x40A01123, 0, 0, Access(True, 0x402, 2, 0xFFFE)),
        Retire(0x208, 0x40002583, 11, 0xFFFE0000, Access(False, 0x400, 4, 0)),
        Retire(0x20C, 0x00000463, 0, 0, None),
        Retire(0x214, 0x00A50033, 0, 0, None),
    ]


@pytest.mark.quick
def test_retire_text():
    processor = ProcessorFL(assemble("li a0, -2\nsh a0, 0x402(x0)\nlw a1, 0x400(x0)\nj ."))
    assert [str(processor.step()) for _ in range(4)] == [
        "00000200 ffe00513 addi a0, zero, -2                a0=fffffffe",
        "00000204 40a01123 sh a0, 1026(zero)                [00000402]=fffe",
        "00000208 40002583 lw a1, 1024(zero)                a1=fffe0000 [00000400]",
        "0000020c 0000006f jal zero, 0x20c",
    ]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("word", "code", "reason"),
    [
        (0x20000, 0, "passed"),
        (0x20001, 1, "failed at line 1"),
        (0x2FFFF, 1, "failed at line 65535"),
        (0x10000, 0, "exit code 0"),
        (0x10007, 7, "exit code 7"),
    ],
)
def test_end_of_a_run(word: int, code: int, reason: str):
    processor = run(f"li a0, {word}\ncsrw proc2mngr, a0\nj .")
    assert (processor.manager.exit_code, processor.manager.reason) == (code, reason)


@pytest.mark.quick
def test_a_run_that_waits_for_no_word_is_over():
    """Without a number of words it ends when the program says so; with one, with the last word."""
    assert Manager(words=0).done
    assert not Manager().done
    manager = Manager(words=2)
    for word, done in ((0x20000, False), (0x1CCCC, True)):
        manager.receive(word)
        assert manager.done == done
    assert (manager.outputs, manager.exit_code) == ([0x20000, 0x1CCCC], 0)


@pytest.mark.quick
def test_printing():
    heard = []
    words = [0x30000, -5 & 0xFFFFFFFF, 0x30001, 0x141, 0x30002, 104, 105, 0, 0x30001, 10, 77]
    words += [0x30003, 0x40000, 0x30000, 0x20000, 0x20000]
    manager = Manager(words, echo=heard.append)
    processor = ProcessorFL(assemble("1: csrr a0, mngr2proc\ncsrw proc2mngr, a0\nj 1b"), manager)
    assert processor.run() == 0
    assert manager.printed == "-5Ahi\n131072"
    assert "".join(heard) == manager.printed
    assert manager.outputs == [77, 0x30003, 0x40000]


@pytest.mark.quick
def test_printed_bytes_are_utf_8():
    heard = []
    manager = Manager(echo=heard.append)
    for word in (0x30002, *"é—".encode(), 0, *(0x30001, 0xE2, 0x30001, 0x88, 0x30001, 0x91)):
        manager.receive(word)
    assert heard == ["é", "—", "∑"]
    for word in (0x30001, 0xE9, 0x30000, 7, 0x30001, 0xC3, 0x20000):  # no é of UTF-8, half of one
        manager.receive(word)
    assert manager.printed == "é—∑\ufffd7\ufffd"
    assert manager.printed == "".join(heard)


@pytest.mark.quick
def test_reading_more_than_there_is():
    with pytest.raises(RunError, match="reads mngr2proc, but no input is left"):
        run("1: csrr a0, mngr2proc\nj 1b", manager=Manager([1, 2]))


@pytest.mark.quick
def test_limit():
    with pytest.raises(RunError, match="did not end within 1000 instructions; pc 0x00000200"):
        ProcessorFL(assemble("j .")).run(limit=1000)


@pytest.mark.quick
def test_statistics_windows():
    processor = run(
        "nop\ncsrwi stats_en, 1\nnop\nnop\ncsrwi stats_en, 1\ncsrwi stats_en, 0\nnop\n"
        "csrwi stats_en, 0\ncsrwi stats_en, 1\ncsrwi stats_en, 0\n"
        "li a0, 0x20000\ncsrw proc2mngr, a0"
    )
    assert [end - start for start, end in processor.windows] == [3, 0]
    assert processor.windows[0] == (2, 5)


@pytest.mark.quick
def test_core_id_and_high_counters():
    processor = ProcessorFL(assemble("csrr a0, coreid\nrdinstret a1\nrdcycleh a2"), core_id=3)
    processor.retired = (5 << 32) + 7
    for _ in range(3):
        processor.step()
    assert processor.regs[10:13] == [3, 8, 5]


@pytest.mark.quick
def test_program_changes_itself_while_it_runs():
    source = """
        li s0, 3
        la a1, patch
        lw a2, 0(a1)
        la a3, 1f
    1:  li a0, 2
        csrw proc2mngr, a0
        sw a2, 0(a3)
        addi s0, s0, -1
        bnez s0, 1b
        li a0, 0x20000
        csrw proc2mngr, a0
    patch: li a0, 9
    """
    assert run(source).manager.outputs == [2, 9, 9]


@pytest.mark.quick
def test_image_must_fit():
    image = Image((Segment(0x3FE, b"abc"),), name="big")
    with pytest.raises(
        UserError, match=r"big: bytes 0x3fe\.\.0x400 do not fit in a memory of 0x400"
    ):
        ProcessorFL(image, memory_size=0x400)
    with pytest.raises(UserError, match="memory size 1022: give a positive multiple of 4"):
        ProcessorFL(image, memory_size=1022)


def test_a_long_loop_runs_every_instruction():
    loop = "li a0, 100000\n1: lw a1, 0x400(x0)\nadd a1, a1, a0\nsw a1, 0x400(x0)\naddi a0, a0, -1\n"
    image = assemble(f"{loop}bnez a0, 1b\nli a0, 0x20000\ncsrw proc2mngr, a0")
    processor = ProcessorFL(image)
    assert processor.run() == 0
    assert processor.retired == 2 + 5 * 100_000 + 2
