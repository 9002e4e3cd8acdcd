"""Wires' ohms and femtofarads by hand, from the figures of the kit's LEF file."""

import re
from pathlib import Path

import pytest

from flow.layout.connected import Edge, graph, is_open
from flow.layout.design import Access, Cell, Design
from flow.layout.parasitics import LEAST_OHM, capacitance, net_rc, resistance, write_spef
from flow.layout.straps import CellShape
from flow.layout.technology import Stack, read_stack
from flow.layout.wires import PinAt, Wires
from tests.flow.toys import KIT

pytestmark = pytest.mark.quick
UM = 2000  # units

# From rtk-tech.lef: width and spacing, um; ohms a square; fF/um2 and fF/um of either edge. Metal5
# has the edge of metal6, since its own is a slip.
METALS = {
    "metal2": (0.07, 0.07, 0.25, 0.040896, 0.025157),
    "metal3": (0.07, 0.07, 0.25, 0.027745, 0.025157),
    "metal4": (0.14, 0.14, 0.21, 0.020743, 0.030908),
    "metal5": (0.14, 0.14, 0.21, 0.013527, 0.023863),
    "metal6": (0.14, 0.14, 0.21, 0.010036, 0.023863),
}
# Width and spacing, um, and ohms of a cut.
CUTS = {
    "via1": (0.07, 0.08, 5),
    "via2": (0.07, 0.09, 5),
    "via3": (0.07, 0.09, 5),
    "via4": (0.14, 0.16, 3),
    "via5": (0.14, 0.16, 3),
}


@pytest.fixture(scope="module")
def stack() -> Stack:
    """The kit's rules."""
    return read_stack(KIT / "rtk-tech.lef")


def wire(metal: str, length: int) -> Edge:
    return Edge((metal, 0, 0), (metal, length, 0), metal, length)


def of_um(metal: str) -> float:
    """FF of a um of wire: its area, and both its edges."""
    width, _, _, area, edge = METALS[metal]
    return width * area + 2 * edge


@pytest.mark.parametrize("metal", METALS)
def test_a_piece_of_wire(stack: Stack, metal: str) -> None:
    width, spacing, ohms, *_ = METALS[metal]
    layer = stack.layers[metal]
    assert (layer.width, layer.spacing) == (round(width * UM), round(spacing * UM))
    assert capacitance(stack, wire(metal, 10 * UM)) == pytest.approx(10 * of_um(metal))
    assert resistance(stack, wire(metal, 10 * UM)) == pytest.approx(10 / width * ohms)
    assert resistance(stack, wire(metal, 0)) == LEAST_OHM == 0.001


def test_metal4_by_hand(stack: Stack) -> None:
    """71.43 squares of 0.21 ohm; 1.4 um2 of 20.743 aF, 20 um of edge of 30.908 aF."""
    edge = wire("metal4", 10 * UM)
    assert resistance(stack, edge) == pytest.approx(15.0)
    assert capacitance(stack, edge) == pytest.approx(0.0290402 + 0.61816)


@pytest.mark.parametrize("cut", CUTS)
def test_a_cut(stack: Stack, cut: str) -> None:
    width, spacing, ohms = CUTS[cut]
    layer = stack.layers[cut]
    assert (layer.width, layer.spacing) == (round(width * UM), round(spacing * UM))
    edge = Edge(("below", 0, 0), ("above", 0, 0), cut, 0)
    assert (resistance(stack, edge), capacitance(stack, edge)) == (ohms, 0)


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


M2, M3 = of_um("metal2"), of_um("metal3")
BEGIN, END = ("metal2", LEFT, 2 * UM), ("metal2", RIGHT, 1 * UM)
CORNERS = {(metal, x, ROW) for metal in ("metal2", "metal3") for x in (LEFT, RIGHT)}
ALONG = 10 / 0.07 * 0.25


def ohms(rc) -> dict[frozenset, float]:
    return {frozenset((a, b)): ohm for a, b, ohm in rc.resistors}


def test_a_net_of_three_pieces(stack: Stack) -> None:
    """Half of each piece's capacitance is at either end, its resistance between."""
    rc = net_rc(stack, net())
    assert rc.capacitance == pytest.approx(
        {
            BEGIN: M2 / 2,
            ("metal2", LEFT, ROW): M2 / 2,
            ("metal3", LEFT, ROW): 5 * M3,
            ("metal3", RIGHT, ROW): 5 * M3,
            ("metal2", RIGHT, ROW): M2,
            END: M2,
        }
    )
    assert rc.total == pytest.approx(3 * M2 + 10 * M3)
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
    rc = net_rc(stack, wires)
    assert rc.total == pytest.approx(5 * M2 + 20 * M3)
    assert len(rc.resistors) == len(nodes) - 1


