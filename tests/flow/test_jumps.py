"""Antennas of nets drawn by hand are mended by jumps."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flow.layout import jumps, repair
from flow.layout.antenna import Antenna, antennas, ratios_of, too_large
from flow.layout.conflicts import index
from flow.layout.connected import Edge, is_open
from flow.layout.design import Access, Cell, Design
from flow.layout.jumps import Jumper, Mended, outside
from flow.layout.lef import units
from flow.layout.maze import Dear
from flow.layout.repair import Repair
from flow.layout.technology import Stack, stack_of
from flow.layout.wires import PinAt, Wires
from tests.flow.pins import Y
from tests.flow.test_antenna import AREAS
from tests.flow.test_placing import SHAPES

pytestmark = pytest.mark.quick
X = units(10.08)  # of the gate, which like Y is on tracks of all metals
FAR = units(20.16)


def design(gates: int = 1) -> Design:
    cells = [Cell("d", "INV"), *(Cell(f"g{number}", "INV") for number in range(gates))]
    return Design("Top", 1200, 100, {}, cells, shapes=SHAPES)


def pin(number: int, name: str, x: int, y: int) -> PinAt:
    return PinAt(number, name, Access(x, y - 700, y + 700, y), False)


def wired(metal: str, um: float, *more: float) -> Wires:
    """A gate, so many um of a metal along its tracks, and the next metal from there to the driver.
    `more` are other gates on the same metal, so far from the first."""
    stack = stack_of()
    level, length = stack.metals.index(metal), units(um)
    flat = stack.rail(metal) == "h"
    begins = [(X + flat * units(at), Y + (not flat) * units(at)) for at in (0, *more)]
    far = X + flat * length, Y + (not flat) * length
    end = far[0] + (not flat) * FAR, far[1] + flat * FAR
    pins = [pin(0, "ZN", *end), *(pin(n, "A", *at) for n, at in enumerate(begins, 1))]
    cuts = {(cut, *at) for at in begins for cut in stack.cuts[1:level]}
    cuts |= {(stack.cuts[level], *far), *((cut, *end) for cut in stack.cuts[1 : level + 1])}
    tracks = {}, {}
    above = stack.metals[level + 1]
    tracks[not flat][metal, Y if flat else X] = [(X, far[0]) if flat else (Y, far[1])]
    tracks[flat][above, far[0] if flat else far[1]] = [
        (far[1], end[1]) if flat else (far[0], end[0])
    ]
    return Wires(pins, *tracks, cuts)


def large(stack: Stack, nets: Mapping[str, Wires]) -> list[tuple[str, str]]:
    found = antennas(stack, design(), AREAS, nets)
    return [(one.net, one.metal) for one in too_large(found, ratios_of(stack))]


def mended(stack: Stack, nets: dict[str, Wires]) -> Mended:
    return Jumper(stack, design(), AREAS, nets).mend_all()


def test_a_wire_jumps_near_the_gate(stack: Stack) -> None:
    """Of 70 um of metal3, 57 are too much. What is farther than 3 um stays where it is."""
    nets = {"n": wired("metal3", 70)}
    assert large(stack, nets) == [("n", "metal3")]
    assert mended(stack, nets) == Mended(before=1, after=0)
    assert large(stack, nets) == []
    assert not is_open(stack, nets["n"])
    assert max(b - a for a, b in nets["n"].h["metal3", Y]) > units(67)
    found = antennas(stack, design(), AREAS, nets)
    assert sum(one.ratio for one in found) < 3 * 0.14 / 0.01


@pytest.mark.parametrize("others", [(2.24,), (28, 56), (35.28, 36.4, 37.52)], ids=str)
def test_each_gate_of_an_antenna_gets_a_jump(stack: Stack, others: tuple[float, ...]) -> None:
    """What is left after the first jump is on less gate, and so of a larger ratio."""
    nets, gates = {"n": wired("metal3", 70, *others)}, 1 + len(others)
    on = design(gates), {"INV": {"A": 0.01 / gates}}
    [before] = antennas(stack, *on, nets)
    assert (round(before.ratio), len(before.pins)) == (490, gates)
    assert Jumper(stack, *on, nets).mend_all() == Mended(before=1, after=0)
    assert not is_open(stack, nets["n"])
    assert all(one.ratio < 400 for one in antennas(stack, *on, nets))


def test_what_is_within_its_ratio_stays_as_it_is(stack: Stack) -> None:
    nets = {"n": wired("metal3", 56)}
    whole = nets["n"]
    assert mended(stack, nets) == Mended(before=0, after=0)
    assert nets["n"] is whole


def test_gates_are_tried_together_then_alone_then_from_farther_away(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boxes are 2, 4 and 8 um. What does not help is taken back before the next is tried."""
    nets, on = {"n": wired("metal3", 70, 28)}, (design(2), {"INV": {"A": 0.005}})
    jumper, whole = Jumper(stack, *on, nets), nets["n"]
    asked: list[tuple[int, int]] = []
    wires = {5: wired("metal3", 90, 28), 7: wired("metal3", 50, 28)}

    def jump(net: str, metal: str, pin: tuple[int, str], reach: int, pushing: bool) -> None:
        asked.append((pin[0], reach))
        if len(asked) != 6:
            assert nets["n"] is whole
        if found := wires.get(len(asked)):
            jumper.work.install(net, found)

    monkeypatch.setattr(jumper, "_jump", jump)
    jumper.mend("n", pushing=False)
    one, other = dict.fromkeys(pin for pin, _ in asked)
    assert asked == [
        *((pin, 4000) for pin in (one, other, one, other)),
        *((pin, 8000) for pin in (one, other, one)),
    ]
    assert nets["n"] is wires[7]
    assert jumper.too_large("n") == []


