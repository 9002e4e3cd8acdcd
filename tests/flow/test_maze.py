"""The search for wires, among obstacles that leave one way, a dear one, or none."""

from collections import Counter
from itertools import pairwise

import pytest

from flow.layout.conflicts import Conflicts, index
from flow.layout.connected import Edge, is_open
from flow.layout.design import Access, Design
from flow.layout.maze import Maze, Pieces
from flow.layout.repair import PATIENCE, Repair, Repaired, repair
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Tidier, Wires

pytestmark = pytest.mark.quick
TRACK, FINE = 560, 280  # units: of metal4 to metal6, and of metal3
VIA, PUSHED = 800, 6000  # what a cut costs, and a shape that is in another net's way
HEAT = 400  # what a shape costs where others were too close
WINDOW = (0, 0, 11_200, 11_200)


def pin(number: int, x: int, low: int, via: int | None = None) -> PinAt:
    """A pin of a cell, its strip 1400 units high."""
    via = low + 700 if via is None else via
    return PinAt(number, "A", Access(x, low, low + 1400, via), False)


def maze_of(
    stack: Stack, *, pins: tuple[PinAt, ...] = (), pushing: bool = False, dispute: int = 0, **others
) -> Maze:
    """A maze for a net `own`, with boxes of other nets in its way."""
    conflicts = Conflicts(stack.spacing)
    for net, boxes in others.items():
        conflicts.add(net, boxes)
        for _ in range(dispute):
            conflicts.dispute(net)
    columns = {pin.access.x for pin in pins}
    return Maze(stack, conflicts, "own", WINDOW, pushing, columns)


def test_tracks_of_a_window(stack: Stack) -> None:
    """None within 140 of the core's edge; metal3 ends at columns of pins, too."""
    maze = maze_of(stack, pins=(pin(0, 700, 0), pin(1, 20_000, 0)))
    assert maze.xs == sorted([*range(560, 11_201, 560), 700])
    assert maze.ys == list(range(280, 11_201, 280))
    for place, found in {
        (0, 700, 280): True,
        (0, 560, 420): False,
        (0, 840, 280): False,
        (1, 560, 280): True,
        (1, 700, 280): False,
        (2, 560, 280): False,
        (2, 700, 560): True,
        (3, 560, 560): True,
        (3, 700, 560): False,
        (3, 560, 280): False,
        (0, 0, 280): False,
    }.items():
        assert maze.on_track(*place) == found, place


def test_steps_in_the_open(stack: Stack) -> None:
    """Along the metal's direction to the next place, and through a cut where both have tracks."""
    maze = maze_of(stack, pins=(pin(0, 700, 0),))
    steps = {
        (0, 560, 280): {(0, 700, 280): 140, (1, 560, 280): VIA},
        (0, 700, 560): {(0, 560, 560): 140, (0, 1120, 560): 420},
        (1, 560, 560): {
            (1, 560, 280): 280,
            (1, 560, 840): 280,
            (0, 560, 560): VIA,
            (2, 560, 560): VIA,
        },
        (1, 560, 280): {(1, 560, 560): 280, (0, 560, 280): VIA},
        (2, 1120, 560): {
            (2, 560, 560): 560,
            (2, 1680, 560): 560,
            (1, 1120, 560): VIA,
            (3, 1120, 560): VIA,
        },
        (3, 560, 560): {(3, 560, 1120): 560, (2, 560, 560): VIA},
        (3, 11_200, 11_200): {(3, 11_200, 10_640): 560, (2, 11_200, 11_200): VIA},
    }
    for place, expected in steps.items():
        assert dict(maze.steps(place)) == expected, place


# Another net's wire of metal3 beside the step from (560, 560) to (1120, 560), with its ends.
BESIDE = ("metal3", 1260, 490, 1300, 630)


@pytest.mark.parametrize(
    ("gap", "free"),
    [(140, True), (139, False), (0, False)],
    ids=["at the rule", "under", "touching"],
)
def test_a_step_keeps_its_distance(stack: Stack, gap: int, free: bool) -> None:
    """The wire to 1120 ends at 1190."""
    other = ("metal3", 1190 + gap, 490, 1190 + gap + 40, 630)
    steps = dict(maze_of(stack, other=[other]).steps((0, 560, 560)))
    assert ((0, 1120, 560) in steps) == free
    pushing = maze_of(stack, other=[other], pushing=True, dispute=2)
    assert dict(pushing.steps((0, 560, 560)))[0, 1120, 560] == 560 + (0 if free else 3 * PUSHED)


