"""What supply rails lose, worked out by hand with Kirchhoff's laws."""

import numpy as np
import pytest

from flow.layout.design import Cell, Design
from flow.layout.irdrop import (
    Ohms,
    Tap,
    drops,
    drops_to_end,
    ohm_per_um,
    ohms,
    on_grid,
    supply_drop,
)
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


def test_a_rail_that_ends() -> None:
    """1 mA at 10 um and 2 mA at 30 um of 0.3 ohms: 3 mA along 10 um, then 2 mA along 20 um."""
    found = drops_to_end([Tap(10.0, 1000.0), Tap(30.0, 2000.0)], ohm=0.3)
    assert found == pytest.approx([9.0, 9.0 + 12.0])


def test_rails_without_straps(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rows 0 and 1 the rail between is VDD: both cells take from it, at 19 um of 38; VSS is the
    rail below and that above, with one cell each. 0.38 ohms a square, 0.17 um wide."""
    monkeypatch.setattr(Design, "strap_sites", lambda self: [])
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


def by_nodes(rails: list[list[Tap]], straps: list[float], ohm: Ohms) -> np.ndarray:
    """What each tap loses, by Kirchhoff's law at every node of rails and straps at once."""
    steps = []
    for row, taps in enumerate(rails):
        on_rail = [(um, f"rail {row} {um}") for um in straps]
        on_rail += [(tap.um, f"tap {row} {number}") for number, tap in enumerate(taps)]
        places = sorted(on_rail)
        for (low, one), (high, other) in zip(places, places[1:], strict=False):
            steps.append((one, other, ohm.rail * (high - low)))
        steps += [(f"rail {row} {um}", f"strap {row} {um}", ohm.pillar) for um in straps]
    for um in straps:
        places_of = ["fed", *(f"strap {row} {um}" for row in range(len(rails))), "fed"]
        steps += [(a, b, ohm.strap) for a, b in zip(places_of, places_of[1:], strict=False)]
    nodes = {name: number for number, name in enumerate({n for s in steps for n in s[:2]})}
    matrix, taken = np.zeros((len(nodes), len(nodes))), np.zeros(len(nodes))
    for one, other, between in steps:
        for a, b in ((nodes[one], nodes[other]), (nodes[other], nodes[one])):
            matrix[a, a] += 1 / between
            matrix[a, b] -= 1 / between
    fed = nodes["fed"]
    matrix[fed] = np.eye(len(nodes))[fed]
    wanted = []
    for row, taps in enumerate(rails):
        for number, tap in enumerate(taps):
            wanted.append(nodes[f"tap {row} {number}"])
            taken[wanted[-1]] = tap.ua / 1000
    return np.linalg.solve(matrix, taken)[wanted]


@pytest.mark.parametrize("straps", [[14.0], [8.0, 21.0], [3.0, 12.0, 27.5]])
def test_a_grid_is_what_kirchhoff_says_of_all_its_nodes(straps: list[float]) -> None:
    random = np.random.default_rng(len(straps))
    ohm = Ohms(rail=2.0, pillar=24.0, strap=0.7)
    rails = [
        [
            Tap(um, ua)
            for um, ua in zip(random.uniform(0, 30, n), random.uniform(1, 9, n), strict=True)
        ]
        for n in (5, 0, 1, 7, 3, 2)
    ]
    found = np.concatenate(on_grid(rails, straps, ohm))
    assert found == pytest.approx(by_nodes(rails, straps, ohm))


def test_a_tap_beside_a_pillar(stack: Stack) -> None:
    """One rail, a strap in its middle, 1 mA there: all of it goes through a pillar of 3 ohms and 2
    ohms to either end of the strap, which are 4. Beyond it the rail carries what is taken there:
    0.8 ohms a um, 2 mA for 5 um."""
    ohm = Ohms(rail=0.8, pillar=3.0, strap=2.0)
    [found] = on_grid([[Tap(10.0, 1000.0)]], [10.0], ohm)
    assert found == pytest.approx([4.0])
    [found] = on_grid([[Tap(15.0, 2000.0), Tap(10.0, 1000.0)]], [10.0], ohm)
    assert found == pytest.approx([12.0 + 8.0, 12.0])


def test_what_straps_of_nangate45_are() -> None:
    """Cuts of 5, 5, 5, 3, 3 and 3 ohms; 2.8 um of a strap, 8 um wide, of 0.075 ohms a square."""
    wide = Design("Top", 2200, 8, {}, shapes=SHAPES)
    assert ohms(wide) == pytest.approx((0.38 / 0.17, 24.0, 0.075 * 2.8 / 8))


def test_straps_of_sky130_begin_at_rails_above_local_interconnect() -> None:
    """Cuts of 4.5, 3.41, 3.41 and 0.38 ohms; met1 of 0.125 ohms a square, 0.48 um wide."""
    design = Design("Top", 300, 8, {}, tech="sky130")
    assert ohms(design) == pytest.approx((0.125 / 0.48, 11.7, 0.0285 * 5.44 / 3.2))


def test_straps_feed_a_core(stack: Stack) -> None:
    """2200 sites, 418 um: five straps of each supply. A cell of row 0 gives its current to the
    lowest rail of VSS, and takes it from the lowest of VDD."""
    design = Design("Top", 2200, 8, {}, [Cell("a", "INV", 1099, 0)], shapes=SHAPES)
    middle, current = 1100 * 0.19, 1000.0
    found = supply_drop(design, stack, {"a": current}, volt=1.1).rails_mv
    for supply, count, first in (("VSS", 5, 110), ("VDD", 4, 330)):
        rails = [[Tap(middle, current)], *([] for _ in range(count - 1))]
        places = [(first + 440 * strap + 0.5) * 0.19 for strap in range(5)]
        [lost] = by_nodes(rails, places, Ohms(0.38 / 0.17, 24.0, 0.075 * 2.8 / 8))
        assert found[supply] == pytest.approx(lost)
