"""Cells that drive too much, and nets that are too long: what is found, and what mends it."""

import json
import re
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flow.layout.buffering import REPEATER_PREFIX, differences
from flow.layout.design import Cell, Design
from flow.layout.estimate import estimate, estimated
from flow.layout.lef import UNITS_PER_UM
from flow.layout.limits import MARGIN, Limits, driver_of, loads, overloaded
from flow.layout.placement import row_orientation
from flow.layout.repeaters import EASY, MOST_LARGER, Repeaters, relieve
from flow.layout.sizing import families, kinds, needed
from flow.layout.slews import slow_nets, slow_pins
from flow.layout.strips import read_cells
from flow.layout.technology import stack_of
from flow.netlist import Instance, Netlist, Port
from flow.opensta import Timed
from flow.technologies.kit import view
from tests.flow.scripts import step_module
from tests.flow.toys import KIT, LIBERTY

STACK = stack_of()
SHAPES = read_cells(STACK, [KIT / "stdcells.lef"])
LIMITS, SIZES = Limits(LIBERTY), families(SHAPES, LIBERTY)
SITE, ROW = 0.19, 1.4  # um
FF_PER_UM, FF_PER_PIN, OHM_PER_UM, BUFFER_NS = 0.1, 0.08, 4.0, 0.08  # of layout.toml
LONGEST = sqrt(2 * BUFFER_NS * 1e6 / (FF_PER_UM * OHM_PER_UM))  # um
INSTANCE = re.compile(r"^  (\w+_X\d+) (\S+) \(", re.MULTILINE)
OUTPUTS = {
    "INV_X1": "ZN",
    "NOR4_X1": "ZN",
    "BUF_X1": "Z",
    "IOPORT_I": "P",
    "DFF_X1": "Q",
    "CLKGATE_X1": "GCK",
}
INPUT = {"INV_X1": "A", "IOPORT_O": "P", "DFF_X1": "CK"}


def net(driver: str, *sinks: tuple[float, float], of: str = "INV_X1") -> Design:
    """A driver in the lower left corner, and sinks so far to the right of it and above, um."""
    width = round(max(x for x, _ in sinks) / SITE) + 40
    height = round(max(y for _, y in sinks) / ROW) + 4
    design = Design("Top", width, height, {}, [Cell("driver", driver)], {}, SHAPES)
    design.nets["n"] = [(0, OUTPUTS[driver])]
    for number, (x, y) in enumerate(sinks, 1):
        row = round(y / ROW)
        at = (round(x / SITE), row, row_orientation(row))
        design.cells.append(Cell("n" if of == "IOPORT_O" else f"sink{number}", of, *at))
        design.nets["n"].append((number, INPUT[of]))
    if of == "IOPORT_O":
        design.ports["n"] = Port(True, (2,))
    return design


def mended(design: Design) -> tuple[Design, dict[str, int]]:
    """Relieve the nets of a design; it is the same but for buffers and sizes."""
    before, masters = design.netlist(), {cell.name: cell.master for cell in design.cells}
    relieve(design, LIMITS, SIZES, "clk")
    assert differences(STACK, before, design.netlist(), kinds(SIZES)) == []
    larger = sum(masters.get(cell.name, cell.master) != cell.master for cell in design.cells)
    return design, {"long_net_buffers": buffers(design), "larger_drivers": larger}


def buffers(design: Design) -> int:
    """Count the buffers that relieve a net."""
    return sum(cell.name.startswith(REPEATER_PREFIX) for cell in design.cells)


def loads_of(design: Design) -> dict[str, float]:
    """What each net loads its driver with, by estimated wires."""
    wires = estimate(design)[1].nets
    return {name: ff for name, _, _, ff in loads(design, LIMITS, wires)}


def ways(design: Design) -> list[float]:
    """The way along the rows and across them from driver to sink, of each sink, um."""
    found = []
    for _, pins in design.routable():
        driver = driver_of(design, pins)
        assert driver
        start = design.access(*driver)
        for at in (design.access(*pin) for pin in pins):
            found.append((abs(at.x - start.x) + abs(at.via - start.via)) / UNITS_PER_UM)
    return found


