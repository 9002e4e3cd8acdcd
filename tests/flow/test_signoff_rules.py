"""Kinds of design rules, at the figure and a step under it; and the rules of the technology, which
all cells of its library keep."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import klayout.db as kdb
import pytest
from msgspec.structs import replace

from flow.signoff.rulefile import RULES, Rule, RuleFile, in_gds, read_rules, rules_path
from flow.signoff.rules import Layers, asked, check
from flow.technologies.kit import files_of
from flow.technologies.rules import rules_of
from flow.technologies.technology import technology
from sim.errors import UserError
from tests.flow.signoff_toy import LIBRARY
from tests.flow.technology_lef import read_technology
from tests.flow.toys import KIT

pytestmark = pytest.mark.quick
Box = tuple[float, float, float, float]
STEP = 0.005
NANGATE = read_rules(rules_path("nangate45"))
PLATE = (-1.0, -1.0, 2.0, 2.0)


def rule(kind: str, um: float = 0.1, to: str = "", **more: float) -> Rule:
    """A rule of metal1."""
    return Rule("one", kind, "metal1", "inferred", um, to, **more)  # type: ignore[arg-type]


# A layout turned, mirrored and moved keeps and breaks the same rules.
ORIENTATIONS = [
    kdb.Trans(turns, mirrored, 7350 * turns - 9000, 4450 - 13_150 * turns)
    for turns in range(4)
    for mirrored in (False, True)
]


def violations(asks: Rule, *boxes: Box, of: tuple[Box, ...] = (), rules: RuleFile = NANGATE) -> int:
    """How often boxes of a rule's layer break it, beside boxes of metal2: as often in all
    orientations, and up to three times at the same places."""
    counts, places = set(), []
    for at in ORIENTATIONS:
        layout = kdb.Layout()
        layout.dbu = 0.0001
        top = layout.create_cell("top")
        for name, drawn in ((asks.layer, boxes), ("metal2", of)):
            for box in drawn:
                shapes = top.shapes(layout.layer(*in_gds(rules.layers[name])))
                shapes.insert(kdb.DBox(*box).to_itype(layout.dbu).transformed(at))
        found = check(Layers(top, rules), asks)
        assert len(found.places) == min(found.violations, 3)
        counts.add(found.violations)
        back = at.inverted().to_dtype(layout.dbu)
        where = (back * kdb.DPoint(*place) for place in found.places)
        places.append(sorted((one.x, one.y) for one in where))
    [count] = counts
    if count <= 3:  # middles of boxes, which may be half a unit off
        flat = [[at for place in one for at in place] for one in places]
        assert all(one == pytest.approx(flat[0], abs=2e-4) for one in flat)
    return count


SQUARE, ABOVE = (0.0, 0.0, 1.0, 1.0), (-1.0, 0.0, 2.0, 1.0)
# By what a rule of 0.1 asks: its kind, and boxes of metal1 and of metal2 that are right at a
# distance of that or more.
Drawn = Callable[[float], tuple[list[Box], list[Box]]]
CASES: dict[str, tuple[str, Drawn]] = {
    "width": ("width", lambda d: ([(0, 0, d, 1)], [])),
    "space": ("space", lambda d: ([SQUARE, (1 + d, 0, 3, 1)], [])),
    "space within a shape": (
        "space",
        lambda d: ([(0, 0, 1, 3), (1, 0, 1 + d, 1), (1 + d, 0, 3, 3)], []),
    ),
    "apart": ("apart", lambda d: ([SQUARE], [(1 + d, 0, 3, 1)])),
    "beside": ("beside", lambda d: ([SQUARE], [(1 + d, 0, 3, 1)])),
    "enclosure": ("enclosure", lambda d: ([SQUARE], [(-d, -1, 2, 2)])),
    "extension": ("extension", lambda d: ([(0, -1, 1, 1 + d)], [ABOVE])),
    "ends": ("ends", lambda d: ([(0, 0, 0.1, 0.1)], [(0, -d, 0.1, 0.1 + d)])),
}


@pytest.mark.parametrize("case", CASES)
def test_a_rule_is_kept_at_its_figure_and_broken_a_step_under_it(case: str) -> None:
    kind, drawn = CASES[case]
    for d, count in ((0.2, 0), (0.1, 0), (0.1 - STEP, 1)):
        boxes, others = drawn(d)
        assert violations(rule(kind, to="metal2" if others else ""), *boxes, of=(*others,)) == count


def test_shapes_that_touch_are_one_for_space_and_width() -> None:
    halves = (0.0, 0.0, 0.05, 1.0), (0.05, 0.0, 0.1, 1.0)
    assert violations(rule("width"), *halves) == 0
    assert violations(rule("space"), *halves) == 0


def test_edges_that_their_shape_lies_between_are_not_too_close() -> None:
    """Above and below a neck two edges face each other, 0.06 aside and 0.04 up. Without the neck
    they are too close."""
    above, neck, below = (0, 1, 1, 2), (0, 0.96, 2, 1), (1.06, 0, 2, 0.96)
    assert violations(rule("space"), above, neck, below) == 0
    assert violations(rule("space"), above, below) > 0


def test_corners_are_as_far_as_the_crow_flies() -> None:
    """0.075 and 0.07 are 0.1026, 0.07 and 0.07 are 0.099."""
    for dx, close in ((0.075, False), (0.07, True)):
        assert bool(violations(rule("space"), SQUARE, (1 + dx, 1.07, 2, 2))) == close


def test_a_square_has_one_size() -> None:
    for right, top, count in ((0.1, 0.1, 0), (0.105, 0.1, 1), (0.1, 0.095, 1), (0.105, 0.105, 1)):
        assert violations(rule("square"), (0, 0, right, top)) == count
    assert violations(rule("square"), (0, 0, 0.1, 0.05), (0, 0, 0.05, 0.1)) == 1  # an L


def test_an_area() -> None:
    asks = rule("area", 0.02)
    assert violations(asks, (0, 0, 0.1, 0.2)) == 0
    assert violations(asks, (0, 0, 0.1, 0.195)) == 1


HOLES = {
    (tech, one.name): one
    for tech in ("nangate45", "osu018", "sky130")
    for one in read_rules(rules_path(tech)).rules
    if one.kind == "hole"
}
# The published least areas of holes of SKY130's periphery, um2.
LEAST = {
    **{"hvtp.6": 0.265, "nsd.11": 0.265, "psd.11": 0.265},
    **{"m1.7": 0.14, "m2.7": 0.14, "m3.7": 0.2, "m4.7": 0.2},
}


SKY130 = read_rules(rules_path("sky130"))
SKY130 = replace(SKY130, layers=SKY130.layers | {"metal2": 1})  # of which nothing is drawn


def test_holes_of_sky130_have_the_published_areas() -> None:
    assert {name: one.um for (tech, name), one in HOLES.items() if tech == "sky130"} == LEAST
    assert {tech for tech, _ in HOLES} == {"sky130"}  # no other publishes any


@pytest.mark.parametrize("name", LEAST)
@pytest.mark.parametrize("seed", range(3))
def test_a_hole_has_its_least_area(name: str, seed: int) -> None:
    """Random rings: as high as it takes for the area at a random width, and a step of 5 nm less;
    what is open on a side, or filled, is no hole."""
    rng, asks = Random(f"{name} {seed}"), HOLES["sky130", name]
    steps = round(asks.um / STEP**2)
    wide = rng.randrange(round(steps**0.5 / 3), 3 * round(steps**0.5))
    x, y = (rng.randrange(-9000, 9000) for _ in "xy")
    left, low, right, high = rng.sample(range(20, 400), 4)
    for tall, count in ((-(-steps // wide), 0), ((steps - 1) // wide, 1)):
        sides = [
            (x - left, y - low, x, y + tall + high),
            (x + wide, y - low, x + wide + right, y + tall + high),
            (x, y - low, x + wide, y),
            (x, y + tall, x + wide, y + tall + high),
        ]
        boxes = [tuple(STEP * at for at in side) for side in sides]
        assert violations(asks, *boxes, rules=SKY130) == count
        assert violations(asks, *boxes[:3], rules=SKY130) == 0
        whole = (STEP * (x - left), STEP * (y - low), STEP * (x + wide), STEP * (y + tall))
        assert violations(asks, *boxes, whole, rules=SKY130) == 0


def test_corners_are_on_the_grid() -> None:
    asks = rule("grid", 0.0025)
    assert violations(asks, (0, 0, 0.1, 0.2025)) == 0
    assert violations(asks, (0, 0, 0.1, 0.2024)) == 2  # two corners


def test_all_of_a_layer_is_in_another() -> None:
    asks = rule("inside", 0, "metal2")
    assert violations(asks, (0, 0, 1, 1), of=((0, 0, 1, 0.5), (0, 0.5, 1, 1))) == 0
    assert violations(asks, (0, 0, 1, 1), of=((0, 0, 1, 0.9999),)) == 1
    assert violations(asks, (0, 0, 1, 1), (3, 3, 4, 4)) == 2


def test_layers_that_may_not_overlap_may_touch() -> None:
    asks = rule("apart", 0, "metal2")
    assert violations(asks, (0, 0, 1, 1), of=((1, 0, 2, 1),)) == 0
    assert violations(asks, (0, 0, 1, 1), of=((0.9999, 0, 2, 1),)) == 1


def test_what_is_beside_may_touch_or_go_over_and_what_is_apart_may_not() -> None:
    head = (0.0, 1.0, 1.0, 2.0)
    assert violations(rule("beside", to="metal2"), head, of=((-1, 0, 2, 1),)) == 0
    assert violations(rule("apart", to="metal2"), head, of=((-1, 0, 2, 1),)) > 0
    # A head of a T that is too near.
    t = (0.4, 1.0, 0.6, 1.095), (0.0, 1.095, 1.0, 2.0)
    assert violations(rule("beside", to="metal2"), *t, of=((-1, 0, 2, 1),)) > 0


def test_what_lies_outside_altogether_needs_no_enclosure() -> None:
    asks = rule("enclosure", to="metal2")
    assert violations(asks, (5, 5, 6, 6), of=(PLATE,)) == 0
    for near in (2.0, 2.05):
        assert violations(asks, (near, 0, 3, 1), of=(PLATE,)) == 0
    assert violations(asks, (0, 0, 3, 1), of=(PLATE,)) > 0  # partly outside


def test_an_extension_is_asked_where_a_layer_leaves_another() -> None:
    asks = rule("extension", to="metal2")
    assert violations(asks, (0, -0.1, 1, 1.1), of=((-1, 0, 2, 1),)) == 0
    assert violations(asks, (0, 0, 1, 1), of=((-1, 0, 2, 1),)) == 2  # ends with it, at both ends
    assert violations(asks, (0, 0.2, 1, 0.8), of=((-1, 0, 2, 1),)) == 0  # within it


def test_two_sides_that_are_opposite_are_enough() -> None:
    asks, cut = rule("ends", to="metal2"), (0.0, 0.0, 0.1, 0.1)
    assert violations(asks, cut, of=((-0.1, 0, 0.2, 0.1),)) == 0
    assert violations(asks, cut, of=((0, -0.1, 0.1, 0.2),)) == 0
    assert violations(asks, cut, of=((-0.1, -0.1, 0.1, 0.1),)) == 1  # two that are not
    assert violations(asks, cut, of=((-0.2, 0, 0.1, 0.1),)) == 1
    # Of two cuts whose surroundings overlap each counts by itself.
    near = (0.15, 0.0, 0.25, 0.1)
    assert violations(asks, cut, near, of=((-0.1, 0, 0.35, 0.1),)) == 0
    assert violations(asks, cut, near, of=((-0.1, 0, 0.34, 0.1),)) == 1


@pytest.mark.parametrize(
    ("width", "run", "count"),
    [(0.3, 1.0, 0), (0.305, 0.9, 0), (0.305, 1.0, 1), (0.5, 2.0, 1)],
)
def test_wide_metal_needs_more_space_where_it_runs_along(
    width: float, run: float, count: int
) -> None:
    """Space 0.2 to what is wider than 0.3 along more than 0.9; what is beside it is narrow."""
    asks = rule("space", 0.2, wider=0.3, longer=0.9)
    found = violations(asks, (0, 0, width, 3), (width + 0.15, 0, width + 0.25, run))
    assert found == count
    assert violations(asks, (0, 0, width, 3), (width + 0.2, 0, width + 0.3, run)) == 0


def broken(layout: kdb.Layout, rules: RuleFile) -> dict[tuple[str, str], int]:
    """Which cells break which rules, and how often."""
    return {
        (cell.name, one.name): checked.violations
        for cell in layout.each_cell()
        for layers in [Layers(cell, rules)]
        for one in rules.rules
        if (checked := check(layers, one)).violations
    }


@pytest.mark.seconds
def test_all_cells_of_the_library_keep_the_rules() -> None:
    """Else they were no rules of it."""
    layout = kdb.Layout()
    layout.read(str(LIBRARY))
    assert layout.cells() == 135
    assert broken(layout, NANGATE) == {}


def test_all_cells_of_osu018_keep_its_rules() -> None:
    """By what its LEF has of them, which a test of its layouts reads."""
    layout, rules = kdb.Layout(), read_rules(rules_path("osu018"))
    layout.read(str(files_of(technology("osu018"))["osu018_stdcells.lef"]))
    assert layout.cells() == 33
    assert broken(layout, rules) == {}


def test_figures_of_the_lef_file_are_those_of_the_rules() -> None:
    stack, _ = read_technology(KIT / "rtk-tech.lef")
    plain = [one for one in NANGATE.rules if one.source == "LEF" and not one.wider]
    for one in plain:
        said = stack.get(one.layer)
        if one.kind in ("width", "square"):
            assert said.width == round(one.um * 2000), one.name
        elif one.kind == "space":
            assert said.spacing == round(one.um * 2000), one.name
        else:
            assert (one.kind, one.um) == ("grid", 0.0025)
    layers = {one.layer for one in plain}
    assert {*NANGATE.connectivity.metals, *NANGATE.connectivity.cuts} <= layers


@pytest.mark.quick
@pytest.mark.parametrize("tech", ["osu018", "sky130"])
def test_figures_of_metals_are_those_of_layouts(tech: str) -> None:
    """Layouts in SKY130 are made by the technology LEF's figures, and signed off by the published
    ones. In OSU's cells spaces are also those to obstructions."""
    rules, made = read_rules(rules_path(tech)), rules_of(tech)
    plain = [one for one in rules.rules if not one.wider]
    asks = {(one.layer.removeprefix("all "), one.kind): one.um for one in plain}
    for metal in made.metals:
        assert rules.layers[metal.name] == metal.gds
        assert asks[metal.name, "width"] == metal.width_um
        assert asks[metal.name, "space"] == metal.spacing_um
        if metal.area_um2:
            assert asks[metal.name, "area"] == metal.area_um2
        assert asks.get((metal.name, "hole"), 0.0) == metal.hole_um2
    for cut in made.cuts:
        assert rules.layers[cut.name] == cut.gds
        assert asks[cut.name, "square"] == cut.width_um
        assert asks[cut.name, "space"] == cut.spacing_um
    straps = made.straps
    assert straps
    assert rules.layers[straps.metal] == straps.gds
    assert asks[straps.metal, "space"] <= straps.spacing_um
    assert rules.layers[straps.cut.name] == straps.cut.gds
    assert asks[straps.cut.name, "square"] == straps.cut.width_um
    names = (*(metal.name for metal in made.metals), straps.metal)
    assert rules.connectivity.metals[-len(names) :] == names
    assert {*rules.connectivity.supplies} == {made.rails.power, made.rails.ground}
    assert {*rules.connectivity.wells} == {*made.rails.wells}
    strips = made.metals[1].name
    assert rules.connectivity.ports == {strips: made.drawn.label, straps.metal: straps.label}


