"""What the RTL processor's instructions cost, cycle by cycle, and what it counts."""

import pytest

from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.programs.build import build_benchmark
from proc.programs.elf import load_elf
from proc.run.system_run import Window
from proc.run.timing import PORTS, PROC2MNGR, Timing
from sim.errors import UserError
from tests.proc_harness import DIVIDERS, LIMIT, TIMINGS, batch, python

END = "\nli a7, 0x20000\ncsrw proc2mngr, a7\nj .\n"
SETUP = "li a0, 1\nli a1, 1000\nli a2, 7\nli s0, 0x1000\nnop\nnop\n"


def measure(body: str, divider: str = "seed", timing: Timing = TIMINGS["fast"]) -> Window:
    """Cycles and instructions of a piece of program between two writes to stats_en."""
    text = f"{SETUP}csrwi stats_en, 1\n{body}\ncsrwi stats_en, 0\n{END}"
    (window,) = batch(divider).run(assemble(text), Manager(), timing, LIMIT).windows
    return window


def cost(body: str, divider: str = "seed") -> int:
    """Cycles that the piece takes more than nothing does."""
    return measure(body, divider).cycles - measure("").cycles


CYCLES = {
    "nop": 1,
    "add a3, a0, a1": 1,
    "add a3, a0, a1\nadd a4, a3, a3\nsub a5, a4, a3": 3,
    "mul a3, a1, a2": 1,
    "mulh a3, a1, a2\nmul a4, a3, a3\nmulhu a5, a4, a3": 3,
    "lw a3, 0(s0)": 1,
    "lw a3, 0(s0)\nlw a4, 4(s0)\nsw a1, 8(s0)": 3,
    "lw a3, 0(s0)\nadd a4, a3, a3": 3,  # load-use: 1
    "lw a3, 0(s0)\nsw a3, 4(s0)": 3,
    "lw a3, 0(s0)\nnop\nadd a4, a3, a3": 3,
    "lw x0, 0(s0)\nadd a4, x0, x0": 2,
    "csrr a3, xr0\nadd a4, a3, a3": 3,
    "csrw xr0, a1\ncsrr a3, xr0": 2,
    "beq a0, a1, 1f\n1: nop": 2,
    "beq a0, a0, 1f\nnop\n1: nop": 4,  # taken: 2
    "jal x0, 1f\nnop\n1: nop": 3,  # 1
    "la a3, 1f\njr a3\nnop\n1: nop": 6,  # 2
    "fence.i\nnop": 5,  # waits for M, refetches
    "fence\nnop": 2,
    "csrr a3, mcycle\ncsrr a4, minstret": 2,
}


@pytest.mark.parametrize("body", CYCLES)
def test_cycles(body: str):
    assert cost(body) == CYCLES[body]


# Bits that stand where an instruction that reads a register has its number: of x13, of x14.
UNREAD = {
    "rs2": ("addi a4, a0, 13", "addi a4, a0, 14"),
    "rs1": ("lui a4, 13 << 3", "lui a4, 14 << 3"),
}


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("field", UNREAD)
def test_what_is_no_register_waits_for_none(field: str, timing: str):
    """An instruction that reads no such register costs the same whatever is ahead of it."""
    bodies = ["".join(f"lw a3, 0(s0)\n{use}\n" * 8) for use in UNREAD[field]]
    hazard, none = (measure(body, timing=TIMINGS[timing]) for body in bodies)
    assert hazard == none


DIVISIONS = {  # (seed, fast)
    "divu a3, a1, a2": (34, 11),
    "div a3, a1, a2\nrem a4, a1, a2": (68, 12),
    "remu a4, a1, a2\ndivu a3, a1, a2": (68, 12),
    "divu a3, a1, a2\nnop\nnop\nremu a4, a1, a2": (70, 14),
    "divu a3, a1, a2\nremu a1, a1, a2": (68, 12),
    "divu a3, a2, a1": (34, 3),
    "divu a3, a1, a2\nsb a0, 11(s0)\nremu a4, a1, a2": (69, 13),  # 11, a1's number, is no register
    "divu a3, a1, a2\nrem a4, a1, a2": (68, 23),  # other signedness
    "divu a3, a1, a2\nmv a2, a2\nremu a4, a1, a2": (69, 23),  # may be another value
}


@pytest.mark.parametrize("body", DIVISIONS)
def test_cycles_of_divisions(body: str):
    assert tuple(cost(body, divider) for divider in DIVIDERS) == DIVISIONS[body]


