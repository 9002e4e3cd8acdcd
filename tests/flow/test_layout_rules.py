"""What is counted as wrong in a layout: shapes at a rule, and a grid step under it."""

from pathlib import Path

import klayout.db as kdb
import pytest

from flow.layout.checks import geometry, open_nets, pin_geometry, shorted_pairs
from flow.layout.conflicts import BUCKET, Conflicts, index
from flow.layout.design import Access
from flow.layout.spans import merged
from flow.layout.strips import CellShape, Strip
from flow.layout.technology import Stack, stack_of
from flow.layout.wires import PinAt, Wires, cut_shapes, segment_shape

pytestmark = pytest.mark.quick
GRID = 10  # units: 0.005 um
NUMBERS = {"metal1": 11, "via1": 12, "metal2": 13, "via2": 14, "metal3": 15, "via3": 16}
NUMBERS |= {"metal4": 17, "via4": 18, "metal5": 19, "via5": 20, "metal6": 21}  # in the GDS file
# In units of 0.5 nm: the least width, and the least distance.
METALS = {"metal2": (140, 140), "metal3": (140, 140)}
METALS |= dict.fromkeys(("metal4", "metal5", "metal6"), (280, 280))
CUTS = {"via1": (140, 160), "via2": (140, 180), "via3": (140, 180)}
CUTS |= {"via4": (280, 320), "via5": (280, 320)}
# The same of SKY130, by its design rules; layers of GDS have a kind, too.
IN_SKY130 = {"li1": (67, 20), "mcon": (67, 44), "met1": (68, 20), "via": (68, 44), "met2": (69, 20)}
IN_SKY130 |= {"via2": (69, 44), "met3": (70, 20), "via3": (70, 44), "met4": (71, 20)}
METALS_OF_SKY130 = {"met1": (280, 280), "met2": (280, 280), "met3": (600, 600), "met4": (600, 600)}
CUTS_OF_SKY130 = {"mcon": (340, 380), "via": (300, 340), "via2": (400, 400), "via3": (400, 400)}
LEAST_UM2 = {"met1": 0.083, "met2": 0.0676, "met3": 0.24, "met4": 0.24}
LAYERS = {
    "nangate45": {name: (number, 0) for name, number in NUMBERS.items()},
    "sky130": IN_SKY130,
}
RULES = {"nangate45": METALS | CUTS, "sky130": METALS_OF_SKY130 | CUTS_OF_SKY130}
EACH_RULE = [(tech, name) for tech, rules in RULES.items() for name in rules]
EACH_CUT = [("nangate45", name) for name in CUTS] + [("sky130", name) for name in CUTS_OF_SKY130]
BESIDE = {("nangate45", f"via{n}"): (f"metal{n}", f"metal{n + 1}") for n in range(1, 6)}
BESIDE |= {("sky130", "mcon"): ("li1", "met1"), ("sky130", "via"): ("met1", "met2")}
BESIDE |= {("sky130", "via2"): ("met2", "met3"), ("sky130", "via3"): ("met3", "met4")}
FAR = 20_000
LONG = 12  # widths: a shape that is large enough

Box = tuple[int, int, int, int]


@pytest.fixture(params=[0.0005, 0.00025], ids=["of our unit", "of half of it"])
def drawn(tmp_path: Path, request: pytest.FixtureRequest):
    """Counts what is wrong with boxes, in a file of this database unit."""

    def count(shapes: dict[str, list[Box]], tech: str = "nangate45") -> dict[str, int]:
        layout, path = kdb.Layout(), tmp_path / "drawn.gds"
        layout.dbu = request.param
        scale = round(0.0005 / request.param)
        top = layout.create_cell("top")
        for name, boxes in shapes.items():
            layer = layout.layer(*LAYERS[tech][name])
            for box in boxes:
                top.shapes(layer).insert(kdb.Box(*(scale * corner for corner in box)))
        layout.write(str(path))
        return geometry(path, stack_of(tech))

    return count


def with_metal(tech: str, name: str, boxes: list[Box]) -> dict[str, list[Box]]:
    """The boxes, and enough metal over and under them if they are cuts."""
    plates = {metal: [(-FAR, -FAR, FAR, FAR)] for metal in BESIDE.get((tech, name), ())}
    return {name: boxes} | plates


@pytest.mark.parametrize(("tech", "name"), EACH_RULE)
def test_two_shapes_at_the_rule_and_a_step_under_it(drawn, tech: str, name: str) -> None:
    width, spacing = RULES[tech][name]
    for under, found in ((0, {}), (GRID, {f"{name} spacing": 1})):
        right = width + spacing - under
        boxes = [(0, 0, width, LONG * width), (right, 0, right + width, LONG * width)]
        assert drawn(with_metal(tech, name, boxes), tech) == found


