"""Sizes by slacks: a chain with a gate that is too weak, and what may replace what."""

from pathlib import Path

import pytest

from flow.layout import sizing, weights
from flow.layout.buffering import differences
from flow.layout.design import Access, Cell, Design
from flow.layout.estimate import (
    estimate,
    estimated,
    spanning_tree,
)
from flow.layout.placement import illegal, place, unplaced
from flow.layout.strips import read_cells
from flow.layout.technology import stack_of
from flow.layout.weights import heavier, slacks
from flow.layout.wires import PinAt
from flow.netlist import Port
from tests.flow.toys import KIT, LIBERTY

SHAPES = read_cells(stack_of(), [KIT / "stdcells.lef"])
UM = 2000
LOADS = 14


def chain() -> Design:
    """A register, an inverter that drives fourteen others, one of which goes on to a register; and
    a strong inverter behind another register that drives one pin."""
    nets: dict[str, list[tuple[int, str]]] = {"clk": [], "d": []}
    design = Design("Chain", 400, 20, {}, [], nets, SHAPES)

    def add(name: str, master: str, **pins: str) -> None:
        number = len(design.cells)
        design.cells.append(Cell(name, master, 6 + 18 * (number % 20), number // 20))
        for pin, net in pins.items():
            nets.setdefault(net, []).append((number, pin))

    for port, net, master in (("clk", "clk", "IOPORT_I"), ("d", "d", "IOPORT_I")):
        add(port, master, P=net)
    add("first", "DFF_X1", CK="clk", D="d", Q="a")
    add("weak", "INV_X1", A="a", ZN="b")
    for number in range(LOADS):
        add(f"load_{number}", "INV_X1", A="b", ZN=f"c_{number}")
        add(f"end_{number}", "DFF_X1", CK="clk", D=f"c_{number}", Q=f"q_{number}")
    add("other", "DFF_X1", CK="clk", D="d", Q="f")
    add("strong", "INV_X16", A="f", ZN="g")
    add("last", "DFF_X1", CK="clk", D="g", Q="h")
    design.ports = {name: Port(False, (0,)) for name in ("clk", "d")}
    return design


def with_buffers(design: Design) -> Design:
    """Put two buffers of a clock tree between the clock and the registers: the second one has the
    last register alone."""
    port, *registers, last = design.nets["clk"]
    design.nets["clk"] = [port]
    for number, sinks in enumerate((registers, [last])):
        design.nets[f"leaf_{number}"] = [(len(design.cells), "Z"), *sinks]
        design.nets["clk"].append((len(design.cells), "A"))
        design.cells.append(Cell(f"clock_buffer_{number}", "BUF_X8", 200 + 20 * number, 10))
    return design


def sized(period: float, folder: Path) -> tuple[Design, dict[str, tuple[str, str]]]:
    """Change the sizes of the chain; the design, and each cell's master before and after that was
    changed."""
    design = with_buffers(chain())
    before = [cell.master for cell in design.cells]
    count = sizing.resize(design, estimated(design, LIBERTY, period, "clk", folder)[0], folder)
    changed = {
        cell.name: (was, cell.master)
        for cell, was in zip(design.cells, before, strict=True)
        if was != cell.master
    }
    assert len(count) == len(changed)
    return design, changed


def test_what_is_too_weak_gets_larger(tmp_path: Path) -> None:
    """At 0.2 ns the weak inverter is too slow. Buffers of the clock tree stay what they
    are."""
    design, changed = sized(0.2, tmp_path)
    assert changed["weak"][1] in ("INV_X2", "INV_X4", "INV_X8")
    assert not [name for name in changed if name.startswith("clock")]
    assert changed["strong"][0] == "INV_X16"  # is larger than it must be
    known = sizing.kinds(sizing.families(design.shapes, LIBERTY))
    assert differences(stack_of(), chain().netlist(), design.netlist(), known) == []
    assert len(differences(stack_of(), chain().netlist(), design.netlist())) == len(changed)


def test_what_is_fast_enough_is_not_made_larger(tmp_path: Path) -> None:
    _, changed = sized(3.0, tmp_path)
    assert set(changed) <= {"strong"}


def test_an_exchange_for_another_function_is_found() -> None:
    design = chain()
    known = sizing.kinds(sizing.families(design.shapes, LIBERTY))
    for master in ("BUF_X1", "NAND2_X1"):
        changed = chain()
        weak = next(number for number, cell in enumerate(changed.cells) if cell.name == "weak")
        changed.cells[weak] = changed.cells[weak]._replace(master=master)
        [text] = differences(stack_of(), design.netlist(), changed.netlist(), known)
        assert text.startswith("cell weak: ")
    swapped = chain()
    a, c = swapped.nets["a"], swapped.nets["c_0"]
    a[-1], c[-1] = c[-1], a[-1]
    assert differences(stack_of(), design.netlist(), swapped.netlist(), known)


def test_what_has_to_stay_gets_no_smaller(tmp_path: Path) -> None:
    """The strong inverter would get smaller at a slow clock."""
    for stay, expected in (([], "INV_X8"), (["strong"], "INV_X16"), (["weak"], "INV_X8")):
        design = with_buffers(chain())
        timed, _ = estimated(design, LIBERTY, 3.0, "clk", tmp_path)
        sizing.resize(design, timed, tmp_path, stay=stay)
        [strong] = [cell.master for cell in design.cells if cell.name == "strong"]
        assert strong == expected


@pytest.mark.quick
def test_what_may_replace_what() -> None:
    known = sizing.kinds(sizing.families(chain().shapes, LIBERTY))
    assert {known[f"INV_X{size}"] for size in (1, 2, 4, 8, 16, 32)} == {"INV_X1"}
    assert known["DFF_X2"] == "DFF_X1"
    assert known["BUF_X1"] != known["INV_X1"]
    assert known["NAND2_X1"] not in (known["AND2_X1"], known["NOR2_X1"])
    assert not [name for name in known if name.startswith(("CLK", "SDFF", "TBUF", "FILL"))]
    text = sizing.sizes([["A1", "A2", "A4"]])
    assert text == "A1 A2 -\nA2 A4 A1\nA4 - A2\n"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("enough", "asked", "room"),
    [(None, 0.16, None), (0.5, 0.5, None), (0.0, 0.0, {"weak": 9, "last": 20})],
)
def test_what_sizes_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, enough: float | None, asked: float, room
) -> None:
    """8 % of the clock are enough if nothing is said; with room, how wide each master is and each
    cell may be. What was changed is told by number, and cells stay where they are."""
    design, said = chain(), []
    before = list(design.cells)
    weak = next(number for number, cell in enumerate(before) if cell.name == "weak")

    def run_script(script: Path, timed: object, more: dict) -> str:
        said.append((script.name, more))
        return "RESIZED weak INV_X4\nRESIZED first DFF_X1\nRESULT sized_slack 0.1\n"

    monkeypatch.setattr(sizing, "run_script", run_script)
    monkeypatch.setattr(sizing, "families", lambda *known: [["INV_X1", "INV_X2", "INV_X4"]])
    timed, _ = estimated(design, LIBERTY, 2.0, "clk", tmp_path)
    assert sizing.resize(design, timed, tmp_path, enough, room) == [weak]
    assert design.cells[weak] == before[weak]._replace(master="INV_X4")
    assert [c for c in design.cells if c.name != "weak"] == [c for c in before if c.name != "weak"]
    [(script, more)] = said
    assert (script, more["KEEP"]) == ("sizing.tcl", "clock_buffer_")
    assert more["ENOUGH"] == pytest.approx(asked)
    assert "INV_X2 INV_X4 INV_X1" in more["SIZES"].read_text().splitlines()
    assert (more["ROOM"] is None) == (room is None)
    if room:
        lines = dict(line.split() for line in more["ROOM"].read_text().splitlines())
        assert (lines["weak"], lines["last"]) == ("9", "20")
        assert int(lines["INV_X4"]) == SHAPES["INV_X4"].sites


