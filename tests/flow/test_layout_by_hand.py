"""Layouts' figures of more than one metal, buffer or pin, worked out from round numbers."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec import structs

from flow.gates.liberty import Library
from flow.layout import closing
from flow.layout.antenna import antennas, read_gate_areas, too_large
from flow.layout.clock_tree import MODULE, clock_tree, with_tree
from flow.layout.closing import Closer, Routed
from flow.layout.design import Cell, Design
from flow.layout.estimate import estimate
from flow.layout.gaps import Gaps
from flow.layout.lef import units
from flow.layout.parasitics import Parasitics
from flow.layout.strips import CellShape, Strip
from flow.layout.surroundings import Densities
from flow.layout.technology import Stack, stack_of
from flow.layout.wires import Wires
from flow.opensta import Timed
from flow.results.energy import ModulePower, Power, Window
from flow.technologies.rules import Taps
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of
from tests.flow.pins import Y, pin
from tests.flow.test_placing import SHAPES
from tests.flow.toys import KIT

pytestmark = pytest.mark.quick
WIDTHS = {"metal2": 0.07, "metal3": 0.07, "metal4": 0.14, "metal5": 0.14}


def up_to(metal: str, um: float) -> Wires:
    """A gate at 10 um: metal of this level for so many um, from there on metal6 to the driver."""
    level = stack_of().metals.index(metal)
    far, end = units(10 + um), units(100)
    cuts = {(f"via{n}", units(10), Y) for n in range(1, level + 1)}
    cuts |= {(f"via{n}", far, Y) for n in range(level + 1, 6)}
    cuts |= {(f"via{n}", end, Y) for n in range(1, 6)}
    row = {(metal, Y): [(units(10), far)], ("metal6", Y): [(far, end)]}
    return Wires([pin(0, "ZN", 100), pin(1, "A", 10)], row, {}, cuts)


def design() -> Design:
    return Design("Top", 600, 8, {}, [Cell("d", "INV"), Cell("g", "INV")], shapes=SHAPES)


AREAS = {"INV": {"A": 0.01}}


@pytest.mark.parametrize("metal", WIDTHS)
def test_each_metal_below_the_highest_is_an_antenna(stack: Stack, metal: str) -> None:
    """20 um of it on 0.01 um2 of gate; the ratio that is allowed is no fault."""
    [found] = antennas(stack, design(), AREAS, {"n": up_to(metal, 20)})
    assert (found.metal, found.pins) == (metal, ((1, "A"),))
    assert found.ratio == pytest.approx(20 * WIDTHS[metal] / 0.01)
    assert too_large([found], {metal: found.ratio}) == []
    assert too_large([found], {metal: found.ratio - 0.01}) == [found]


def test_the_largest_antenna_comes_first(stack: Stack) -> None:
    nets = {"b": up_to("metal3", 20), "c": up_to("metal4", 15), "a": up_to("metal3", 20)}
    found = antennas(stack, design(), AREAS, nets)
    assert [one.net for one in found] == ["c", "a", "b"]
    assert [one.ratio for one in found] == pytest.approx([210, 140, 140])


def test_areas_at_one_pin_add_up(tmp_path: Path) -> None:
    lef = tmp_path / "cells.lef"
    lef.write_text(
        "MACRO ONE\n  PIN A\n    ANTENNAGATEAREA 0.25 ;\n    ANTENNAGATEAREA 0.5 LAYER metal1 ;\n"
        "  PIN B\n    ANTENNAGATEAREA 1 ;\nMACRO TWO\n  PIN A\n    ANTENNAGATEAREA 2 ;\n"
    )
    assert read_gate_areas([lef]) == {"ONE": {"A": 0.75, "B": 1.0}, "TWO": {"A": 2.0}}


# Buffers are AND gates, whose other input goes nowhere: the first one drives the second one and two
# registers, the second one a register and the third one, which drives a register, too.
TREE = netlist_of(
    *("Tree", "clk other -> y", "AND2 clock_buffer_0 A1=clk A2=other Z=n"),
    *("AND2 clock_buffer_1 A1=n A2=other Z=m", "DFF one CK=n D=other Q=y"),
    *("DFF two CK=n D=other Q=p", "DFF three CK=m D=other Q=q"),
    *("AND2 clock_buffer_2 A1=m A2=other Z=k", "DFF four CK=k D=other Q=r"),
)
WIRES = {"n": 2.5, "m": 5.0}


def inside(slews: tuple[float, float], load: float) -> float:
    """What one rising and one falling edge take in such a gate."""
    edges = (
        energy for pin in ("A1", "A2") for energy in zip(made.AND_ENERGY[pin], slews, strict=True)
    )
    hidden = (
        energy for pin in ("A1", "A2") for energy in zip(made.AND_HIDDEN[pin], slews, strict=True)
    )
    return sum(plane.at(slew, load) for plane, slew in edges) + sum(
        plane.at(slew) for plane, slew in hidden
    )


def test_three_buffers_after_each_other(made_up: Library) -> None:
    """Each edge has its own slew, and each sink its part of the load."""
    loads = 2.5 + 1.0 + 2 * 0.75, 5.0 + 1.0 + 0.75, 0.75
    slews = 0.04 + 0.01 * 5, 0.06 + 0.02 * 5
    assert slews == pytest.approx((0.09, 0.16))
    third = 0.04 + 0.1 * 0.09 + 0.01 * loads[1], 0.06 + 0.1 * 0.16 + 0.02 * loads[1]
    found = clock_tree(TREE, WIRES, made_up, "clk")
    assert found.gated_fj == {}
    each = zip(((0, 0), slews, third), loads, strict=True)
    assert found.always_fj == pytest.approx(sum(inside(*one) for one in each))
    assert found.leakage_nw == pytest.approx(3 * (4 + 21) / 2)
    assert found.slew_ns == pytest.approx(0.06 + 0.02 * loads[1] + 0.1 * 0.16)  # of m, not k


def test_a_net_without_a_wire_has_its_pins(made_up: Library) -> None:
    found = clock_tree(TREE, {}, made_up, "clk")
    slews = 0.04 + 0.01 * 2.5, 0.06 + 0.02 * 2.5
    third = 0.04 + 0.1 * slews[0] + 0.01 * 1.75, 0.06 + 0.1 * slews[1] + 0.02 * 1.75
    each = zip(((0, 0), slews, third), (2.5, 1.75, 0.75), strict=True)
    assert found.always_fj == pytest.approx(sum(inside(*one) for one in each))


def test_the_tree_is_sorted_among_the_modules() -> None:
    """1.2 fJ and no leakage in a cycle of 3 ns: 0.4 uW."""
    power = Power(internal=1.0, switching=1.0, clock=0.5, leakage=0.5, total=3.0)
    rows = [
        ModulePower(module=name, internal=total, switching=0, clock=0, leakage=0, total=total)
        for name, total in (("large", 2e-3), ("small", 1e-4))
    ]
    window = with_tree(Window(100, power, 0.9, 1.0, rows, None), 1.2, 0.0, 3.0)
    assert [row.module for row in window.modules] == ["large", MODULE, "small"]
    assert window.modules[1].clock == window.modules[1].total == pytest.approx(4e-4)
    assert window.sampled is None
    assert structs.asdict(window.power_mw)["internal"] == 1.0


def test_estimates_of_pins_in_a_row() -> None:
    """Three pins, 2 um between two, of which two are in one place: 2 um of wire, one resistor."""
    place = Strip(units(1), units(0.7))
    shapes = {"G": CellShape(4, {"A": place, "B": place, "Z": place}, {"Z": "output"})}
    cells = [Cell("one", "G", 0, 0), Cell("two", "G", 0, 0), Cell("three", "G", 0, 2)]
    design = Design("Top", 99, 9, {}, cells, {"n": [(0, "Z"), (1, "A"), (2, "B")]}, shapes)
    [one, two, three] = (design.access(number, name) for number, name in design.nets["n"])
    assert (one.x, one.via) == (two.x, two.via)
    um = (abs(one.x - three.x) + abs(one.via - three.via)) / 2000
    assert um > 1
    found, told = estimate(design)[1].nets["n"], design.stack.rules.estimate
    ohms = [ohm for *_, ohm in found.resistors]
    assert ohms == pytest.approx([told.ohm_per_um * um + told.ohm_per_pin])
    assert found.total == pytest.approx(told.ff_per_um * um + 3 * told.ff_per_pin)
    ends = [told.ff_per_um * um / 2 + pins * told.ff_per_pin for pins in (2, 1)]
    assert list(found.ground.values()) == pytest.approx(ends)


def routed(
    setup: float | None,
    hold: float | None,
    wrong: int = 0,
    overloads: tuple[str, ...] = (),
    slow: tuple[str, ...] = (),
) -> Routed:
    weak = dict.fromkeys(overloads, 2.0), dict.fromkeys(slow, 1.25)
    return Routed(Design("Top", 9, 9, {}), {}, Parasitics({}, {}), setup, hold, wrong, *weak)


def test_what_is_missing_is_of_setup_and_hold() -> None:
    assert routed(-0.25, -0.5).missing == 0.75
    assert routed(0.25, -0.5).missing == 0.5
    assert routed(-0.25, None).missing == 0.25
    assert routed(0.0, 0.1).missing == routed(None, None).missing == 0


def test_what_is_too_weak_is_told_by_loads_and_by_edges() -> None:
    found = replace(routed(0, 0), overloads={"a": 1.5, "b": 2.0}, slow={"b": 1.25, "c": 3.0})
    assert found.weak == {"a": 1.5, "b": 2.0, "c": 3.0}
    assert replace(found, slow={"a": 1.75}).weak == {"a": 1.75, "b": 2.0}


@pytest.mark.parametrize("own", [False, True])
def test_hold_is_told_by_a_library_of_its_own_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, stack: Stack, tmp_path: Path, own: bool
) -> None:
    slow, fast = KIT / "stdcells.lib", tmp_path / "fast.lib"
    slacks = {slow: (0.25, 0.5), fast: (2.0, -0.125)}

    def summary(self: Closer, timed: Timed) -> SimpleNamespace:
        setup, hold = slacks[timed.liberty]
        return SimpleNamespace(setup_slack_ns=setup, hold_slack_ns=hold)

    monkeypatch.setattr(Closer, "_summary", summary)
    monkeypatch.setattr(closing, "extract_wires", lambda *_: Parasitics({}, {}))
    monkeypatch.setattr(closing, "write_spef", lambda *_: None)
    monkeypatch.setattr(closing, "open_nets", lambda *_: ["one", "two"])
    monkeypatch.setattr(closing, "slow_nets", lambda _, timed: {timed.liberty.name: 1.5})
    closer = Closer(stack, None, slow, 1.0, "clk", tmp_path, fast if own else None)
    found = closer.measured(Design("Top", 9, 9, {}), {}, conflicts=3)
    assert (found.setup, found.hold) == (0.25, -0.125 if own else 0.5)
    assert found.wrong == 3 + 2
    assert found.slow == {slow.name: 1.5}  # edges are slow where setup is


BEFORE = routed(-0.3, 0.1)
# What each round comes to; how many rounds are made, which of them is the best.
ROUNDS = {
    "closed at once": ([(0.1, 0.1)], 1, 1),
    "closed in the third": ([(-0.2, 0.1), (-0.1, 0.1), (0, 0.1)], 3, 3),
    "no better": ([(-0.2, 0.1), (-0.2, 0.1), (0.1, 0.1)], 2, 1),
    "worse": ([(-0.2, 0.1), (-0.4, 0.1), (0.1, 0.1)], 2, 1),
    "hold for setup": ([(0.1, -0.4), (0.1, 0.1)], 1, 0),
    "a net is open": ([(0.1, 0.1, 1)], 1, 0),
    "better, but open": ([(-0.2, 0.1), (-0.1, 0.1, 1), (0.1, 0.1)], 2, 1),
    "four at most": ([(-0.2, 0.1), (-0.1, 0.1), (-0.05, 0.1), (-0.01, 0.1), (0.1, 0.1)], 4, 4),
}


@pytest.mark.parametrize(("came", "rounds", "best"), ROUNDS.values(), ids=ROUNDS)
def test_the_best_round_is_taken(
    monkeypatch: pytest.MonkeyPatch, stack: Stack, came: list[tuple], rounds: int, best: int
) -> None:
    left = [BEFORE, *(routed(*one) for one in came)]
    taken = [*left]
    closer = Closer(stack, None, KIT / "stdcells.lib", 1.0, "clk", KIT)
    monkeypatch.setattr(Closer, "measured", lambda *_: left.pop(0))
    monkeypatch.setattr(Closer, "_grow", lambda *_: [])
    monkeypatch.setattr(Closer, "_delay", lambda *_: [])
    monkeypatch.setattr(Closer, "_strengthen", lambda *_: ([], []))
    grown = {"_grow": [], "_delay": []}
    assert closer.close(BEFORE.design, {}, print).rounds == 1  # nothing can be changed
    left[:] = [*taken]

    def changes(name: str):
        def change(self: Closer, design: Design) -> list[int]:
            grown[name].append(len(left))
            return [0]

        return change

    for name in grown:
        monkeypatch.setattr(Closer, name, changes(name))
    trial = Design("Top", 9, 9, {}, [Cell("g", "INV")])
    for one in taken:
        object.__setattr__(one, "design", trial)
    follows = type("F", (), {"conflicts": 0, "nets": 1})
    monkeypatch.setattr(closing, "follow", lambda *_: follows)
    found = closer.close(trial, {}, lambda _: None)
    assert found.rounds == rounds
    assert found.routed is taken[best]
    assert found.before is taken[0]
    assert found.resized == (best > 0)
    # Sizes change where setup is missing, buffers are added where hold is.
    assert len(grown["_grow"]) == rounds
    assert grown["_delay"] == []


@pytest.mark.parametrize(
    ("came", "rounds", "best"),
    [
        ([(0.1, 0.1)], 1, 1),
        ([(0.1, 0.1, 0, ("a",)), (0.1, 0.1)], 2, 2),
        ([(0.1, 0.1, 0, ("a", "c"))], 1, 0),  # no fewer
        ([(-0.1, 0.1)], 1, 0),  # none, but too slow
        ([(0.1, 0.1, 1)], 1, 0),
        ([(0.1, 0.1, 0, (), ("c",)), (0.1, 0.1)], 2, 2),  # edges are slow, of one net
        ([(0.1, 0.1, 0, ("a",), ("a",)), (0.1, 0.1)], 2, 2),  # one net, for both reasons
        ([(0.1, 0.1, 0, ("a",), ("c",))], 1, 0),  # no fewer
    ],
)
def test_rounds_go_on_while_cells_drive_too_much_or_too_slowly(
    monkeypatch: pytest.MonkeyPatch, stack: Stack, came: list[tuple], rounds: int, best: int
) -> None:
    """Where nothing else is missing, no size changes but theirs."""
    taken = [routed(0.1, 0.1, 0, ("a", "b")), *(routed(*one) for one in came)]
    left, trial, asked = [*taken], Design("Top", 9, 9, {}, [Cell("g", "INV")]), []
    for one in taken:
        object.__setattr__(one, "design", trial)

    def strengthen(self: Closer, design: Design, nets: dict, weak: dict[str, float]) -> tuple:
        asked.append(weak)
        design.cells.append(Cell("repeater_buffer_0", "BUF"))
        return [0], [1, 0]

    closer = Closer(stack, None, KIT / "stdcells.lib", 1.0, "clk", KIT)
    monkeypatch.setattr(Closer, "measured", lambda *_: left.pop(0))
    monkeypatch.setattr(Closer, "_strengthen", strengthen)
    for name in ("_grow", "_delay"):
        monkeypatch.setattr(Closer, name, lambda *_: pytest.fail("nothing is slow or early"))
    follows = type("F", (), {"conflicts": 0, "nets": 1})
    monkeypatch.setattr(closing, "follow", lambda *_: follows)
    said: list[str] = []
    found = closer.close(trial, {}, said.append)
    assert (found.rounds, found.routed is taken[best]) == (rounds, True)
    assert asked == [one.weak for one in taken[:rounds]]
    much, slow = len(taken[1].overloads), len(taken[1].slow)
    assert f"; {much} cells drive too much, {slow} nets are slow" in said[0]
    assert ": 1 sizes, 1 buffers, 1 nets; " in said[0]
    assert found.resized == (best > 0)


def test_buffers_are_added_before_what_is_early_and_can_wait(
    monkeypatch: pytest.MonkeyPatch, stack: Stack
) -> None:
    """A buffer costs 0.08 ns of the other slack."""
    early = {"a/D": (-0.1, 0.0801), "b/D": (-0.2, 0.08), "c/D": (-0.3, 2.0), "d/D": (0, -1.0)}
    monkeypatch.setattr(Closer, "early", lambda *_: early)
    monkeypatch.setattr(closing, "delayed", lambda design, pins: pins)
    closer = Closer(stack, None, KIT / "stdcells.lib", 1.0, "clk", KIT)
    assert closer._delay(design()) == ["a/D", "c/D"]


def test_early_pins_are_read_with_both_slacks(
    monkeypatch: pytest.MonkeyPatch, stack: Stack
) -> None:
    text = "HOLD a/D -0.01 0.5\nother\nHOLD out -0.3 0.1\nHOLD u.b/D -0.002 -0.25\n"
    asked = {}

    def run(script: Path, timed: object, more: dict) -> str:
        asked.update(more)
        return text

    monkeypatch.setattr(closing, "run_script", run)
    closer = Closer(stack, None, KIT / "stdcells.lib", 1.0, "clk", KIT)
    assert closer.early(design()) == {"a/D": (-0.01, 0.5), "u.b/D": (-0.002, -0.25)}
    assert asked == {"ENDS": 2000, "ENOUGH": 0.005}


def test_how_late_data_is_elsewhere_is_told_by_the_library_of_setup(
    monkeypatch: pytest.MonkeyPatch, stack: Stack, tmp_path: Path
) -> None:
    """Where hold has one of its own: of pins that are early by it. What the other one says nothing
    of is as late as by the first."""
    slow, fast = KIT / "stdcells.lib", tmp_path / "fast.lib"
    told = {
        fast: "HOLD a/D -0.01 9.5\nHOLD b/D -0.02 9.25\n",
        slow: "HOLD c/D 0.3 0.75\nHOLD a/D 0.2 0.5\n",
    }
    asked = []

    def run(script: Path, timed: Timed, more: dict) -> str:
        asked.append((timed.liberty, more["ENOUGH"]))
        return told[timed.liberty]

    monkeypatch.setattr(closing, "run_script", run)
    closer = Closer(stack, None, slow, 1.5, "clk", tmp_path, fast)
    assert closer.early(design()) == {"a/D": (-0.01, 0.5), "b/D": (-0.02, 9.25)}
    assert asked == [(fast, 0.005), (slow, 1.5)]
    told[fast], asked[:] = "", []
    assert closer.early(design()) == {}
    assert asked == [(fast, 0.005)]


@pytest.mark.usefixtures("no_straps")
@pytest.mark.parametrize(
    ("gap", "sites", "site"), [(4, 4, 5), (3, 4, 4), (0, 4, 3), (4, 2, 5), (9, 6, 5), (9, 7, 4)]
)
def test_what_grows_goes_west_if_there_is_too_little_in_the_east(
    monkeypatch: pytest.MonkeyPatch, stack: Stack, tmp_path: Path, gap: int, sites: int, site: int
) -> None:
    """Half of the gap to the next cell is its own: of 4 sites 2, of 3 one, of 9 four."""
    before = placed((2, 0, 1), (2, 5, 0), (3, 7 + gap, 0))
    before.shapes |= {"WIDE": CellShape(sites * SITE, {}, {})}
    seen = {}

    def resize(design: Design, timed: object, folder: Path, enough: float, room: dict) -> list[int]:
        seen.update(room, enough=enough)
        design.cells[1] = design.cells[1]._replace(master="WIDE")
        return [1]

    monkeypatch.setattr(closing, "resize", resize)
    closer = Closer(stack, None, KIT / "stdcells.lib", 2.0, "clk", tmp_path)
    assert closer._grow(before) == [1]
    assert before.cells[1].site == site
    assert seen["enough"] == pytest.approx(0.04)
    assert seen["c1"] == 2 + 5 + gap // 2


SITE, ROW = 380, 2800


@pytest.fixture
def no_straps(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sites are kept free below straps of supply."""
    monkeypatch.setattr(Design, "strap_sites", lambda self: [])


