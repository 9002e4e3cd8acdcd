"""Sign-off of a toy layout: clean as it is, and each planted fault is found as what it is."""

from collections.abc import Callable
from copy import deepcopy
from itertools import product
from pathlib import Path
from random import Random

import klayout.db as kdb
import pytest
from msgspec.structs import replace

from flow.signoff.circuit import Circuit, Part
from flow.signoff.compare import Compared, compare
from flow.signoff.density import Covered, densities
from flow.signoff.extraction import Supply
from flow.signoff.library import different_cells
from flow.signoff.rulefile import Limit, read_rules, rules_path
from flow.signoff.rules import Checked, Layers
from flow.signoff.schematic import read_schematic
from flow.signoff.signed import Signed, sign_off
from sim.errors import RunError
from tests.flow.signoff_toy import CELLS, LIBRARY, VERILOG, Toy


def broken(found: Signed) -> dict[str, int]:
    """The rules that are broken, and how often."""
    return {one.rule: one.violations for one in found.rules if one.violations}


END, LOW = "endmodule", "assign low = 1'b0; "


def only(found: Signed, *parts: str) -> None:
    """Assert that this is wrong and nothing else: a beginning of each line, in order."""
    wrong = list(found.wrong())
    assert len(wrong) == len(parts), wrong
    assert all(line.startswith(part) for line, part in zip(wrong, parts, strict=True)), wrong


def checked(rule: str, violations: int) -> Checked:
    return Checked(rule, "metal1", "width 1", "LEF", violations)


@pytest.mark.quick
def test_each_thing_that_is_wrong_is_said_by_itself_and_counted() -> None:
    """Rules by all that they find, and by their names; one that is kept is not named."""
    clean = Signed(
        rules=(checked("A", 0),),
        densities=(Covered("metal1", 4, 0.0, 1.0, 0.5, None, 0),),
        supplies=(Supply("VDD", 1, 2), Supply("VSS", 1, 1)),
        compared=Compared((1, 1, 1), (1, 1, 1), (1, 1, 1), ()),
        fillers=9,
        connections=(),
        cells=(),
    )
    only(clean)
    sparse = tuple(Covered(name, 4, 0.0, 1.0, 0.5, (0.1, 0.9), 1) for name in ("metal1", "metal3"))
    for changes, line in (
        ({"rules": (checked("A", 2), checked("B", 0), checked("C", 5))}, "7 violations of A, C"),
        ({"densities": (*clean.densities, *sparse)}, "density of metal1, metal3 beyond limits"),
        (
            {"supplies": (Supply("VDD", 1, 2, ((0.0, 1.4), (3.0, 1.4))), clean.supplies[1])},
            "rails of VDD broken in 2 places",
        ),
        ({"supplies": (Supply("VDD", 13, 13), clean.supplies[1])}, "VDD is 13 nets"),
        ({"supplies": (clean.supplies[0], Supply("VSS", 0, 0))}, "VSS is 0 nets"),
        ({"connections": ("one", "two", "three")}, "3 faults of connection"),
        (
            {"compared": replace(clean.compared, mismatches=("one", "two"))},
            "2 differences from the netlist",
        ),
        ({"cells": ("INV_X1 is not in the library",)}, "1 kinds of cells not the library's"),
    ):
        assert list(replace(clean, **changes).wrong()) == [line]


def with_nets(number: int, **pins: str) -> Toy:
    """The toy with other nets at some pins of a cell; its schematic is as before."""
    cells = list(CELLS)
    cells[number] = (cells[number][0], cells[number][1] | pins)
    return Toy(cells)


def test_the_toy_is_clean(tmp_path: Path) -> None:
    found = Toy().signed(tmp_path)
    only(found)
    assert found.compared.nets == (9, 9, 9)
    assert found.compared.cells == (3, 3, 3)
    assert found.compared.ports == (8, 8, 8)
    assert found.fillers == 9
    # One rail of VSS between the rows, and one of VDD above and below.
    rails = [(one.name, one.parts, one.rails, one.breaks) for one in found.supplies]
    assert rails == [("VDD", 1, 2, ()), ("VSS", 1, 1, ())]