def test_pushing_two_nets_costs_both(stack: Stack) -> None:
    maze = maze_of(stack, one=[BESIDE], other=[BESIDE], pushing=True)
    assert dict(maze.steps((0, 560, 560)))[0, 1120, 560] == 560 + 2 * PUSHED


@pytest.mark.parametrize(("gap", "times"), [(-100, 2), (139, 2), (140, 0)])
def test_where_nets_were_too_close_is_dearer_for_those_that_push(
    stack: Stack, gap: int, times: int
) -> None:
    """By HEAT each time for each net; not where nothing may be pushed."""
    one = ("metal3", 490, 490, 700, 630)
    other = ("metal3", 700 + gap, 490, 2000, 630)
    for pushing in (True, False):
        maze = maze_of(stack, one=[one], other=[other], pushing=pushing)
        for pair in (("one", "other"), ("other", "one")):
            maze.conflicts.heat(*pair)
        for net in ("one", "other"):
            maze.conflicts.remove(net)
        # The wire of the step is from 490 to 1190.
        dearer = 2 * HEAT * times if pushing else 0
        assert dict(maze.steps((0, 560, 560)))[0, 1120, 560] == 560 + dearer
        assert dict(maze.steps((0, 560, 1120)))[0, 1120, 1120] == 560


def test_only_what_is_too_close_is_hot(stack: Stack) -> None:
    """Not the rest of these wires: where they were 40 apart, from 1180 to 1360 units."""
    one, other = (("metal3", *at) for at in ((560, 490, 1220, 630), (1260, 490, 9000, 630)))
    maze = maze_of(stack, one=[one], other=[other], pushing=True)
    maze.conflicts.heat("one", "other")  # 1120 to 1220 of one, 1260 to 1360 of the other
    for net in ("one", "other"):
        maze.conflicts.remove(net)
    # The steps' wires are from 490 to 1190, from 1050 to 1750, and from 1610 on.
    steps = [dict(maze.steps((0, x, 560)))[0, x + 560, 560] - 560 for x in (560, 1120, 1680)]
    assert steps == [HEAT, 2 * HEAT, 0]


def test_a_cut_needs_room_on_both_metals(stack: Stack) -> None:
    """Not on metal2, which is the pin's own strip."""
    for metal, free in (("metal2", True), ("metal3", False), ("metal4", False), ("metal5", True)):
        there = (metal, 1000, 1000, 1240, 1240)
        maze = maze_of(stack, other=[there])
        assert (maze.via_cost("via3", 1120, 1120) == 0) == free, metal
        assert ((1, 1120, 1120) in dict(maze.steps((0, 1120, 1120)))) == free, metal
    over = [("metal3", 1000, 1000, 1240, 1240), ("metal4", 1000, 1000, 1240, 1240)]
    pushing = maze_of(stack, other=over, pushing=True, dispute=1)
    assert pushing.via_cost("via3", 1120, 1120) == 2 * 2 * PUSHED
    assert maze_of(stack, other=over[:1]).via_cost("via2", 1120, 1120) < 0


def test_a_pin_is_entered_along_its_strip(stack: Stack) -> None:
    """Where a via2 is 140 within it; not beside another net's metal3, unless that is pushed."""
    one = pin(0, 700, 300)
    rows = [560, 840, 1120, 1400]
    assert maze_of(stack, pins=(one,)).entries([], [one]) == {(0, 700, y): 0 for y in rows}
    exact = pin(0, 700, 420)  # from 420 to 1820: at 560 and 1680 it is 140 to the end
    found = maze_of(stack, pins=(exact,)).entries([], [exact])
    assert [*found] == [(0, 700, y) for y in (560, 840, 1120, 1400, 1680)]
    # The metal of a cut at 840 ends at 910.
    for low, blocked in ((1050, [1120]), (1049, [840, 1120])):
        wall = [("metal3", 600, low, 800, 1190)]
        found = maze_of(stack, pins=(one,), other=wall).entries([], [one])
        assert found == {(0, 700, y): 0 for y in rows if y not in blocked}
        pushed = maze_of(stack, pins=(one,), other=wall, pushing=True).entries([], [one])
        assert pushed == {(0, 700, y): PUSHED * (y in blocked) for y in rows}
    assert maze_of(stack).entries([], [one]) == {}  # no column of the window


