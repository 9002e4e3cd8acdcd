"""Timing that is closed after routing: sizes, hold buffers, and wires that follow them."""

import dataclasses
from copy import deepcopy
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow.layout import checks, closing
from flow.layout.buffering import HOLD_PREFIX, REPEATER_PREFIX, called, differences
from flow.layout.closing import Closer, delayed
from flow.layout.design import Cell, Design
from flow.layout.follow import follow
from flow.layout.gaps import Gaps
from flow.layout.gds import GdsWriter, extract
from flow.layout.limits import driver_of, loads
from flow.layout.placement import illegal
from flow.layout.repair import Repair
from flow.layout.routes import load_routes
from flow.layout.sizing import families, kinds
from flow.layout.strips import read_cells
from flow.layout.technology import Stack, stack_of
from flow.layout.wires import Wires
from flow.technologies.wires import read_tables
from tests.flow.runs import folder_of, kept_run
from tests.flow.test_layout import TINY, recorded
from tests.flow.test_placing import ROW, SHAPES, SITE
from tests.flow.toys import KIT, LIBERTY

Given = tuple[Design, dict[str, Wires], float]


@pytest.fixture
def given(stack: Stack) -> Given:
    """A small design placed and routed, and the period that it reaches."""
    run = kept_run(TINY, "Mac", recorded(), to="layout_energy", recipes=["area+booth"])
    design = Design.load(folder_of(run, "place") / "outputs/placed.json")
    nets, _ = load_routes(folder_of(run, "route") / "outputs/routes.json", design, stack)
    return design, nets, run["metrics"]["layout_period_ns"]


def closer(stack: Stack, period: float, folder: Path) -> Closer:
    return Closer(stack, read_tables(), LIBERTY, period, "clk", folder)


def is_sound(
    before: Design, after: Design, nets: dict[str, Wires], stack: Stack, gds: Path
) -> bool:
    """Whether a layout is clean, no wire leads nowhere, and its netlist differs by sizes and
    buffers alone."""
    GdsWriter([KIT / "stdcells.gds"], stack).write(after, nets, gds)
    back, known = extract(gds, after), kinds(families(after.shapes, LIBERTY))
    pruned = dict(nets)
    Repair(stack, after, pruned).prune(nets)
    wrong = (
        [net for net in nets if pruned[net] is not nets[net]],
        illegal(after),
        checks.open_nets(stack, nets),
        checks.shorted_pairs(stack, nets),
        checks.geometry(gds, stack),
        [*back.opens, *back.shorts, *back.missing],
        differences(stack_of(), before.netlist(), after.netlist(), known),
    )
    return not any(wrong)


def test_cells_of_slow_paths_grow_where_they_have_room(
    given: Given, stack: Stack, tmp_path: Path
) -> None:
    design, nets, reached = given
    said: list[str] = []
    closed = closer(stack, 0.95 * reached, tmp_path).close(design, nets, said.append)
    assert closed.before.setup == pytest.approx(-0.05 * reached, abs=1e-3)
    assert closed.routed.setup is not None
    assert closed.routed.setup > closed.before.setup + 0.01
    assert closed.resized > 0
    assert said
    after = closed.routed.design
    assert is_sound(design, after, closed.routed.nets, stack, tmp_path / "closed.gds")
    assert differences(stack_of(), design.netlist(), after.netlist())  # by sizes
    moved = [
        (a.name, a.row) for a, b in zip(design.cells, after.cells, strict=True) if a.row != b.row
    ]
    assert moved == []


def test_what_is_met_stays_as_it_is(given: Given, stack: Stack, tmp_path: Path) -> None:
    design, nets, reached = given
    closed = closer(stack, reached + 0.01, tmp_path).close(design, nets, print)
    assert (closed.rounds, closed.resized) == (0, 0)
    assert closed.routed.design is design


