"""Ports and supplies of a layout, as its GDS, LEF, DEF and Verilog files have them."""

from pathlib import Path

import klayout.db as kdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flow.layout.abstract import write_abstract
from flow.layout.design import Cell, Design
from flow.layout.gds import GdsWriter
from flow.layout.lef import UNITS_PER_UM, units
from flow.layout.placement import port_places, row_orientation
from flow.layout.ports import ports_of
from flow.layout.straps import strap_shapes
from flow.layout.strips import IO_INPUT, IO_OUTPUT, port_slots, read_cells
from flow.layout.technology import stack_of
from flow.netlist import Port
from flow.signoff.circuit import Part
from flow.signoff.schematic import read_schematic

pytestmark = pytest.mark.quick
TECHS = ["nangate45", "osu018", "sky130"]


def with_ports(tech: str, count: int, rows: int = 8, sites: int = 200) -> Design:
    """Inputs and outputs in turn, each of a net of its own, in a core without cells."""
    stack = stack_of(tech)
    shapes = read_cells(stack, [])
    design = Design("Top", sites, rows, {}, shapes=shapes, tech=tech)
    slots = len(port_slots(stack))
    for number, (site, row, slot) in enumerate(port_places(count, rows, sites, slots)):
        kind = (IO_INPUT, IO_OUTPUT)[number % 2]
        port = Cell(f"p{number}", f"{kind}{slot or ''}", site, row, row_orientation(row))
        design.cells.append(port)
        design.nets[port.name] = [(number, "P")]
        design.ports[port.name] = Port(bool(number % 2), (2 + number,))
    return design


@pytest.mark.parametrize("tech", TECHS)
def test_places_of_ports_are_apart_and_reached_by_vias(tech: str) -> None:
    """Wherever the tracks of the first wires are, one of them is at each place."""
    stack = stack_of(tech)
    slots, pitch = port_slots(stack), stack.pitch(stack.routed[0])
    apart = stack.spacing[stack.pin_metal]
    assert len(slots) > 1
    for low, high in slots:
        assert high - low - 2 * stack.reach >= pitch
        assert (high - low) / UNITS_PER_UM >= stack.rules.strips.least_um
    for (_, high), (low, _) in zip(slots, slots[1:], strict=False):
        assert low - high >= apart
    end = units(stack.rules.strips.end_um)
    assert slots[0][0] >= end
    assert slots[-1][1] <= stack.row_height - end


@given(tech=st.sampled_from(TECHS), count=st.integers(1, 32))
def test_ports_reach_the_edge_and_keep_their_distance(tech: str, count: int) -> None:
    design = with_ports(tech, count)
    stack, region, areas = design.stack, kdb.Region(), []
    for _, _, at, (metal, left, low, right, high) in ports_of(design):
        assert metal == stack.pin_metal
        assert (left == 0) != (right == design.width)
        assert left <= at.x - stack.half_width[metal] < at.x + stack.half_width[metal] <= right
        assert (low, high) == (at.bottom, at.top)
        region.insert(kdb.Box(left, low, right, high))
        areas.append((right - left) * (high - low) / UNITS_PER_UM**2)
    region.merged_semantics = False
    assert region.merged().count() == count
    assert region.merged().space_check(stack.spacing[stack.pin_metal]).count() == 0
    assert min(areas) >= stack.layers[stack.pin_metal].area


def test_gds_has_pins_with_their_purpose(tmp_path: Path) -> None:
    """In SKY130 the shape of a pin is on its metal and on that of pins, and its name on the latter
    and on that of labels."""
    design = with_ports("sky130", 5)
    library = kdb.Layout()
    for number in (1, 2, 4, 8):
        library.create_cell(f"sky130_fd_sc_hd__fill_{number}")
    library.create_cell("sky130_fd_sc_hd__tapvpwrvgnd_1")
    library.write(str(tmp_path / "cells.gds"))
    GdsWriter([tmp_path / "cells.gds"], design.stack).write(design, {}, tmp_path / "top.gds")
    layout = kdb.Layout()
    layout.read(str(tmp_path / "top.gds"))
    [top] = layout.top_cells()

    def boxes(*layer: int) -> set[tuple[int, ...]]:
        found = (one.bbox() for one in top.each_shape(layout.layer(*layer)) if not one.is_text())
        scale = layout.dbu * UNITS_PER_UM
        return {
            tuple(round(side * scale) for side in (b.left, b.bottom, b.right, b.top)) for b in found
        }

    def names(*layer: int) -> list[str]:
        found = (one for one in top.each_shape(layout.layer(*layer)) if one.is_text())
        return sorted(one.text_string for one in found)

    ports = {shape[1:] for *_, shape in ports_of(design)}
    straps = {box[1:] for shapes in strap_shapes(design).values() for box in shapes}
    assert boxes(68, 16) == ports
    assert ports <= boxes(68, 20)
    assert boxes(72, 16) == straps <= boxes(72, 20)
    assert names(68, 16) == names(68, 5) == [f"p{number}" for number in range(5)]
    assert names(72, 16) == names(72, 5) == ["VGND", "VPWR"]