def placed(*cells: tuple[int, int, int]) -> Design:
    """Cells (sites wide, site, row) on three rows of 20 sites."""
    shapes = {f"W{sites}": CellShape(sites * SITE, {}, {}) for sites, _, _ in cells}
    rows = [Cell(f"c{i}", f"W{one[0]}", one[1], one[2]) for i, one in enumerate(cells)]
    return Design("Top", 20, 3, {}, rows, shapes=shapes)


@pytest.mark.usefixtures("no_straps")
@pytest.mark.parametrize(
    ("cells", "x", "row", "found"),
    [
        ((), 5, 0, (4, 0)),
        ((), 5, 2, (4, 2)),
        (((20, 0, 2),), 5, 2, (4, 1)),  # the next row below is nearer than the one after it
        (((20, 0, 0),), 5, 0, (4, 1)),
        (((18, 0, 1),), 5, 1, (4, 0)),  # 7.4 sites to a row, 14 to the free end of this one
        (((12, 0, 1),), 7, 1, (12, 1)),  # 6 to where the cell ends
        (((20, 0, 0), (20, 0, 1), (19, 0, 2), ), 5, 1, None),
        (((20, 0, 0), (20, 0, 1), (18, 0, 2)), 5, 1, (18, 2)),
        ((), 0, 1, (0, 1)),
        ((), 20, 1, (18, 1)),
    ],
)  # fmt: skip
def test_two_sites_that_are_nearest(
    cells: tuple[tuple[int, int, int], ...], x: int, row: int, found: tuple[int, int] | None
) -> None:
    gaps = Gaps(placed(*cells))
    place = x * SITE, row * ROW + ROW // 2, 2
    if found is None:
        with pytest.raises(ValueError, match="no 2 free sites beside each other"):
            gaps.take(*place)
        return
    assert gaps.take(*place) == found


