"""Sign-off of what the flow lays out."""

import re
from collections.abc import Callable
from pathlib import Path

import klayout.db as kdb
import pytest

from flow.signoff.compare import compare
from flow.signoff.extraction import extract
from flow.signoff.rulefile import read_rules, rules_path
from flow.signoff.schematic import read_schematic
from flow.signoff.signed import Signed, sign_off
from tests.flow.runs import folder_of, kept_run
from tests.flow.signoff_toy import LIBRARY
from tests.flow.test_layout import TINY, recorded


@pytest.fixture(scope="module")
def files() -> Path:
    """The files of the layout that test_layout.py looks at."""
    run = kept_run(TINY, "Mac", recorded(), to="layout_energy", recipes=["area+booth"])
    return folder_of(run, "layout") / "outputs"


def signed(gds: Path, files: Path) -> Signed:
    """What sign-off says of a GDS file, beside the netlist that the flow left."""
    return sign_off(gds, files / "powered.v", [LIBRARY], read_rules(rules_path("nangate45")))


def test_the_flow_lays_out_what_its_netlist_says(files: Path) -> None:
    found = signed(files / "layout.gds", files)
    assert found.compared.mismatches == found.connections == found.cells == ()
    layout, netlist, matched = found.compared.cells
    assert layout == netlist == matched > 100
    assert not [one for one in found.rules if one.violations]


def test_the_layout_is_clean(files: Path) -> None:
    assert [*signed(files / "layout.gds", files).wrong()] == []


def test_a_filler_that_is_missing_breaks_the_lowest_rail(files: Path, tmp_path: Path) -> None:
    """Other rails are those of two rows."""
    layout, gds = kdb.Layout(), tmp_path / "layout.gds"
    layout.read(str(files / "layout.gds"))
    edge = layout.top_cell().bbox().right
    fillers = [one for one in layout.top_cell().each_inst() if one.cell.name.startswith("FILL")]
    low = min(one.bbox().bottom for one in fillers)
    lowest = [one for one in fillers if one.bbox().bottom == low]
    next(one for one in lowest if edge < 4 * one.bbox().left < 3 * edge).delete()
    layout.write(str(gds))
    wrong = " ".join(map(str, signed(gds, files).wrong()))
    assert "VDD" in wrong or "VSS" in wrong


VIA2, METAL3 = 14, 15


def longest(layout: kdb.Layout, layer: int) -> kdb.Shape:
    """The longest wire of a layer."""
    shapes = layout.top_cell().each_shape(layout.layer(layer, 0))
    return max(shapes, key=lambda shape: shape.bbox().width())


def without_a_via(layout: kdb.Layout) -> None:
    """Take a via2 out."""
    next(layout.top_cell().each_shape(layout.layer(VIA2, 0))).delete()


def without_a_wire(layout: kdb.Layout) -> None:
    """Take the longest wire of metal3 out."""
    longest(layout, METAL3).delete()


def with_a_short(layout: kdb.Layout) -> None:
    """Join the longest wire of metal3 to the one next above it."""
    layer, top = layout.layer(METAL3, 0), layout.top_cell()
    wire = longest(layout, METAL3).bbox()
    others = (shape.bbox() for shape in top.each_shape(layer))
    above = [
        o for o in others if o.bottom > wire.top and o.left < wire.right and o.right > wire.left
    ]
    near = min(above, key=lambda box: box.bottom)
    x = max(wire.left, near.left)
    top.shapes(layer).insert(kdb.Box(x, wire.bottom, x + 700, near.top))


def swapped(verilog: str) -> str:
    """Swap the inputs of a NAND in the netlist."""
    at = re.compile(r"(NAND2_X1 .*?\.A1\()(.*?)(\).*?\.A2\()(.*?)(\))")
    assert at.search(verilog)
    return at.sub(r"\1\4\3\2\5", verilog, count=1)


def of_another_kind(verilog: str) -> str:
    """Make a NAND of the netlist a NOR."""
    return verilog.replace("NAND2_X1 ", "NOR2_X1 ", 1)


@pytest.mark.parametrize("edit", [without_a_via, without_a_wire, with_a_short])
def test_faults_planted_in_the_layout_are_found(
    files: Path, edit: Callable[[kdb.Layout], None]
) -> None:
    layout = kdb.Layout()
    layout.read(str(files / "layout.gds"))
    edit(layout)
    assert differences(layout, files / "powered.v") > 0


@pytest.mark.parametrize("edit", [swapped, of_another_kind])
def test_faults_planted_in_the_netlist_are_found(
    files: Path, tmp_path: Path, edit: Callable[[str], str]
) -> None:
    layout, verilog = kdb.Layout(), tmp_path / "powered.v"
    layout.read(str(files / "layout.gds"))
    verilog.write_text(edit((files / "powered.v").read_text()))
    assert differences(layout, verilog) > 0


def differences(layout: kdb.Layout, verilog: Path) -> int:
    """How much of a layout is not as the netlist says."""
    rules = read_rules(rules_path("nangate45"))
    found = extract(layout.top_cell(), rules)
    schematic = read_schematic(verilog, layout.top_cell().name)
    return len(found.wrong) + len(compare(found.circuit, schematic).mismatches)