@pytest.mark.quick
def test_limits_are_those_of_the_file() -> None:
    """Read with other eyes; what drives an input of the design is told by the technology."""
    text = LIBERTY.read_text()
    for master, pin in (("NOR4_X1", "ZN"), ("BUF_X8", "Z"), ("DFF_X1", "QN")):
        cell = text[text.index(f"cell ({master})") :]
        at = cell.index(f"pin ({pin})")
        said = re.search(r"max_capacitance\s*:\s*([\d.]+)", cell[at:])
        assert said
        assert LIMITS.most(master)[pin] == float(said[1])
    assert LIMITS.most("NOR4_X1") == {"ZN": pytest.approx(10.47, abs=0.01)}
    assert LIMITS.most_of(Cell("in", "IOPORT_I"), "P") == LIMITS.most("INV_X2")["ZN"]
    assert LIMITS.most_of(Cell("tie", "LOGIC0_X1"), "Z") == inf
    assert LIMITS.input_ff(Cell("out", "IOPORT_O"), "P") == 7.0
    assert LIMITS.input_ff(Cell("a", "NOR4_X1"), "A1") == pytest.approx(1.737, abs=1e-3)


@pytest.mark.quick
def test_limits_of_a_library_that_counts_in_pf_are_ff() -> None:
    library = view("osu018") / LIBERTY.name
    text = library.read_text()
    cell = text[text.index("cell (INVX1)") :]
    said = re.search(r"max_capacitance\s*:\s*([\d.]+)", cell)
    assert said
    assert Limits(library).most("INVX1")["Y"] == pytest.approx(1000 * float(said[1]))


@pytest.mark.quick
def test_what_drives_too_much_is_found_with_how_much() -> None:
    """110 um of wire are 11 fF, an inverter's input is 1.7: more than a NOR4_X1 may drive."""
    design = net("NOR4_X1", (70, 40))
    wires = estimate(design)[1].nets
    [(name, ff)] = loads_of(design).items()
    assert (name, ff) == ("n", pytest.approx(110 * FF_PER_UM + 2 * FF_PER_PIN + 1.7, abs=0.2))
    assert overloaded(design, LIMITS, wires) == {"n": pytest.approx(ff / 10.47, rel=1e-3)}
    from_port = net("IOPORT_I", (60, 40))
    [(_, ff)] = loads_of(from_port).items()
    assert ff == pytest.approx(100 * FF_PER_UM + 2 * FF_PER_PIN + 1.7, abs=0.2)
    for near in (net("NOR4_X1", (40, 20)), net("INV_X1", (60, 40))):
        assert overloaded(near, LIMITS, estimate(near)[1].nets) == {}


@pytest.mark.quick
def test_what_is_within_limits_stays_as_it_is() -> None:
    design = net("INV_X1", (60, 0), (9, 70), (30, 14))
    cells, pins = [*design.cells], [*design.nets["n"]]
    _, found = mended(design)
    assert found == {"long_net_buffers": 0, "larger_drivers": 0}
    assert (design.cells, design.nets) == (cells, {"n": pins})


@pytest.mark.quick
def test_a_weak_driver_gets_a_buffer_beside_it() -> None:
    """The next NOR4 is 1.8 times as large and drives 21 fF; a load of 27 needs a buffer."""
    design, found = mended(net("NOR4_X1", (150, 60)))
    assert found == {"long_net_buffers": 1, "larger_drivers": 0}
    assert design.nets["n"] == [(0, "ZN"), (2, "A")]
    assert design.nets["repeater_buffer_0_net"] == [(2, "Z"), (1, "A")]
    assert (design.cells[2].site, design.cells[2].row) <= (4, 0)
    assert overloaded(design, LIMITS, estimate(design)[1].nets) == {}


