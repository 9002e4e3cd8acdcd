"""What repair takes up and where it looks: windows, pieces and rounds, worked out by hand."""

import pytest

from flow.layout import repair as repairing
from flow.layout.conflicts import Conflicts
from flow.layout.design import Access, Design
from flow.layout.repair import Repair, repair
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Wires

pytestmark = pytest.mark.quick


def pin(number: int, x: int, row: int) -> PinAt:
    return PinAt(number, "A", Access(x, row - 700, row + 700, row), False)


def net(*xs: int, row: int, number: int, apart: tuple[PinAt, ...] = ()) -> Wires:
    """Pins joined along metal3 in a row, and pins that nothing is connected to."""
    pins = [pin(number + i, x, row) for i, x in enumerate(xs)]
    cuts = {(cut, x, row) for cut in ("via1", "via2") for x in xs}
    return Wires([*pins, *apart], {("metal3", row): [(min(xs), max(xs))]}, {}, cuts)


class Looked(Exception):
    """A maze was asked for."""


@pytest.fixture
def mazes(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """The windows and columns of the mazes that are asked for, none of which has a way."""
    asked: list[tuple] = []

    class Walled:
        def __init__(self, stack, conflicts, net, window, pushing, columns, dear) -> None:
            asked.append((net, window, pushing, columns))

        def connect(self, pieces) -> None:
            return None

    monkeypatch.setattr(repairing, "Maze", Walled)
    return asked


def crossed() -> dict[str, Wires]:
    """The wire of a, from 5000 to 9000, is that of b, too, from 7000 to 11000."""
    return {
        "a": net(5000, 9000, row=5600, number=0),
        "b": net(7000, 11_000, row=5600, number=2),
    }


@pytest.mark.parametrize(
    ("sites", "rows", "margin", "window"),
    [
        (60, 8, 1000, (4000, 4600, 10_000, 6599)),
        (60, 8, 5600, (0, 0, 14_600, 11_199)),
        (60, 8, 5001, (0, 599, 14_001, 10_600)),
        (25, 8, 1000, (4000, 4600, 9500, 6599)),
        (60, 2, 1000, (4000, 4600, 10_000, 5599)),
    ],
    ids=["inside", "to the south-west", "to the west", "to the east", "to the north"],
)
def test_the_search_is_around_the_damage_and_in_the_core(
    stack: Stack, mazes: list, sites: int, rows: int, margin: int, window: tuple
) -> None:
    nets = crossed()
    before = nets["a"]
    work = Repair(stack, Design("Top", sites, rows, {}), nets)
    assert not work.reroute("a", margin, pushing=False)
    assert mazes == [("a", window, False, {5000, 9000})]
    assert nets["a"] is before  # no way, no change


@pytest.mark.usefixtures("strapless")
def test_only_what_is_too_close_is_taken_up(stack: Stack, mazes: list) -> None:
    """Of three stretches the last, which b is on: from 9000 to 14000."""
    nets = {
        "a": net(1000, 5000, 9000, 14_000, row=5600, number=0),
        "b": net(11_000, 12_000, row=5600, number=5),
    }
    work = Repair(stack, Design("Top", 60, 8, {}), nets)
    pieces, damage = work._pieces("a", whole=False)
    assert {x for _, x, _ in damage} == {9000, 14_000}
    found = sorted(sorted(p.access.x for p in pins) for pins in pieces.pins.values())
    assert found == [[1000, 5000, 9000], [14_000]]
    assert {(e.a[1], e.b[1]) for e in pieces.kept if e.length} == {(1000, 5000), (5000, 9000)}
    every, taken = work._pieces("a", whole=True)
    assert (every.kept, len(every.pins)) == ([], 4)
    assert {x for _, x, _ in taken} == {1000, 5000, 9000, 14_000}


@pytest.mark.parametrize("is_crossed", [False, True])
def test_a_loose_pin_is_looked_for_around_it_and_the_damage(
    stack: Stack, mazes: list, is_crossed: bool
) -> None:
    """Not around the rest of the net, which is in one piece from 1000 to 9000: ever further, and at
    last by pushing. The net to 14000 is damaged where b is on it."""
    far = pin(4, 14_000, 8400)
    nets = {"a": net(1000, 5000, 9000, row=5600, number=0, apart=(far,))}
    if is_crossed:
        nets["a"] = net(1000, 5000, 9000, 12_000, row=5600, number=0, apart=(far,))
        nets["b"] = net(10_000, 11_000, row=5600, number=5)
    assert not Repair(stack, Design("Top", 200, 40, {}), nets).attach("a")
    assert [pushing for _, _, pushing, _ in mazes] == [False, False, True, True]
    near, further, *_ = (window for _, window, *_ in mazes)
    left, low = (9000, 5600) if is_crossed else (14_000, 8400)
    assert near == (left - 4000, low - 4000, 14_000 + 4000, 8400 + 4000 - 1)
    assert further == (max(0, left - 14_000), 0, 14_000 + 14_000, 8400 + 14_000 - 1)


def test_a_net_of_loose_pins_is_looked_for_around_all_of_them(stack: Stack, mazes: list) -> None:
    pins = [pin(0, 9000, 5600), pin(1, 20_000, 8400)]
    work = Repair(stack, Design("Top", 200, 40, {}), {"a": Wires(pins)})
    assert not work.attach("a")
    assert mazes[0][1] == (9000 - 4000, 5600 - 4000, 20_000 + 4000, 8400 + 4000 - 1)


def test_a_net_that_is_taken_up_whole_is_looked_for_around_all_its_pins(
    stack: Stack, mazes: list
) -> None:
    nets = crossed()
    far = pin(9, 15_000, 12_000)
    nets["a"] = net(5000, 9000, row=5600, number=0, apart=(far,))
    work = Repair(stack, Design("Top", 60, 8, {}), nets)
    for whole in (False, True):
        assert not work.reroute("a", 1000, pushing=True, whole=whole)
    near, wide = mazes
    assert near == ("a", (4000, 4600, 10_000, 6599), True, {5000, 9000, 15_000})
    assert wide == ("a", (4000, 4600, 16_000, 12_999), True, {5000, 9000, 15_000})


def test_what_is_settled_when(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Near, then further; the net of fewer pins first. Then one of them pushes, in turn; whole in
    every third round after the fourth."""
    nets = {
        "a": net(5000, 7000, 9000, row=5600, number=0),
        "b": net(7600, 11_000, row=5600, number=5),
    }
    work = Repair(stack, Design("Top", 60, 8, {}), nets)
    asked: list[tuple] = []

    def reroute(net: str, margin: int, pushing: bool, whole: bool = False) -> bool:
        asked.append((net, margin, pushing, whole))
        return False

    monkeypatch.setattr(work, "reroute", reroute)
    for number in range(1, 8):
        work.settle("a", "b", number)
    near = [("b", 4000), ("a", 4000), ("b", 14_000), ("a", 14_000)]
    rounds = [asked[i : i + 5] for i in range(0, len(asked), 5)]
    assert len(rounds) == 7
    for found in rounds:
        assert found[:4] == [(*one, False, False) for one in near]
        assert found[4][:3] == ("b", 16_000, True)
    assert [found[4][3] for found in rounds] == [number == 6 for number in range(1, 8)]
    assert work.conflicts.disputes == {"a": 7, "b": 7}
    work.conflicts.dispute("b")  # from another pair: what was in dispute more evenly goes first
    for number, last in ((8, ("a", 16_000, True, False)), (9, ("b", 16_000, True, True))):
        work.settle("a", "b", number)
        assert asked[-1] == last


def test_the_first_that_finds_a_way_ends_it(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Repair(stack, Design("Top", 60, 8, {}), crossed())
    asked: list[str] = []
    monkeypatch.setattr(work, "reroute", lambda net, *_, **__: asked.append(net) or net == "b")
    work.settle("a", "b", 1)
    assert asked == ["a", "b"]
    assert not work.conflicts.disputes


@pytest.mark.usefixtures("strapless")
def test_rounds_end_and_what_is_left_is_told(
    stack: Stack, mazes: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repairing, "PATIENCE", 3)
    said: list[str] = []
    counts = repair(stack, Design("Top", 60, 8, {}), crossed(), said.append)
    assert counts == repairing.Repaired(conflicts_of_router=1, conflicts=1, rounds=3)
    assert said == [f"round {number}: 1 pairs of nets too close" for number in (1, 2, 3)]


def test_nets_that_were_pushed_once_are_looked_at_ever_after(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pair a, b is settled in the first round at c's cost, c's in the second at a's and b's."""
    rounds = iter([{("a", "b")}, {("b", "c")}, {("a", "c")}, set()])
    live = next(rounds)
    seen: list[set[str]] = []

    def near(where: Conflicts, net: str) -> set[str]:
        return {other for pair in live if net in pair for other in pair if other != net}

    def settle(work: Repair, one: str, other: str, number: int) -> None:
        nonlocal live
        seen.append({one, other})
        live = next(rounds)

    monkeypatch.setattr(Conflicts, "near", near)
    monkeypatch.setattr(Repair, "settle", settle)
    nets = {name: net(5000, 9000, row=1400 * i, number=2 * i) for i, name in enumerate("abc", 1)}
    counts = repair(stack, Design("Top", 60, 8, {}), nets)
    assert seen == [{"a", "b"}, {"b", "c"}, {"a", "c"}]
    assert counts == repairing.Repaired(conflicts_of_router=1, conflicts=0, rounds=3)


def test_where_a_net_was_is_free_once_it_has_moved(stack: Stack) -> None:
    work = Repair(stack, Design("Top", 60, 8, {}), crossed())
    assert work.conflicts.near("b") == {"a"}
    assert work.reroute("a", 4000, pushing=False)
    assert work.conflicts.near("a") == work.conflicts.near("b") == set()
