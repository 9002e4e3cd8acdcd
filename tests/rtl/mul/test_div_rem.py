"""DivRem at every level: values for every edge, cycles by the formula, its parameters."""

from functools import cache

import pytest

import rtl.mul.div_rem
from eval.contract.check import check_model
from rtl.mul.div_rem import EARLY, DivRemRTL
from sim.stream import NO_STALLS, STALLS, StreamRunner
from tests.cases import divide
from tests.faults import CAUGHT, faults, plant
from tests.golden.dividers import DivRem
from tests.harness import component_runner, model_level

SHAPES = [(8, 8), (32, 32), (13, 7), (64, 32)]


@cache
def runner(unit: DivRem, level: str) -> StreamRunner:
    return component_runner(unit.component(model_level(level)), level)


def check_divider(runner, unit, cases, stalls=NO_STALLS, max_cycles=None):
    """Values and time of the cases that have an answer."""
    # A dividend wider than the divisor has no answer to a division by 0.
    cases = [case for case in cases if case.b or unit.dividend_bits == unit.divisor_bits]
    return check_model(
        runner,
        unit,
        [(case.a, case.b) for case in cases],
        [divide.expected(case) for case in cases],
        [str(case) for case in cases],
        stalls,
        max_cycles,
    )


def check_component(component, unit):
    """Values, time and stalls at one shape."""
    shape = unit.dividend_bits, unit.divisor_bits
    cases = divide.edge_cases(*shape) + divide.random_cases(*shape, count=20, seed=15)
    with component_runner(component) as one:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check_divider(one, unit, cases, stalls, max_cycles=10_000)


def run(shape, early, level, cases, stalls=NO_STALLS):
    unit = DivRem(*shape, early)
    return check_divider(runner(unit, level), unit, cases, stalls)


@pytest.mark.parametrize("early", EARLY)
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
@pytest.mark.parametrize("shape", SHAPES)
def test_edges(shape, level, early):
    run(shape, early, level, divide.edge_cases(*shape))


@pytest.mark.parametrize("early", EARLY)
@pytest.mark.parametrize("shape", SHAPES)
def test_random_in_verilog(shape, early):
    cases = divide.edge_cases(*shape) + divide.random_cases(*shape, count=1500, seed=1)
    run(shape, early, "batch", cases)


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
def test_any_stall(level, stalls):
    run((16, 8), "zeros", level, divide.random_cases(16, 8, count=20, seed=2), stalls)


@pytest.mark.quick
def test_every_division_of_6_by_6_bits():
    cases = [divide.DivCase(f"{a}/{b}", 6, 6, a, b) for a in range(64) for b in range(64)]
    run((6, 6), "zeros", "cl", cases)


@pytest.mark.parametrize("early", EARLY)
def test_every_division_of_8_by_8_bits(early):
    cases = [divide.DivCase(f"{a}/{b}", 8, 8, a, b) for a in range(256) for b in range(256)]
    run((8, 8), early, "batch", cases)


@pytest.mark.quick
def test_bad_parameters():
    with pytest.raises(ValueError, match="early must be one of none, zeros, not 'some'"):
        DivRemRTL(8, 8, "some").elaborate()
    with pytest.raises(ValueError, match=r"divisor_bits \(9\) must not exceed dividend_bits \(8\)"):
        DivRemRTL(8, 9).elaborate()


FAULTS = {
    "one step too few": ("s.steps_left == 1", "s.steps_left == 2"),
    "skips one place too many": ("s.size_a - s.size_b + 1", "s.size_a - s.size_b"),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}
SHAPE = (12, 8)


@pytest.mark.quick
def test_the_sound_divider_passes():
    check_component(DivRemRTL(*SHAPE), DivRem(*SHAPE))


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.div_rem, sound, faulty)
    with pytest.raises(CAUGHT):
        check_component(broken.DivRemRTL(*SHAPE), DivRem(*SHAPE))