@pytest.mark.quick
def test_a_tree_of_pins() -> None:
    """From a pin at (0, 0) to (3, 0), from there to (3, 4), from the first to (-1, -1), and from
    (3, 4) along both axes to (5, 7): um."""
    places = [(0, 0), (3, 4), (3, 0), (-1, -1), (5, 7)]
    pins = [PinAt(0, "A", Access(x * UM, 0, 0, y * UM), False) for x, y in places]
    tree = [(0, 2, 3 * UM), (0, 3, 2 * UM), (1, 4, 5 * UM), (2, 1, 4 * UM)]
    assert sorted(spanning_tree(pins)) == tree


@pytest.mark.quick
def test_estimated_wires() -> None:
    """A pin's vias, half of a line's capacitance at either end, and a resistor for each line."""
    design = chain()
    nets, found = estimate(design)
    assert nets.keys() == found.nets.keys() == {n for n, pins in design.nets.items() if pins[1:]}
    rc, [one, other] = found.nets["a"], (pin.access for pin in nets["a"].pins)
    um = (abs(one.x - other.x) + abs(one.via - other.via)) / UM
    assert list(rc.ground.values()) == pytest.approx([0.1 * um / 2 + 0.08] * 2)
    assert [row[2] for row in rc.resistors] == pytest.approx([4.0 * um + 15.0])
    assert all(len(rc.resistors) == len(nets[name].pins) - 1 for name, rc in found.nets.items())


