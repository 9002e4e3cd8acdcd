"""Take apart what is too close to another net, and connect it again, until nothing is."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from flow.layout.conflicts import index
from flow.layout.connected import Edge, Sets, graph, pin_node
from flow.layout.design import Design
from flow.layout.maze import Dear, Maze, Pieces, by_piece, sevenths
from flow.layout.notches import drawn
from flow.layout.straps import supply_shapes
from flow.layout.technology import Stack
from flow.layout.wires import (
    Cut,
    Node,
    Segment,
    Tidier,
    Wires,
    cut_shapes,
    segment_shape,
)

# In sevenths of the height of a row.
MARGINS = (10, 35)
PUSHING_MARGIN, LAST_MARGIN = 40, 200
PATIENCE = 25  # rounds that leave no fewer pairs than one before
# From this round on, every third time a net is pushed, all of it is taken up.
WHOLE_AFTER, WHOLE_EACH = 4, 3


class Repair:
    """The nets of a design, and their conflicts."""

    def __init__(self, stack: Stack, design: Design, nets: dict[str, Wires]) -> None:
        self.stack, self.design, self.nets = stack, design, nets
        self.fixed = (stack.pin_cut, stack.pin_metal)  # the pins' own
        self.margins = [sevenths(stack, margin) for margin in MARGINS]
        self.pushing, self.last = (sevenths(stack, m) for m in (PUSHING_MARGIN, LAST_MARGIN))
        self.tidier = Tidier(stack)
        self.conflicts = index(stack, nets, fixed=supply_shapes(design))

    def _is_bad(self, net: str, edge: Edge) -> bool:
        if edge.length == 0:
            boxes = cut_shapes(self.stack, (edge.layer, *edge.a[1:]))
        else:
            boxes = iter([segment_shape(self.stack, (edge.layer, *edge.a[1:], *edge.b[1:]))])
        return bool(self.conflicts.of(net, boxes))

    def _pieces(self, net: str, whole: bool) -> tuple[Pieces, list[Node]]:
        """Take a net apart at its bad edges (or at all); where those were."""
        wires = self.nets[net]
        _, edges = graph(self.stack, wires)
        kept, damage = [], []
        for edge in edges:
            if edge.layer in self.fixed or not (whole or self._is_bad(net, edge)):
                kept.append(edge)
            else:
                damage += [edge.a, edge.b]
        return self._apart(wires, kept), damage

    def _apart(self, wires: Wires, kept: list[Edge]) -> Pieces:
        """Tell in which pieces a net is when these of its edges are left."""
        sets = Sets()
        for edge in kept:
            sets.join(edge.a, edge.b)
        pins = defaultdict(list)
        for pin in wires.pins:
            pins[sets.find(pin_node(self.stack, pin))].append(pin)
        own = [edge for edge in kept if edge.layer not in self.fixed]
        return Pieces(own, by_piece(own, sets.find), dict(pins))

    def reroute(self, net: str, margin: int, pushing: bool, whole: bool = False) -> bool:
        """Replace the net's bad edges; False if that cannot be done within the margin."""
        pieces, damage = self._pieces(net, whole)
        if not damage:
            return False
        points = [(x, y) for _, x, y in damage]
        if whole:
            points += [(p.access.x, p.access.via) for pins in pieces.pins.values() for p in pins]
        return self._connect(net, pieces, points, margin, pushing)

    def jump(self, net: str, kept: list[Edge], dear: Dear, pushing: bool) -> bool:
        """Connect a net again of which these edges are left, by metals that are not dear; False if
        that cannot be done."""
        left, low, right, high = dear.window
        pieces, corners = self._apart(self.nets[net], kept), [(left, low), (right, high)]
        margins = (self.pushing,) if pushing else self.margins
        return any(self._connect(net, pieces, corners, margin, pushing, dear) for margin in margins)

    def attach(self, net: str) -> bool:
        """Connect the pins of a net that are not; False if that cannot be done."""
        near = [(margin, False) for margin in self.margins]
        for margin, pushing in [*near, (self.pushing, True), (self.last, True)]:
            pieces, damage = self._pieces(net, whole=False)
            if len(pieces.pins) < 2:
                return True
            main = max(pieces.pins, key=lambda root: len(pieces.edges.get(root, [])))
            loose = [
                pin.access for root, pins in pieces.pins.items() if root != main for pin in pins
            ]
            if not pieces.edges.get(main):
                loose += [pin.access for pin in pieces.pins[main]]
            points = [(x, y) for _, x, y in damage] + [(pin.x, pin.via) for pin in loose]
            if self._connect(net, pieces, points, margin, pushing):
                return True
        return False

    def _connect(
        self,
        net: str,
        pieces: Pieces,
        points: list[tuple[int, int]],
        margin: int,
        pushing: bool,
        dear: Dear | None = None,
    ) -> bool:
        """Connect the pieces of a net within a margin around points; False if there is no way."""
        access = [pin.access for pins in pieces.pins.values() for pin in pins]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        window = (
            max(0, min(xs) - margin),
            max(0, min(ys) - margin),
            min(self.design.width, max(xs) + margin),
            min(self.design.height, max(ys) + margin) - 1,
        )
        columns = {pin.x for pin in access}
        where = (self.stack, self.conflicts, net, window)
        maze = Maze(*where, pushing, columns, dear)
        found = maze.connect(pieces)
        if found is None:
            return False
        self._install(net, pieces.kept, *found)
        return True

    def _install(
        self, net: str, kept: list[Edge], segments: Iterable[Segment], cuts: Iterable[Cut]
    ) -> None:
        old_segments, old_cuts = as_pieces(self.stack, kept)
        pins = self.nets[net].pins
        wires = self.tidier.tidy([*old_segments, *segments], [*old_cuts, *cuts], pins)
        self.install(net, self._pruned(wires))

    def install(self, net: str, wires: Wires) -> None:
        """Give a net other wires."""
        self.nets[net] = wires
        self.conflicts.remove(net)
        self.conflicts.add(net, drawn(self.stack, wires))

    def prune(self, names: Iterable[str]) -> None:
        """Cut the ends off these nets that lead nowhere, which may be smaller than metal may be."""
        for net in names:
            if (wires := self._pruned(self.nets[net])) is not self.nets[net]:
                self.install(net, wires)

    def _pruned(self, wires: Wires) -> Wires:
        """Cut off the ends that lead nowhere."""
        _, edges = graph(self.stack, wires)
        anchors = {pin_node(self.stack, pin) for pin in wires.pins}
        anchors |= {end for edge in edges if edge.layer == self.stack.pin_metal for end in edge[:2]}
        kept = [edge for edge in edges if edge.layer not in self.fixed]
        count = len(kept)
        while True:
            degree = Counter(end for edge in kept for end in edge[:2])
            left = [e for e in kept if all(degree[end] > 1 or end in anchors for end in e[:2])]
            if len(left) == len(kept):
                break
            kept = left
        return (
            wires
            if len(kept) == count
            else self.tidier.tidy(*as_pieces(self.stack, kept), wires.pins)
        )

    def settle(self, one: str, other: str, number: int) -> None:
        """Move one of two nets apart, or push others away for it."""
        movable = (net for net in (one, other) if net in self.nets)  # supply is not
        order = sorted(movable, key=lambda net: len(self.nets[net].pins))
        for margin in self.margins:
            for net in order:
                if self.reroute(net, margin, pushing=False):
                    return
        for net in order:
            self.conflicts.dispute(net)
        disputes = self.conflicts.disputes
        net = min(order, key=lambda n: (disputes[n] % 2, len(self.nets[n].pins)))
        whole = number > WHOLE_AFTER and number % WHOLE_EACH == 0
        self.reroute(net, self.pushing, pushing=True, whole=whole)

    def settle_all(
        self, live: set[tuple[str, str]], say: Callable[[str], None] = lambda text: None
    ) -> tuple[int, int]:
        """Settle pairs of nets that are too close, and those that come of it; how many are left,
        and after how many rounds. The nets are as the round left them after which these were the
        fewest."""
        seen, number = set(live), 0
        least, since, best = len(live), 0, dict(self.nets)
        while live and since < PATIENCE:
            number, since = number + 1, since + 1
            for one, other in sorted(live):
                if other in self.conflicts.near(one):
                    self.settle(one, other, number)
            live = self.conflicts.pairs({net for pair in seen for net in pair})
            seen |= live
            for pair in live:
                self.conflicts.heat(*pair)
            say(f"round {number}: {len(live)} pairs of nets too close")
            if len(live) < least:
                least, since, best = len(live), 0, dict(self.nets)
        for net, wires in best.items():
            if self.nets[net] is not wires:
                self.install(net, wires)
        return least, number


def as_pieces(stack: Stack, edges: Iterable[Edge]) -> tuple[list[Segment], list[Cut]]:
    """Make segments and cuts of edges."""
    segments: list[Segment] = []
    cuts: list[Cut] = []
    for a, b, layer, _ in edges:
        if layer in stack.routed:
            segments.append((layer, *a[1:], *b[1:]))
        else:
            cuts.append((layer, *a[1:]))
    return segments, cuts


class Repaired(NamedTuple):
    """How many pairs of nets were and are too close, and after how many rounds."""

    conflicts_of_router: int
    conflicts: int
    rounds: int


def repair(
    stack: Stack,
    design: Design,
    nets: dict[str, Wires],
    say: Callable[[str], None] = lambda text: None,
) -> Repaired:
    """Change `nets` until no two are too close, or no fewer get so; no end is left that leads
    nowhere."""
    work = Repair(stack, design, nets)
    live = work.conflicts.pairs(nets)
    settled = work.settle_all(live, say)
    work.prune(nets)
    return Repaired(len(live), *settled)