def test_a_stale_answer_is_not_used():
    body = """
        divu a3, a1, a2
        addi a1, a1, 500
        remu a4, a1, a2
        divu a1, a1, a2
        remu a5, a1, a2
        csrw proc2mngr, a3
        csrw proc2mngr, a4
        csrw proc2mngr, a1
        csrw proc2mngr, a5
    """
    for timing in TIMINGS.values():
        manager = Manager()
        batch("fast").run(assemble(SETUP + body + END), manager, timing, LIMIT)
        assert manager.outputs == [142, 2, 214, 4]


@pytest.mark.parametrize("timing", TIMINGS)
def test_messages_behind_loads_are_taken_and_told_once(timing: str):
    """Where answers are late at random, X waits with a message for a load in M."""
    body = "lw a3, 0(s0)\ncsrr a4, mngr2proc\nlw a3, 0(s0)\ncsrw proc2mngr, a4\n" * 20
    manager = Manager(range(1, 21))
    batch("seed").run(assemble(SETUP + body + END), manager, TIMINGS[timing], LIMIT)
    assert manager.outputs == list(range(1, 21))


@pytest.mark.parametrize("timing", TIMINGS)
def test_windows(timing: str):
    body = "nop\n" * 5
    assert measure(body, timing=TIMINGS[timing]).instructions == 5
    assert measure("", timing=TIMINGS[timing]).instructions == 0
    text = f"csrsi stats_en, 1\n{body}csrci stats_en, 1\n" * 100 + END
    windows = batch("seed").run(assemble(text), Manager(), TIMINGS[timing], LIMIT).windows
    assert [w.instructions for w in windows] == [5] * 100
    if timing == "fast":
        assert {w.cycles for w in windows} == {6}


@pytest.mark.parametrize("system", [batch, python])
def test_counters(system):
    text = """
        csrr a0, mcycle
        csrr a1, minstret
        nop
        nop
        csrr a2, minstret
        csrr a3, mcycle
        csrr a4, mcycleh
        csrr a5, minstreth
        sub a3, a3, a0
    """ + "".join(f"csrw proc2mngr, {r}\n" for r in ("a0", "a1", "a2", "a3", "a4", "a5"))
    manager = Manager()
    system("seed").run(assemble(text + END), manager, limit=LIMIT)
    assert manager.outputs == [3, 1, 4, 5, 0, 0]


@pytest.mark.parametrize("timing", TIMINGS)
def test_a_program_writes_its_own_instructions(timing: str):
    text = """
        la a0, new
        lw a0, 0(a0)
        la a1, old
        sw a0, 0(a1)
        fence.i
    old: li a2, 1
        li a7, 0x20000
        add a7, a7, a2
        csrw proc2mngr, a7
        j .
    new: li a2, 0
    """
    assert batch("seed").run(assemble(text), Manager(), TIMINGS[timing], LIMIT).exit_code == 0


def test_same_seed_same_cycles():
    image = assemble("li a0, 200\n1: lw a1, 0(x0)\naddi a0, a0, -1\nbnez a0, 1b" + END)
    cycles = [
        batch("seed").run(image, Manager(), timing, LIMIT).cycles
        for timing in (Timing(5, 1), Timing(5, 1), Timing(5, 2), Timing(5), Timing())
    ]
    assert cycles[0] == cycles[1]
    assert len(set(cycles)) == 4
    assert cycles[-1] == min(cycles) == 6 + 200 * 5


def test_wrong_latency():
    for latency in (0, 1001):
        said = f"latency {latency}: a memory answers after 1 to 1000 cycles"
        with pytest.raises(UserError, match=said):
            Timing(latency)
    assert Timing(1000).latency == 1000


def test_each_seed_and_port_has_numbers_of_its_own():
    """And none is that of nothing random, 0."""
    starts = [Timing(2, seed).start(port) for seed in range(10) for port in PORTS]
    assert len(set(starts)) == len(starts) == 40
    assert Timing(2, (1 << 30) - 1).start(PROC2MNGR) == 1  # which were 0 modulo 2^32
    assert {Timing(2).start(port) for port in PORTS} == {0}


# Encryption and decryption, as document 001 counts them, and the most that is accepted.
BENCHMARK = {
    ("naive", "seed"): (1.15 * 3523, 1.15 * 8148),
    ("naive", "fast"): (2050, 4600),
    ("mont", "seed"): (700, 1250),
    ("mont", "fast"): (700, 1250),
}


@pytest.mark.parametrize(("variant", "divider"), BENCHMARK)
def test_benchmark(variant: str, divider: str):
    image = load_elf(build_benchmark(variant))
    run = batch(divider).run(image, Manager(), limit=LIMIT)
    assert run.exit_code == 0, run.reason
    call, encryption, decryption = (window.cycles for window in run.windows)
    most = BENCHMARK[variant, divider]
    assert (encryption - call <= most[0], decryption - call <= most[1]) == (True, True)