@pytest.mark.usefixtures("no_straps")
def test_sites_that_are_taken_are_no_longer_free() -> None:
    """Those on either side are; a row of 20 is full at last."""
    gaps = Gaps(placed((20, 0, 0), (20, 0, 2)))
    found = [gaps.take(9 * SITE, 0, 2) for _ in range(5)]
    assert found == [(8, 1), (6, 1), (10, 1), (4, 1), (12, 1)]
    assert gaps.take(19 * SITE, 0, 6) == (14, 1)
    assert gaps.take(19 * SITE, 0, 4) == (0, 1)
    with pytest.raises(ValueError, match="no 1 free sites"):
        gaps.take(0, 0, 1)


@pytest.mark.usefixtures("no_straps")
def test_a_gap_is_shared_by_those_beside_it() -> None:
    """Of 5 sites between two cells the left one may take 2 and the right one 3; those at the ends
    of a row have all of them."""
    gaps = Gaps(placed((4, 1, 0), (3, 10, 0), (2, 18, 0), (6, 7, 1)))
    assert gaps.beside == {0: (1, 2), 1: (3, 2), 2: (3, 0), 3: (7, 7)}
    assert [gaps.widest(number) for number in range(4)] == [7, 8, 5, 20]
    assert gaps.free == {
        0: [(0, 1), (5, 10), (13, 18), (20, 20)],
        1: [(0, 7), (13, 20)],
        2: [(0, 20)],
    }


