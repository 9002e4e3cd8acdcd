"""Montgomery's multipliers by AddRed steps: faults in them are caught by the contract's tables."""

import pytest

import rtl.leaf.digit_loop
import rtl.mul.add_red_loop
import rtl.mul.add_red_pipeline
import rtl.mul.mont_mul
import rtl.mul.mont_red
from eval.contract.multiplier import check_multiplier, edge_cases, random_cases, taken
from rtl.mul.mont_mul import MontMul
from rtl.mul.mont_red import MontRed
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
STEPS = 2
ITERATED = MontMul(NBITS, STEPS)
PIPELINED = MontMul(NBITS, STEPS, "pipelined")
FULL = MontRed(NBITS, STEPS)
CASES = edge_cases(NBITS) + random_cases(NBITS, 30, seed=16, odd=True, reduced=True)

LOOP_FAULTS = {
    "x not shifted": ("s.x_register >> steps", "s.x_register >> 1"),
    "y + m loses its carry": (
        "zext(s.y, sum_bits) + zext(s.m, sum_bits)",
        "zext(s.y + s.m, sum_bits)",
    ),
    "sum not cleared": ("s.sum_register <<= s.first_sum", "s.sum_register <<= s.sum_register"),
}
CONTROL_FAULTS = {
    "takes a request while busy": (
        "s.recv.rdy @= ~s.busy | (s.send.val & s.send.rdy)",
        "s.recv.rdy @= ~s.busy | s.send.val",
    ),
    "a cycle too few": ("s.cycles_left <<= Count(cycles)", "s.cycles_left <<= Count(cycles - 1)"),
}
PIPELINE_FAULTS = {
    "a full stage is overwritten": ("s.recv.rdy @= ~s.full | s.send.rdy", "s.recv.rdy @= 1"),
    "a stage takes bits of another": (
        "s.recv.msg.x[steps:x_bits]",
        "s.recv.msg.x[0 : x_bits - steps]",
    ),
    "a stall empties a stage": ("elif s.recv.rdy:", "else:"),
}
MUL_FAULTS = {
    "operands swapped": ("s.steps.x @= s.recv.msg.a", "s.steps.x @= s.recv.msg.b"),
}
RED_FAULTS = {
    "high product bits enter too low": ("(1 << nbits)", "(1 << nbits - 1)"),
}


def check_unit(unit, component):
    """What the contract tests do with a multiplier: values, time and stalls."""
    with component_runner(component) as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check_multiplier(runner, unit, taken(unit, CASES), stalls, max_cycles=10_000)


@pytest.mark.parametrize(
    "unit",
    [ITERATED, FULL, MontMul(NBITS, STEPS, "pipelined", "add_then_reduce")],
    ids=["iterated", "full", "pipelined"],
)
def test_the_sound_units_pass(unit):
    check_unit(unit, unit.rtl())


@faults(LOOP_FAULTS)
def test_fault_in_the_iterated_steps(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.add_red_loop, sound, faulty)
    monkeypatch.setattr(rtl.mul.mont_mul, "AddRedLoop", broken.AddRedLoop)
    with pytest.raises(CAUGHT):
        check_unit(ITERATED, ITERATED.rtl())


@faults(CONTROL_FAULTS)
def test_fault_in_the_order_of_the_iterated_steps(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.digit_loop, sound, faulty)
    monkeypatch.setattr(rtl.mul.add_red_loop, "DigitLoop", broken.DigitLoop)
    with pytest.raises(CAUGHT):
        check_unit(ITERATED, ITERATED.rtl())


@faults(PIPELINE_FAULTS)
def test_fault_in_the_pipeline(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.add_red_pipeline, sound, faulty)
    monkeypatch.setattr(rtl.mul.mont_mul, "AddRedPipeline", broken.AddRedPipeline)
    with pytest.raises(CAUGHT):
        check_unit(PIPELINED, PIPELINED.rtl())


@faults(MUL_FAULTS)
def test_fault_in_mont_mul(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mont_mul, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(ITERATED, broken.MontMulRTL(NBITS, STEPS))


@faults(RED_FAULTS)
def test_fault_in_mont_red(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mont_red, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(FULL, broken.MontRedRTL(NBITS, STEPS))