def test_early_data_is_delayed(
    given: Given, stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a buffer before each register that has less hold slack than is asked for."""
    design, nets, _ = given
    work = closer(stack, 3.0, tmp_path)
    work.measured(design, nets)
    monkeypatch.setattr(stack, "rules", replace(stack.rules, hold_margin_ns=1.0))
    before = work.early(design)
    slacks = sorted(hold for hold, _ in before.values())
    # Wires that make room for the buffers change what others have by a little.
    margin = (slacks[1] + slacks[2]) / 2
    monkeypatch.setattr(stack, "rules", replace(stack.rules, hold_margin_ns=margin))
    assert list(work.early(design)) == [pin for pin in before if before[pin][0] < margin]
    after, wires = deepcopy(design), dict(nets)
    added = work._delay(after)
    assert len(added) == 2 * len(work.early(design)) > 0
    followed = follow(stack, after, wires, added)
    assert (followed.open_nets, followed.conflicts) == ([], 0)
    assert is_sound(design, after, wires, stack, tmp_path / "held.gds")
    work.measured(after, wires)
    assert work.early(after) == {}
    # An inverter of a buffer's name is none.
    number = next(n for n, cell in enumerate(after.cells) if cell.name == "hold_buffer_0")
    known = kinds(families(after.shapes, LIBERTY))
    after.cells[number] = after.cells[number]._replace(master="INV_X1")
    assert any(
        "hold_buffer_0" in what
        for what in differences(stack_of(), design.netlist(), after.netlist(), known)
    )


def test_cells_that_drive_too_much_grow_or_get_a_buffer(
    given: Given, stack: Stack, tmp_path: Path
) -> None:
    """Timing is met; one cell has more than it may drive, and others that have no room, too."""
    design, nets, reached = given
    work = closer(stack, reached + 0.01, tmp_path)
    drivers = {net: driver_of(design, pins) for net, pins in design.nets.items()}
    free = Gaps(design)
    room = {
        net: free.widest(at[0]) - design.shape(design.cells[at[0]]).sites
        for net, at in drivers.items()
        if at and design.cells[at[0]].master == "NAND2_X1"
    }
    [roomy, *_] = sorted(room, key=lambda net: (-room[net], net))
    number, _ = drivers[roomy] or (0, "")
    usual = work.limits.most
    found = loads(design, work.limits, work.measured(design, nets).wires.nets)
    weak = {"ZN": 0.9 * next(ff for net, _, _, ff in found if net == roomy)}
    work.limits.most = lambda master: weak if master == "NAND2_X1" else usual(master)
    before = work.measured(design, nets)
    assert roomy in before.overloads
    said: list[str] = []
    closed = work.close(design, nets, said.append)
    assert roomy not in closed.routed.overloads
    assert len(closed.routed.overloads) < len(before.overloads)
    assert closed.routed.design.cells[number].master in ("NAND2_X2", "NAND2_X4")
    assert closed.resized >= 1
    assert any(f"; {len(closed.routed.overloads)} cells drive too much" in one for one in said)
    assert closed.routed.setup is not None
    assert closed.routed.setup >= 0
    after = closed.routed.design
    assert called(after, REPEATER_PREFIX) > 0
    assert called(after, HOLD_PREFIX) == 0
    assert is_sound(design, after, closed.routed.nets, stack, tmp_path / "closed.gds")


@pytest.mark.quick
@pytest.mark.usefixtures("strapless")
def test_cells_share_the_gaps_between_them() -> None:
    """Of 20 sites: 3 free, 2 of a, 5 free, 3 of b, 7 free. Each may have half of what is between,
    the odd site is the right one's."""
    cells = [Cell("b", "NAND", 10, 0), Cell("a", "INV", 3, 0), Cell("c", "INV", 0, 1)]
    gaps = Gaps(Design("Top", 20, 2, {}, cells, shapes=SHAPES))
    assert gaps.beside == {1: (3, 2), 0: (3, 7), 2: (0, 18)}
    assert [gaps.widest(number) for number in range(3)] == [13, 7, 20]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("times", "site", "behind", "name", "master", "at"),
    [
        (1.9, 40, 60, "a", "INV_X2", 40),  # what may drive so much
        (3.9, 40, 60, "a", "INV_X4", 40),
        (3.9, 40, 44, "a", "INV_X4", 38),  # to the left, where there is room
        (1.9, 40, 60, "clock_buffer_0", "INV_X1", 40),
    ],
)
def test_a_cell_that_drives_too_much_gets_a_size_that_fits(
    stack: Stack, tmp_path: Path, times: float, site: int, behind: int, name: str, master: str, at
) -> None:
    shapes = read_cells(stack, [KIT / "stdcells.lef"])
    cells = [Cell(name, "INV_X1", site, 0), Cell("b", "INV_X1", behind, 0)]
    design = Design("Top", 100, 1, {}, cells, {"n": [(0, "ZN"), (1, "A")]}, shapes)
    changed = closer(stack, 3.0, tmp_path)._strengthen(design, {}, {"n": times})
    assert changed == ([0] * (master != "INV_X1"), [])
    assert design.cells[0] == Cell(name, master, at, 0)
    assert illegal(design) == []


