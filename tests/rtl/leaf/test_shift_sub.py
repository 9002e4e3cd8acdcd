"""The leaf units of shift-sub are proven equal to their equations; planted faults are not."""

import pytest

import rtl.leaf.shift_sub
from tests.faults import plant
from tests.prove import prove

ASSUMPTIONS = {
    "ModDouble": "modulus != 0 && value <= modulus",
    "ModAddIf": "product < modulus && addend <= modulus",
}
EQUATIONS = {
    "ModDouble": {"next": "value == modulus ? modulus : ({1'b0, value} << 1) % modulus"},
    "ModAddIf": {"next": "({1'b0, product} + (enable ? addend : 0)) % modulus"},
}


@pytest.mark.parametrize("nbits", [8, 16, 32])
@pytest.mark.parametrize("unit", EQUATIONS)
def test_proven(tmp_path, unit, nbits):
    component = getattr(rtl.leaf.shift_sub, unit)(nbits)
    assert prove(tmp_path, component, ASSUMPTIONS[unit], EQUATIONS[unit]) == "proven"


@pytest.mark.parametrize(
    ("unit", "sound", "faulty"),
    [
        ("ModDouble", "zext(s.value, wide) << 1", "zext(s.value << 1, wide)"),
        (
            "ModDouble",
            "s.subtract.m //= s.modulus\n        s.subtract.result",
            "s.subtract.m //= 1\n        s.subtract.result",
        ),
        (
            "ModAddIf",
            "zext(s.product, wide) + zext(s.addend, wide)",
            "zext(s.product + s.addend, wide)",
        ),
        ("ModAddIf", "if s.enable:", "if ~s.enable:"),
    ],
)
def test_a_fault_is_not_proven(tmp_path, unit, sound, faulty):
    broken = getattr(plant(tmp_path, rtl.leaf.shift_sub, sound, faulty), unit)(8)
    answer = prove(tmp_path, broken, ASSUMPTIONS[unit], EQUATIONS[unit])
    assert "model found: FAIL" in answer


@pytest.mark.parametrize(
    ("unit", "beyond"),
    [
        ("ModDouble", "modulus != 0 && value <= modulus + 1 && modulus < 255"),
        ("ModAddIf", "product <= modulus && addend <= modulus && modulus != 0"),
    ],
)
def test_the_ranges_are_the_widest(tmp_path, unit, beyond):
    """One more than the docstring's range, and the equation is lost."""
    answer = prove(tmp_path, getattr(rtl.leaf.shift_sub, unit)(8), beyond, EQUATIONS[unit])
    assert "model found: FAIL" in answer