def test_a_short_of_two_ports_is_found(tmp_path: Path) -> None:
    """The track of one goes on to the other, and over to its track, which is the next."""
    toy = Toy()
    a, b = (toy.piece("metal3", net).box for net in "ab")
    left, right = min(a[0], b[0]), max(a[2], b[2])
    toy.draw("metal3", left, a[1], right, a[3])
    toy.draw("metal3", b[0], a[1], b[2], b[3])
    found = toy.signed(tmp_path)
    assert "ports a and b are one net" in found.connections
    assert found.compared.mismatches
    assert found.compared.nets[2] < found.compared.nets[1] == 9
    assert broken(found) == {}


def test_a_short_of_two_nets_inside_is_found(tmp_path: Path) -> None:
    toy = Toy()
    inner, d = (toy.piece("metal3", net).box for net in ("inner", "d"))
    x = max(inner[0], d[0])
    toy.draw("metal3", x, min(inner[1], d[1]), x + 0.07, max(inner[3], d[3]))
    found = toy.signed(tmp_path)
    only(found, f"{len(found.compared.mismatches)} differences from the netlist")
    assert any("inner" not in one and "port d" in one for one in found.compared.mismatches)


def test_an_open_wire_is_found(tmp_path: Path) -> None:
    """After the pin that drives it."""
    toy = Toy()
    whole = toy.piece("metal3", "inner")
    left, bottom, right, top = whole.box
    toy.pieces.remove(whole)
    after = toy.piece("via2", "inner", "0.ZN").box[2]
    toy.draw("metal3", left, bottom, after + 0.035, top)
    toy.draw("metal3", after + 0.135, bottom, right, top)
    found = toy.signed(tmp_path)
    only(found, f"{len(found.compared.mismatches)} differences from the netlist")
    assert any("OAI21_X1" in one for one in found.compared.mismatches)


@pytest.mark.parametrize("layer", ["via1", "via2"])
def test_a_missing_via_is_found(tmp_path: Path, layer: str) -> None:
    toy = Toy()
    toy.pieces.remove(toy.piece(layer, "inner", "2.A"))
    found = toy.signed(tmp_path)
    only(found, f"{len(found.compared.mismatches)} differences from the netlist")
    assert any("INV_X1" in one for one in found.compared.mismatches)


@pytest.mark.parametrize(
    ("number", "pins"),
    [
        (1, {"A1": "d", "A2": "inner"}),
        (0, {"B1": "a", "A": "b"}),
        (0, {"B1": "c", "B2": "b"}),  # which is the same function, and another netlist
    ],
)
def test_swapped_pins_are_found(tmp_path: Path, number: int, pins: dict[str, str]) -> None:
    found = with_nets(number, **pins).signed(tmp_path)
    only(found, f"{len(found.compared.mismatches)} differences from the netlist")
    name = ["first", "second"][number]
    assert any(name in one or CELLS[number][0] in one for one in found.compared.mismatches)


def test_a_wrong_cell_of_the_same_size_is_found(tmp_path: Path) -> None:
    cells = [(master.replace("NAND2", "NOR2"), pins) for master, pins in CELLS]
    found = Toy(cells).signed(tmp_path)
    only(found, f"{len(found.compared.mismatches)} differences from the netlist")
    said = " ".join(found.compared.mismatches)
    assert "cell of the layout only: NOR2_X1 at 0.76, 0.00" in said
    assert "cell of the schematic only: second (NAND2_X1)" in said


def test_a_cell_that_the_library_lacks_or_has_otherwise_is_found(tmp_path: Path) -> None:
    """A cell of another name, one with another label, and one whose label moved on its own pin."""

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        layout.cell("FILLCELL_X1").name = "FILLCELL_X7"
        layout.cell("INV_X1").shapes(layout.layer(9, 0)).insert(kdb.Box(0, 6000, 100, 6500))
        for shape in layout.cell("NAND2_X1").shapes(layout.layer(11, 0)).each():
            if shape.is_text() and shape.text_string == "A1":
                shape.text_string = "A3"
        for shape in layout.cell("OAI21_X1").shapes(layout.layer(11, 0)).each():
            if shape.is_text() and shape.text_string == "A":
                shape.text = shape.text.moved(0, 50)

    found = Toy(edit=edit).signed(tmp_path)
    assert found.cells == (
        "FILLCELL_X7 is not in the library",
        "INV_X1 is not the library's on layer 9/0",
        "NAND2_X1 is not the library's on layer 11/0",
        "OAI21_X1 is not the library's on layer 11/0",
    )
    assert "4 kinds of cells not the library's" in list(found.wrong())
    assert any("second" in one for one in found.compared.mismatches)