@pytest.mark.quick
@pytest.mark.parametrize(("times", "master"), [(1.9, "INV_X2"), (99.0, "INV_X8")])
def test_what_drives_an_output_grows_as_far_as_it_can(
    stack: Stack, tmp_path: Path, times: float, master: str
) -> None:
    """The net has the name of the output, and so no buffer can be before it."""
    shapes = read_cells(stack, [KIT / "stdcells.lef"])
    cells = [Cell("a", "INV_X1", 4, 0), Cell("y", "IOPORT_O", 99, 0), Cell("b", "INV_X1", 20, 0)]
    design = Design("Top", 100, 1, {}, cells, {"y": [(0, "ZN"), (1, "P")]}, shapes)
    changed = closer(stack, 3.0, tmp_path)._strengthen(design, {}, {"y": times})
    assert changed == ([0], [])
    assert design.cells[0] == Cell("a", master, 4, 0)


@pytest.mark.quick
@pytest.mark.usefixtures("strapless")
def test_a_cell_whose_outputs_both_drive_too_much_has_its_room_once(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A register may get two sites wider, one on each side. For its first output it does; for the
    second it would have to get two more."""
    shapes = read_cells(stack, [KIT / "stdcells.lef"])
    wide, sizes = shapes["DFF_X1"].sites, ["DFF_X1", "DFF_X2", "DFF_X4"]
    for number, name in enumerate(sizes):
        width = (wide + 2 * number) * stack.site_width
        shapes[name] = dataclasses.replace(shapes["DFF_X1"], width=width)
    monkeypatch.setattr(closing, "families", lambda *_: [sizes])
    cells = [
        Cell("left", "INV_X1", 8, 0),
        Cell("register", "DFF_X1", 12, 0),
        Cell("right", "INV_X1", 12 + wide + 2, 0),
    ]
    pins = {"q": [(1, "Q"), (0, "A")], "n": [(1, "QN"), (2, "A")]}
    design = Design("Top", 100, 1, {}, cells, pins, shapes)
    wires, work = {"q": Wires([]), "n": Wires([])}, closer(stack, 3.0, tmp_path)
    work.limits.most = lambda master: dict.fromkeys(("Q", "QN", "Z"), 9.0 * int(master[-1]))
    grown, helped = work._strengthen(design, wires, {"q": 1.1, "n": 1.1})
    assert (grown, helped) == ([1], [3, 1])
    assert design.cells[1] == Cell("register", "DFF_X2", 11, 0)
    assert illegal(design) == []


@pytest.mark.quick
def test_what_a_port_drives_is_nothing_to_mend(stack: Stack, tmp_path: Path) -> None:
    shapes = read_cells(stack, [KIT / "stdcells.lef"])
    cells = [Cell("n", "IOPORT_I", 0, 0), Cell("b", "INV_X1", 50, 0)]
    design = Design("Top", 100, 1, {}, cells, {"n": [(0, "P"), (1, "A")]}, shapes)
    assert closer(stack, 3.0, tmp_path)._strengthen(design, {}, {"n": 2.0}) == ([], [])


@pytest.mark.quick
@pytest.mark.parametrize(
    ("times", "site", "behind", "master"),
    [
        (1.9, 0, 3, "BUF_X2"),  # no room to grow; 115 fF, of 121
        (2.1, 0, 3, "BUF_X4"),
        (30.0, 4, 20, "BUF_X32"),  # 1820 fF: no inverter that has room may drive so much
        (99.0, 4, 20, "BUF_X32"),  # and no buffer: the largest there is
    ],
)
def test_a_driver_that_cannot_grow_gets_a_buffer(
    stack: Stack, tmp_path: Path, times: float, site: int, behind: int, master: str
) -> None:
    """On the nearest free sites. The wires of its net are those of the buffer then."""
    shapes = read_cells(stack, [KIT / "stdcells.lef"])
    cells = [Cell("a", "INV_X1", site, 0), Cell("b", "INV_X1", behind, 0)]
    pins, wires = {"n": [(0, "ZN"), (1, "A")], "m": [(1, "ZN")]}, Wires([])
    design = Design("Top", 200, 1, {}, [*cells], pins, shapes)
    nets = {"n": wires}
    assert closer(stack, 3.0, tmp_path)._strengthen(design, nets, {"n": times}) == ([], [2, 0])
    assert design.cells[:2] == cells
    assert design.cells[2][:2] == ("repeater_buffer_0", master)
    assert design.nets == {
        "n": [(0, "ZN"), (2, "A")],
        "repeater_buffer_0_net": [(2, "Z"), (1, "A")],
        "m": [(1, "ZN")],
    }
    assert nets == {"repeater_buffer_0_net": wires}
    assert illegal(design) == []


@pytest.mark.quick
def test_only_what_a_buffer_can_help_gets_one(stack: Stack, tmp_path: Path) -> None:
    """Not clocks, nor their trees, nor outputs, whose nets have their names; nor what has no room
    for one, whatever comes after it. Earlier buffers keep their names."""
    shapes = read_cells(stack, [KIT / "stdcells.lef"])
    names = ["clock_buffer_0", "gate", "clk_driver", "to_output", "wide", "near", "sink"]
    masters = {"gate": "CLKGATE_X1"}
    cells = [
        Cell(name, masters.get(name, "INV_X1"), 30 * at + 9, 0) for at, name in enumerate(names)
    ]
    cells += [Cell("y", "IOPORT_O", 0, 0), Cell("repeater_buffer_0", "BUF_X1", 220, 0)]
    outputs = {1: "GCK"}
    nets = [f"of_{name}" for name in names[:6]]
    pins = {net: [(at, outputs.get(at, "ZN")), (6, "A")] for at, net in enumerate(nets)}
    pins["clk"] = pins.pop("of_clk_driver")
    pins["of_to_output"][1] = (7, "P")
    design = Design("Top", 240, 1, {}, cells, pins, shapes)
    weak = dict.fromkeys(pins, 1.9) | {"of_wide": 99.0}
    for number in range(6):  # no room to grow
        for side in (-2, 2):
            design.cells.append(Cell("beside", "INV_X1", 30 * number + 9 + side, 0))
    widest = max(shapes[name].sites for name in shapes if name.startswith("BUF"))
    assert widest > 27
    wires = dict.fromkeys(pins, Wires([]))
    changed = closer(stack, 3.0, tmp_path)._strengthen(design, wires, weak)
    assert changed == ([], [len(design.cells) - 1, 5])
    assert design.cells[-1][:2] == ("repeater_buffer_1", "BUF_X2")
    assert design.nets.keys() - {*nets, "clk"} == {"repeater_buffer_1_net"}
    assert design.nets["of_near"] == [(5, "ZN"), (len(design.cells) - 1, "A")]


@pytest.mark.quick
@pytest.mark.usefixtures("strapless")
def test_the_nearest_free_sites_are_taken() -> None:
    cells = [Cell("a", "NAND", 0, 0), Cell("b", "NAND", 6, 0), Cell("c", "DFF", 0, 1)]
    gaps = Gaps(Design("Top", 9, 3, {}, cells, shapes=SHAPES))
    assert gaps.take(1 * SITE, ROW // 2, 3) == (3, 0)  # between a and b, as wide
    assert gaps.take(1 * SITE, ROW // 2, 3) == (0, 2)  # row 1 is full
    assert gaps.take(4 * SITE, ROW // 2, 6) == (3, 2)
    with pytest.raises(ValueError, match="no 1 free sites beside each other"):
        gaps.take(0, 0, 1)


@pytest.mark.quick
@pytest.mark.usefixtures("strapless")
def test_a_buffer_is_between_a_pin_and_what_it_was_on() -> None:
    shapes = {**SHAPES, "BUF_X1": SHAPES["BUF_X2"]}
    cells = [Cell("a", "INV", 0, 0), Cell("r", "DFF", 8, 0), Cell("s", "INV", 4, 1)]
    nets = {"n": [(0, "ZN"), (1, "D"), (2, "A")]}
    design = Design("Top", 40, 2, {}, cells, nets, shapes)
    assert delayed(design, ["r/D", "r/D"]) == [3, 1, 4, 1]
    assert design.nets == {
        "n": [(0, "ZN"), (3, "A"), (2, "A")],
        "hold_buffer_0_net": [(3, "Z"), (4, "A")],
        "hold_buffer_1_net": [(4, "Z"), (1, "D")],
    }
    assert illegal(design) == ["s is upside down"]


@pytest.mark.quick
def test_buffers_of_a_later_round_have_names_of_their_own() -> None:
    """They stand behind those of an earlier one, before a pin that is early still."""
    shapes = {**SHAPES, "BUF_X1": SHAPES["BUF_X2"]}
    cells = [Cell("a", "INV", 0, 0), Cell("r", "DFF", 8, 0), Cell("s", "DFF", 20, 0)]
    nets = {"n": [(0, "ZN"), (1, "D")], "m": [(1, "Q"), (2, "D")]}
    design = Design("Top", 60, 2, {}, cells, nets, shapes)
    assert delayed(design, ["r/D"]) == [3, 1]
    assert delayed(design, ["s/D", "r/D"]) == [4, 2, 5, 1]
    assert [cell.name for cell in design.cells[3:]] == [f"hold_buffer_{n}" for n in range(3)]
    assert design.nets == {
        "n": [(0, "ZN"), (3, "A")],
        "hold_buffer_0_net": [(3, "Z"), (5, "A")],
        "hold_buffer_2_net": [(5, "Z"), (1, "D")],
        "m": [(1, "Q"), (4, "A")],
        "hold_buffer_1_net": [(4, "Z"), (2, "D")],
    }