def test_wires_are_entered_on_their_tracks(stack: Stack) -> None:
    maze = maze_of(stack)
    wire = Edge(("metal4", 1120, 500), ("metal4", 1120, 900), "metal4", 400)
    cut = Edge(("metal3", 1680, 560), ("metal4", 1680, 560), "via3", 0)
    low = Edge(("metal2", 560, 560), ("metal3", 560, 560), "via2", 0)
    across = Edge(("metal3", 2240, 560), ("metal3", 2240, 1120), "metal3", 560)
    along = Edge(("metal3", 3000, 840), ("metal3", 3900, 840), "metal3", 900)
    assert maze.entries([wire, cut, low, across, along], []) == dict.fromkeys(
        [(1, 1120, 560), (1, 1120, 840), (0, 1680, 560), (1, 1680, 560), (0, 560, 560)]
        + [(0, 3360, 840)]
    )


def test_wires_are_entered_at_their_ends_too(stack: Stack) -> None:
    """Whichever end is named first."""
    flat = ("metal3", 560, 840), ("metal3", 1680, 840)
    tall = ("metal4", 2240, 280), ("metal4", 2240, 840)
    for a, b, metal in ((*flat, "metal3"), (*tall, "metal4")):
        for ends in ((a, b), (b, a)):
            found = maze_of(stack).entries([Edge(*ends, metal, 9)], [])
            if metal == "metal3":
                assert found == dict.fromkeys((0, x, 840) for x in (560, 1120, 1680))
            else:
                assert found == dict.fromkeys((1, 2240, y) for y in (280, 560, 840))


def test_what_it_costs_to_enter_counts_at_both_ends(stack: Stack) -> None:
    """One place is 560 away, the other 1680: that is as far as the first one, if to enter this
    costs 1120."""
    maze, here, near, far = maze_of(stack), (0, 2240, 560), (0, 2800, 560), (0, 560, 560)
    for cost, taken in ((1119, near), (1121, far)):
        [end, *_] = maze.search({here: None}, {near: cost, far: None})
        assert end == taken
        [*_, begin] = maze.search({near: cost, far: None}, {here: None})
        assert begin == taken


def pieces(*pins: PinAt) -> Pieces:
    """A net whose pins are all apart."""
    return Pieces([], {}, {one.cell: [one] for one in pins})


def drawn(stack: Stack, found, *pins: PinAt) -> Wires:
    wires = Tidier(stack).tidy(*found, list(pins))
    assert not is_open(stack, wires)
    return wires


def test_two_pins_in_a_row_are_joined_straight(stack: Stack) -> None:
    left, right = pin(0, 700, 300), pin(1, 5000, 300)
    segments, cuts = maze_of(stack, pins=(left, right)).connect(pieces(left, right))
    assert {(cut, x) for cut, x, _ in cuts} == {("via2", 700), ("via2", 5000)}
    assert {metal for metal, *_ in segments} == {"metal3"}
    assert sum(abs(x1 - x0) + abs(y1 - y0) for _, x0, y0, x1, y1 in segments) == 4300
    drawn(stack, (segments, cuts), left, right)


def test_a_bend_takes_the_least_wire(stack: Stack) -> None:
    """To a pin above, five tracks along and from 1400 up to 3360."""
    left, right = pin(0, 700, 300), pin(1, 3500, 3200)
    segments, cuts = maze_of(stack, pins=(left, right)).connect(pieces(left, right))
    assert Counter(cut for cut, *_ in cuts) == {"via2": 2, "via3": 2}
    length = {"metal3": 0, "metal4": 0}
    for metal, x0, y0, x1, y1 in segments:
        length[metal] += abs(x1 - x0) + abs(y1 - y0)
    assert length == {"metal3": 2800, "metal4": 3360 - 1400}
    drawn(stack, (segments, cuts), left, right)


def test_a_net_of_one_pin_needs_nothing(stack: Stack) -> None:
    only = pin(0, 700, 300)
    assert maze_of(stack, pins=(only,)).connect(pieces(only)) == ([], [])


def wall(x: int, *metals: str) -> list[tuple]:
    """Metal across the whole window at an x."""
    return [(metal, x - 70, -999, x + 70, 12_000) for metal in metals]