# Boxes and labels by layer and datatype: what a cell is drawn of.
Box, Label = tuple[int, int, int, int], tuple[str, int, int]
Cell = dict[tuple[int, int], tuple[list[Box], list[Label]]]


def random_cell(rng: Random) -> Cell:
    """A cell of two boxes and two labels on each of three layers; no coordinate occurs twice."""
    free = rng.sample(range(0, 4000), 36)
    cell: Cell = {}
    for number, layer in enumerate([(11, 0), (11, 2), (13, 0)]):
        a, b, c, d, e, f, g, h, *labels = free[12 * number : 12 * number + 12]
        boxes = [(min(a, b), min(c, d), max(a, b), max(c, d))]
        boxes.append((10_000 + min(e, f), min(g, h), 10_000 + max(e, f), max(g, h)))
        cell[layer] = boxes, [("A", *labels[:2]), ("B", *labels[2:])]
    return cell


def moved(old: Box | Label, which: int, by: int) -> tuple:
    """The same with one coordinate moved."""
    return (*old[:which], old[which] + by, *old[which + 1 :])


def layout_of(cells: dict[str, Cell]) -> kdb.Layout:
    """A layout in which a top cell has each of these once."""
    layout = kdb.Layout()
    layout.dbu = 0.0001
    top = layout.create_cell("top")
    for name, cell in cells.items():
        made = layout.create_cell(name)
        top.insert(kdb.CellInstArray(made.cell_index(), kdb.Trans()))
        for layer, (boxes, labels) in cell.items():
            shapes = made.shapes(layout.layer(*layer))
            for box in boxes:
                shapes.insert(kdb.Box(*box))
            for text, x, y in labels:
                shapes.insert(kdb.Text(text, x, y))
    return layout


# What may be different on a layer, on that layer alone: each of a box's four edges, either
# coordinate of a label, its text, two labels that change places, something more, something less.
SLIPS: dict[str, Callable[[list[Box], list[Label]], object]] = {
    **{
        f"edge {edge}": lambda boxes, labels, edge=edge: boxes.append(moved(boxes.pop(), edge, -1))
        for edge in range(4)
    },
    "label in x": lambda boxes, labels: labels.append(moved(labels.pop(), 1, 1)),
    "label in y": lambda boxes, labels: labels.append(moved(labels.pop(), 2, 1)),
    "text": lambda boxes, labels: labels.append(("C", *labels.pop()[1:])),
    "swapped": lambda boxes, labels: labels.extend(
        [(labels[0][0], *labels.pop()[1:]), ("B", *labels.pop(0)[1:])]
    ),
    "mirrored": lambda boxes, labels: labels.append(
        (labels[-1][0], labels[-1][2], labels.pop()[1])
    ),
    "more": lambda boxes, labels: boxes.append((20_000, 0, 20_001, 3)),
    "less": lambda boxes, labels: boxes.pop(),
    "no label": lambda boxes, labels: labels.pop(),
}


@pytest.mark.quick
@pytest.mark.parametrize("slip", SLIPS)
def test_a_cell_drawn_otherwise_than_in_the_library_is_found(tmp_path: Path, slip: str) -> None:
    """By a single unit, on each of its layers, in the one of two cells that it is in; the library
    is in two files."""
    rng = Random(slip)
    library = {"ONE": random_cell(rng), "TWO": random_cell(rng)}
    files = [tmp_path / f"{name}.gds" for name in library]
    for file, (name, cell) in zip(files, library.items(), strict=True):
        layout_of({name: cell}).write(str(file))
    assert different_cells(layout_of(library), files) == []
    for name, layer in product(library, library["ONE"]):
        drawn = deepcopy(library)
        SLIPS[slip](*drawn[name][layer])
        says = f"{name} is not the library's on layer {layer[0]}/{layer[1]}"
        assert different_cells(layout_of(drawn), files) == [says]


