"""AddRed in both orders is proven equal to its equation, and the proof finds planted faults."""

import pytest

import rtl.leaf.add_red
from rtl.leaf.add_red import AddThenReduce, KocAddRed
from tests.faults import plant
from tests.prove import prove

WIDE = 4  # bits that keep the specification's sums whole
ORDERS = {
    "add_then_reduce": (AddThenReduce, "1'b1"),
    "koc": (KocAddRed, "y_plus_m == {1'b0, y} + {1'b0, m}"),
}


def equation(nbits):
    """next = (s + x*y + q*m) / 2, where q is 1 if s + x*y is odd; for every m."""
    total = f"({{{WIDE}'d0, s}} + (x ? y : {nbits}'d0))"
    odd = "(s[0] ^ (x & y[0]))"
    return {"next": f"({total} + ({odd} ? m : {nbits}'d0)) >> 1"}


@pytest.mark.parametrize("nbits", [8, 16, 32])
@pytest.mark.parametrize("order", ORDERS)
def test_proven(tmp_path, order, nbits):
    unit, assumptions = ORDERS[order]
    assert prove(tmp_path, unit(nbits), assumptions, equation(nbits)) == "proven"


@pytest.mark.parametrize(
    ("order", "sound", "faulty"),
    [
        ("add_then_reduce", "if s.added[0]:", "if s.s[0]:"),
        ("add_then_reduce", "s.added + zext(s.m, wide)", "s.added + zext(s.m, wide) + 1"),
        ("add_then_reduce", "            if s.x:\n", "            if s.x & ~s.s[nbits]:\n"),
        ("koc", "s.s[0] ^ (s.x & s.y[0])", "s.s[0] ^ s.y[0]"),
        ("koc", "s.addend @= s.y_plus_m", "s.addend @= zext(s.y, sum_bits)"),
        ("koc", "zext(s.s, wide) + zext(s.addend, wide)", "zext(s.s + s.addend, wide)"),
    ],
)
def test_a_fault_is_not_proven(tmp_path, order, sound, faulty):
    unit, assumptions = ORDERS[order]
    broken = getattr(plant(tmp_path, rtl.leaf.add_red, sound, faulty), unit.__name__)
    answer = prove(tmp_path, broken(8), assumptions, equation(8))
    assert "model found: FAIL" in answer