def test_slacks_of_nets(tmp_path: Path) -> None:
    """Nets before and behind a buffer have one; the nets of the slow path have the least."""
    design = with_buffers(chain())
    found = slacks(design, estimated(design, LIBERTY, 0.2, "clk", tmp_path)[0])
    assert found["a"] == found["b"] == min(found.values()) < 0
    assert found["f"] == found["g"] > found["a"]
    assert "leaf_0" not in found  # of the clock


@pytest.mark.quick
@pytest.mark.parametrize("order", [1, -1])
def test_the_least_slack_of_a_net_with_buffers_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, order: int
) -> None:
    """In whatever order they are told: of a net, of what is behind its buffer, and of a port."""
    design = chain()
    driver, near, *far = design.nets["b"]
    buffer = len(design.cells)
    design.cells.append(Cell("fanout_buffer_0", "BUF_X8", 200, 12))
    design.nets |= {"b": [driver, near, (buffer, "A")], "b_far": [(buffer, "Z"), *far]}
    told = [
        *("SLACK weak/ZN output 0.25", "SLACK fanout_buffer_0/Z output -0.5"),
        *("SLACK d input 1.5", "SLACK first/Q output 0", "SLACK weak/A input -2"),
    ]
    asked: list[dict] = []

    def run_script(script: Path, timed: object, more: dict) -> str:
        asked.append(more)
        return "\n".join(told[::order])

    monkeypatch.setattr(weights, "run_script", run_script)
    found = slacks(design, estimated(design, LIBERTY, 3.0, "clk", tmp_path)[0])
    assert asked == [{"PATHS": 2000}]
    assert found == {"b": -0.5, "d": 1.5, "a": 0.0}


@pytest.mark.quick
def test_slow_nets_get_heavier() -> None:
    """By the double with the least slack, by half as much half way to enough, up to a limit; by an
    eighth where a little is missing, though the clock is met."""
    found = {"slow": -0.3, "half": -0.1, "met": 0.05, "enough": 0.1, "well": 0.5}
    first = heavier({}, found, 0.1)
    assert first == pytest.approx({"slow": 2.0, "half": 1.5, "met": 1.125})
    assert heavier(first, {"half": -0.2, "well": 0.1}, 0.1) == pytest.approx(
        {"slow": 2.0, "half": 3.0, "met": 1.125}
    )
    assert heavier({"slow": 12.0}, found, 0.1)["slow"] == 16


def test_a_heavy_net_is_placed_shorter() -> None:
    """That of fifteen pins, whose cells other nets pull apart."""
    netlist = chain().netlist()
    lengths = []
    for heavy in ({}, {"b": 16.0}):
        design = unplaced(netlist, SHAPES, 0.3, stack_of())
        place(design, 0.3, heavy)
        assert illegal(design) == []
        pins = estimate(design)[0]["b"].pins
        lengths.append(sum(length for *_, length in spanning_tree(pins)))
    assert lengths[1] < 0.9 * lengths[0]