def test_an_obstacle_is_crossed_on_the_next_metal_that_is_free(stack: Stack) -> None:
    """A wall of metal3 on metal5; one of all metals nowhere, but by pushing."""
    left, right = pin(0, 700, 300), pin(1, 5000, 300)
    both = (left, right)
    maze = maze_of(stack, pins=both, other=wall(2800, "metal3"))
    segments, cuts = found = maze.connect(pieces(*both))
    assert Counter(cut for cut, *_ in cuts) == {"via2": 2, "via3": 2, "via4": 2}
    crossing = [
        s for s in segments if min(s[1], s[3]) < 2800 < max(s[1], s[3]) or 2800 in (s[1], s[3])
    ]
    assert {metal for metal, *_ in crossing} == {"metal5"}
    wires = drawn(stack, found, *both)
    other = Wires([], v={("metal3", 2800): [(0, 11_000)]})
    assert (
        index(stack, {"own": wires, "other": other}).pairs({"own": wires, "other": other}) == set()
    )

    metals = [f"metal{n}" for n in range(3, 7)]
    closed = wall(2800, *metals)
    assert maze_of(stack, pins=both, other=closed).connect(pieces(*both)) is None
    pushed = maze_of(stack, pins=both, other=closed, pushing=True).connect(pieces(*both))
    drawn(stack, pushed, *both)


def test_what_is_in_dispute_is_pushed_last(stack: Stack) -> None:
    """Two walls with a gap each: the way leads through the net that is less in dispute."""
    left, right = pin(0, 700, 300), pin(1, 5000, 300)
    metals = [f"metal{n}" for n in range(3, 7)]
    low = [(metal, 2730, -999, 2870, 5600) for metal in metals]
    high = [(metal, 2730, 5601, 2870, 12_000) for metal in metals]
    for disputed, above in (("low", True), ("high", False)):
        maze = maze_of(stack, pins=(left, right), pushing=True, low=low, high=high)
        for _ in range(9):
            maze.conflicts.dispute(disputed)
        segments, _ = maze.connect(pieces(left, right))
        at = [y0 for _, x0, y0, x1, _ in segments if {x0, x1} == {2240, 2800}]
        assert [y > 5600 for y in at] == [above]


@pytest.mark.parametrize("pushing", [False, True])
def test_a_pin_that_is_walled_in_is_reached_by_pushing_alone(stack: Stack, pushing: bool) -> None:
    left, right = pin(0, 700, 300), pin(1, 5000, 300)
    lid = [("metal3", 400, 0, 1000, 2000)]
    found = maze_of(stack, pins=(left, right), other=lid, pushing=pushing).connect(
        pieces(left, right)
    )
    assert (found is not None) == pushing


def test_a_net_of_many_pins_is_one_tree(stack: Stack) -> None:
    """Joined one after another: with the least wire that a tree of such wires has."""
    pins = [pin(n, 700 + 1120 * n, 300 + 2800 * (n % 3)) for n in range(9)]
    maze = maze_of(stack, pins=tuple(pins))
    found = maze.connect(pieces(*pins))
    wires = drawn(stack, found, *pins)
    for cut, *at in wires.cuts:
        assert wires.cuts.isdisjoint({(cut, at[0] + dx, at[1]) for dx in (-140, 140)})
    assert len({x for cut, x, _ in wires.cuts if cut == "via2"}) == 9


def test_a_long_net_is_found_within_its_window(stack: Stack) -> None:
    """150 um: there are more places than may be looked at, but the search aims at its target."""
    left, right = pin(0, 700, 300), pin(1, 300_000, 300)
    conflicts = Conflicts(stack.spacing)
    maze = Maze(stack, conflicts, "own", (0, 0, 301_000, 11_200), False, {700, 300_000})
    segments, _ = found = maze.connect(pieces(left, right))
    assert sum(abs(s[3] - s[1]) for s in segments) == 299_300
    drawn(stack, found, left, right)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("upright", [False, True])
def test_the_search_aims_at_its_target_wherever_that_is(
    stack: Stack, upright: bool, back: bool
) -> None:
    """150 um to the east, west, north or south, of which every place is too many to look at."""
    far, window = 300_160, (0, 0, 301_000, 11_200)
    layer = int(upright)  # metal3, or metal4
    begin, end = (layer, 560, 5600), (layer, far, 5600)
    if upright:
        window = (0, 0, 11_200, 301_000)
        begin, end = (layer, 5600, 560), (layer, 5600, far)
    if back:
        begin, end = end, begin
    maze = Maze(stack, Conflicts(stack.spacing), "own", window, False, set())
    path = maze.search({begin: None}, {end: None})
    assert path is not None
    assert (path[0], path[-1]) == (end, begin)
    assert {at for at, *_ in path} == {layer}


def net(low: int, far: int, *, row: int, number: int) -> Wires:
    """Two pins, joined along metal3 in a row."""
    pins = [pin(number, low, row - 700, row), pin(number + 1, far, row - 700, row)]
    return Wires(
        pins,
        {("metal3", row): [(low, far)]},
        {},
        {(cut, x, row) for cut in ("via1", "via2") for x in (low, far)},
    )


def area(width: int = 60, rows: int = 8) -> Design:
    return Design("Top", width, rows, {})