@pytest.mark.quick
def test_a_driver_that_is_a_size_too_small_gets_larger() -> None:
    design, found = mended(net("NOR4_X1", (60, 40)))
    assert found == {"long_net_buffers": 0, "larger_drivers": 1}
    assert design.cells[0].master == "NOR4_X2"
    design, found = mended(net("BUF_X1", (460, 30), (20, 30), (30, 50)))
    assert found == {"long_net_buffers": 0, "larger_drivers": 1}
    area = {name: LIMITS.library[name].area for name in ("BUF_X1", design.cells[0].master)}
    assert 1 < area[design.cells[0].master] / area["BUF_X1"] <= MOST_LARGER


@pytest.mark.quick
def test_a_long_wire_is_broken_up() -> None:
    """Into pieces as long as a buffer after them is worth, from its end on."""
    far = 2.5 * LONGEST
    design, found = mended(net("INV_X1", (far, 0)))
    assert found["long_net_buffers"] == 2
    places = sorted(cell.site * SITE for cell in design.cells)
    assert [b - a for a, b in pairwise(places)] == [
        pytest.approx(length, abs=4) for length in (LONGEST / 2, LONGEST, LONGEST)
    ]


@pytest.mark.quick
def test_an_output_keeps_its_net() -> None:
    """No buffer can be before the pin that the net is named after: the driver may get larger."""
    design, found = mended(net("INV_X1", (700, 0), of="IOPORT_O"))
    assert found == {"long_net_buffers": 0, "larger_drivers": 1}
    assert design.nets == {"n": [(0, "ZN"), (1, "P")]}
    for um in (180, 400):  # what a NOR4_X4 may drive, and more than that
        design, found = mended(net("NOR4_X1", (um, 60), of="IOPORT_O"))
        assert found == {"long_net_buffers": 0, "larger_drivers": 1}
        assert design.cells[0].master == "NOR4_X4"
    relieve(design, LIMITS, SIZES, "clk")  # there is no larger one
    assert design.nets == {"n": [(0, "ZN"), (1, "P")]}


@pytest.mark.quick
def test_buffers_share_what_none_may_drive_alone() -> None:
    """Three sinks 300 um away in other directions, 30 fF each, where the largest may drive 60."""
    design = net("INV_X1", (600, 0), (300, 301), (0, 0))
    design.cells[0] = design.cells[0]._replace(site=round(300 / SITE))
    work = Repeaters(design, LIMITS, SIZES)
    work.most = 60.0
    work.net("n")
    assert buffers(design) == 2
    assert len(design.nets["n"]) == 1 + 3
    found = loads_of(design)
    assert max(found.values()) < 60


@pytest.mark.quick
def test_a_technology_may_keep_its_buffers_out_of_logic() -> None:
    """Then all buffers are the one that it has for nets of many sinks."""
    design, others = (
        net("INV_X1", (2.5 * LONGEST, 0)),
        [one for one in SIZES if "BUF_X8" not in one],
    )
    relieve(design, LIMITS, others, "clk")
    added = [c.master for c in design.cells if c.name.startswith(REPEATER_PREFIX)]
    assert added == ["BUF_X8"] * 2


@pytest.mark.quick
def test_a_buffer_is_put_before_a_wire_that_would_be_too_much() -> None:
    """Two sinks in a row, 30 fF of wire before each."""
    design = net("INV_X1", (300, 0), (600, 0))
    work = Repeaters(design, LIMITS, SIZES)
    work.most = 60.0
    work.net("n")
    assert buffers(design) == 1
    assert max(loads_of(design).values()) < 60


@pytest.mark.quick
def test_clocks_and_ties_are_left_alone() -> None:
    design = net("INV_X1", (3 * LONGEST, 0))
    design.nets["clk"] = design.nets.pop("n")
    assert mended(design)[1]["long_net_buffers"] == 0
    design = net("CLKGATE_X1", (3 * LONGEST, 0), of="DFF_X1")
    assert mended(design)[1]["long_net_buffers"] == 0
    design = net("BUF_X1", (3 * LONGEST, 0))
    design.cells[0] = design.cells[0]._replace(name="clock_buffer_0")
    relieve(design, LIMITS, SIZES, "clk")
    assert buffers(design) == 0
    design.cells[0] = design.cells[0]._replace(name="clock", master="LOGIC1_X1")
    relieve(design, LIMITS, SIZES, "clk")
    assert buffers(design) == 0
    design.cells[0] = design.cells[0]._replace(master="BUF_X1")
    relieve(design, LIMITS, SIZES, "clk")
    assert buffers(design) == 2