@pytest.mark.parametrize("tech", TECHS)
def test_lef_has_all_pins_where_they_are(tech: str, tmp_path: Path) -> None:
    """Pins are the shapes drawn, nothing is in the way of one, and all else is."""
    design = with_ports(tech, 7, sites=6001)
    stack = design.stack
    write_abstract(tmp_path / "top.lef", design)
    text = (tmp_path / "top.lef").read_text()
    assert f"SIZE {design.width / 2000:.10g} BY {design.height / 2000:.10g} ;" in text
    pins: dict[str, list[tuple[str, ...]]] = {}
    blocked: dict[str, kdb.Region] = {}
    name = layer = ""
    for line in text.splitlines():
        word, *rest = line.split() or [""]
        if word in ("PIN", "OBS"):
            name = rest[0] if rest else ""
        elif word == "LAYER":
            layer = rest[0]
        elif word == "RECT":
            box = tuple(round(float(side) * UNITS_PER_UM) for side in rest[:4])
            if name:
                pins.setdefault(name, []).append((layer, *box))
            else:
                blocked.setdefault(layer, kdb.Region()).insert(kdb.Box(*box))
    expected = {cell.name: [shape] for cell, _, _, shape in ports_of(design)}
    expected |= {stack.supplies[name]: boxes for name, boxes in strap_shapes(design).items()}
    assert pins == expected
    assert blocked.keys() == {*stack.metals}
    for boxes in pins.values():
        for layer, *box in boxes:
            if layer in blocked:
                near = kdb.Region(kdb.Box(*box)).sized(stack.spacing[layer] - 1)
                assert (blocked[layer] & near).is_empty()
    whole = kdb.Region(kdb.Box(0, 0, design.width, design.height))
    assert (whole - blocked[stack.routed[0]]).is_empty()
    assert text.count("DIRECTION INPUT ;") == 4
    assert text.count("DIRECTION OUTPUT ;") == 3
    assert text.count("USE POWER ;") == text.count("USE GROUND ;") == 1
    assert text.endswith("END Top\nEND LIBRARY\n")


def test_a_netlist_with_supplies(tmp_path: Path) -> None:
    """All cells have them, wells included; the netlist without is as it was."""
    design = with_ports("sky130", 2)
    design.cells += [Cell("one", "INV"), Cell("two", "INV")]
    design.nets = {
        "p0": [(0, "P"), (2, "A")],
        "n": [(2, "Y"), (3, "A")],
        "p1": [(3, "Y"), (1, "P")],
    }
    plain, powered = design.netlist(), design.powered()
    powered.write_verilog(tmp_path / "powered.v")
    found = read_schematic(tmp_path / "powered.v", "Top")
    power, ground = found.ports["VPWR"], found.ports["VGND"]
    supplies = {"VPWR": power, "VPB": power, "VGND": ground, "VNB": ground}
    assert power != ground
    assert [part.pins | supplies for part in found.parts] == [part.pins for part in found.parts]
    assert len(design.netlist().ports) == len(plain.ports) == 2
    plain.write_verilog(tmp_path / "plain.v")
    without = read_schematic(tmp_path / "powered.v", "Top", supplies)
    of_plain = read_schematic(tmp_path / "plain.v", "Top")

    def ends(parts: list[Part]) -> list[tuple[str, str, list[str]]]:
        return [(part.name, part.master, [*part.pins]) for part in parts]

    assert ends(without.parts) == ends(of_plain.parts)