def test_a_layer_that_only_one_of_both_has_is_found(tmp_path: Path) -> None:
    """A cell without all its shapes of a layer, in a layout without that layer; and the reverse."""

    def drawn(*layers: int) -> kdb.Layout:
        layout = kdb.Layout()
        cell = layout.create_cell("A")
        for layer in layers:
            cell.shapes(layout.layer(layer, 0)).insert(kdb.Box(0, 0, 100, 300 + layer))
        top = layout.create_cell("top")
        top.insert(kdb.CellInstArray(cell.cell_index(), kdb.Trans()))
        return layout

    library = tmp_path / "library.gds"
    for has, lacks in (((1, 7), (1,)), ((1,), (1, 7))):
        file = drawn(*has)
        file.delete_cell(file.top_cell().cell_index())
        file.write(str(library))
        assert different_cells(drawn(*has), [library]) == []
        assert different_cells(drawn(*lacks), [library]) == ["A is not the library's on layer 7/0"]


def test_ports_that_are_constant_are_none_of_the_schematic(tmp_path: Path) -> None:
    """Two outputs at either constant, by no cell: the layout has no such ports."""
    netlist = tmp_path / "constants.v"
    netlist.write_text(
        "module top(input a, output [1:0] low, output [1:0] high, output y);\n"
        "assign low = 2'b00;\nassign high = 2'b11;\nINV_X1 g (.A(a), .ZN(y));\nendmodule\n"
        "module INV_X1(input A, output ZN);\nendmodule\n"
    )
    assert {*read_schematic(netlist, "top").ports} == {"a", "y"}


@pytest.mark.parametrize(
    ("unit", "found"), [(0.001, []), (0.0005, ["A is not the library's on layer 1/0"])]
)
def test_a_library_may_have_another_unit(tmp_path: Path, unit: float, found: list[str]) -> None:
    """Its file has 1000 and 2000 units, which are a um and two, or half as much."""
    layouts = []
    for dbu, units in ((0.0001, 10_000), (unit, 1000)):
        layout = kdb.Layout()
        layout.dbu = dbu
        cell = layout.create_cell("A")
        cell.shapes(layout.layer(1, 0)).insert(kdb.Box(0, 0, units, 2 * units))
        layouts.append(layout)
    layout, library = layouts
    top = layout.create_cell("top")
    top.insert(kdb.CellInstArray(layout.cell("A").cell_index(), kdb.Trans()))
    library.write(str(tmp_path / "library.gds"))
    assert different_cells(layout, [tmp_path / "library.gds"]) == found


def test_a_signal_on_a_rail_is_found(tmp_path: Path) -> None:
    """Metal1 from a pin's via down to the rail."""
    toy = Toy()
    left, bottom, right, _ = toy.piece("metal1", "d").box
    toy.draw("metal1", left, 0.0, right, bottom + 0.01)
    found = toy.signed(tmp_path)
    assert "NAND2_X1 at 0.76, 0.00: pin A2 is on VSS" in found.connections


def test_supplies_that_are_one_net_are_found(tmp_path: Path) -> None:
    toy = Toy()
    toy.draw("metal1", 2.0, -0.05, 2.1, 1.45)
    toy.draw("metal1", 1.6, -0.05, 2.1, 0.05)
    toy.draw("metal1", 1.6, 1.35, 2.1, 1.45)
    assert "VDD and VSS are one net" in toy.signed(tmp_path).connections


def test_a_missing_filler_breaks_a_rail_and_leaves_wells_out(tmp_path: Path) -> None:
    """The lowest rail is of the fillers alone: VDD, as they are flipped."""

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        filler = layout.cell("FILLCELL_X1").cell_index()
        [gone] = [
            one
            for one in top.each_inst()
            if one.cell_index == filler and one.trans.disp.x == 4 * 1900
        ]
        gone.delete()

    found = Toy(edit=edit).signed(tmp_path)
    only(
        found,
        "density of implant beyond limits",
        "rails of VDD broken in 1 places",
        "VDD is 2 nets",
    )
    rails = {one.name: one for one in found.supplies}
    assert (rails["VDD"].parts, rails["VDD"].rails) == (2, 2)
    assert rails["VDD"].breaks == ((0.76, -1.4),)
    assert not rails["VSS"].breaks  # the row above has it, too
    implant = next(one for one in found.densities if one.layer == "implant")
    # A site of a row of nine in two rows, less what its neighbours reach into it.
    assert implant.least == pytest.approx(
        1 - (0.19 - 2 * 0.025) * (1.4 - 0.025) / (1.71 * 2.8), abs=1e-4
    )