@pytest.mark.parametrize(("tech", "name"), EACH_RULE)
def test_a_shape_at_the_least_width_and_a_step_narrower(drawn, tech: str, name: str) -> None:
    width, _ = RULES[tech][name]
    assert drawn(with_metal(tech, name, [(0, 0, width, LONG * width)]), tech) == {}
    narrow = drawn(with_metal(tech, name, [(0, 0, width - GRID, LONG * width)]), tech)
    assert narrow == {f"{name} width": 1}


@pytest.mark.parametrize("name", LEAST_UM2)
def test_a_shape_has_an_area_at_least_where_a_rule_says_so(drawn, name: str) -> None:
    width, _ = RULES["sky130"][name]
    units2 = round(LEAST_UM2[name] * 2000**2)
    enough = -(-units2 // width)
    assert drawn({name: [(0, 0, width, enough)]}, "sky130") == {}
    assert drawn({name: [(0, 0, width, enough - GRID)]}, "sky130") == {f"{name} area": 1}


def test_corners_are_apart_as_the_crow_flies(drawn) -> None:
    """100 and 100 units are 141.4; 90 and 100 are 134.5."""
    for step, found in ((100, []), (90, ["metal3 spacing"])):
        second = (140 + step, 240, 280 + step, 380)
        assert [*drawn({"metal3": [(0, 0, 140, 140), second]})] == found


def test_touching_shapes_are_one(drawn) -> None:
    assert drawn({"metal4": [(0, 0, 280, 280), (280, 0, 560, 280)]}) == {}


@pytest.mark.parametrize(("tech", "name"), EACH_CUT)
def test_a_cut_needs_metal_below_and_above(drawn, tech: str, name: str) -> None:
    width, _ = RULES[tech][name]
    below, above = BESIDE[tech, name]
    cut, whole = (0, 0, width, width), (-FAR, -FAR, FAR, FAR)
    enough, part = (0, -FAR, FAR, FAR), (1, -FAR, FAR, FAR)
    for under, over, found in (
        (enough, enough, {}),
        (part, whole, {f"{name} outside {below}": 1}),
        (whole, part, {f"{name} outside {above}": 1}),
    ):
        assert drawn({name: [cut], below: [under], above: [over]}, tech) == found


def test_metal1_is_the_cells_own(drawn) -> None:
    assert drawn({"metal1": [(0, 0, 10, 10), (12, 0, 22, 10)]}) == {}


HOME = (1000, 1400)  # where a pin of the made-up cell has its via


def pin_faults(folder: Path, stack: Stack, boxes: list[Box]) -> dict[str, int]:
    """What is wrong with a cell whose metal1 is these boxes, with a via1 at HOME."""
    layout, path = kdb.Layout(), folder / "cells.gds"
    layout.dbu = 0.0005
    cell, other = layout.create_cell("OWN"), layout.create_cell("UNUSED")
    for box in boxes:
        cell.shapes(layout.layer(NUMBERS["metal1"], 0)).insert(kdb.Box(*box))
    other.shapes(layout.layer(NUMBERS["metal1"], 0)).insert(kdb.Box(0, 0, 9, 9))
    layout.write(str(path))
    strip = Strip(*HOME)
    shapes = {"OWN": CellShape(2000, {"A": strip}, {}), "UNUSED": CellShape(9, {"A": strip}, {})}
    return pin_geometry([path], stack, shapes, {"OWN"})


def test_a_pins_via_lies_on_it_and_its_metal_away_from_others(tmp_path: Path, stack: Stack) -> None:
    x, y = HOME
    pads = {layer: (half_x, half_y) for layer, half_x, half_y in stack.vias["via1"].shapes}
    half_x, half_y = pads["metal1"]
    assert pads["via1"] == (70, 70)
    pin = (x - half_x, y - half_y, x + half_x, y + half_y)
    assert pin_faults(tmp_path, stack, [pin]) == {}
    # The cut may end with the pin, not beyond it.
    for left, outside in ((x - 70, {}), (x - 70 + 1, {"via1 outside pins": 1})):
        assert pin_faults(tmp_path, stack, [(left, pin[1], x + 400, pin[3])]) == outside
    for gap, close in ((130, {}), (120, {"metal1 spacing in cells": 1})):
        beside = (pin[2] + gap, pin[1], pin[2] + gap + 400, pin[3])
        assert pin_faults(tmp_path, stack, [pin, beside]) == close


def wires(metal: str, *tracks: tuple[int, int, int]) -> Wires:
    """Wires along x at a y: from, to."""
    return Wires([], {(metal, y): [(low, high)] for y, low, high in tracks})


def test_nets_are_shorted_if_they_touch(stack: Stack) -> None:
    """A wire of metal3 is 140 wide, and 70 longer than its ends."""
    one = wires("metal3", (0, 0, 1000))
    for other, found in (
        (wires("metal3", (140, 0, 1000)), [("a", "b")]),
        (wires("metal3", (141, 0, 1000)), []),
        (wires("metal3", (0, 1140, 2000)), [("a", "b")]),
        (wires("metal3", (0, 1141, 2000)), []),
        (wires("metal5", (0, 0, 1000)), []),
    ):
        assert shorted_pairs(stack, {"b": one, "a": other}) == found
        assert shorted_pairs(stack, {"a": other, "b": one}) == found


def test_a_short_by_a_cut_is_found(stack: Stack) -> None:
    one, other = Wires([], cuts={("via3", 0, 0)}), wires("metal4", (0, 0, 1000))
    assert shorted_pairs(stack, {"a": one, "b": other}) == [("a", "b")]
    assert shorted_pairs(stack, {"a": one, "b": wires("metal5", (0, 0, 1000))}) == []


def test_open_nets_are_named_in_order(stack: Stack) -> None:
    pins = [PinAt(0, "A", Access(x, 0, 2800, 500), False) for x in (0, 5000)]
    whole = Wires(
        pins,
        {("metal3", 500): [(0, 5000)]},
        cuts={("via2", 0, 500), ("via2", 5000, 500), ("via1", 0, 500), ("via1", 5000, 500)},
    )
    assert open_nets(stack, {"c": Wires(pins), "b": whole, "a": Wires(pins)}) == ["a", "c"]


@pytest.mark.parametrize("at", [0, BUCKET - 200, 3 * BUCKET - 50, -BUCKET])
def test_boxes_of_other_nets_are_too_close_below_the_rule(stack: Stack, at: int) -> None:
    """Whatever buckets they lie in."""
    space, box = 140, ("metal3", at, at, at + 400, at + 300)
    found = Conflicts(stack.spacing)
    found.add("one", [box])
    for dx, dy, hit in (
        (400 + space, 0, False),
        (400 + space - 1, 0, True),
        (-400 - space, 0, False),
        (-400 - space + 1, 0, True),
        (0, 300 + space, False),
        (0, 300 + space - 1, True),
        (0, -300 - space, False),
        (0, -300 - space + 1, True),
        (400 + 100, 300 + 98, False),  # 140.01 apart
        (400 + 98, 300 + 99, True),  # 139.3
        (-400 - 100, -300 - 98, False),
        (-400 - 98, -300 - 99, True),
    ):
        other = ("metal3", at + dx, at + dy, at + 400 + dx, at + 300 + dy)
        assert found.of("other", [other]) == ({"one"} if hit else set()), (dx, dy)
        assert found.of("one", [other]) == set()
        assert found.of("other", [("metal2", *other[1:])]) == set()
    long = ("metal3", at - 9 * BUCKET, at, at + 9 * BUCKET, at + 10)
    assert found.of("other", [("metal2", *long[1:]), long]) == {"one"}
    found.remove("one")
    found.remove("none")
    assert found.of("other", [box]) == set()


def test_what_lies_within_a_pin_is_in_nobodys_way(stack: Stack) -> None:
    found = Conflicts(stack.spacing)
    found.add("one", [("metal1", 0, 0, 100, 100)])
    assert found.of("other", [("metal1", 0, 0, 100, 100)]) == set()


def test_pairs_are_named_once(stack: Stack) -> None:
    nets = {"b": wires("metal3", (0, 0, 1000)), "a": wires("metal3", (279, 0, 1000))}
    nets["c"] = wires("metal3", (279 + 280, 0, 1000))
    assert index(stack, nets).pairs(nets) == {("a", "b")}


def test_shapes_of_wires_and_cuts_by_hand(stack: Stack) -> None:
    assert segment_shape(stack, ("metal4", 500, 900, 500, 100)) == ("metal4", 360, -40, 640, 1040)
    assert segment_shape(stack, ("metal3", 9, 5, 1, 5)) == ("metal3", -69, -65, 79, 75)
    boxes = {layer: corners for layer, *corners in cut_shapes(stack, ("via4", 1000, 2000))}
    assert boxes["via4"] == [860, 1860, 1140, 2140]
    for metal in ("metal4", "metal5"):
        left, low, right, high = boxes[metal]
        assert (left + right, low + high) == (2000, 4000)
        assert left <= 860
        assert low <= 1860


@pytest.mark.parametrize(
    ("spans", "gap", "found"),
    [
        ([(0, 5), (5, 9)], 0, [(0, 9)]),
        ([(6, 9), (0, 5)], 0, [(0, 5), (6, 9)]),
        ([(0, 5), (8, 9)], 3, [(0, 5), (8, 9)]),
        ([(0, 5), (8, 9)], 4, [(0, 9)]),
        ([(0, 9), (2, 3), (9, 10)], 0, [(0, 10)]),
        ([(4, 4), (7, 8)], 0, [(7, 8)]),
        ([(4, 4), (7, 8)], 4, [(4, 8)]),
        ([], 5, []),
    ],
)
def test_spans_nearer_than_the_gap_are_one(spans: list, gap: int, found: list) -> None:
    assert merged(spans, gap) == found