def too_hard(design: Design) -> list[float]:
    """What buffers drive that were added and are not the largest, if it is more than half of what
    they may, by times as much."""
    found = []
    for name, ff in loads_of(design).items():
        driver = driver_of(design, design.nets[name])
        assert driver
        cell = design.cells[driver[0]]
        times = ff / (EASY * LIMITS.most_of(cell, driver[1]))
        if cell.name.startswith("repeater") and cell.master != "BUF_X32" and times > 1.02:
            found.append(times)
    return found


FAR = st.tuples(st.integers(0, 1500), st.integers(0, 1500))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(("NOR4_X1", "INV_X1", "DFF_X1", "IOPORT_I")),
    st.lists(FAR, min_size=1, max_size=30),
)
def test_any_net_is_relieved(driver: str, sinks: list[tuple[int, int]]) -> None:
    """Whatever the places: no driver has more than it may drive, no way is too long, all sinks are
    still driven, each once."""
    design, _ = mended(net(driver, *sinks))
    assert overloaded(design, LIMITS, estimate(design)[1].nets) == {}
    # A buffer stands on a site of a row, with its pin beside the place that is meant.
    assert max(ways(design)) <= LONGEST + 8
    assert not too_hard(design)
    driven = [at for pins in design.nets.values() for at in pins if at != driver_of(design, pins)]
    assert sorted(number for number, _ in driven) == [*range(1, len(design.cells))]


@pytest.mark.quick
def test_cells_that_are_needed_get_no_smaller() -> None:
    """What drives 50 fF stays a NOR4_X8 or INV_X2, as the next smaller one would have too much."""
    for master, stays in (("INV_X1", []), ("INV_X2", []), ("NOR4_X1", [])):
        design = net("INV_X1", (300, 100))
        design.cells[0] = design.cells[0]._replace(master=master)
        assert needed(design, LIMITS, SIZES, estimate(design)[1].nets) == stays
    design = net("INV_X1", (430, 120))
    design.cells[0] = design.cells[0]._replace(master="INV_X2")
    ff = loads_of(design)["n"]
    assert MARGIN * LIMITS.most("INV_X1")["ZN"] < ff < LIMITS.most("INV_X2")["ZN"]
    assert needed(design, LIMITS, SIZES, estimate(design)[1].nets) == ["driver"]


@pytest.mark.parametrize(("um", "slow"), [(40, 0), (900, 3)])
def test_edges_that_are_too_slow_are_found(tmp_path: Path, um: int, slow: int) -> None:
    """At the output that drives 900 um, and at the inputs that they reach, the near one last."""
    design = net("INV_X1", (um, 0), (2, 0))
    for name, cell, pin, master in (("a", 0, "A", "IOPORT_I"), ("y", 1, "ZN", "IOPORT_O")):
        design.nets[name] = [(len(design.cells), "P"), (cell, pin)]
        design.cells.append(Cell(name, master, design.cells[cell].site, 2))
        design.ports[name] = Port(master == "IOPORT_O", (2 + len(design.ports),))
    design.nets["clk"] = []
    timed, _ = estimated(design, LIBERTY, 3.0, "clk", tmp_path)
    found = slow_pins(timed)
    assert len(found) == slow
    if slow:
        (most, edge), (_, later) = found["driver/ZN"], found["sink1/A"]
        assert most == 0.2  # OpenSTA writes two digits
        assert most == 0.2
        assert most < edge < later < 1
        assert slow_nets(design, timed) == {"n": later / 0.2}
    else:
        assert slow_nets(design, timed) == {}