def test_densities_by_hand_and_beyond_limits(tmp_path: Path) -> None:
    """A plate of metal5 over a part of the core of 1.71 by 2.8 um; a limit that it keeps, and one
    that it does not."""
    rules = read_rules(rules_path("nangate45"))

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        plate = kdb.DBox(0, -1.4, 0.855, 0.0)
        top.shapes(layout.layer(19, 0)).insert(plate.to_itype(layout.dbu))

    for least, most, beyond in ((0.2, 0.25, 0), (0.2501, 1.0, 1), (0.0, 0.2499, 1)):
        limits = {"metal5": Limit("inferred", least, most)}
        density = replace(rules.density, limits=limits)
        found = Toy(edit=edit).signed(tmp_path, rules=replace(rules, density=density))
        [metal5] = [one for one in found.densities if one.layer == "metal5"]
        assert metal5.least == metal5.most == metal5.mean == 0.25
        assert metal5.violations == beyond
        assert metal5.places == ((0.0, -1.4),) * beyond
        only(found, *["density of metal5 beyond limits"] * beyond)


def test_windows_overlap_by_half(tmp_path: Path) -> None:
    """Windows of 1.4 um: one across, three up."""
    rules = read_rules(rules_path("nangate45"))
    rules = replace(rules, density=replace(rules.density, window_um=1.4))

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        plate = kdb.DBox(0, -1.4, 1.71, -0.7)
        top.shapes(layout.layer(19, 0)).insert(plate.to_itype(layout.dbu))

    found = Toy(edit=edit).signed(tmp_path, rules=rules)
    [metal5] = [one for one in found.densities if one.layer == "metal5"]
    assert (metal5.windows, metal5.least, metal5.most) == (3, 0.0, 0.5)
    assert metal5.mean == pytest.approx(0.5 / 3, abs=1e-4)


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(5))
def test_windows_of_a_core_anywhere_have_what_plates_cover_of_them(seed: int) -> None:
    """Random plates that do not overlap, in a core that is not square and begins anywhere; its
    sides are whole numbers of half windows."""
    rng, half, columns, rows = Random(seed), 1000, *Random(seed).sample(range(2, 9), 2)
    x0, y0 = (rng.randrange(-9000, 9000) for _ in "xy")
    layout = kdb.Layout()
    layout.dbu = 0.0001
    top = layout.create_cell("top")
    core = kdb.Box(x0, y0, x0 + columns * half, y0 + rows * half)
    top.shapes(layout.layer(235, 0)).insert(core)
    plates = []
    for lane in range(
        columns
    ):  # one in each lane of half a window, that reaches out below or above
        low, high = sorted(rng.sample(range(-700, rows * half + 700), 2))
        left, right = sorted(rng.sample(range(half), 2))
        at = x0 + lane * half
        plates.append((at + left, y0 + low, at + right, y0 + high))
        top.shapes(layout.layer(19, 0)).insert(kdb.Box(*plates[-1]))
    rules = read_rules(rules_path("nangate45"))
    limits = {"metal5": Limit("inferred", 0.1, 0.4)}
    density = replace(rules.density, window_um=2 * half * layout.dbu, layers=(), limits=limits)
    shares = {}
    for row, column in product(range(rows - 1), range(columns - 1)):
        x, y = x0 + column * half, y0 + row * half
        covered = sum(
            max(0, min(right, x + 2 * half) - max(left, x))
            * max(0, min(high, y + 2 * half) - max(low, y))
            for left, low, right, high in plates
        )
        shares[x, y] = covered / (2 * half) ** 2
    [found] = densities(Layers(top, replace(rules, density=density)))
    beyond = [place for place, share in shares.items() if not 0.1 <= share <= 0.4]
    assert found.windows == len(shares)
    told = (found.least, found.most, found.mean)
    mean = sum(shares.values()) / len(shares)
    assert told == pytest.approx((min(shares.values()), max(shares.values()), mean), abs=6e-5)
    assert found.violations == len(beyond)
    assert found.places == tuple((round(x / 1e4, 4), round(y / 1e4, 4)) for x, y in beyond[:3])