def test_two_nets_on_one_track_are_taken_apart(stack: Stack) -> None:
    nets = {"a": net(1140, 7980, row=1400, number=0), "b": net(3040, 9880, row=1400, number=2)}
    assert index(stack, nets).pairs(nets) == {("a", "b")}
    said: list[str] = []
    counts = repair(stack, area(), nets, said.append)
    assert counts.conflicts_of_router == 1
    assert counts.conflicts == 0
    assert counts.rounds == len(said) >= 1
    assert said[-1] == f"round {len(said)}: 0 pairs of nets too close"
    assert index(stack, nets).pairs(nets) == set()
    assert not any(is_open(stack, wires) for wires in nets.values())


def test_repair_gives_up_when_no_fewer_are_too_close(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PATIENCE rounds after the last one that left fewer pairs than all before, whose nets it
    takes."""
    left = iter([5, 7, 4, *[4] * (PATIENCE - 1), 3, *[9] * (2 * PATIENCE)])
    before, late = (net(1140, at, row=1400, number=0) for at in (7980, 9880))
    work = Repair(stack, area(), {"n0": before})
    monkeypatch.setattr(Repair, "settle", lambda *asked: None)
    monkeypatch.setattr(
        Conflicts, "pairs", lambda *asked: {("n0", f"x{i}") for i in range(next(left))}
    )
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        if len(said) == 4 + PATIENCE:
            work.install("n0", late)

    live = {("n0", f"x{i}") for i in range(6)}
    assert work.settle_all(live, say) == (3, len(said))
    assert work.nets["n0"] is before
    assert work.conflicts.of("x", [("metal3", 7000, 1330, 9000, 1470)]) == {"n0"}
    assert work.conflicts.of("x", [("metal3", 8400, 1330, 9000, 1470)]) == set()
    assert len(said) == 3 + PATIENCE + PATIENCE
    assert said[2 + PATIENCE] == f"round {3 + PATIENCE}: 3 pairs of nets too close"


def test_nets_that_are_apart_stay_as_they_are(stack: Stack) -> None:
    nets = {"a": net(1140, 7980, row=1400, number=0), "b": net(3040, 9880, row=4200, number=2)}
    before = {name: (dict(wires.h), dict(wires.v), set(wires.cuts)) for name, wires in nets.items()}
    assert repair(stack, area(), nets) == Repaired(conflicts_of_router=0, conflicts=0, rounds=0)
    assert before == {name: (wires.h, wires.v, wires.cuts) for name, wires in nets.items()}
    assert not Repair(stack, area(), nets).reroute("a", 4000, pushing=False)


def test_ends_that_lead_nowhere_are_cut_off(stack: Stack) -> None:
    """A branch of metal3 beyond a pin, with a cut at its end."""
    nets = {"a": net(1140, 7980, row=1400, number=0)}
    work = Repair(stack, area(), nets)
    whole = nets["a"]
    longer = Wires(
        whole.pins,
        {("metal3", 1400): [(1140, 11_200)]},
        {("metal4", 11_200): [(1400, 2800)]},
        whole.cuts | {("via3", 11_200, 1400)},
    )
    nets["a"] = longer
    work.prune(nets)
    pruned = nets["a"]
    assert pruned.h == {("metal3", 1400): [(1140, 7980)]}
    assert pruned.cuts == whole.cuts
    work.prune(nets)
    assert nets["a"] is pruned


def test_repair_leaves_no_end_that_leads_nowhere(stack: Stack) -> None:
    """A cut up to a metal that has nothing, whose pad is smaller than SKY130 allows."""
    whole = net(1140, 7980, row=1400, number=0)
    nets = {"a": Wires(whole.pins, dict(whole.h), {}, whole.cuts | {("via3", 3360, 1400)})}
    assert repair(stack, area(), nets) == Repaired(0, 0, 0)
    assert nets["a"].cuts == whole.cuts


def test_a_crowd_is_sorted_out(stack: Stack) -> None:
    """Eight nets on one track, whose pins are beside each other."""
    nets = {
        f"n{i}": net(1140 + 760 * i, 12_540 + 760 * i, row=1400, number=2 * i) for i in range(8)
    }
    counts = repair(stack, area(width=80), nets)
    assert counts.conflicts_of_router == 28
    assert counts.conflicts == 0
    for wires in nets.values():
        assert not is_open(stack, wires)
        for (metal, _), spans in (*wires.h.items(), *wires.v.items()):
            assert all(b < c for (_, b), (c, _) in pairwise(spans)), metal
