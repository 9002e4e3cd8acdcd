"""What is drawn of a small layout: cells as they are turned, wires, labels and the border in a GDS
file, and the areas of the colours of a picture."""

from pathlib import Path

import klayout.db as kdb
import pytest

from flow.layout import plot
from flow.layout.design import Cell, Design
from flow.layout.gds import GdsWriter, fillers
from flow.layout.routes import pins_of
from flow.layout.technology import Stack
from flow.layout.wires import Wires
from tests.flow.test_placing import ROW, SHAPES, SITE, shape

pytestmark = pytest.mark.quick
MARK = (0, 0, 100, 200)  # at the lower left of each cell, units of 0.5 nm
FILLERS = [f"FILLCELL_X{sites}" for sites in (1, 2, 4, 8, 16, 32)]
UNIT_UM = 0.0005


def library(folder: Path, dbu: float, *cells: str) -> Path:
    """A file with cells that have a mark on metal1."""
    layout, path = kdb.Layout(), folder / "cells.gds"
    layout.dbu = dbu
    for name in cells:
        box = kdb.DBox(*(UNIT_UM * at for at in MARK)).to_itype(dbu)
        layout.create_cell(name).shapes(layout.layer(11, 0)).insert(box)
    layout.write(str(path))
    return path


def design() -> Design:
    """Three inverters, turned in three ways, and ports on their nets, on two rows of 12 sites."""
    cells = [
        *(Cell("a", "INV", 3, 0), Cell("b", "INV", 5, 1, "FS"), Cell("c", "INV", 8, 0, "FN")),
        *(Cell("in", "IOPORT_I", 0, 1, "FS"), Cell("out", "IOPORT_O", 11, 0)),
    ]
    nets = {"in": [(3, "P"), (0, "A"), (1, "A")], "out": [(0, "ZN"), (4, "P")]}
    return Design("Top", 12, 2, {}, cells, nets, SHAPES)


def boxes(layout: kdb.Layout, layer: int, kind: int = 0) -> set[tuple[int, ...]]:
    """The boxes of a layer in the whole layout, in our units."""
    region = kdb.Region(layout.top_cell().begin_shapes_rec(layout.layer(layer, kind)))
    scale = layout.dbu / UNIT_UM
    return {
        tuple(round(scale * at) for at in (b.left, b.bottom, b.right, b.top))
        for b in (polygon.bbox() for polygon in region.each())
    }


@pytest.mark.usefixtures("strapless")
@pytest.mark.parametrize("dbu", [0.0005, 0.00025])
def test_cells_wires_and_labels_are_where_they_belong(
    stack: Stack, tmp_path: Path, dbu: float
) -> None:
    given, path = design(), tmp_path / "top.gds"
    files = [library(tmp_path, dbu, "INV", "UNUSED", *FILLERS)]
    pins = pins_of(given, given.nets["in"])
    wires = Wires(pins, {("metal3", 1400): [(400, 1400)]}, {}, {("via2", 400, 1400)})
    GdsWriter(files, stack).write(given, {"in": wires}, path)
    layout = kdb.Layout()
    layout.read(str(path))
    assert [cell.name for cell in layout.top_cells()] == ["Top"]
    marks = boxes(layout, 11)
    # As it is; upside down at the top of the second row; and right for left.
    assert (3 * SITE, 0, 3 * SITE + 100, 200) in marks
    assert (5 * SITE, 2 * ROW - 200, 5 * SITE + 100, 2 * ROW) in marks
    assert (10 * SITE - 100, 0, 10 * SITE, 200) in marks
    assert len(marks) == 3 + len([*fillers(given)])
    # Half as wide beyond its ends as it is wide, and the cut with its pad.
    assert boxes(layout, 15) == {(330, 1330, 1470, 1470), (400 - 140, 1330, 400 + 140, 1470)}
    assert boxes(layout, 14) == {(330, 1330, 470, 1470)}
    drawn = stack.rules.drawn
    assert boxes(layout, *drawn.border) == {(0, 0, 12 * SITE, 2 * ROW)}
    texts = layout.top_cell().shapes(layout.layer(*drawn.label))
    found = {
        text.string: (round(text.x / UNIT_UM), round(text.y / UNIT_UM))
        for text in (one.dtext for one in texts.each())
    }
    ports = {name: given.access(cell, "P") for name, cell in (("in", 3), ("out", 4))}
    assert found == {name: (at.x, at.via) for name, at in ports.items()}
    assert ports["in"].via == 2 * ROW - 1000


def test_a_cell_that_the_library_lacks_is_named(stack: Stack, tmp_path: Path) -> None:
    files = [library(tmp_path, 0.0005, *FILLERS)]
    with pytest.raises(ValueError, match="the library's GDS has no INV"):
        GdsWriter(files, stack).write(design(), {}, tmp_path / "top.gds")


def test_a_filler_is_as_wide_as_its_cell() -> None:
    """Where the LEF has one of three sites for four: the rest is filled by others."""
    given = Design("Top", 8, 1, {}, [Cell("a", "INV", 0, 0)], {}, SHAPES)
    usual = [(cell.master, cell.site) for cell in fillers(given)]
    assert usual == [("FILLCELL_X4", 2), ("FILLCELL_X2", 6)]
    given.shapes = {**SHAPES, "FILLCELL_X4": shape(3, "", "")}
    narrow = [(cell.master, cell.site) for cell in fillers(given)]
    assert narrow == [("FILLCELL_X4", 2), ("FILLCELL_X2", 5), ("FILLCELL_X1", 7)]


def test_areas_of_colours_are_those_of_their_cells() -> None:
    """Sites of 0.19 um by 1.4 um; ports have none, and each cell one colour."""
    cells = [Cell("a", "INV"), Cell("u.b", "DFF"), Cell("u.c", "NAND"), Cell("p", "IOPORT_I")]
    cells += [Cell("clock_buffer_0", "CLKBUF_X3"), Cell("clock_buffer_1", "BUF_X8")]
    cells += [Cell(f"{kind}_buffer_0", "BUF_X2") for kind in ("fanout", "port", "hold")]
    given = Design("Top", 99, 1, {}, cells, {}, SHAPES)
    owners = {"a": ("", "Top"), "u.b": ("u", "Unit"), "u.c": ("u", "Unit")}
    parts, legend = plot.colouring(given, owners)
    sites = {name: area / 0.19 / 1.4 for name, area, _ in legend}
    own = sum(value for name, value in sites.items() if name not in ADDED)
    assert own == pytest.approx(2 + 9 + 3, abs=0.01)
    assert {name: sites[name] for name in ADDED} == pytest.approx(
        {"clock tree": 5 + 7, "other buffers": 3 * 3, "ports": 0}, abs=0.01
    )
    assert parts.keys() == {cell.name for cell in cells}
    assert {parts[f"{kind}_buffer_0"].name for kind in ("fanout", "port", "hold")} == {
        "other buffers"
    }
    assert plot._label("a", 25.0, 200.0) == "a  25 um2, 12%"


ADDED = ("clock tree", "other buffers", "ports")