def test_windows_that_do_not_divide_the_core_are_within_it(tmp_path: Path) -> None:
    """17100 units are 6 windows, of 2443 for half of one: a unit is beyond the core."""
    rules = read_rules(rules_path("nangate45"))
    rules = replace(rules, density=replace(rules.density, window_um=0.46))
    found = Toy().signed(tmp_path, rules=rules)
    only(found)
    assert {one.windows for one in found.densities} == {6 * 11}


def test_metal_too_close_is_found(tmp_path: Path) -> None:
    toy = Toy()
    left, _, right, top = toy.piece("metal3", "inner").box
    for gap, found in ((0.07, {}), (0.065, {"metal3 space": 1})):
        toy.pieces = list(Toy().pieces)
        toy.draw("metal3", left, top + gap, right, top + gap + 0.07)
        signed = toy.signed(tmp_path)
        assert broken(signed) == found
    [rule] = [one for one in signed.rules if one.violations]
    assert rule.places[0] == pytest.approx(((left + right) / 2, top + 0.0325), abs=1e-3)


@pytest.mark.parametrize(("shift", "found"), [(0.04, {}), (0.045, {"ACTIVE.2": 2})])
def test_cells_too_close_break_rules_of_base_layers(
    tmp_path: Path, shift: float, found: dict[str, int]
) -> None:
    """Each is right by itself. Actives of two inverters that abut are 0.12 apart, in both wells;
    0.08 is the least."""

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        inverter = layout.cell("INV_X1").cell_index()
        for x in (0.0, 0.38 - shift):
            place = kdb.DTrans(x, 5.6).to_itype(layout.dbu)
            top.insert(kdb.CellInstArray(inverter, place))

    said = Toy(edit=edit).signed(tmp_path).rules
    base = {one.rule: one.violations for one in said if one.violations and "metal" not in one.layer}
    assert base == found


def test_a_row_at_the_wrong_height_breaks_rules_across_rows(tmp_path: Path) -> None:
    """A row of fillers that is not flipped has its n-well under the p-well of the row above."""

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        filler = layout.cell("FILLCELL_X1").cell_index()
        for one in list(top.each_inst()):
            if one.cell_index == filler:
                down = kdb.Trans(0, False, one.trans.disp.x, -14000)
                one.trans = down

    found = broken(Toy(edit=edit).signed(tmp_path))
    assert {"WELL.1", "IMPLANT.5"} <= set(found)


def test_labels_of_ports_say_where_these_are(tmp_path: Path) -> None:
    toy = Toy()
    a, b = toy.labels["a"], toy.labels["b"]
    toy.labels |= {"a": b, "b": a}
    found = toy.signed(tmp_path)
    only(found, f"{len(found.compared.mismatches)} differences from the netlist")
    del toy.labels["a"]
    toy.labels["b"] = b
    found = toy.signed(tmp_path)
    assert "port a of the schematic only" in found.compared.mismatches
    toy.labels |= {"a": (5.0, 5.0), "more": toy.labels["z"]}
    found = toy.signed(tmp_path)
    assert set(found.connections) == {
        "port a: its label is on no metal2",
        "ports z and more are one net",
    }
    assert "port more of the layout only" in found.compared.mismatches


def test_a_port_in_two_parts_is_found(tmp_path: Path) -> None:
    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        top.shapes(layout.layer(13, 0)).insert(kdb.Box(30000, 0, 31000, 5000))
        top.shapes(layout.layer(239, 0)).insert(kdb.Text("a", kdb.Trans(30500, 100)))

    found = Toy(edit=edit).signed(tmp_path)
    assert found.connections == ("port a is in two parts",)
    only(found, "1 faults of connection")


