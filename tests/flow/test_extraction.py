"""Wires' ohms by hand, from the figures of the kit's LEF file; femtofarads from made-up tables."""

import re
from pathlib import Path

import pytest

from flow.layout.connected import Edge, graph, is_open
from flow.layout.design import Access, Cell, Design
from flow.layout.parasitics import (
    LEAST_OHM,
    NetRC,
    Parasitics,
    extract_wires,
    resistance,
    write_spef,
)
from flow.layout.strips import CellShape
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Wires
from flow.technologies.wires import Between, Metal, WireTables

pytestmark = pytest.mark.quick
UM = 2000  # units

# From rtk-tech.lef: width and spacing, um; ohms a square.
METALS = {
    "metal2": (0.07, 0.07, 0.25),
    "metal3": (0.07, 0.07, 0.25),
    "metal4": (0.14, 0.14, 0.21),
    "metal5": (0.14, 0.14, 0.21),
    "metal6": (0.14, 0.14, 0.21),
}
# Width and spacing, um, and ohms of a cut.
CUTS = {
    "via1": (0.07, 0.08, 5),
    "via2": (0.07, 0.09, 5),
    "via3": (0.07, 0.09, 5),
    "via4": (0.14, 0.16, 3),
    "via5": (0.14, 0.16, 3),
}


def wire(metal: str, length: int) -> Edge:
    return Edge((metal, 0, 0), (metal, length, 0), metal, length)


@pytest.mark.parametrize("metal", METALS)
def test_a_piece_of_wire(stack: Stack, metal: str) -> None:
    width, spacing, ohms = METALS[metal]
    layer = stack.layers[metal]
    assert (layer.width, layer.spacing) == (round(width * UM), round(spacing * UM))
    assert resistance(stack, wire(metal, 10 * UM)) == pytest.approx(10 / width * ohms)
    assert resistance(stack, wire(metal, 0)) == LEAST_OHM == 0.001


def test_metal4_by_hand(stack: Stack) -> None:
    """71.43 squares of 0.21 ohm."""
    assert resistance(stack, wire("metal4", 10 * UM)) == pytest.approx(15.0)


@pytest.mark.parametrize("cut", CUTS)
def test_a_cut(stack: Stack, cut: str) -> None:
    width, spacing, ohms = CUTS[cut]
    layer = stack.layers[cut]
    assert (layer.width, layer.spacing) == (round(width * UM), round(spacing * UM))
    edge = Edge(("below", 0, 0), ("above", 0, 0), cut, 0)
    assert resistance(stack, edge) == ohms


LEFT, RIGHT, ROW = 1 * UM, 11 * UM, 3 * UM
PINS = [
    PinAt(0, "P", Access(LEFT, 0, 2 * ROW, 2 * UM), True),
    PinAt(1, "A", Access(RIGHT, 0, 2 * ROW, 1 * UM), False),
]


def net() -> Wires:
    """From a port 1 um up metal2, 10 um along metal3, 2 um down metal2 to a pin."""
    return Wires(
        list(PINS),
        {("metal3", ROW): [(LEFT, RIGHT)]},
        {("metal2", LEFT): [(2 * UM, ROW)], ("metal2", RIGHT): [(1 * UM, ROW)]},
        {("via1", RIGHT, 1 * UM), ("via2", LEFT, ROW), ("via2", RIGHT, ROW)},
    )


# fF/um of a wire alone.
M2, M3 = 0.08, 0.1
# Of wires of metal3 beside each other at 0.07 and 0.21 um: to the planes, and to each other.
SPACINGS, PLANES, SIDES = (0.07, 0.21), (0.04, 0.06), (0.05, 0.01)
HALF_M2 = HALF_M3 = 0.035  # um: wires go on for so much beyond their ends


def metal(alone: float, **more: object) -> Metal:
    """A metal whose wires see nothing but the plane below, unless `more` says otherwise."""
    between = (Between("metal1", "", PLANES, SIDES, alone),)
    return Metal(**{"spacing_um": SPACINGS, "seen": {}, "between": between} | more)


TABLES = WireTables(
    2.5,
    "metal1",
    {"metal2": metal(M2), **{f"metal{number}": metal(M3) for number in range(3, 7)}},
)
BEGIN, END = ("metal2", LEFT, 2 * UM), ("metal2", RIGHT, 1 * UM)
CORNERS = {(metal, x, ROW) for metal in ("metal2", "metal3") for x in (LEFT, RIGHT)}
ALONG = 10 / 0.07 * 0.25


