"""Document 001's divider at every level: values for every edge, 2k + 1 cycles, planted faults."""

from functools import cache

import pytest

import rtl.mul.div_rem_001
from rtl.mul.div_rem_001 import DivRem001RTL
from sim.stream import NO_STALLS, STALLS
from tests.cases import divide
from tests.faults import CAUGHT, faults, plant
from tests.golden.dividers import DivRem001
from tests.harness import component_runner, model_level
from tests.rtl.mul.test_div_rem import SHAPES, check_component, check_divider


@cache
def runner(shape, level):
    return component_runner(DivRem001(*shape).component(model_level(level)), level)


def run(shape, level, cases, stalls=NO_STALLS):
    return check_divider(runner(shape, level), DivRem001(*shape), cases, stalls)


@pytest.mark.quick
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
@pytest.mark.parametrize("shape", SHAPES)
def test_edges(shape, level):
    run(shape, level, divide.edge_cases(*shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_random_in_verilog(shape):
    run(shape, "batch", divide.edge_cases(*shape) + divide.random_cases(*shape, 1500, seed=1))


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
def test_any_stall(stalls):
    run((16, 8), "rtl", divide.random_cases(16, 8, count=20, seed=2), stalls)


def test_every_division_of_8_by_8_bits():
    cases = [divide.DivCase(f"{a}/{b}", 8, 8, a, b) for a in range(256) for b in range(256)]
    run((8, 8), "batch", cases)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("a", "b", "k"), [(5, 7, 0), (7, 7, 0), (13, 7, 0), (14, 7, 1), (64, 1, 6)]
)
def test_the_divisor_goes_up_and_down_again(a, b, k):
    [transfer] = run((8, 8), "rtl", [divide.DivCase(f"{a}/{b}", 8, 8, a, b)])
    assert transfer.cycles == (2 * k + 1) + 1  # of the request's own cycle and of the answer's


@pytest.mark.quick
def test_a_divisor_that_does_not_fit_is_named():
    with pytest.raises(ValueError, match=r"divisor_bits \(9\) must not exceed dividend_bits \(8\)"):
        DivRem001RTL(8, 9).elaborate()


FAULTS = {
    "a place too far up": ("<= zext(s.dividend, wide))", "< zext(s.dividend, wide) + 2)"),
    "a place too few up": ("<= zext(s.dividend, wide))", "< zext(s.dividend, wide))"),
    "up for ever by 0": ("& ~s.place[top]\n", ""),
    "equal operands do not fit": (
        "s.fits @= ~s.difference[dividend_bits]",
        "s.fits @= ~s.difference[dividend_bits] & (s.difference != 0)",
    ),
    "quotient of the place above": ("s.quotient + s.place", "s.quotient + (s.place << 1)"),
    "quotient kept from before": ("                s.quotient <<= 0\n", ""),
    "goes down from the place below": ("s.place <<= s.place >> 1", "s.place <<= s.place >> 2"),
    "answer not held for a slow sink": (
        "                if s.send.rdy:\n                    s.state <<= IDLE",
        "                s.state <<= IDLE",
    ),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}
SHAPE = (8, 8)


@pytest.mark.quick
def test_the_sound_divider_passes():
    check_component(DivRem001RTL(*SHAPE), DivRem001(*SHAPE))


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.div_rem_001, sound, faulty)
    with pytest.raises(CAUGHT):
        check_component(broken.DivRem001RTL(*SHAPE), DivRem001(*SHAPE))