def test_edges_that_leave_the_design_too_slowly_are_found(tmp_path: Path) -> None:
    design = net("INV_X1", (900, 0), of="IOPORT_O")
    design.nets["a"] = [(len(design.cells), "P"), (0, "A")]
    design.cells.append(Cell("a", "IOPORT_I", 0, 2))
    design.ports["a"] = Port(False, (3,))
    design.nets["clk"] = []
    timed, _ = estimated(design, LIBERTY, 3.0, "clk", tmp_path)
    [(most, edge)] = slow_pins(timed).values()  # an output has no limit of its own
    assert slow_nets(design, timed) == {"n": edge / most}


@pytest.mark.quick
@pytest.mark.parametrize(
    ("slower", "master", "found"),
    [
        (1.0, "INV_X1", 0),
        (1.01, "INV_X2", 0),
        (1.79, "INV_X2", 0),  # 60.7 fF times 1.79 and a margin are 120.7, of 121.5
        (1.81, "INV_X4", 0),
        (3.7, "INV_X1", 1),  # an INV_X8 is more than three times as large
    ],
)
def test_what_drives_slow_edges_gets_as_much_stronger(
    slower: float, master: str, found: int
) -> None:
    design = net("INV_X1", (60, 40))
    before, sinks = design.netlist(), design.nets["n"][1:]
    relieve(design, LIMITS, SIZES, "clk", {"n": slower})
    assert differences(STACK, before, design.netlist(), kinds(SIZES)) == []
    assert (design.cells[0].master, buffers(design)) == (master, found)
    if found:
        assert design.nets["n"] == [(0, "ZN"), (2, "A")]
        assert design.nets["repeater_buffer_0_net"][1:] == sinks


@pytest.mark.quick
def test_buffers_of_a_later_time_have_names_of_their_own() -> None:
    design, _ = mended(net("INV_X1", (3 * LONGEST, 0)))
    count = buffers(design)
    assert count > 0
    relieve(design, LIMITS, SIZES, "clk", {"n": 99.0})
    names = [cell.name for cell in design.cells if cell.name.startswith(REPEATER_PREFIX)]
    assert names == [f"{REPEATER_PREFIX}{number}" for number in range(count + 1)]


@pytest.mark.quick
def test_only_nets_that_are_slow_are_relieved_for_their_edges() -> None:
    design = net("NOR4_X1", (150, 60))
    cells, pins = [*design.cells], [*design.nets["n"]]
    relieve(design, LIMITS, SIZES, "clk", {"other": 2.0})
    relieve(design, LIMITS, SIZES, "n", {"n": 2.0})  # the clock
    assert (design.cells, design.nets) == (cells, {"n": pins})


@pytest.mark.quick
def test_the_longest_wire_takes_as_long_as_a_buffer() -> None:
    """By hand: half of the resistance times the capacitance of 632 um are 80 ps."""
    work = Repeaters(net("INV_X1", (9, 9)), LIMITS, SIZES)
    assert work.longest == pytest.approx(632.5, abs=0.1)
    ns = (4.0 * 632.5) * (0.1 * 632.5) / 2 * 1e-6
    assert ns == pytest.approx(0.08, abs=1e-4)


