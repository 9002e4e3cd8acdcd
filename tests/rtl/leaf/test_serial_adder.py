"""Words of sums, and what is added to U, are proven equal to their equations."""

import pytest

import rtl.leaf.serial_adder
import rtl.mul.serial_processor
from rtl.leaf.serial_adder import WordAdder
from rtl.mul.serial_processor import StepOperand
from tests.faults import plant
from tests.prove import prove

OPERAND = {"value": "a * double + odd * n"}
ASSUMED = "both == double + n"


def total(bits):
    """The sum of a word, and the carry out of it."""
    whole = "{1'b0, left} + right + carry_in"
    return {"sum": "left + right + carry_in", "carry_out": f"({whole}) >> {bits}"}


@pytest.mark.parametrize("bits", [3, 8, 32])
def test_proven(tmp_path, bits):
    assert prove(tmp_path, WordAdder(bits), "1'b1", total(bits)) == "proven"
    assert prove(tmp_path, StepOperand(bits), ASSUMED, OPERAND) == "proven"


@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("if s.a & s.odd:", "if s.a & ~s.odd:"),
        ("elif s.odd:", "elif s.a:"),
    ],
)
def test_a_fault_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.serial_processor, sound, faulty)
    assert "model found: FAIL" in prove(tmp_path, broken.StepOperand(8), ASSUMED, OPERAND)


def test_a_lost_carry_is_not_proven(tmp_path):
    sound, faulty = "+ zext(s.carry_in, wide)", "+ zext(s.carry_in & s.left[0], wide)"
    broken = plant(tmp_path, rtl.leaf.serial_adder, sound, faulty)
    assert "model found: FAIL" in prove(tmp_path, broken.WordAdder(8), "1'b1", total(8))