def crowd(stack: Stack) -> dict[str, Wires]:
    """Nets that are above the gate on every track of metal4, from one pin to another."""
    ends = (Y - units(2.8), Y + units(2.8))
    return {
        f"other{x}": Wires(
            [pin(1, "A", x, y) for y in ends],
            {},
            {("metal4", x): [ends]},
            {(cut, x, y) for cut in ("via1", "via2", "via3") for y in ends},
        )
        for x in range(X - units(5.6), X + units(5.6), stack.pitch("metal4"))
    }


@pytest.mark.parametrize("moves", [True, False])
def test_others_are_pushed_away_or_all_stays(
    stack: Stack, moves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where others are in every way, they are moved; if they cannot be, nothing is."""
    nets = {"n": wired("metal3", 70)} | crowd(stack)
    before = dict(nets)
    monkeypatch.setattr(jumps, "BOXES", jumps.BOXES[:1])  # a larger box has a way around them
    monkeypatch.setattr(repair, "supply_shapes", lambda design: {})  # pillars stand in the way
    if not moves:
        monkeypatch.setattr(Repair, "settle_all", lambda work, live: (len(live), 0))
    assert mended(stack, nets) == Mended(before=1, after=int(not moves))
    assert index(stack, nets).pairs(nets) == set()
    assert not any(is_open(stack, wires) for wires in nets.values())
    assert (nets == before) is not moves


@pytest.mark.parametrize("metal", ["metal3", "metal4", "metal5"])
def test_all_is_taken_away_in_the_box_up_to_the_metal_that_is_jumped_over(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, metal: str
) -> None:
    """With the cuts below it. The box ends 2 um from the pin, on all sides; the other 68 um of the
    wire are kept."""
    asked: dict = {}

    def jump(net: str, kept: list[Edge], dear: Dear, pushing: bool) -> bool:
        asked.update(net=net, kept=kept, dear=dear, pushing=pushing)
        return True

    work = Jumper(stack, design(), AREAS, {"n": wired(metal, 70)})
    monkeypatch.setattr(work.work, "jump", jump)
    work._jump("n", metal, (1, "A"), 4000, pushing=True)
    assert (asked["net"], asked["pushing"]) == ("n", True)
    left, low, right, high = box = (X - 4000, Y - 4000, X + 4000, Y + 4000)
    assert asked["dear"] == Dear(stack.routed.index(metal), box)

    def is_inside(edge: Edge) -> bool:
        (_, x0, y0), (_, x1, y1) = sorted((edge.a, edge.b), key=lambda node: node[1:])
        return x0 < right and x1 > left and y0 < high and y1 > low

    assert [edge for edge in asked["kept"] if is_inside(edge)] == []
    assert sum(edge.length for edge in asked["kept"] if edge.layer == metal) == units(68)


def test_antennas_are_too_large_by_the_ratio_of_their_own_metal(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Jumper(stack, design(), AREAS, {})
    work.ratios = {"metal3": 100.0, "metal4": 400.0}
    found = [Antenna("n", "metal3", 300.0, ()), Antenna("n", "metal4", 500.0, ())]
    monkeypatch.setattr(work, "too_large", lambda net: found)
    assert work._excess("n") == 3 + 1.25


@given(
    metal=st.sampled_from(["metal3", "metal4", "metal5"]),
    um=st.integers(20, 90).map(lambda steps: 1.12 * steps),
    gates=st.lists(st.integers(1, 19).map(lambda steps: 1.12 * steps), max_size=2, unique=True),
)
def test_each_metal_below_the_highest_is_jumped_over(
    metal: str, um: float, gates: list[float]
) -> None:
    """Also the one below the highest, over which wires go to another track and back."""
    stack, count = stack_of(), 1 + len(gates)
    nets, on = {"n": wired(metal, um, *gates)}, (design(count), {"INV": {"A": 0.01}})
    beyond = um * stack.layers[metal].width / 2000 / (0.01 * count) > 400
    assert Jumper(stack, *on, nets).mend_all() == Mended(before=beyond, after=0)
    assert not is_open(stack, nets["n"])


def edge(*at: int) -> Edge:
    x0, y0, x1, y1 = at
    return Edge(("metal3", x0, y0), ("metal3", x1, y1), "metal3", abs(x1 - x0) + abs(y1 - y0))


@pytest.mark.parametrize(
    ("whole", "left"),
    [
        (edge(0, 50, 100, 50), [edge(0, 50, 20, 50), edge(80, 50, 100, 50)]),
        (edge(100, 50, 30, 50), [edge(80, 50, 100, 50)]),
        (edge(50, 30, 50, 200), [edge(50, 70, 50, 200)]),
        (edge(30, 50, 70, 50), []),
        (edge(20, 30, 80, 30), []),
        (edge(0, 29, 100, 29), [edge(0, 29, 100, 29)]),
        (edge(81, 0, 81, 100), [edge(81, 0, 81, 100)]),
        (edge(0, 50, 19, 50), [edge(0, 50, 19, 50)]),
        (Edge(("metal3", 50, 50), ("metal4", 50, 50), "via3", 0), []),
    ],
    ids=str,
)
def test_what_a_box_leaves(whole: Edge, left: list[Edge]) -> None:
    assert [*outside(whole, (20, 30, 80, 70))] == left
