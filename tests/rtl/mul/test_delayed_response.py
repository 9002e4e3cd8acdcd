"""Responses that are delayed: planted faults."""

import pytest

import rtl.mul.delayed_response
from eval.contract.multiplier import check_multiplier, edge_cases, random_cases, taken
from rtl.mul.delayed_response import DelayedResponse
from rtl.mul.mont_mul import MontMul
from rtl.mul.mul_rem import MulRem
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

UNITS = [DelayedResponse(8, MontMul(8, 1), 3), DelayedResponse(8, MulRem(8), 1)]
CASES = edge_cases(8)[::3] + random_cases(8, 20, seed=14, odd=True)

FAULTS = {
    "a cycle early": ("s.told @= s.waited == Count(cycles)", "s.told @= s.waited >= cycles - 1"),
    "taken before it is told": (
        "s.unit.send.rdy @= s.send.rdy & s.told",
        "s.unit.send.rdy @= s.send.rdy",
    ),
    "counts from the answer before": ("if s.reset | (s.send.val & s.send.rdy):", "if s.reset:"),
    "counts while nothing stands": ("elif s.unit.send.val & ~s.told:", "elif ~s.told:"),
}


def check_unit(component, unit):
    with component_runner(component) as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check_multiplier(runner, unit, taken(unit, CASES), stalls, max_cycles=20_000)


@pytest.mark.quick
@pytest.mark.parametrize("unit", UNITS, ids=["mont", "mul-rem"])
def test_the_sound_unit_passes(unit):
    check_unit(unit.rtl(), unit)


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.delayed_response, sound, faulty)
    unit = UNITS[0]
    with pytest.raises(CAUGHT):
        check_unit(broken.DelayedResponseRTL(unit.unit, unit.cycles), unit)