def prepared(driven: dict[str, int], tmp_path: Path) -> list[Instance]:
    """Write the inputs of the step of placement: NOR4_X1s that drive so many inverters each, from
    register to register; and a path of inverters that is slower, or nothing would get smaller."""
    for folder in ("inputs", "outputs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "inputs/adk").symlink_to(KIT)
    cells, names = list[Instance](), {"clk": 2, "d": 3}
    for gate, count in driven.items():
        for wire in ("in", "out"):
            names[f"{gate}_{wire}"] = len(names) + 2
        start, out = names[f"{gate}_in"], names[f"{gate}_out"]
        cells.append(Instance(f"{gate}_start", "DFF_X2", {"CK": 2, "D": 3, "Q": start}))
        inputs = dict.fromkeys(("A1", "A2", "A3", "A4"), start)
        cells.append(Instance(gate, "NOR4_X1", inputs | {"ZN": out}))
        for number in range(count):
            end = names.setdefault(f"{gate}_{number}", len(names) + 2)
            cells.append(Instance(f"{gate}_inv{number}", "INV_X1", {"A": out, "ZN": end}))
            cells.append(Instance(f"{gate}_end{number}", "DFF_X1", {"CK": 2, "D": end}))
    at = names[f"{next(iter(driven))}_in"]
    for number in range(40):
        end = names.setdefault(f"chain_{number}", len(names) + 2)
        cells.append(Instance(f"chain_{number}", "INV_X1", {"A": at, "ZN": end}))
        at = end
    cells.append(Instance("chain_end", "DFF_X1", {"CK": 2, "D": at}))
    ports = {name: Port(False, (names[name],)) for name in ("clk", "d")}
    Netlist("Top", ports, cells, names).save(tmp_path / "inputs/flat.json")
    registers = sum(cell.master.startswith("DFF") for cell in cells)
    timing = {"clock_period_ns": 3.0, "critical_path": None, "registers": registers}
    timing |= {"constraints": {}}
    timing |= {"unconstrained_endpoints": 0, "combinational_loops": 0}
    (tmp_path / "inputs/timing.json").write_text(json.dumps(timing))
    return cells


def test_the_step_of_placement_keeps_to_loads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A NOR4_X1 that drives two inverters stays as it is. One with eight gets a larger size, and
    one with twenty, 35 fF, a buffer. Sizing takes neither back."""
    monkeypatch.chdir(tmp_path)
    cells = prepared({"light": 2, "heavy": 8, "heaviest": 20}, tmp_path)
    step_module("place").main("clk", 0.5)
    design, found = (
        Design.load(Path("outputs/placed.json")),
        json.loads(Path("outputs/place.json").read_text()),
    )
    masters = {cell.name: cell.master for cell in design.cells}
    assert (masters["light"], masters["heavy"]) == ("NOR4_X1", "NOR4_X2")
    assert design.nets["heaviest_out"][1:] == [
        (number, "A")
        for number, cell in enumerate(design.cells)
        if cell.name.startswith("repeater_buffer")
    ]
    assert buffers(design) == 1
    changed = sum(masters[cell.name] != cell.master for cell in cells)
    assert found["metrics"]["layout_resized"] == changed > 0
    assert found["differences"] == found["illegal"] == []
    assert overloaded(design, LIMITS, estimate(design)[1].nets) == {}


def test_the_step_of_placement_mends_slow_edges(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A cell gets larger for its edges, another a buffer; sizing makes neither smaller afterwards,
    though no path through them is slow. What is found in the last round is mended, too. The clock
    is the tree's."""
    monkeypatch.chdir(tmp_path)
    prepared({"one": 2, "two": 2, "three": 2, "four": 2}, tmp_path)
    place, asked = step_module("place"), []
    rounds = [{"one_out": 1.5, "two_out": 9.0, "clk": 9.0}, {"three_out": 1.5}]

    def slow(design: Design, timed: Timed) -> dict[str, float]:
        asked.append({cell.name: cell.master for cell in design.cells if not cell.is_port})
        written = INSTANCE.findall(timed.netlist.read_text())
        assert {name: master for master, name in written} == asked[-1]  # sized, not as before
        return rounds.pop(0)

    monkeypatch.setattr(place, "slow_nets", slow)
    place.main("clk", 0.5)
    assert rounds == []
    assert {asked[0][name] for name in ("one", "two", "three", "four")} == {"NOR4_X1"}
    design = Design.load(Path("outputs/placed.json"))
    masters = {cell.name: cell.master for cell in design.cells}
    sizes = [masters[name] for name in ("one", "two", "three", "four")]
    assert sizes == ["NOR4_X2", "NOR4_X1", "NOR4_X2", "NOR4_X1"]
    found = json.loads(Path("outputs/place.json").read_text())
    assert buffers(design) == 1
    assert design.nets["two_out"][1:] == [
        (number, "A")
        for number, cell in enumerate(design.cells)
        if cell.name.startswith(REPEATER_PREFIX)
    ]
    assert found["differences"] == found["illegal"] == []