def test_what_no_pin_reaches_is_not_of_the_net(stack: Stack) -> None:
    wires = net()
    wires.h["metal5", ROW] = [(LEFT, RIGHT)]
    rc = net_rc(stack, wires)
    assert rc.total == pytest.approx(3 * M2 + 10 * M3)
    assert not [row for row in rc.resistors if row[0][0] == "metal5"]
    assert not is_open(stack, wires)


def test_a_branch_begins_in_the_middle_of_a_wire(stack: Stack) -> None:
    """Wires of one metal that cross are joined there, and those that end short of it are not."""
    wires, middle = net(), 6 * UM
    wires.v["metal3", middle] = [(ROW, ROW + UM)]
    rc = net_rc(stack, wires)
    node = ("metal3", middle, ROW)
    assert rc.capacitance[node] == pytest.approx(2 * 2.5 * M3 + 0.5 * M3)
    assert ohms(rc)[frozenset((node, ("metal3", LEFT, ROW)))] == pytest.approx(ALONG / 2)
    wires.v["metal3", middle] = [(ROW + 1, ROW + UM)]
    assert net_rc(stack, wires).total == pytest.approx(3 * M2 + 10 * M3)


def test_wires_are_joined_where_they_cross_on_one_metal(stack: Stack) -> None:
    """Between two pins: the first one's wire passes the second one's, neither ends there."""
    x, y, reach = 6 * UM, ROW, UM
    pins = [PinAt(0, "A", Access(LEFT, 0, 9 * UM, y), False)]
    pins.append(PinAt(1, "A", Access(x, 0, 9 * UM, y + reach), False))
    cuts = {("via2", LEFT, y), ("via2", x, y + reach)}
    cross = {("metal3", y): [(LEFT, x + reach)]}, {("metal3", x): [(y - reach, y + reach)]}
    wires = Wires(pins, *cross, cuts)
    assert not is_open(stack, wires)
    assert net_rc(stack, wires).total == pytest.approx((6 + 2) * M3)
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


def test_wires_of_other_metals_cross_without_a_node(stack: Stack) -> None:
    wires = net()
    before = net_rc(stack, wires)
    wires.v["metal4", 6 * UM] = [(0, 2 * ROW)]
    after = net_rc(stack, wires)
    assert after.capacitance == before.capacitance
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
    assert net_rc(stack, wires).total == 0


SHAPES = {
    "IOPORT_I": CellShape(0, {}, {"P": "output"}),
    "IOPORT_O": CellShape(0, {}, {"P": "input"}),
    "INV_X1": CellShape(0, {}, {"A": "input", "ZN": "output"}),
}


def test_spef_says_the_same(stack: Stack, tmp_path: Path) -> None:
    cells = [Cell("a[0]", "IOPORT_I"), Cell("u.g[1]", "INV_X1"), Cell("y", "IOPORT_O")]
    design = Design("Small", 9, 1, {}, cells, shapes=SHAPES)
    close = Access(RIGHT, 0, 2 * ROW, 1 * UM)
    wires = net()
    wires.pins.append(PinAt(2, "P", close, True))  # where the inverter's pin is
    path = tmp_path / "small.spef"
    totals = write_spef(path, stack, design, {"a[0]": wires})
    assert totals == {"a[0]": pytest.approx(3 * M2 + 10 * M3)}
    text = path.read_text()
    assert '*DESIGN "Small"' in text
    assert "*C_UNIT 1 FF\n*R_UNIT 1 OHM" in text
    ports, of_net = text.split("*D_NET ")
    assert ports.split("*PORTS\n")[1].split("\n")[:2] == ["a[0] I", "y O"]
    head, *rest = of_net.splitlines()
    assert head == f"a[0] {3 * M2 + 10 * M3:.5g}"
    parts = "\n".join(rest)
    connected, values, resistors = re.split(r"\*CAP\n|\*RES\n", parts)
    inverter = r"u\.g\[1\]:A"
    assert connected.split("\n")[1:4] == ["*P a[0] I", f"*I {inverter} I", "*P y O"]
    rows = [row.split() for row in values.splitlines()]
    assert [row[0] for row in rows] == [str(number) for number in range(1, 7)]
    at = {name: float(value) for _, name, value in rows}
    assert at["a[0]"] == pytest.approx(M2 / 2, rel=1e-4)
    assert at[inverter] == pytest.approx(M2, rel=1e-4)
    assert sum(at.values()) == pytest.approx(3 * M2 + 10 * M3, rel=1e-4)
    rows = [row.split() for row in resistors.splitlines() if row != "*END"]
    assert sorted(float(row[3]) for row in rows) == pytest.approx(
        sorted([0.001, 0.25 / 0.07, 5, ALONG, 5, 0.5 / 0.07, 5]), rel=1e-3
    )
    assert [row[1:3] for row in rows if float(row[3]) == 0.001] == [[inverter, "y"]]
    assert {name for row in rows for name in row[1:3]} >= {"a[0]", "y", *at}