def test_a_pin_in_two_parts_is_found(tmp_path: Path) -> None:
    """Both reached from above the cell."""

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        metal1, box = layout.layer(11, 0), kdb.Box(0, 60000, 1000, 61000)
        inverter = layout.cell("INV_X1").shapes(metal1)
        inverter.insert(box)
        inverter.insert(kdb.Text("A", kdb.Trans(500, 60500)))
        top.shapes(metal1).insert(box.moved(13300, 0))

    said = Toy(edit=edit).signed(tmp_path).connections
    assert said == ("INV_X1 at 1.33, 0.00: pin A is in two parts",)


def test_a_port_on_metal_of_a_cell_is_found(tmp_path: Path) -> None:
    """Nothing of the top leads there."""

    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        layout.cell("INV_X1").shapes(layout.layer(13, 0)).insert(kdb.Box(0, 60000, 1000, 61000))
        top.shapes(layout.layer(239, 0)).insert(kdb.Text("q", kdb.Trans(13800, 60500)))

    said = Toy(edit=edit).signed(tmp_path).connections
    assert said == ("port q: its label is on a cell's own metal",)


def test_a_port_that_nothing_is_at_needs_a_shape(tmp_path: Path) -> None:
    verilog = VERILOG.replace(" a, b", " idle, a, b", 1).replace(
        "input a", "input [1:0] idle; input a"
    )
    toy = Toy()
    toy.draw("metal2", 2.2, 0.3, 2.4, 0.5)
    toy.labels["idle[1]"] = (2.3, 0.4)
    found = toy.signed(tmp_path, verilog)
    assert found.compared.mismatches == ("port idle[0] of the schematic only",)
    toy.draw("metal2", 2.6, 0.3, 2.8, 0.5)
    toy.labels["idle[0]"] = (2.7, 0.4)
    found = toy.signed(tmp_path, verilog)
    only(found)
    assert found.compared.ports == (10, 10, 10)


@pytest.mark.parametrize("seed", range(4))
def test_a_supply_that_is_open_is_found(tmp_path: Path, seed: int) -> None:
    """Without any cut of one of its pillars, without its strap, or without its name."""
    random, toy = Random(seed), Toy()
    cuts = [one for one in toy.pieces if one.net == "VDD" and one.layer.startswith("via")]
    toy.pieces.remove(random.choice([*cuts, toy.piece("metal7", "VDD")]))
    found = toy.signed(tmp_path)
    assert "VDD is 2 nets" in found.wrong()
    assert next(one for one in found.supplies if one.name == "VSS").parts == 1


@pytest.mark.parametrize("name", ["VDD", "VSS"])
def test_a_supply_without_a_pin_is_found(tmp_path: Path, name: str) -> None:
    def edit(layout: kdb.Layout, top: kdb.Cell) -> None:
        texts = [one for one in top.each_shape(layout.layer(23, 0)) if one.is_text()]
        next(one for one in texts if one.text_string == name).delete()

    found = Toy(edit=edit).signed(tmp_path)
    assert f"port {name} of the schematic only" in found.compared.mismatches


def test_a_cell_at_the_other_supply_is_found(tmp_path: Path) -> None:
    """In the netlist alone."""
    verilog = VERILOG.replace(".VDD(VDD), .VSS(VSS), .A1", ".VDD(VSS), .VSS(VDD), .A1")
    found = Toy().signed(tmp_path, verilog)
    assert any("NAND2_X1" in one for one in found.compared.mismatches)


