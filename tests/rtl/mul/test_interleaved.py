"""Interleaved multiplication: small products one by one, cycles by hand, faults planted."""

import pytest

import rtl.mul.interleaved
from cl.interleaved import interleaved_exp_latency, interleaved_latency
from cl.xcel import xcel_cycles
from eval.contract import multiplier
from fl.interleaved import interleaved, interleaved_step
from rtl.mul.interleaved import Interleaved
from sim.stream import STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS, STEPS = 8, 3  # which do not divide the width
UNIT = Interleaved(NBITS, STEPS)
CASES = multiplier.edge_cases(NBITS)[::3] + multiplier.random_cases(NBITS, 30, seed=41)
LATE_SINK = Stalls("late-sink", (0,), (9, 0))


@pytest.mark.quick
def test_every_small_product():
    for m in range(1, 20):
        for a in range(m + 1):
            for b in range(3 * m):
                assert interleaved(a, b, m) == a * b % m
                assert interleaved_step(b % m, a, b & 1, m) == (2 * (b % m) + (b & 1) * a) % m


@pytest.mark.quick
@pytest.mark.parametrize(
    ("operands", "says"),
    [
        ((5, 0, 0, 5), "product must be from 0 to m-1 = 4, not 5"),
        ((0, 6, 0, 5), "multiplicand must be from 0 to m = 5, not 6"),
        ((0, 5, 2, 5), "bit must be 0 or 1, not 2"),
    ],
)
def test_a_step_out_of_range_is_refused(operands, says):
    with pytest.raises(ValueError, match=says):
        interleaved_step(*operands)


@pytest.mark.quick
def test_a_product_out_of_range_is_refused():
    with pytest.raises(ValueError, match="m must be at least 1, not 0"):
        interleaved(0, 0, 0)
    with pytest.raises(ValueError, match="b must be at least 0, not -1"):
        interleaved(0, -1, 1)


@pytest.mark.quick
def test_cycles_by_hand():
    """A pass of 32 bits takes 32 cycles, or 11 of three steps; 64 of them make a power."""
    assert (interleaved_latency(32, 1), interleaved_latency(32, 3)) == (33, 12)
    assert interleaved_exp_latency(32, 1) == 1 + 64 * 32
    assert interleaved_exp_latency(32, 3) == 1 + 64 * 11
    assert xcel_cycles(32, interleaved_exp_latency(32, 1)) == 2054


def check_unit(component):
    with component_runner(component) as runner:
        for stalls in (STALLS["none"], LATE_SINK):
            cases = multiplier.taken(UNIT, CASES)
            multiplier.check_multiplier(runner, UNIT, cases, stalls, 20 * len(cases))


FAULTS = {
    "a step too few": ("Place(count - 1)", "Place(count - 2)"),
    "product kept from before": ("                s.product <<= 0\n", ""),
    "ends a step early": ("if s.place == 0:", "if s.place <= 1:"),
    "adds the scanned operand": ("//= s.request.a", "//= s.request.b"),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}


@pytest.mark.quick
def test_the_sound_unit_passes():
    check_unit(UNIT.rtl())


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.interleaved, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.InterleavedRTL(NBITS, STEPS))
