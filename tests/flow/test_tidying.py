"""A router's pieces made one net's wires, pins' strips, and what a DEF file says of it, by hand."""

from pathlib import Path

import pytest

from flow.layout.deffile import escaped, write_def
from flow.layout.design import Access, Cell, Design
from flow.layout.lef import read_macros
from flow.layout.strips import CellShape, Strip, covered
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Tidier, Wires
from tests.flow.technology_lef import read_technology

pytestmark = pytest.mark.quick
# In units of 0.5 nm, from rtk-tech.lef: the half-sizes of the vias that are used.
VIAS = {
    "via1": {"metal1": (70, 140), "via1": (70, 70), "metal2": (70, 140)},
    "via2": {"metal2": (70, 140), "via2": (70, 70), "metal3": (140, 70)},
    "via3": {"metal3": (140, 70), "via3": (70, 70), "metal4": (140, 140)},
    "via4": {"metal4": (140, 140), "via4": (140, 140), "metal5": (140, 140)},
    "via5": {"metal5": (140, 140), "via5": (140, 140), "metal6": (140, 140)},
    "via6": {"metal6": (140, 140), "via6": (140, 140), "metal7": (140, 140)},  # within a strap
}
# Two ends on a track are as far apart as their cuts' metal needs: the spacing and twice 140.
GAPS = {"metal2": 420, "metal3": 420, "metal4": 560, "metal5": 560, "metal6": 560}
# Two cuts: width and spacing.
PITCHES = {"via1": 300, "via2": 320, "via3": 320, "via4": 600, "via5": 600, "via6": 600}


def test_the_shapes_of_vias_are_those_of_the_kit(stack: Stack) -> None:
    found = {cut: {layer: half for layer, *half in via.shapes} for cut, via in stack.vias.items()}
    assert found == {cut: {n: list(half) for n, half in of.items()} for cut, of in VIAS.items()}
    assert stack.half_width == {"metal1": 70, "metal2": 70, "metal3": 70} | dict.fromkeys(
        ("metal4", "metal5", "metal6"), 140
    )


def test_what_is_too_close_follows_from_them(stack: Stack) -> None:
    tidier = Tidier(stack)
    assert tidier.gap == GAPS
    assert tidier.cut_pitch == PITCHES


@pytest.mark.parametrize("metal", ["metal3", "metal4", "metal5", "metal6"])
@pytest.mark.parametrize("under", [0, 1])
def test_pieces_that_are_too_close_on_a_track_are_one(stack: Stack, metal: str, under: int) -> None:
    ends = (0, 2000), (2000 + GAPS[metal] - under, 5000)
    if metal in ("metal3", "metal5"):
        segments = [(metal, a, 2800, b, 2800) for a, b in ends]
    else:
        segments = [(metal, 2800, b, 2800, a) for a, b in ends]  # either end first
    wires = Tidier(stack).tidy(segments, [], [])
    expected = {(metal, 2800): [(0, 5000)] if under else list(ends)}
    assert wires.h | wires.v == expected
    assert bool(wires.h) == (metal in ("metal3", "metal5"))
    assert wires.length(metal) == (5000 if under else 5000 - GAPS[metal])
    assert sorted(wires.segments()) == sorted(
        (metal, a, 2800, b, 2800) if wires.h else (metal, 2800, a, 2800, b)
        for a, b in expected[metal, 2800]
    )


@pytest.mark.parametrize("cut", ["via2", "via3", "via4", "via5"])
@pytest.mark.parametrize("across", [True, False])
def test_of_two_cuts_that_are_too_close_one_is_left(stack: Stack, cut: str, across: bool) -> None:
    """And wire between on the metals above metal2."""
    for apart, left in ((PITCHES[cut], 2), (PITCHES[cut] - 1, 1)):
        places = [(1000 + apart, 2800), (1000, 2800)]
        cuts = [(cut, x, y) if across else (cut, y, x) for x, y in places]
        wires = Tidier(stack).tidy([], cuts, [])
        assert len(wires.cuts) == left
        if left == 1:
            assert wires.cuts == {(cut, 1000, 2800) if across else (cut, 2800, 1000)}
            tracks = wires.h if across else wires.v
            metals = {metal for metal, _ in tracks}
            number = int(cut[-1])
            assert metals == {f"metal{n}" for n in (number, number + 1) if n > 2}
            assert all(spans == [(1000, 1000 + apart)] for spans in tracks.values())