def ohms(rc: NetRC) -> dict[frozenset, float]:
    return {frozenset((a, b)): ohm for a, b, ohm in rc.resistors}


def extracted(stack: Stack, tables: WireTables = TABLES, **nets: Wires) -> Parasitics:
    """Extract nets on a core of 28 by 28 um."""
    rows = 20
    design = Design("Small", round(rows * stack.row_height / stack.site_width), rows, {})
    return extract_wires(stack, tables, design, nets)


def one_net(stack: Stack, wires: Wires) -> NetRC:
    return extracted(stack, n=wires).nets["n"]


def test_a_net_of_three_pieces(stack: Stack) -> None:
    """Half of each piece's capacitance is at either end, its resistance between. Wires go on beyond
    their ends by half their width."""
    rc = one_net(stack, net())
    first, last, along = ((um + 2 * HALF_M3) / 2 for um in (1, 2, 10))
    assert rc.ground == pytest.approx(
        {
            BEGIN: first * M2,
            ("metal2", LEFT, ROW): first * M2,
            ("metal3", LEFT, ROW): along * M3,
            ("metal3", RIGHT, ROW): along * M3,
            ("metal2", RIGHT, ROW): last * M2,
            END: last * M2,
        }
    )
    assert rc.coupling == []
    assert rc.total == pytest.approx(3.14 * M2 + 10.07 * M3)
    square = 0.25 / 0.07
    assert ohms(rc) == pytest.approx(
        {
            frozenset((BEGIN, ("metal2", LEFT, ROW))): 1 * square,
            frozenset((("metal2", LEFT, ROW), ("metal3", LEFT, ROW))): 5,
            frozenset((("metal3", LEFT, ROW), ("metal3", RIGHT, ROW))): 10 * square,
            frozenset((("metal3", RIGHT, ROW), ("metal2", RIGHT, ROW))): 5,
            frozenset((("metal2", RIGHT, ROW), END)): 2 * square,
            frozenset((END, ("metal1", RIGHT, 1 * UM))): 5,
        }
    )


def test_a_loop_has_all_its_capacitance_and_a_trees_resistors(stack: Stack) -> None:
    wires, other = net(), ROW + UM
    wires.h["metal3", other] = [(LEFT, RIGHT)]
    wires.v["metal2", LEFT] = [(2 * UM, other)]
    wires.v["metal2", RIGHT] = [(1 * UM, other)]
    wires.cuts |= {("via2", LEFT, other), ("via2", RIGHT, other)}
    nodes, edges = graph(stack, wires)
    assert len(edges) == len(nodes)  # one more than a tree has
    rc = one_net(stack, wires)
    assert rc.total == pytest.approx(5.14 * M2 + 20.14 * M3)
    assert len(rc.resistors) == len(nodes) - 1


def test_what_no_pin_reaches_is_not_of_the_net(stack: Stack) -> None:
    wires = net()
    wires.h["metal5", ROW] = [(LEFT, RIGHT)]
    found = extracted(stack, n=wires)
    rc = found.nets["n"]
    assert rc.total == pytest.approx(3.14 * M2 + 10.07 * M3)
    assert not [row for row in rc.resistors if row[0][0] == "metal5"]
    assert not is_open(stack, wires)
    assert found.metals["metal5"].um == 10  # but it is metal


def test_a_branch_begins_in_the_middle_of_a_wire(stack: Stack) -> None:
    """Wires of one metal that cross are joined there, and those that end short of it are not."""
    wires, middle = net(), 6 * UM
    wires.v["metal3", middle] = [(ROW, ROW + UM)]
    rc = one_net(stack, wires)
    node = ("metal3", middle, ROW)
    halves = 5 + HALF_M3, 5 + HALF_M3, 1 + 2 * HALF_M3
    assert rc.ground[node] == pytest.approx(sum(halves) / 2 * M3)
    assert ohms(rc)[frozenset((node, ("metal3", LEFT, ROW)))] == pytest.approx(ALONG / 2)
    wires.v["metal3", middle] = [(ROW + 1, ROW + UM)]
    assert one_net(stack, wires).total == pytest.approx(3.14 * M2 + 10.07 * M3)


