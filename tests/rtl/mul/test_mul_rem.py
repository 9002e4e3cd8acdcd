"""MulRem: the tables that all levels share catch faults planted in it."""

import pytest

import rtl.mul.mul_rem
from eval.contract.multiplier import check_multiplier, edge_cases, random_cases
from rtl.mul.mul_rem import MulRem
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

UNIT = MulRem(8)
CASES = edge_cases(8) + random_cases(8, 10, seed=14)

FAULTS = {
    "top bit of an operand lost": (
        "zext(s.recv.msg.a, product_bits)",
        "zext(s.recv.msg.a[0 : nbits - 1], product_bits)",
    ),
    "the dividend's low half only": (
        "s.div_rem.recv.msg.a @= s.product",
        "s.div_rem.recv.msg.a @= zext(s.product[0:nbits], product_bits)",
    ),
}


def check_unit(component):
    """What the contract tests do with a multiplier: values, time and stalls."""
    with component_runner(component) as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check_multiplier(runner, UNIT, CASES, stalls, max_cycles=20_000)


@pytest.mark.quick
def test_the_sound_unit_passes():
    check_unit(UNIT.rtl())


@pytest.mark.quick
@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mul_rem, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.MulRemRTL(8))
