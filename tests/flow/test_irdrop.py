"""What supply rails lose, worked out by hand with Kirchhoff's laws."""

import pytest

from flow.layout.design import Cell, Design
from flow.layout.irdrop import Tap, drops, ohm_per_um, supply_drop
from flow.layout.technology import Stack
from tests.flow.test_placing import SHAPES

pytestmark = pytest.mark.quick


def test_a_ladder_of_three_equal_steps() -> None:
    """0 V - R - a - R - b - R - 0 V with 1 mA at a and 2 mA at b, R being 3 ohms, va and vb lost:
    (2 va - vb) / 3 = 1 mA and (2 vb - va) / 3 = 2 mA, so va = 4 mV and vb = 5 mV."""
    found = drops([Tap(10.0, 1000.0), Tap(20.0, 2000.0)], length=30.0, ohm=0.3)
    assert found == pytest.approx([4.0, 5.0])


def test_a_ladder_of_other_steps() -> None:
    """1 um, 3 um and 4 um of 2 ohms: steps of 2, 6 and 8 ohms, 3 mA at the first tap, 1 mA at the
    second. va / 2 + (va - vb) / 6 = 3 and vb / 8 + (vb - va) / 6 = 1: va = 5.25, vb = 6.4285..."""
    va = (3 + (1 / 6) / (1 / 8 + 1 / 6)) / (1 / 2 + 1 / 6 - (1 / 6) ** 2 / (1 / 8 + 1 / 6))
    vb = (1 + va / 6) / (1 / 8 + 1 / 6)
    assert va / 2 + (va - vb) / 6 == pytest.approx(3)
    found = drops([Tap(1.0, 3000.0), Tap(4.0, 1000.0)], length=8.0, ohm=2.0)
    assert found == pytest.approx([va, vb])


def test_the_rails_of_a_small_core(stack: Stack) -> None:
    """Of rows 0 and 1 the rail between is VDD: both cells take from it, at 19 um of 38; VSS is the
    rail below and that above, with one cell each. 0.38 ohms a square, 0.17 um wide."""
    assert ohm_per_um(stack) == pytest.approx(0.38 / 0.17)
    cells = [Cell("a", "INV", 99, 0), Cell("b", "INV", 99, 1, "FS"), Cell("c", "INV", 50, 5, "FS")]
    design = Design("Top", 200, 6, {}, cells, shapes=SHAPES)
    found = supply_drop(design, stack, {"a": 100.0, "b": 300.0, "c": 10.0}, volt=1.1)
    half = 19 * 0.38 / 0.17 / 2  # both halves of the rail, beside each other
    vdd, vss = 0.4 * half, 0.3 * half
    assert found.rails_mv == pytest.approx({"VDD": vdd, "VSS": vss})
    assert found.cell == "b"
    assert found.worst_mv == pytest.approx(vdd + vss)
    assert found.worst_percent == pytest.approx(100 * (vdd + vss) / 1100)
    assert found.current_ma == pytest.approx(0.41)


def test_nothing_is_lost_without_current(stack: Stack) -> None:
    found = supply_drop(Design("Top", 10, 2, {}, [Cell("a", "INV")], shapes=SHAPES), stack, {}, 1.1)
    assert (found.worst_mv, found.cell) == (0.0, None)