def test_wires_are_joined_where_they_cross_on_one_metal(stack: Stack) -> None:
    """Between two pins: the first one's wire passes the second one's, neither ends there."""
    x, y, reach = 6 * UM, ROW, UM
    pins = [PinAt(0, "A", Access(LEFT, 0, 9 * UM, y), False)]
    pins.append(PinAt(1, "A", Access(x, 0, 9 * UM, y + reach), False))
    cuts = {("via2", LEFT, y), ("via2", x, y + reach)}
    cross = {("metal3", y): [(LEFT, x + reach)]}, {("metal3", x): [(y - reach, y + reach)]}
    wires = Wires(pins, *cross, cuts)
    assert not is_open(stack, wires)
    assert one_net(stack, wires).total == pytest.approx((6 + 2 + 4 * HALF_M3) * M3)
    for h, v, joined in (
        ((LEFT, x), (y - reach, y + reach), True),
        ((LEFT, x + reach), (y, y + reach), True),
        ((LEFT, x - 1), (y - reach, y + reach), False),
        ((LEFT, x + reach), (y + 1, y + reach), False),
    ):
        wires = Wires(pins, {("metal3", y): [h]}, {("metal3", x): [v]}, cuts)
        assert is_open(stack, wires) != joined, (h, v)
    # Of several spans on a track one is enough.
    h, v = [(-9, -5), (LEFT, x + reach)], [(y - reach, y + reach), (y + 5 * reach, y + 6 * reach)]
    assert not is_open(stack, Wires(pins, {("metal3", y): h}, {("metal3", x): v}, cuts))


def straight(track: int, *spans: tuple[float, float], way: str = "h") -> Wires:
    """Wires on one track of metal3, each with a pin at its low end, spans in um."""
    units = [(round(low * UM), round(high * UM)) for low, high in spans]
    flat = way == "h"
    places = [(low, track) if flat else (track, low) for low, _ in units]
    pins = [PinAt(i, "A", Access(x, 0, 30 * UM, y), False) for i, (x, y) in enumerate(places)]
    tracks = {("metal3", track): units}
    return Wires(
        pins, tracks if flat else {}, {} if flat else tracks, {("via2", *at) for at in places}
    )


TRACK = 280  # units: of metal3, 0.14 um


def test_two_wires_beside_each_other(stack: Stack) -> None:
    """From 2 to 12 um, and from 8 to 18 um on the next track: 4 um, and the half widths beyond the
    ends of both, face each other, 0.07 um apart."""
    found = extracted(stack, a=straight(10 * TRACK, (2, 12)), b=straight(11 * TRACK, (8, 18)))
    facing = 4 + 2 * HALF_M3
    alone = (10 + 2 * HALF_M3) * 2 - facing  # of both sides
    for own, other in (("a", "b"), ("b", "a")):
        rc = found.nets[own]
        assert sum(rc.ground.values()) == pytest.approx(facing * 0.04 / 2 + alone * M3 / 2)
        assert sum(part.ff for part in rc.coupling) == pytest.approx(facing * 0.05)
        assert {part.net for part in rc.coupling} == {other}
    ends = {(part.node[1], part.other[1]) for part in found.nets["a"].coupling}
    assert ends == {(2 * UM, 8 * UM), (12 * UM, 18 * UM)}
    on = found.metals["metal3"]
    assert on.um == 20
    assert on.coupling_ff == pytest.approx(2 * facing * 0.05)
    assert on.ff_per_um * 20 == pytest.approx(sum(rc.total for rc in found.nets.values()))


@pytest.mark.parametrize(
    ("tracks", "planes", "sides"), [(1, 0.04, 0.05), (1.5, 0.05, 0.03), (2, 0.06, 0.01), (3, M3, 0)]
)
def test_spacing_by_the_table(stack: Stack, tracks: float, planes: float, sides: float) -> None:
    """0.07 um, half way to 0.21 um, that, and beyond, where wires are alone."""
    a, b = straight(10 * TRACK, (2, 12)), straight(round((10 + tracks) * TRACK), (2, 12))
    rc = extracted(stack, a=a, b=b).nets["a"]
    long = 10 + 2 * HALF_M3
    assert sum(rc.ground.values()) == pytest.approx(long * (planes + M3) / 2)
    assert sum(part.ff for part in rc.coupling) == pytest.approx(long * sides)


