"""Antennas of nets drawn by hand: areas of metal and gates, worked out."""

from copy import copy
from pathlib import Path

import pytest
from msgspec import structs

from flow.layout.antenna import antennas, ratios_of, read_gate_areas, too_large
from flow.layout.design import Cell, Design
from flow.layout.lef import units
from flow.layout.technology import Stack
from flow.layout.wires import Wires
from tests.flow.pins import Y, pin
from tests.flow.test_placing import SHAPES
from tests.flow.toys import KIT

pytestmark = pytest.mark.quick
AREAS = {"INV": {"A": 0.01}}


def wired(gate_um: float, bridge: str, *more: float) -> dict[str, Wires]:
    """A gate at 10 um, with metal3 to `gate_um`, there on to the driver at 100 um: by a bridge of
    metal5, or by metal3 as well. `more` are gates of the same cell as the first on its metal3."""
    driver, gates = pin(0, "ZN", 100), [pin(1, "A", um) for um in (10, *more)]
    cuts = {(cut, units(um), Y) for cut in ("via1", "via2") for um in (10, *more, 100)}
    row = {("metal3", Y): [(units(10), units(gate_um))]}
    if bridge == "metal3":
        row["metal3", Y] = [(units(10), units(100))]
    else:
        row["metal5", Y] = [(units(gate_um), units(100))]
        cuts |= {(cut, units(um), Y) for cut in ("via3", "via4") for um in (gate_um, 100)}
    return {"n": Wires([driver, *gates], row, {}, cuts)}


def design() -> Design:
    return Design("Top", 600, 8, {}, [Cell("d", "INV"), Cell("g", "INV")], shapes=SHAPES)


def test_metal_counts_while_it_is_on_gates_alone(stack: Stack) -> None:
    """70 um of metal3, 0.07 um wide, are 4.9 um2 on 0.01 um2 of gate. With metal5 there is the
    driver."""
    found = antennas(stack, design(), AREAS, wired(80, "metal5"))
    assert [(one.net, one.metal, one.pins) for one in found] == [("n", "metal3", ((1, "A"),))]
    assert found[0].ratio == pytest.approx(70 * 0.07 / 0.01)


def test_a_driver_on_the_same_metal_takes_the_charge_away(stack: Stack) -> None:
    assert antennas(stack, design(), AREAS, wired(80, "metal3")) == []


def test_gates_share_what_they_are_on(stack: Stack) -> None:
    [found] = antennas(stack, design(), AREAS, wired(80, "metal5", 40, 60))
    assert found.ratio == pytest.approx(70 * 0.07 / 0.03)


def test_the_sides_of_a_wire_count_where_the_rules_say_so(stack: Stack) -> None:
    """70 um of metal3 by 0.07 um have 140.14 um around them, 0.14 um high."""
    of_sides = copy(stack)
    of_sides.rules = structs.replace(stack.rules, side_antennas=True)
    [found] = antennas(of_sides, design(), AREAS, wired(80, "metal5"))
    assert found.ratio == pytest.approx(140.14 * 0.14 / 0.01)


def test_the_largest_comes_first(stack: Stack) -> None:
    ends = {"a": 30, "b": 80, "c": 20, "d": 80}
    nets = {name: wired(um, "metal5")["n"] for name, um in ends.items()}
    assert [one.net for one in antennas(stack, design(), AREAS, nets)] == ["b", "d", "a", "c"]


def test_what_is_too_large_is_found(stack: Stack) -> None:
    """The usual ratio is 400: 57.1 um of metal3 on this gate."""
    ratios = ratios_of(stack)
    assert ratios == dict.fromkeys(stack.metals, 400.0)
    for um, count in ((67, 0), (67.2, 1)):
        assert (
            len(too_large(antennas(stack, design(), AREAS, wired(um, "metal5")), ratios)) == count
        )


def test_areas_are_read() -> None:
    areas = read_gate_areas([KIT / "stdcells.lef"])
    assert areas["INV_X1"].keys() == {"A"}
    assert areas["INV_X4"]["A"] > 3 * areas["INV_X1"]["A"] > 0


def test_areas_of_all_shapes_of_a_pin_are_summed_up(tmp_path: Path) -> None:
    """In um2, of pins that have any, of all files."""
    one, other = tmp_path / "one.lef", tmp_path / "other.lef"
    one.write_text(
        "MACRO FIRST\n  PIN A\n    ANTENNAGATEAREA 0.5 ;\n    ANTENNAGATEAREA 0.25 ;\n  END A\n"
        "  PIN B\n    ANTENNAGATEAREA 2 ;\n  END B\n  PIN Z\n  END Z\nEND FIRST\n"
    )
    other.write_text("MACRO SECOND\n  PIN A\n    ANTENNAGATEAREA 4 ;\n  END A\nEND SECOND\n")
    assert read_gate_areas([one, other]) == {"FIRST": {"A": 0.75, "B": 2.0}, "SECOND": {"A": 4.0}}