def test_of_three_cuts_in_a_row_the_outer_ones_may_stay(stack: Stack) -> None:
    cuts = [("via3", x, 2800) for x in (1000, 1200, 1400)]
    assert Tidier(stack).tidy([], cuts, []).cuts == {("via3", 1000, 2800), ("via3", 1400, 2800)}


def test_pieces_without_length_and_on_metal2_are_left_out(stack: Stack) -> None:
    segments = [("metal3", 5, 5, 5, 5), ("metal2", 0, 0, 0, 900), ("metal4", 7, 0, 7, 900)]
    wires = Tidier(stack).tidy(segments, [("via1", 3, 3)], [])
    assert (wires.h, wires.v, wires.cuts) == ({}, {("metal4", 7): [(0, 900)]}, set())


def test_pins_are_reached_along_their_strips(stack: Stack) -> None:
    """From via1 to the farthest via2 on the strip; a port has no via1."""
    at = Access(1140, 200, 2600, 1000)
    for is_port in (False, True):
        pin = PinAt(0, "A", at, is_port)
        cuts = [("via2", 1140, y) for y in (560, 1680, 2800)] + [("via2", 1520, 1400)]
        wires = Tidier(stack).tidy([], cuts, [pin])
        assert wires.v["metal2", 1140] == [(560, 1680)]
        assert (("via1", 1140, 1000) in wires.cuts) == (not is_port)
    alone = Tidier(stack).tidy([], [], [PinAt(0, "A", at, False)])
    assert (alone.v, alone.cuts) == ({}, {("via1", 1140, 1000)})
    ends = Tidier(stack).tidy(
        [], [("via2", 1140, 200), ("via2", 1140, 2600)], [PinAt(0, "A", at, True)]
    )
    assert ends.v["metal2", 1140] == [(200, 2600)]


L_SHAPE = [(0, 0), (100, 0), (100, 40), (40, 40), (40, 90), (0, 90)]


@pytest.mark.parametrize(
    ("left", "right", "spans"),
    [
        (0, 40, [(0, 90)]),
        (0, 41, [(0, 40)]),
        (40, 100, [(0, 40)]),
        (10, 20, [(0, 90)]),
        (-1, 20, []),
        (50, 101, []),
    ],
)
def test_what_a_polygon_covers(left: int, right: int, spans: list) -> None:
    assert covered(L_SHAPE, left, right) == spans


def test_a_polygon_with_a_notch_covers_two_spans() -> None:
    notched = [(0, 0), (100, 0), (100, 30), (50, 30), (50, 60), (100, 60), (100, 90), (0, 90)]
    assert covered(notched, 60, 90) == [(0, 30), (60, 90)]
    assert covered(notched, 0, 50) == [(0, 90)]


LEF = """MACRO GATE
  CLASS CORE ;
  SIZE 0.57 BY 1.4 ;
  PIN A
    DIRECTION INPUT ;
    USE SIGNAL ;
    PORT
      LAYER metal1 ;
      POLYGON 0.06 0.525 0.185 0.525 0.185 0.7 0.06 0.7 ;
    END
  END A
  PIN VDD
    DIRECTION INOUT ;
    USE POWER ;
  END VDD
  OBS
    LAYER metal1 ;
    POLYGON 0 0 1 0 1 1 0 1 ;
  END
END GATE
"""
RULES = """LAYER metal9
  TYPE ROUTING ;
  SPACINGTABLE
    PARALLELRUNLENGTH 0.0 0.3
      WIDTH 0.0000 0.0900 0.1100
      WIDTH 0.2700 0.2700 0.3000 ;
  WIDTH 0.07 ;
  PITCH 0.19 ;
  RESISTANCE RPERSQ 0.25 ;
  CAPACITANCE CPERSQDIST 4.0896e-05 ;
  EDGECAPACITANCE 2.5157e-05 ;
END metal9
LAYER via9
  TYPE CUT ;
  SPACING 0.16 ;
  WIDTH 0.14 ;
  RESISTANCE 3 ;
END via9
VIA via9_0 DEFAULT
  LAYER via9 ;
    RECT -0.07 -0.06 0.07 0.06 ;
  LAYER metal9 ;
    RECT -0.075 -0.035 0.075 0.035 ;
END via9_0
"""