@pytest.mark.parametrize("way", ["h", "v"])
def test_a_wire_between_hides_what_is_behind(stack: Stack, way: str) -> None:
    """The third track sees the first one only where the second one ends, at 0.21 um."""
    first, third = (straight(track * TRACK, (2, 12), way=way) for track in (10, 12))
    second = straight(11 * TRACK, (2, 6), way=way)
    found = extracted(stack, third=third, first=first, second=second)
    shared = {
        other: sum(part.ff for part in found.nets["third"].coupling if part.net == other)
        for other in found.nets
    }
    near = 4 + 2 * HALF_M3
    assert shared == {
        "third": 0,
        "second": pytest.approx(near * 0.05),
        "first": pytest.approx((10.07 - near) * 0.01),
    }


def test_wires_of_one_net_have_nothing_between_them(stack: Stack) -> None:
    wires = net()
    wires.h["metal3", ROW + TRACK] = [(LEFT, RIGHT)]
    wires.v["metal2", LEFT] = [(2 * UM, ROW + TRACK)]
    wires.cuts.add(("via2", LEFT, ROW + TRACK))
    rc = one_net(stack, wires)
    assert rc.coupling == []
    assert rc.total == pytest.approx((3 + 0.14 + 0.14) * M2 + 10.07 * (0.04 + M3))


def test_a_neighbour_that_no_pin_reaches_is_at_rest(stack: Stack) -> None:
    loose = straight(11 * TRACK, (2, 12))
    loose.cuts.clear()
    found = extracted(stack, a=straight(10 * TRACK, (2, 12)), loose=loose)
    assert found.nets["a"].coupling == []
    assert found.nets["a"].total == pytest.approx(10.07 * (0.05 + (0.04 + M3) / 2))
    assert found.nets["loose"].total == 0


