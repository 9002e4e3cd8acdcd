"""Processor and accelerator at mixed levels: the same program, the same answers."""

from collections.abc import Callable
from functools import cache

import pytest
from pymtl3 import Component

from eval.catalog import find
from fl.component.xcel import XcelFL
from proc.asm.assembler import assemble
from proc.manager import Manager
from proc.programs.build import build_benchmark
from proc.programs.elf import load_elf
from proc.run.system_run import SystemRun
from proc.run.systems import System, make_system
from proc.run.timing import FAST, Timing
from sim.errors import UserError
from tests.golden.xcel import Plain
from tests.proc_harness import LIMIT

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


@pytest.mark.parametrize("mk_xcel", [functional, naive])
@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_levels_mix(level: str, mk_xcel: Callable[[], Component]):
    run = benchmark(level, mk_xcel)
    assert [w.instructions for w in run.windows] == [11, 15, 15]
    assert (run.cycles > run.instructions) == (level == "rtl")


@pytest.mark.parametrize("timing", [FAST, Timing(5, 1)])
def test_batch_takes_the_cycles_of_the_python_simulation(timing: Timing):
    assert benchmark("batch", naive, timing) == benchmark("rtl", naive, timing)


def test_naive_accelerator_is_no_slower_than_the_document():
    call, *measured = (w.cycles for w in benchmark("batch", naive).windows)
    assert all(m - call <= most for m, most in zip(measured, DOCUMENT, strict=True))


def test_a_vcd(tmp_path):
    watched = make_system("rtl", vcd=tmp_path / "wave.vcd")
    watched.run(assemble("li a7, 0x20000\ncsrw proc2mngr, a7\n"), Manager(), limit=LIMIT)
    watched.close()
    assert "$var" in (tmp_path / "wave.vcd").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "cl"}, "level 'cl' of a processor: one of fl, rtl, batch"),
        ({"level": "rtl", "divider": "slow"}, "divider 'slow': one of seed, fast"),
        ({"level": "fl", "vcd": "x.vcd"}, "level fl has no signals for a VCD: choose rtl or batch"),
    ],
)
def test_wrong_options(options: dict[str, str], message: str):
    with pytest.raises(UserError) as error:
        make_system(**options)
    assert str(error.value) == message