@pytest.mark.usefixtures("no_straps")
def test_cells_that_tie_wells_take_the_sites_that_they_are_wide(
    monkeypatch: pytest.MonkeyPatch, stack: Stack
) -> None:
    """Three, from site 8 on in two of the rows; a cell beside one may have half of the gap."""
    monkeypatch.setattr(stack, "rules", structs.replace(stack.rules, taps=Taps("TAP", 3, 9.0)))
    monkeypatch.setattr(Design, "taps", lambda self: [(8, 0), (8, 2)])
    design = placed((4, 1, 0), (2, 15, 0))
    monkeypatch.setattr(Design, "stack", stack)
    gaps = Gaps(design)
    assert gaps.free == {
        0: [(0, 1), (5, 8), (11, 15), (17, 20)],
        1: [(0, 20)],
        2: [(0, 8), (11, 20)],
    }
    assert (gaps.beside[0], gaps.beside[1]) == ((1, 1), (2, 3))


def test_shares_of_tiles_that_are_metal() -> None:
    """Tiles of 5600 units: a box over the edge of two counts in each by its part, and no place is
    more than metal."""
    shares = Densities(2 * 5600, 5600, ["metal3"], 2800)
    shares.add([("metal3", 2800, 0, 5600 + 1400, 2800), ("metal2", 0, 0, 5600, 5600)])
    x, y = np.array([0, 5599, 5600, 99_999]), np.array([0, 5599, 10, -5])
    assert shares.at("metal3", x, y) == pytest.approx([1 / 4, 1 / 4, 1 / 8, 0])
    shares.add([("metal3", 0, 0, 5600, 5600)] * 2)
    assert shares.at("metal3", x, y) == pytest.approx([1, 1, 1 / 8, 0])