def test_metals_above_and_below_are_planes_in_part(stack: Stack) -> None:
    """Metal4 covers a quarter of all tiles, metal2 a half of those in the west, to 14 um: that is
    all of a plane but (3/4)^2, and but (1/2)^3 in the west. A wire asks in the middle of each of
    its quarters: of 8.8 um from 6.5 on the last is beyond 14 um, and all are from 13.2 on."""
    seen = {"metal4": 2.0, "metal2": 3.0}
    planes = {
        ("metal2", "metal4"): 8,
        ("metal2", ""): 4,
        ("metal1", "metal4"): 2,
        ("metal1", ""): 1,
    }
    between = tuple(Between(*names, PLANES, SIDES, float(alone)) for names, alone in planes.items())
    metals = TABLES.metals | {"metal3": metal(0, seen=seen, between=between)}
    core = 28 * UM
    quarter = Wires([], {}, {("metal4", x): [(0, core)] for x in range(560, core, 1120)})
    half = Wires([], {}, {("metal2", x): [(0, core)] for x in range(140, core // 2, 280)})
    nets = {"quarter": quarter, "half": half}
    for span, west in (((3, 10), 1), ((17, 24), 0), ((6.5, 15.3), 3 / 4), ((13.2, 22), 0)):
        wires = straight(20 * TRACK, span)
        found = extracted(stack, WireTables(2.5, "metal1", metals), wire=wires, **nets)
        below, above = 7 / 8 * west, 7 / 16
        mean = below * (8 * above + 4 * (1 - above)) + (1 - below) * (2 * above + (1 - above))
        um = span[1] - span[0] + 2 * HALF_M3
        assert found.nets["wire"].total == pytest.approx(um * mean, rel=0.02)


def test_wires_of_other_metals_cross_without_a_node(stack: Stack) -> None:
    wires = net()
    before = one_net(stack, wires)
    wires.v["metal4", 6 * UM] = [(0, 2 * ROW)]
    after = one_net(stack, wires)
    assert after.ground == before.ground
    assert ("metal3", 6 * UM, ROW) not in graph(stack, wires)[0]


def test_a_track_with_a_gap_has_no_edge_in_it(stack: Stack) -> None:
    wires = net()
    wires.v["metal2", LEFT] = [(0, 1 * UM), (2 * UM, ROW)]
    lengths = sorted(edge.length for edge in graph(stack, wires)[1] if edge.layer == "metal2")
    assert lengths == [UM, UM, 2 * UM]


@pytest.mark.parametrize("gone", [("via2", LEFT, ROW), ("via2", RIGHT, ROW)])
def test_a_net_without_a_cut_is_open(stack: Stack, gone: tuple[str, int, int]) -> None:
    wires = net()
    assert not is_open(stack, wires)
    wires.cuts.discard(gone)
    assert is_open(stack, wires)


def test_a_net_whose_wire_ends_a_unit_short_is_open(stack: Stack) -> None:
    wires = net()
    wires.h["metal3", ROW] = [(LEFT, RIGHT - 1)]
    assert is_open(stack, wires)


def test_a_net_of_one_pin_is_not_open(stack: Stack) -> None:
    wires = Wires(PINS[:1])
    assert not is_open(stack, wires)
    assert one_net(stack, wires).total == 0


SHAPES = {
    "IOPORT_I": CellShape(0, {}, {"P": "output"}),
    "IOPORT_O": CellShape(0, {}, {"P": "input"}),
    "INV_X1": CellShape(0, {}, {"A": "input", "ZN": "output"}),
}


def test_spef_says_the_same(stack: Stack, tmp_path: Path) -> None:
    cells = [Cell("a[0]", "IOPORT_I"), Cell("u.g[1]", "INV_X1"), Cell("y", "IOPORT_O")]
    design = Design("Small", 99, 9, {}, cells, shapes=SHAPES)
    close = Access(RIGHT, 0, 2 * ROW, 1 * UM)
    wires = net()
    wires.pins.append(PinAt(2, "P", close, True))  # where the inverter's pin is
    beside = straight(ROW + TRACK, (1, 11))
    beside.pins[0] = PinAt(1, "ZN", beside.pins[0].access, False)
    nets = {"a[0]": wires, "n.1": beside}
    path = tmp_path / "small.spef"
    found = extract_wires(stack, TABLES, design, nets)
    write_spef(path, design, nets, found)
    text = path.read_text()
    assert '*DESIGN "Small"' in text
    assert "*C_UNIT 1 FF\n*R_UNIT 1 OHM" in text
    ports, of_net, of_other = text.split("*D_NET ")
    assert ports.split("*PORTS\n")[1].split("\n")[:2] == ["a[0] I", "y O"]
    head, *rest = of_net.splitlines()
    on_metal3 = 10.07 * (0.04 + M3) / 2
    assert head == f"a[0] {3.14 * M2 + on_metal3 + 10.07 * 0.05:.5g}"
    parts = "\n".join(rest)
    connected, values, resistors = re.split(r"\*CAP\n|\*RES\n", parts)
    inverter = r"u\.g\[1\]:A"
    assert connected.split("\n")[1:4] == ["*P a[0] I", f"*I {inverter} I", "*P y O"]
    rows = [row.split() for row in values.splitlines()]
    assert [row[0] for row in rows] == [str(number) for number in range(1, 9)]
    at = {name: float(value) for _, name, value in (row for row in rows if len(row) == 3)}
    assert at["a[0]"] == pytest.approx(1.07 / 2 * M2, rel=1e-4)
    assert at[inverter] == pytest.approx(2.07 / 2 * M2, rel=1e-4)
    assert sum(at.values()) == pytest.approx(3.14 * M2 + on_metal3, rel=1e-4)
    between = {(a, b): ff for _, a, b, ff in (row for row in rows if len(row) == 4)}
    assert [float(ff) for ff in between.values()] == pytest.approx([10.07 * 0.05 / 2] * 2, rel=1e-4)
    assert {other for _, other in between} == {r"n\.1:2", r"n\.1:3"}
    assert of_other.startswith(r"n\.1 ")
    assert all(f" {b} {a} {ff}\n" in of_other for (a, b), ff in between.items())
    rows = [row.split() for row in resistors.splitlines() if row != "*END" and row]
    assert sorted(float(row[3]) for row in rows) == pytest.approx(
        sorted([0.001, 0.25 / 0.07, 5, ALONG, 5, 0.5 / 0.07, 5]), rel=1e-3
    )
    assert [row[1:3] for row in rows if float(row[3]) == 0.001] == [[inverter, "y"]]
    assert {name for row in rows for name in row[1:3]} >= {"a[0]", "y", *at}