def test_cells_and_rules_are_read_in_our_units(tmp_path: Path) -> None:
    (tmp_path / "cells.lef").write_text(LEF)
    gate = read_macros([tmp_path / "cells.lef"], "metal1", "metal2")["GATE"]
    assert gate.width == 1140
    assert gate.pins["A"].polygons == [[(120, 1050), (370, 1050), (370, 1400), (120, 1400)]]
    assert [*gate.signals()] == ["A"]
    assert (gate.pins["A"].direction, gate.pins["VDD"].direction) == ("input", "inout")
    (tmp_path / "rules.lef").write_text(RULES)
    layers, vias = read_technology(tmp_path / "rules.lef")
    metal, cut = layers["metal9"], layers["via9"]
    assert (metal.width, metal.spacing, metal.pitch, metal.resistance) == (140, 180, 380, 0.25)
    assert (metal.area_capacitance, metal.edge_capacitance) == (4.0896e-05, 2.5157e-05)
    assert (cut.width, cut.spacing, cut.resistance) == (280, 320, 3.0)
    assert vias == {"via9_0": {"via9": (140, 120), "metal9": (150, 70)}}


SHAPES = {
    "INV_X1": CellShape(760, {"A": Strip(190, 1000), "ZN": Strip(570, 1000)}, {}),
    "IOPORT_I": CellShape(380, {"P": Strip(190, 1400)}, {"P": "output"}),
    "IOPORT_O": CellShape(380, {"P": Strip(190, 1400)}, {"P": "input"}),
}


def test_def_says_where_all_is(stack: Stack, tmp_path: Path) -> None:
    cells = [Cell("u[0]/g", "INV_X1", 3, 1, "FS"), Cell("a", "IOPORT_I", 0, 0)]
    cells.append(Cell("y", "IOPORT_O", 9, 1, "FS"))
    nets = {"a": [(1, "P"), (0, "A")], "y": [(0, "ZN"), (2, "P")]}
    design = Design("Top", 10, 2, {}, cells, nets, SHAPES)
    pins = [PinAt(c, p, design.access(c, p), cells[c].is_port) for c, p in nets["a"]]
    wires = Wires(pins, {("metal3", 1400): [(190, 1330)]}, {("metal2", 1330): [(1400, 4600)]})
    wires.cuts = {("via2", 190, 1400), ("via1", 1330, 4600)}
    write_def(tmp_path / "top.def", stack, design, {"a": wires, "y": Wires([])})
    lines = [line.strip() for line in (tmp_path / "top.def").read_text().splitlines()]
    site = "FreePDK45_38x28_10R_NP_162NW_34O"
    for said in (
        "UNITS DISTANCE MICRONS 2000 ;",
        "DIEAREA ( 0 0 ) ( 3800 5600 ) ;",
        f"ROW row_0 {site} 0 0 N DO 10 BY 1 STEP 380 0 ;",
        f"ROW row_1 {site} 0 2800 FS DO 10 BY 1 STEP 380 0 ;",
        "- our_via2 + RECT metal2 ( -70 -140 ) ( 70 140 ) + RECT via2 ( -70 -70 ) ( 70 70 )"
        " + RECT metal3 ( -140 -70 ) ( 140 70 ) ;",
        r"- u\[0\]\/g INV_X1 + PLACED ( 1140 2800 ) FS ;",
        "COMPONENTS 7 ;",
        "- filler_0 FILLCELL_X8 + PLACED ( 0 0 ) N ;",
        "- filler_1 FILLCELL_X2 + PLACED ( 3040 0 ) N ;",
        "- filler_2 FILLCELL_X2 + PLACED ( 0 2800 ) FS ;",
        "- filler_3 FILLCELL_X1 + PLACED ( 760 2800 ) FS ;",
        "- filler_4 FILLCELL_X4 + PLACED ( 1900 2800 ) FS ;",
        "PINS 4 ;",
        "- a + NET a + DIRECTION INPUT + USE SIGNAL + LAYER metal2 ( -190 -1260 ) ( 70 1260 )"
        " + PLACED ( 190 1400 ) N ;",
        "- y + NET y + DIRECTION OUTPUT + USE SIGNAL + LAYER metal2 ( -70 -1260 ) ( 190 1260 )"
        " + PLACED ( 3610 4200 ) N ;",
        "( PIN a )",
        r"( u\[0\]\/g A )",
        "+ ROUTED metal3 ( 190 1400 ) ( 1330 * )",
        "NEW metal2 ( 1330 1400 ) ( * 4600 )",
        "NEW metal1 ( 1330 4600 ) our_via1",
        "NEW metal2 ( 190 1400 ) our_via2 ;",
    ):
        assert said in lines, said
    assert lines[-1] == "END DESIGN"
    assert escaped(r"a[1]/b\c") == r"a\[1\]\/b\\c"