def test_wide_spaces_are_those_of_the_lef_file() -> None:
    """A table's row of a width has the spacing from the column on whose length is the class's."""
    text = (KIT / "rtk-tech.lef").read_text()
    for metal in NANGATE.connectivity.metals[1:]:
        table = text.split(f"LAYER {metal}\n")[1].split("SPACINGTABLE")[1].split(";")[0]
        lengths, *rows = (line.split()[1:] for line in table.strip().splitlines())
        ours = {one.wider: one for one in NANGATE.rules if one.layer == metal and one.wider}
        named = {float(row[0]): row[1:] for row in rows}
        assert set(ours) == set(named) - {0.0}
        for width, one in ours.items():
            at = [float(length) for length in lengths].index(one.longer)
            assert float(named[width][at]) == one.um, (metal, width)
            assert all(float(more) <= one.um for more in named[width][at:])


def test_each_rule_says_what_it_asks() -> None:
    texts = {one.name: asked(one) for one in NANGATE.rules}
    assert texts["POLY.1"] == "width 0.05"
    assert texts["WELL.1"] == "not over pwell"
    assert texts["CONTACT.6"] == "from poly 0.035"
    assert texts["via1 size"] == "0.07 square"
    assert texts["metal2 space by 0.09"] == "space 0.09, wider 0.09, longer 0.3"
    assert {one.source for one in NANGATE.rules} == {"FreePDK45", "LEF", "inferred"}


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ('layer = "nwell", to = "pwell"', 'layer = "nwell"', "WELL.1 has the wrong number of lay"),
        ('layer = "nwell", to = "pwell"', 'layer = "nwel", to = "pwell"', "of layer 'nwel', unkn"),
        ('"WELL.3 n"', '"WELL.1"', "two rules are called WELL.1"),
        ("um = 0.05, source", "um = 0.0, source", "rule POLY.1 has no length"),
        ("wider = 0.27, longer", "longer", "needs both wider and longer"),
        ('kind = "width"', 'kind = "wide"', "Invalid enum value 'wide'"),
        ('of = ["poly", "active"]', 'of = ["pol", "active"]', "is of 'pol', unknown"),
        ('"via5", "via6"]', '"via5"]', "not one layer of cuts between two metals"),
        ("{ metal2 = 239", "{ metal9 = 239", "'metal9' connects, but is no layer"),
        ("window_um = 20.0", "window_um = 0.0", "window of densities has no size"),
        ('"metal5", "metal6",\n]', '"metal9",\n]', "density of layer 'metal9', unknown"),
        (
            "[density.limits]",
            '[density.limits]\nmetal8 = { source = "LEF" }',
            "of layer 'metal8', un",
        ),
        ("window_um = 20.0", "window_um = -1.0", "window of densities has no size"),
        ("pins = { metal1 = 11 }", "pins = { metal0 = 11 }", "'metal0' connects, but is no layer"),
        ("outline = 235", "outline =", "Invalid value"),
        ("outline = 235", "inline = 235", "unknown field `inline`"),
    ],
)
def test_what_is_wrong_with_a_rule_file_is_said(
    tmp_path: Path, was: str, now: str, says: str
) -> None:
    text = rules_path("nangate45").read_text()
    assert was in text
    path = tmp_path / RULES
    path.write_text(text.replace(was, now, 1))
    with pytest.raises(UserError, match=r"rules\.toml: .*; mend the rule file") as error:
        read_rules(path)
    assert says in str(error.value)


def test_a_technology_without_rules_is_refused(bare: str) -> None:
    with pytest.raises(UserError, match=r"tech: bare has no design rules .* nangate45"):
        rules_path(bare)
