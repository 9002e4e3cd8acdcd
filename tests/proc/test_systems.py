"""Processor and accelerator at mixed levels: the same program, the same answers."""

from collections.abc import Callable
from functools import cache, partial

import pytest
from pymtl3 import Component

from eval.catalog import find
from fl.component.xcel import XcelFL
from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.programs.build import build_benchmark
from proc.programs.elf import load_elf
from proc.retire import Cause
from proc.rtl.bus_system import BusSystem
from proc.rtl.retire_trace import RetireTrace
from proc.rtl.system import ProcessorSystem
from proc.run.levels import LEVELS, System, make_system
from proc.run.system_run import SystemRun, error_of
from proc.run.timing import FAST, PORTS, Draws, Timing
from sim.errors import UserError
from tests.golden.xcel import Plain
from tests.proc.alarm import AlarmRTL
from tests.proc_harness import LIMIT, batch, cl, python

NBITS = 32
DOCUMENT = (1062, 1840)  # normalised cycles of document 001's naive accelerator


def functional() -> Component:
    return XcelFL(Plain(NBITS))


def naive() -> Component:
    return find("mul-rem").xcel("rtl", NBITS)


@cache
def system(level: str, mk_xcel: Callable[[], Component]) -> System:
    return make_system(level, mk_xcel)


def benchmark(level: str, mk_xcel: Callable[[], Component], timing: Timing = FAST) -> SystemRun:
    image = load_elf(build_benchmark("xcel"))
    run = system(level, mk_xcel).run(image, Manager(), timing, LIMIT)
    assert (run.exit_code, run.reason) == (0, "passed")
    return run


def formula() -> Component:
    return find("mul-rem").xcel("cl", NBITS)


# What runs beside a processor of each level: at level batch it is compiled with it.
BESIDE = {
    "fl": (functional, formula, naive),
    "cl": (functional, formula, naive),
    "rtl": (functional, formula, naive),
    "batch": (naive,),
}


@pytest.mark.quick
def test_a_seed_means_the_same_delays_in_every_version():
    """Or `run --seed` of a paper could not be repeated. x: the port refuses; else the latency."""
    drawn = []
    for port in PORTS:
        draws = Draws(Timing(5, 1), port)
        each = [draws.next() for _ in range(24)]
        drawn.append("".join(str(latency) if goes else "x" for goes, latency in each))
    assert drawn == [
        "5251xx5xx5x55x515x452x5x",
        "55324115x11x25x414524252",
        "1xxxxx12143445x1144x4524",
        "15335152144x41413543222x",
    ]


@pytest.mark.parametrize("timing", [FAST, Timing(5, 1)])
def test_levels_mix(timing: Timing):
    """A program's answers are the same on all, and so are its cycles wherever there is a clock."""
    assert tuple(BESIDE) == LEVELS
    mixes = [(level, beside) for level, some in BESIDE.items() for beside in some]
    if timing is not FAST:
        mixes.remove(("rtl", formula))  # it takes its time
    runs = {(level, beside.__name__): benchmark(level, beside, timing) for level, beside in mixes}
    for (level, _), run in runs.items():
        assert [w.instructions for w in run.windows] == [11, 15, 15]
        assert (run.cycles > run.instructions) == (level != "fl")
    clocked = {mix: run for mix, run in runs.items() if mix[0] != "fl"}
    of_naive = [run for (_, beside), run in clocked.items() if beside != "functional"]
    assert len(of_naive) >= 4
    assert all(run == of_naive[0] for run in of_naive)
    assert clocked["cl", "functional"] == clocked["rtl", "functional"]
    assert clocked["cl", "functional"].cycles < of_naive[0].cycles


ENDS = {
    "memory's last word": (
        """
        li a0, 0xffffc
        li a1, 0x89abcdef
        sw a1, 0(a0)
        sb a0, 3(a0)
        lw a2, 0(a0)
        csrw proc2mngr, a2
        lhu a2, 2(a0)
        csrw proc2mngr, a2
        """,
        (),
        [0xFCABCDEF, 0xFCAB],
    ),
    "negative inputs": (
        "csrr a0, mngr2proc\ncsrw proc2mngr, a0\n" * 3,
        (-1, -(1 << 31), 5),
        [0xFFFFFFFF, 0x80000000, 5],
    ),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("level", LEVELS)
def test_first_and_last_of_what_there_is(level: str, end: str):
    text, inputs, outputs = ENDS[end]
    manager = Manager(inputs, words=len(outputs))
    plain(level).run(assemble(text), manager, limit=LIMIT)
    assert manager.outputs == outputs


def plain(level: str) -> System:
    """The processor without an accelerator."""
    shared = {"cl": cl, "rtl": python, "batch": batch}
    return shared[level]("seed") if level in shared else make_system(level)


@pytest.mark.quick
def test_what_an_error_says_of_the_end_of_memory():
    """The last word may be an instruction that is none; behind it there is nothing to fetch."""
    for pc, cause in ((0xFFC, Cause.ILLEGAL), (0x1000, Cause.OUTSIDE_FETCH)):
        trap = error_of(pc, 0, 0, 0x1000)
        assert (trap.cause, trap.pc) == (cause, pc)


def test_naive_accelerator_is_no_slower_than_the_document():
    call, *measured = (w.cycles for w in benchmark("batch", naive).windows)
    assert all(m - call <= most for m, most in zip(measured, DOCUMENT, strict=True))


def test_a_vcd(tmp_path):
    watched = make_system("rtl", vcd=tmp_path / "wave.vcd")
    watched.run(assemble("li a7, 0x20000\ncsrw proc2mngr, a7\n"), Manager(), limit=LIMIT)
    watched.close()
    assert "$var" in (tmp_path / "wave.vcd").read_text()


@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("make", [ProcessorSystem, partial(BusSystem, AlarmRTL)])
def test_without_trace_ports_nothing_is_built_for_them(make, trace: bool):
    component = make(trace=trace)
    component.elaborate()
    parts = {type(part) for part in component.get_all_components()}
    assert (RetireTrace in parts) == trace
    assert [hasattr(component, name) for name in ("retire", "current")] == [trace] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "gl"}, "level 'gl' of a processor: one of fl, cl, rtl, batch"),
        ({"level": "cl", "divider": "slow"}, "divider 'slow': one of seed, fast"),
        ({"level": "cl", "vcd": "x.vcd"}, "level cl has no signals for a VCD: choose rtl or batch"),
        ({"level": "rtl", "divider": "slow"}, "divider 'slow': one of seed, fast"),
        ({"level": "fl", "vcd": "x.vcd"}, "level fl has no signals for a VCD: choose rtl or batch"),
    ],
)
def test_wrong_options(options: dict[str, str], message: str):
    with pytest.raises(UserError) as error:
        make_system(**options)
    assert str(error.value) == message