PINS = {"ONE": "AY", "TWO": "ABY", "THREE": "CABY"}


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(6))
def test_a_random_circuit_is_like_itself_and_like_no_other(seed: int) -> None:
    """Cells of three kinds between ports, in another order and under other names and numbers of
    nets; then one pin is at another net, two ports are swapped, or a cell is of another kind."""
    rng = Random(seed)
    ports = {f"p{number}": number for number in range(9)}
    parts = []
    for number in range(12):
        master = rng.choice([*PINS])
        nets = rng.sample([*ports.values()], len(PINS[master]))
        parts.append(Part(f"c{number}", master, dict(zip(PINS[master], nets, strict=True))))
    used = {net for part in parts for net in part.pins.values()}
    ports = {name: net for name, net in ports.items() if net in used}
    renamed = {net: 90 - 3 * net for net in used}
    other = [
        Part(f"x{part.name}", part.master, {pin: renamed[net] for pin, net in part.pins.items()})
        for part in rng.sample(parts, len(parts))
    ]
    names = {name: renamed[net] for name, net in ports.items()}
    layout = Circuit("toy", ports, parts)
    found = compare(layout, Circuit("toy", names, other))
    assert found.mismatches == ()
    assert found.nets == (len(used),) * 3
    assert (found.cells, found.ports) == ((12, 12, 12), (len(ports),) * 3)
    victim = rng.randrange(12)
    part = other[victim]
    pin = rng.choice([*part.pins])
    elsewhere = rng.choice([net for net in names.values() if net != part.pins[pin]])
    kind = rng.choice([one for one in PINS if one != part.master and len(PINS[one]) > 2] or ["TWO"])
    swapped = [*names.values()]
    swapped[1], swapped[3] = swapped[3], swapped[1]
    for moved_parts, moved_ports in (
        ([part._replace(pins=part.pins | {pin: elsewhere})], names),
        ([part._replace(master=kind)], names),
        ([part], dict(zip(names, swapped, strict=True))),
    ):
        changed = [*other[:victim], *moved_parts, *other[victim + 1 :]]
        assert compare(layout, Circuit("toy", moved_ports, changed)).mismatches


def test_a_port_that_nothing_is_at_may_have_a_shape() -> None:
    """It is a port of both sides then, unless there is something at it in the layout."""
    inner, out = 2, 3
    cells = [Part("1", "INV", {"A": 1, "ZN": inner}), Part("2", "INV", {"A": inner, "ZN": out})]
    schematic = Circuit("toy", {"a": 1, "z": out, "idle": 4}, cells)
    for at, is_right in ((4, True), (inner, False)):
        found = compare(Circuit("toy", {"a": 1, "z": out, "idle": at}, cells), schematic)
        assert found.ports == (3, 3, 3)
        assert (found.mismatches == ()) == is_right


def test_pins_without_a_net_are_alike_on_both_sides(tmp_path: Path) -> None:
    """The last inverter's output leads nowhere."""
    verilog = VERILOG.replace(", z)", ")").replace("y, z;", "y;").replace(", .ZN(z)", "")
    toy = Toy()
    del toy.labels["z"]
    found = toy.signed(tmp_path, verilog)
    only(found)
    assert found.compared.nets == (8, 8, 8)


def test_assigned_names_are_one_net(tmp_path: Path) -> None:
    verilog = VERILOG.replace("wire inner;", "wire inner, same; assign same = inner;")
    only(Toy().signed(tmp_path, verilog.replace(".A(inner)", ".A(same)")))


def test_a_constant_port_is_in_no_layout(tmp_path: Path) -> None:
    """If it is, something is at it that should not be."""
    only(Toy().signed(tmp_path, VERILOG.replace("y, z", "y, z, low").replace(END, LOW + END)))
    verilog = VERILOG.replace("third (.A(inner), .ZN(z))", "third (.A(inner))")
    tied = verilog.replace(END, "assign z = 1'b0; " + END)
    found = Toy().signed(tmp_path, tied)
    assert "port z of the layout only" in found.compared.mismatches


def test_what_cannot_be_checked_is_said(tmp_path: Path) -> None:
    rules = read_rules(rules_path("nangate45"))
    gds, verilog = tmp_path / "layout.gds", tmp_path / "layout.v"
    Toy().write(gds)
    verilog.write_text("module other; endmodule")
    with pytest.raises(RunError, match=r"layout\.v has no module toy"):
        sign_off(gds, verilog, [LIBRARY], rules)
    verilog.write_text("module toy(")
    with pytest.raises(RunError, match=r"layout\.v cannot be read: .*ERROR: syntax error"):
        sign_off(gds, verilog, [LIBRARY], rules)
    gds.write_text("none")
    with pytest.raises(RunError, match=r"layout\.gds cannot be read"):
        sign_off(gds, verilog, [LIBRARY], rules)
    with pytest.raises(RunError, match=r"stdcells\.gds has 135 top cells"):
        sign_off(LIBRARY, verilog, [LIBRARY], rules)
