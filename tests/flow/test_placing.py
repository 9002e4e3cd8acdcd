"""Floorplans, places of pins, buffers and fillers, worked out by hand for cells of our own."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flow.layout import buffering
from flow.layout.buffering import Buffering, add_buffers, differences, split
from flow.layout.design import Access, Cell, Design
from flow.layout.gds import fillers
from flow.layout.ideal_clock import with_ideal_clock
from flow.layout.placement import (
    floorplan,
    half_perimeter_um,
    illegal,
    legalise,
    place,
    port_places,
    room,
    row_orientation,
    unplaced,
)
from flow.layout.strips import CellShape, Strip
from flow.layout.technology import stack_of
from flow.netlist import CONSTANTS, Port
from flow.results.layout import Buffers
from sim.errors import RunError
from tests.flow.netlists import netlist_of
from tests.flow.scripts import step_module

pytestmark = pytest.mark.quick
SITE, ROW = 380, 2800  # units of 0.5 nm
LOW, HIGH, VIA = 100, 2600, 1000  # of every strip, and of its via


def shape(sites: int, inputs: str, outputs: str) -> CellShape:
    """A cell of so many sites, with its pins a site apart from the first one on."""
    pins = [*inputs.split(), *outputs.split()]
    strips = {pin: Strip(190 + SITE * i, VIA, LOW, HIGH) for i, pin in enumerate(pins)}
    ways = dict.fromkeys(inputs.split(), "input") | dict.fromkeys(outputs.split(), "output")
    return CellShape(sites * SITE, strips, ways)


SHAPES = {
    "INV": shape(2, "A", "ZN"),
    "NAND": shape(3, "A B", "ZN"),
    "DFF": shape(9, "D CK", "Q"),
    "CLKGATE": shape(6, "CK E", "GCK"),
    "IOPORT_I": shape(1, "", "P"),
    "IOPORT_O": shape(1, "P", ""),
    "BUF_X2": shape(3, "A", "Z"),
    "BUF_X8": shape(7, "A", "Z"),
    "CLKBUF_X3": shape(5, "A", "Z"),
}


@pytest.mark.parametrize(
    ("cells", "ports", "utilisation", "rows", "sites"),
    [
        # Few cells: 8 rows, and as many sites as cells and ports need, an even number.
        (200, 10, 0.5, 8, 54),
        # 0.266 um2 a site: 20000 + 200 sites are 5373 um2, 73.3 um on a side, 52.4 rows.
        (10_000, 100, 0.5, 54, 376),
        (10_000, 100, 0.25, 74, 544),
    ],
)
def test_a_floorplan_has_room_for_cells_and_ports(
    cells: int, ports: int, utilisation: float, rows: int, sites: int
) -> None:
    assert floorplan(stack_of(), cells, ports, utilisation) == (rows, sites)
    assert rows * sites >= cells / utilisation + 2 * ports > rows * (sites - 2)


def test_a_floorplan_has_room_for_two_straps() -> None:
    """Of at least 0.4 um, 0.4 um apart: 3 sites each, and four that they may be off."""
    assert floorplan(stack_of(), 0, 4, 0.5) == (8, 2 * (3 + 3 + 4))


@given(ports=st.integers(0, 999), slots=st.integers(1, 5))
def test_a_floorplan_has_an_edge_for_all_ports(ports: int, slots: int) -> None:
    rows, sites = floorplan(stack_of(), 50, ports, 0.5, slots)
    places = port_places(ports, rows, sites, slots)
    assert len({*places}) == len(places) == ports
    assert {site for site, _, _ in places} <= {0, sites - 1}
    assert all(0 <= row < rows and 0 <= slot < slots for _, row, slot in places)


@pytest.mark.parametrize(
    ("count", "rows", "slots", "places"),
    [
        (0, 8, 1, []),
        (1, 8, 1, [(0, 4, 0)]),
        (2, 8, 1, [(0, 4, 0), (99, 4, 0)]),
        (3, 8, 1, [(0, 2, 0), (0, 6, 0), (99, 2, 0)]),
        (4, 2, 1, [(0, 0, 0), (0, 1, 0), (99, 0, 0), (99, 1, 0)]),
        (4, 1, 3, [(0, 0, 0), (0, 0, 2), (99, 0, 0), (99, 0, 2)]),
        (3, 2, 2, [(0, 0, 1), (0, 1, 1), (99, 0, 1)]),
    ],
)
def test_ports_are_at_the_edges(count: int, rows: int, slots: int, places: list) -> None:
    assert port_places(count, rows, 100, slots) == places


def test_every_second_row_is_flipped() -> None:
    assert [row_orientation(row) for row in range(3)] == ["N", "FS", "N"]


def test_a_pin_of_a_turned_cell() -> None:
    """An inverter of two sites at site 10 of row 3, its pin ZN in the middle of its second site."""
    for orientation, x, low, high, via in (
        ("N", 12 * SITE - 190, 100, 2600, 1000),
        ("FN", 10 * SITE + 190, 100, 2600, 1000),
        ("FS", 12 * SITE - 190, 200, 2700, 1800),
        ("S", 10 * SITE + 190, 200, 2700, 1800),
    ):
        design = Design("Top", 99, 9, {}, [Cell("a", "INV", 10, 3, orientation)], shapes=SHAPES)
        found = design.access(0, "ZN")
        assert found == Access(x, 3 * ROW + low, 3 * ROW + high, 3 * ROW + via), orientation


def test_room_is_a_share_of_the_core_by_pins() -> None:
    """Of 98 sites beside straps 78 may be filled: by 5 pins of nets, 15 sites each, but no more
    than 2.5 sites a pin, or as many more as cells fill less than half."""
    nets = {
        "n": [(0, "ZN"), (1, "A"), (1, "B"), (2, "P")],
        "m": [(1, "ZN"), (0, "A")],
        "o": [(2, "P")],
    }
    cells = [Cell("a", "INV"), Cell("b", "NAND"), Cell("p", "IOPORT_I")]

    def widths(sites: int, utilisation: float) -> list[int]:
        free = room(Design("Top", sites, 1, {}, cells, nets, SHAPES), utilisation)
        return [SHAPES[cell.master].sites + more for cell, more in zip(cells, free, strict=True)]

    assert widths(100, 0.5) == [5, 8, 1]
    assert widths(100, 0.9) == [5, 8, 1]
    assert widths(100, 0.25) == [10, 15, 1]
    assert widths(100, 0.1) == [25, 38, 1]
    # 0.8 * 38 sites are shared by five pins.
    assert widths(40, 0.1) == [12, 17, 1]
    assert widths(5, 0.5) == [2, 3, 1]


def design_of(*cells: Cell, sites: int = 20, rows: int = 4) -> Design:
    return Design("Top", sites, rows, {}, list(cells), shapes=SHAPES)


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        ((Cell("a", "INV", 0, 0), Cell("b", "INV", 2, 0)), []),
        ((Cell("a", "INV", 18, 3, "FS"),), []),
        ((Cell("a", "INV", 0, 0), Cell("b", "INV", 1, 0)), ["a overlaps b"]),
        ((Cell("a", "INV", 1, 0), Cell("b", "NAND", 0, 0)), ["b overlaps a"]),
        ((Cell("a", "INV", 0, 0), Cell("b", "INV", 1, 2)), []),
        ((Cell("a", "INV", 19, 0),), ["a is outside the core"]),
        ((Cell("a", "INV", -1, 0),), ["a is outside the core"]),
        ((Cell("a", "INV", 0, 4),), ["a is outside the core"]),
        ((Cell("a", "INV", 0, -1, "FS"),), ["a is outside the core"]),
        ((Cell("a", "INV", 0, 0, "FN"),), []),
        ((Cell("a", "INV", 0, 1, "S"),), []),
        ((Cell("a", "INV", 0, 1, "N"),), ["a is upside down"]),
        ((Cell("a", "INV", 0, 2, "FS"),), ["a is upside down"]),
    ],
)
def test_what_is_wrong_with_a_placement_is_said(cells: tuple, wrong: list) -> None:
    assert illegal(design_of(*cells)) == wrong


def test_half_of_the_perimeter_of_the_nets_boxes() -> None:
    """ZN at sites 1 and 9, a row apart: 8 sites and 2800 units, of nets of one pin nothing."""
    design = design_of(Cell("a", "INV", 0, 0), Cell("b", "INV", 9, 1, "FS"))
    design.nets = {"n": [(0, "ZN"), (1, "A")], "o": [(1, "ZN")]}
    across, up = 8 * SITE, ROW + 1800 - 1000
    assert half_perimeter_um(design) == round((across + up) / 2000, 1)


def test_a_design_is_laid_out_from_a_netlist() -> None:
    netlist = netlist_of("Top", "a b[2] -> y", "INV one A=a ZN=n", "NAND two A=n B=b[1] ZN=y")
    design = unplaced(netlist, SHAPES, 0.5, stack_of())
    # b[0] goes nowhere, but is a port. 5 sites, and four ports.
    assert (design.rows, design.sites) == floorplan(stack_of(), 5, 4, 0.5) == (8, 20)
    assert [cell.name for cell in design.cells] == ["one", "two", "a", "b[0]", "b[1]", "y"]
    assert [cell.master for cell in design.cells[2:]] == ["IOPORT_I"] * 3 + ["IOPORT_O"]
    assert design.nets == {
        "a": [(0, "A"), (2, "P")],
        "n": [(0, "ZN"), (1, "A")],
        "b[0]": [(3, "P")],
        "b[1]": [(1, "B"), (4, "P")],
        "y": [(1, "ZN"), (5, "P")],
    }
    with pytest.raises(RunError, match="no pins that can be reached: XOR"):
        unplaced(netlist_of("Top", "a -> y", "XOR one A=a Z=y"), SHAPES, 0.5, stack_of())


def test_an_input_that_goes_straight_out_has_both_its_ports() -> None:
    netlist = netlist_of("Top", "a -> y", "INV one A=a ZN=n")
    netlist.ports["straight"] = netlist.ports["a"]
    netlist.instances.clear()
    names = [cell.name for cell in unplaced(netlist, SHAPES, 0.5, stack_of()).cells]
    assert names == ["a", "y", "straight"]


def test_a_constant_output_is_no_part_of_a_layout() -> None:
    """Its Verilog says the constant; a library need not have cells that make one."""
    netlist = netlist_of("Top", "a -> y", "INV one A=a ZN=y")
    netlist.ports["z"] = Port(True, tuple(CONSTANTS[bit] for bit in "010"))
    netlist.name_ports()
    design = unplaced(netlist, SHAPES, 0.5, stack_of())
    assert [cell.name for cell in design.cells] == ["one", "a", "y"]
    again = design.netlist()
    assert again.ports["z"] == netlist.ports["z"]
    assert differences(design.stack, netlist, again) == []
    other = design.netlist()
    other.ports["z"] = Port(True, (CONSTANTS["0"],) * 3)
    assert differences(design.stack, netlist, other) == ["port z[1]: 1, now 0"]


def sinks(*places: tuple[float, float]) -> list:
    return [(place, (number, "A")) for number, place in enumerate(places)]


def numbers(groups: list) -> list[list[int]]:
    return [[cell for _, (cell, _) in group] for group in groups]


def test_sinks_are_split_along_the_longer_side() -> None:
    along = sinks((0, 0), (30, 9), (10, 9), (20, 0))
    assert numbers(split(along, 2)) == [[0, 2], [3, 1]]
    up = sinks((0, 0), (9, 30), (9, 10), (0, 20))
    assert numbers(split(up, 2)) == [[0, 2], [3, 1]]
    square = sinks((10, 0), (0, 10))
    assert numbers(split(square, 2)) == [[1], [0]]  # along x, if both are as long
    assert numbers(split(sinks(*((x, 0) for x in range(7))), 3)) == [[0, 1], [2, 3], [4, 5, 6]]
    assert numbers(split(along, 1)) == [[0, 1, 2, 3]]
    assert split(sinks((0, 0)), 4) == [sinks((0, 0))]


def star(count: int, *, driver: str = "INV", pin: str = "ZN", master: str = "INV", to: str = "A"):
    """A driver and its sinks, four sites apart in rows of 25."""
    design = Design("Top", 100, 40, {}, [Cell("driver", driver, 0, 0)], shapes=SHAPES)
    design.nets["n"] = [(0, pin)]
    for number in range(count):
        design.cells.append(Cell(f"i{number}", master, 4 * (number % 25), number // 25))
        design.nets["n"].append((number + 1, to))
    return design


@pytest.mark.parametrize(
    ("count", "buffers"), [(1, 0), (20, 0), (21, 2), (40, 2), (41, 3), (400, 20), (401, 21 + 2)]
)
def test_a_net_of_many_sinks_gets_as_few_buffers_as_it_needs(count: int, buffers: int) -> None:
    design = star(count)
    assert add_buffers(design, None) == Buffers(
        clock_buffers=0, clock_levels=0, fanout_buffers=buffers, port_buffers=0
    )
    assert Counter(cell.master for cell in design.cells)["BUF_X8"] == buffers
    assert max(len(pins) for pins in design.nets.values()) <= 21
    driven = Counter(pin for pins in design.nets.values() for pin in pins)
    assert set(driven.values()) == {1}
    assert design.nets["n"][0] == (0, "ZN")


def test_a_port_stays_on_the_net_that_has_its_name() -> None:
    """Whether it is the first sink of many or the last."""
    for port in (1, 50):
        design = star(50)
        design.cells[port] = Cell("n", "IOPORT_O", 0, 9)
        pins = design.nets["n"]
        pins[port] = (port, "P")
        add_buffers(design, None)
        assert (port, "P") in design.nets["n"]
        assert max(len(pins) for pins in design.nets.values()) <= 21


@pytest.mark.parametrize(("ports", "buffers"), [(0, 20), (1, 20 + 1)])
def test_ports_count_among_the_sinks_of_a_net(ports: int, buffers: int) -> None:
    """20 buffers of 20 sinks are as many as a net has; beside a port they get one of their own."""
    design = star(400)
    for number in range(ports):
        design.nets["n"].append((len(design.cells), "P"))
        design.cells.append(Cell(f"port{number}", "IOPORT_O", 99, 39))
    assert add_buffers(design, None).fanout_buffers == buffers
    assert max(len(pins) for pins in design.nets.values()) == 21


def test_a_buffer_stands_in_the_middle_of_its_sinks() -> None:
    """Two sinks: at sites 30 and 50 of rows 2 and 4, their pins in the middle of a site."""
    design = design_of(Cell("a", "INV", 30, 2), Cell("b", "INV", 50, 4), sites=100, rows=9)
    work = Buffering(design)
    at = [((30.5 * SITE, 2 * ROW + VIA), (0, "A")), ((50.5 * SITE, 4 * ROW + VIA), (1, "A"))]
    place, pin = work.buffer("BUF_X8", "fanout_buffer_", at)
    assert place == (40.5 * SITE, 3 * ROW + VIA)
    assert pin == (2, "A")
    assert design.cells[2] == Cell("fanout_buffer_0", "BUF_X8", 37, 3, "FS")
    assert design.nets["fanout_buffer_0_net"] == [(2, "Z"), (0, "A"), (1, "A")]
    edges = (0, 0, 0, 0), (100 * SITE, 9 * ROW, 93, 8), (-9, -9, 0, 0)
    for x, y, site, row in (*edges, (0, 3 * ROW - 1, 0, 2), (0, 3 * ROW, 0, 3)):
        work.buffer("BUF_X8", "fanout_buffer_", [((x, y), (0, "A"))])
        assert design.cells[-1][2:4] == (site, row)
    work.names.add("clock_buffer_0")
    with pytest.raises(ValueError, match="the design has a clock_buffer_0 of its own"):
        work.buffer("BUF_X8", "clock_buffer_", at)


@pytest.mark.parametrize(
    ("registers", "buffers", "levels"),
    [(1, 1, 1), (16, 1, 1), (17, 2 + 1, 2), (96, 6 + 1, 2), (97, 7 + 2 + 1, 3)],
)
def test_a_clock_tree_is_as_high_as_it_must_be(registers: int, buffers: int, levels: int) -> None:
    design = star(registers, driver="IOPORT_I", pin="P", master="DFF", to="CK")
    found = add_buffers(design, "n")
    assert (found.clock_buffers, found.clock_levels) == (buffers, levels)
    assert len(design.nets["n"]) == 2
    leaves = [pins for pins in design.nets.values() if any(pin == "CK" for _, pin in pins)]
    assert len(leaves) == -(-registers // 16)
    assert {design.cells[pins[0][0]].master for pins in leaves} == {"CLKBUF_X3"}


def test_registers_behind_a_gate_are_behind_as_many_buffers() -> None:
    """A gate stands where others have the buffer above their last one."""
    design = star(20, driver="IOPORT_I", pin="P", master="DFF", to="CK")
    design.cells += [
        Cell("gate", "CLKGATE", 0, 9),
        *(Cell(f"g{i}", "DFF", 0, 10 + i) for i in range(17)),
    ]
    design.nets["n"].append((21, "CK"))
    design.nets["gated"] = [(21, "GCK"), *((22 + i, "CK") for i in range(17))]
    found = add_buffers(design, "n")
    # Two leaves behind the gate, and two besides it, which share a buffer beside the gate.
    assert (found.clock_buffers, found.clock_levels, found.fanout_buffers) == (6, 3, 0)
    source = {pin: (net, pins[0]) for net, pins in design.nets.items() for pin in pins[1:]}

    def depth(pin: tuple[int, str]) -> int:
        net, (cell, _) = source[pin]
        if design.cells[cell].is_port:
            return 0
        return 1 + depth((cell, "CK" if design.cells[cell].master == "CLKGATE" else "A"))

    clocked = [pin for pin in source if pin[1] == "CK" and pin[0] != 21]
    assert len(clocked) == 37
    assert {depth(pin) for pin in clocked} == {3}
    assert depth((21, "CK")) == 1


def test_output_ports_that_share_a_net_get_buffers_of_their_own() -> None:
    cells = [Cell("a", "INV"), Cell("y", "IOPORT_O", 50, 0), Cell("z", "IOPORT_O", 50, 2)]
    cells += [Cell("in", "IOPORT_I"), Cell("out", "IOPORT_O", 60, 0), Cell("b", "INV", 9, 0)]
    nets = {"y": [(0, "ZN"), (1, "P"), (2, "P"), (5, "A")], "in": [(3, "P"), (4, "P"), (0, "A")]}
    design = Design("Top", 100, 9, {}, cells, nets, SHAPES)
    assert add_buffers(design, None).port_buffers == 2
    assert design.nets == {
        "y": [(0, "ZN"), (1, "P"), (5, "A"), (6, "A")],
        "z": [(6, "Z"), (2, "P")],
        "in": [(3, "P"), (0, "A"), (7, "A")],
        "out": [(7, "Z"), (4, "P")],
    }
    assert [cell.name for cell in cells[6:]] == ["port_buffer_0", "port_buffer_1"]


BEFORE = ("Top", "a b -> y", "NAND one A=a B=b ZN=y")


@pytest.mark.parametrize(
    ("cells", "changed"),
    [
        (("NAND one A=a B=b ZN=y",), []),
        (("BUF_X8 fanout_buffer_0 A=a Z=n", "NAND one A=n B=b ZN=y"), []),
        (
            ("BUF_X8 fanout_buffer_0 A=m Z=n", "BUF_X8 clock_buffer_0 A=a Z=m")
            + ("NAND one A=n B=b ZN=y",),
            [],
        ),
        (("NAND one A=b B=a ZN=y",), ["cell one"]),
        (("BUF_X8 fanout_buffer_0 A=b Z=n", "NAND one A=n B=b ZN=y"), ["cell one"]),
        (("BUF_X8 other_0 A=a Z=n", "NAND one A=n B=b ZN=y"), ["cell one", "cell other_0"]),
        (("INV one A=a ZN=y",), ["cell one"]),
        (("NAND one A=a B=b ZN=n", "BUF_X2 port_buffer_0 A=a Z=y"), ["cell one", "port y"]),
    ],
)
def test_what_differs_but_for_buffers_is_said(cells: tuple, changed: list[str]) -> None:
    said = differences(stack_of(), netlist_of(*BEFORE), netlist_of(*BEFORE[:2], *cells))
    assert [line.split(":")[0] for line in said] == changed


@pytest.mark.parametrize(
    ("master", "changed"),
    [("BUF_X4", []), ("BUF_X8", []), ("INV_X4", ["cell hold_buffer_0"])],
)
def test_a_buffer_of_another_size_is_one(master: str, changed: list[str]) -> None:
    """Also of one that no buffer is added in; what is called so is none if it is no buffer."""
    kinds = {"BUF_X4": "BUF_X2", "BUF_X8": "BUF_X2", "BUF_X1": "BUF_X2", "INV_X4": "INV"}
    assert "BUF_X4" not in stack_of().buffers
    after = f"{master} hold_buffer_0 A=a Z=n", "NAND one A=n B=b ZN=y"
    said = differences(stack_of(), netlist_of(*BEFORE), netlist_of(*BEFORE[:2], *after), kinds)
    assert [line.split(":")[0] for line in said] == changed


def test_the_clock_net_takes_over_the_wires_and_pins_of_its_tree() -> None:
    """And nothing of a buffer of another kind."""
    netlist = netlist_of(
        *(
            "Top",
            "clk d -> q",
            "BUF_X8 clock_buffer_1 A=clk Z=m",
            "CLKBUF_X3 clock_buffer_0 A=m Z=n",
        ),
        *("BUF_X8 fanout_buffer_0 A=d Z=e", "DFF one CK=n D=e Q=q"),
    )
    wires = {"clk": 1.0, "m": 2.0, "n": 4.0, "d": 8.0, "e": 16.0, "q": 32.0}
    ideal, found = with_ideal_clock(stack_of(), netlist, wires, {"BUF_X8": 0.25, "CLKBUF_X3": 0.5})
    assert found == {"clk": 7.75, "d": 8.0, "e": 16.0, "q": 32.0}
    assert [cell.name for cell in ideal.instances] == ["fanout_buffer_0", "one"]
    assert ideal.instances[1].pins["CK"] == ideal.names["clk"]
    assert {"m", "n"}.isdisjoint(ideal.names)


def test_free_sites_are_filled_by_the_largest_that_fit() -> None:
    design = design_of(Cell("a", "INV", 3, 0), Cell("b", "DFF", 5, 0), rows=2)
    design.cells.append(Cell("port", "IOPORT_I", 0, 1))
    found = [
        (cell.master.removeprefix("FILLCELL_X"), cell.site, cell.row) for cell in fillers(design)
    ]
    assert found == [
        *(("2", 0, 0), ("1", 2, 0), ("4", 14, 0), ("2", 18, 0)),
        *(("16", 0, 1), ("4", 16, 1)),
    ]
    assert {cell.orientation for cell in fillers(design) if cell.row == 1} == {"FS"}


def test_prefixes_of_buffers_are_all_known() -> None:
    kinds = ("clock", "fanout", "port", "hold", "repeater")
    assert set(buffering.PREFIXES) == {f"{kind}_buffer_" for kind in kinds}


def test_a_chain_is_placed_legally_and_alike_each_time() -> None:
    """Cells of a chain end up beside each other: less wire than in the order of their names."""
    count = 40

    def chain() -> Design:
        netlist = netlist_of(
            *("Chain", "n0 -> y"),
            *(
                f"INV i{i * 17 % count} A=n{i * 17 % count} ZN=n{i * 17 % count + 1}"
                for i in range(count)
            ),
            f"INV last A=n{count} ZN=y",
        )
        return unplaced(netlist, SHAPES, 0.5, stack_of())

    first, second, given = chain(), chain(), chain()
    for design in (first, second):
        place(design, 0.5)
        assert illegal(design) == []
    assert first == second
    ports = [cell for cell in given.cells if cell.is_port]
    assert [cell for cell in first.cells if cell.is_port] == ports
    given.cells = [
        cell
        if cell.is_port
        else cell._replace(site=2 * (i % 8), row=i // 8, orientation=row_orientation(i // 8))
        for i, cell in enumerate(given.cells)
    ]
    assert half_perimeter_um(first) < half_perimeter_um(given)
    moved = first.cells[0]
    other = first.cells[1]
    first.cells[0] = moved._replace(site=other.site, row=other.row, orientation=other.orientation)
    assert illegal(first) != []
    legalise(first, 0.5)
    assert illegal(first) == []


def test_room_beside_cells_is_less_where_rows_do_not_take_it() -> None:
    """Seven cells of 6 sites on four rows of 24, in which straps leave 6, 11 and 5 sites. With free
    sites up to six tenths of the core each takes 7, of which a row has one only; up to a half it
    takes 6."""
    cells = [Cell(f"gate{number}", "CLKGATE") for number in range(7)]
    nets = {f"n{i}": [(i, "GCK"), ((i + 1) % 7, "CK")] for i in range(7)}
    nets["enable"] = [(i, "E") for i in range(7)]
    design = Design("Top", 24, 4, {}, cells, nets, SHAPES)
    assert room(design, 0.7, spread=0.6) == [1] * 7
    assert room(design, 0.7, spread=0.5) == [0] * 7
    place(design, 0.7)
    assert illegal(design) == []
    narrow = Design("Top", 11, 3, {}, cells, nets, SHAPES)
    with pytest.raises(RunError, match="less of the core, by --fill"):
        place(narrow, 0.7)


def test_cells_are_put_into_another_order_by_a_seed() -> None:
    """The same cells between the same nets; another order for each seed, the same one each time."""
    shuffled = step_module("place").shuffled
    cells = [f"INV_X1 c{i} A=a ZN=n{i}" for i in range(20)]
    netlist = netlist_of("Top", "a -> n0", *cells)
    before = list(netlist.instances)
    assert shuffled(netlist, 0).instances == before
    orders = [[cell.name for cell in shuffled(netlist, seed).instances] for seed in (1, 2, 1)]
    assert orders[0] == orders[2] != orders[1]
    for seed in (1, 2):
        found = shuffled(netlist, seed)
        assert sorted(found.instances, key=before.index) == before
        assert (found.names, found.ports, netlist.instances) == (
            netlist.names,
            netlist.ports,
            before,
        )
