"""Connect the pieces of a net again: a maze search on the tracks of the wires' metals.

The search is in a window. Shapes that would be too close to another net's are forbidden or, if
`pushing`, dear: the other net is then rerouted in its turn, and what is in dispute for long
becomes dearer still (negotiated congestion, as in PathFinder by McMurchie and Ebeling, 1995).
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from flow.layout.conflicts import Conflicts
from flow.layout.connected import Edge
from flow.layout.technology import Stack
from flow.layout.wires import Cut, Node, PinAt, Segment, Shape, cut_shapes, segment_shape

# In sevenths of the height of a row, as are margins.
VIA_COST = 2
CONFLICT_COST = 15
# A way around is near or not at all; a way through others is worth a longer look.
MOST_NODES = {False: 30_000, True: 250_000}
CROSSING = 2  # from this of the wires' metals on, wires turn only where they meet others' tracks
DEARER = 20  # a wire where only those above it are wanted
Window = tuple[int, int, int, int]
Grid = tuple[int, int, int]  # index of the metal among those of wires, x, y
FORBIDDEN = -1


class Dear(NamedTuple):
    """Where wires are dear up to a metal, by its index among those of wires."""

    layer: int
    window: Window

    def holds(self, layer: int, x: int, y: int) -> bool:
        """Tell whether a wire is dear at a place."""
        left, low, right, high = self.window
        return layer <= self.layer and left <= x <= right and low <= y <= high


@dataclass
class Pieces:
    """A net in pieces: what of it is kept, and the edges and pins of each piece."""

    kept: list[Edge]
    edges: dict[Node, list[Edge]]
    pins: dict[Node, list[PinAt]]


def sevenths(stack: Stack, count: int) -> int:
    """Tell how long so many sevenths of the height of a row are."""
    return round(count * stack.row_height / 7)


class Maze:
    """The search for the ways of one net in one window."""

    def __init__(
        self,
        stack: Stack,
        conflicts: Conflicts,
        net: str,
        window: Window,
        pushing: bool,
        dispute: Counter[str],
        pin_columns: set[int],
        dear: Dear | None = None,
    ) -> None:
        self.dear = dear
        self.stack, self.conflicts, self.net = stack, conflicts, net
        self.pushing, self.dispute = pushing, dispute
        self.via, self.conflict = (sevenths(stack, cost) for cost in (VIA_COST, CONFLICT_COST))
        left, low, right, high = window
        self.pitches = [stack.pitch(metal) for metal in stack.routed]
        self.flat = [stack.rail(metal) == "h" for metal in stack.routed]
        columns, rows = set[int](), set[int]()
        for pitch, flat in zip(self.pitches, self.flat, strict=True):
            first, last = (low, high) if flat else (left, right)
            on_tracks = range(-(-first // pitch) * pitch, last + 1, pitch)
            # Nothing is centred closer to the core's edge.
            (rows if flat else columns).update(at for at in on_tracks if at > stack.reach)
        self.xs = sorted(columns | {x for x in pin_columns if left <= x <= right})
        self.ys = sorted(rows)
        self.x_at = {x: i for i, x in enumerate(self.xs)}
        self.y_at = {y: i for i, y in enumerate(self.ys)}
        self.costs: dict[Shape, int] = {}

    def on_track(self, layer: int, x: int, y: int) -> bool:
        """Tell whether wire of the layer may pass here, along its direction."""
        if x not in self.x_at or y not in self.y_at:
            return False
        track, along = (y, x) if self.flat[layer] else (x, y)
        if track % self.pitches[layer]:
            return False
        return layer <= CROSSING or along % self.pitches[layer - 1] == 0

    def _meets(self, layer: int, along: int) -> bool:
        """Tell whether a wire of the layer is stopped at here: where tracks cross it."""
        beside = self.pitches[layer - 1 : layer + 2 : 2]
        return layer < CROSSING or any(along % pitch == 0 for pitch in beside)

    def _joins(self, layer: int, x: int, y: int) -> bool:
        """Tell whether tracks of the layer and of the next one cross here."""
        across, along = (x, y) if self.flat[layer] else (y, x)
        return along % self.pitches[layer] == 0 and across % self.pitches[layer + 1] == 0

    def cost(self, shape: Shape) -> int:
        """Tell what the other nets make of a shape: 0, a cost, or FORBIDDEN."""
        known = self.costs.get(shape)
        if known is None:
            hits = self.conflicts.hits(self.net, shape)
            if hits and not self.pushing:
                known = FORBIDDEN
            else:
                known = sum(self.conflict * (1 + self.dispute[other]) for other in hits)
            self.costs[shape] = known
        return known

    def via_cost(self, cut: str, x: int, y: int) -> int:
        """Tell the same of a via; on the strips' metal it is within that of the pin, unless it is
        wider than this."""
        total = 0
        for shape in cut_shapes(self.stack, (cut, x, y)):
            if shape[0] != self.stack.pin_metal or shape[0] in self.stack.wide_pads:
                cost = self.cost(shape)
                if cost < 0:
                    return FORBIDDEN
                total += cost
        return total

    def steps(self, at: Grid) -> Iterator[tuple[Grid, int]]:
        """List where to go from a place, and at what cost."""
        layer, x, y = at
        metal, along_x = self.stack.routed[layer], self.flat[layer]
        track, here = (self.xs, self.x_at[x]) if along_x else (self.ys, self.y_at[y])
        for way in (-1, 1):
            there = here + way
            while 0 <= there < len(track) and not self._meets(layer, track[there]):
                there += way
            if 0 <= there < len(track):
                to = (track[there], y) if along_x else (x, track[there])
                cost = self.cost(segment_shape(self.stack, (metal, x, y, *to)))
                if cost >= 0:
                    long = abs(track[there] - track[here])
                    times = DEARER if self.dear and self.dear.holds(*at) else 1
                    yield (layer, *to), long * times + cost
        for other in (layer + 1, layer - 1):
            if 0 <= other < len(self.flat) and self._joins(min(layer, other), x, y):
                cost = self.via_cost(self.stack.cuts[max(layer, other) + 1], x, y)
                if cost >= 0:
                    yield (other, x, y), self.via + cost

    def entries(self, edges: list[Edge], pins: list[PinAt]) -> dict[Grid, int | None]:
        """List where a piece can be joined: None on its wires, the cost of a via on its pins."""
        found: dict[Grid, int | None] = {}
        stack, reach = self.stack, self.stack.reach
        for a, b, layer, _ in edges:
            if layer in stack.vias:
                ends = [stack.routed.index(metal) for metal, *_ in (a, b) if metal in stack.routed]
                places = [(end, a[1], a[2]) for end in ends]
            else:
                places = list(self._along(stack.routed.index(layer), a, b))
            found |= {place: None for place in places if self.on_track(*place)}
        for pin in pins:
            x, low, high, _ = pin.access
            if x in self.x_at:
                for y in self.ys:
                    on_strip = low + reach <= y <= high - reach
                    if y % self.pitches[0] == 0 and on_strip and (0, x, y) not in found:
                        cost = self.via_cost(stack.first_cut, x, y)
                        if cost >= 0:
                            found[0, x, y] = cost
        return found

    def _along(self, layer: int, a: Node, b: Node) -> Iterator[Grid]:
        """List the places on a wire; none of a piece across the metal's direction."""
        (_, x0, y0), (_, x1, y1) = a, b
        if y0 == y1 and self.flat[layer]:
            yield from ((layer, x, y0) for x in self.xs if min(x0, x1) <= x <= max(x0, x1))
        elif x0 == x1 and not self.flat[layer]:
            yield from ((layer, x0, y) for y in self.ys if min(y0, y1) <= y <= max(y0, y1))

    def search(
        self, sources: dict[Grid, int | None], targets: dict[Grid, int | None]
    ) -> list[Grid] | None:
        """Find the cheapest path from a source to a target (A*); None if there is none."""
        xs, ys = [x for _, x, _ in targets], [y for _, _, y in targets]
        left, right, low, high = min(xs), max(xs), min(ys), max(ys)

        def least(at: Grid) -> int:
            return max(left - at[1], 0, at[1] - right) + max(low - at[2], 0, at[2] - high)

        best = {at: cost or 0 for at, cost in sources.items()}
        before: dict[Grid, Grid | None] = dict.fromkeys(sources)
        queue = [(cost + least(at), at) for at, cost in best.items()]
        heapq.heapify(queue)
        done: set[Grid] = set()
        while queue and len(done) < MOST_NODES[self.pushing]:
            _, at = heapq.heappop(queue)
            if at in done:
                continue
            done.add(at)
            if at in targets:
                return _path(at, before)
            for to, cost in self.steps(at):
                new = best[at] + cost + (targets.get(to) or 0)
                if new < best.get(to, new + 1):
                    best[to], before[to] = new, at
                    heapq.heappush(queue, (new + least(to), to))
        return None

    def connect(self, pieces: Pieces) -> tuple[list[Segment], list[Cut]] | None:
        """Find wires and cuts that make one of the pieces; None if some cannot be reached."""
        entries = {
            root: self.entries(pieces.edges.get(root, []), pieces.pins[root])
            for root in pieces.pins
        }
        # From the smallest piece: if that is walled in, the search is over at once.
        roots = sorted(entries, key=lambda root: len(entries[root]))
        stack = self.stack
        segments: list[Segment] = []
        cuts: list[Cut] = []
        reached = dict(entries[roots[0]])
        left = set(roots[1:])
        while left:
            owner: dict[Grid, Node] = {}
            for root in roots:
                if root in left:
                    for place in entries[root]:
                        owner.setdefault(place, root)
            targets = {place: entries[root][place] for place, root in owner.items()}
            path = self.search(reached, targets) if targets and reached else None
            if path is None:
                return None
            root = owner[path[0]]
            left.discard(root)
            for end, via in ((path[0], targets[path[0]]), (path[-1], reached[path[-1]])):
                if via is not None:
                    cuts.append((stack.first_cut, end[1], end[2]))
            for (layer, x, y), (other, to_x, to_y) in zip(path, path[1:], strict=False):
                if layer == other:
                    segments.append((stack.routed[layer], x, y, to_x, to_y))
                else:
                    cuts.append((stack.cuts[max(layer, other) + 1], x, y))
            reached |= entries[root]
            reached |= dict.fromkeys(path)
        return segments, cuts


def _path(end: Grid, before: dict[Grid, Grid | None]) -> list[Grid]:
    path = [end]
    while (previous := before[path[-1]]) is not None:
        path.append(previous)
    return path


def by_piece(edges: list[Edge], find: Callable[[Node], Node]) -> dict[Node, list[Edge]]:
    """Sort edges by the piece that they belong to."""
    found: dict[Node, list[Edge]] = defaultdict(list)
    for edge in edges:
        found[find(edge.a)].append(edge)
    return found
