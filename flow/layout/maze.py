"""Connect the pieces of a net again: a maze search on the tracks of metal3 to metal6.

The search is in a window. Shapes that would be too close to another net's are forbidden or, if
`pushing`, dear: the other net is then rerouted in its turn, and what is in dispute for long
becomes dearer still (negotiated congestion, as in PathFinder by McMurchie and Ebeling, 1995).
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flow.layout.conflicts import Conflicts
from flow.layout.connected import Edge
from flow.layout.lef import units
from flow.layout.technology import CUTS, ROUTED, Stack, rail, track_pitch
from flow.layout.wires import FIRST_CUT, Cut, Node, PinAt, Segment, Shape, cut_shapes, segment_shape

VIA_COST = units(0.4)
CONFLICT_COST = units(3.0)
# A way around is near or not at all; a way through others is worth a longer look.
MOST_NODES = {False: 30_000, True: 250_000}
FINE, COARSE = track_pitch("metal3"), track_pitch("metal4")
EDGE = units(0.07)  # nothing is centred closer to the core's edge
Window = tuple[int, int, int, int]
Grid = tuple[int, int, int]  # index in ROUTED, x, y
FORBIDDEN = -1


@dataclass
class Pieces:
    """A net in pieces: what of it is kept, and the edges and pins of each piece."""

    kept: list[Edge]
    edges: dict[Node, list[Edge]]
    pins: dict[Node, list[PinAt]]


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
    ) -> None:
        self.stack, self.conflicts, self.net = stack, conflicts, net
        self.pushing, self.dispute = pushing, dispute
        left, low, right, high = window
        columns = {x for x in range(-(-left // COARSE) * COARSE, right + 1, COARSE) if x > EDGE}
        self.xs = sorted(columns | {x for x in pin_columns if left <= x <= right})
        rows = {y for p in (FINE, COARSE) for y in range(-(-low // p) * p, high + 1, p) if y > EDGE}
        self.ys = sorted(rows)
        self.x_at = {x: i for i, x in enumerate(self.xs)}
        self.y_at = {y: i for i, y in enumerate(self.ys)}
        self.costs: dict[Shape, int] = {}

    def on_track(self, layer: int, x: int, y: int) -> bool:
        """Tell whether wire of the layer may pass here, along its direction."""
        if x not in self.x_at or y not in self.y_at:
            return False
        if layer == 0:
            return y % FINE == 0
        return (layer == 2 or x % COARSE == 0) and (layer == 1 or y % COARSE == 0)

    def cost(self, shape: Shape) -> int:
        """Tell what the other nets make of a shape: 0, a cost, or FORBIDDEN."""
        known = self.costs.get(shape)
        if known is None:
            hits = self.conflicts.hits(self.net, shape)
            if hits and not self.pushing:
                known = FORBIDDEN
            else:
                known = sum(CONFLICT_COST * (1 + self.dispute[other]) for other in hits)
            self.costs[shape] = known
        return known

    def via_cost(self, cut: str, x: int, y: int) -> int:
        """Tell the same of a via; its metal2 is the pin's strip."""
        total = 0
        for shape in cut_shapes(self.stack, (cut, x, y)):
            if shape[0] != "metal2":
                cost = self.cost(shape)
                if cost < 0:
                    return FORBIDDEN
                total += cost
        return total

    def steps(self, at: Grid) -> Iterator[tuple[Grid, int]]:
        """List where to go from a place, and at what cost."""
        layer, x, y = at
        metal = ROUTED[layer]
        along_x = rail(metal) == "h"
        track, here = (self.xs, self.x_at[x]) if along_x else (self.ys, self.y_at[y])
        for way in (-1, 1):
            there = here + way
            while 0 <= there < len(track) and layer > 1 and track[there] % COARSE:
                there += way
            if 0 <= there < len(track):
                to = (track[there], y) if along_x else (x, track[there])
                cost = self.cost(segment_shape(self.stack, (metal, x, y, *to)))
                if cost >= 0:
                    yield (layer, *to), abs(track[there] - track[here]) + cost
        if x % COARSE == 0:
            for other in (layer + 1, layer - 1):
                pitch = FINE if max(layer, other) == 1 else COARSE
                if 0 <= other < len(ROUTED) and y % pitch == 0:
                    cost = self.via_cost(CUTS[max(layer, other) + 1], x, y)
                    if cost >= 0:
                        yield (other, x, y), VIA_COST + cost

    def entries(self, edges: list[Edge], pins: list[PinAt]) -> dict[Grid, int | None]:
        """List where a piece can be joined: None on its wires, the cost of a via2 on its pins."""
        found: dict[Grid, int | None] = {}
        for a, b, layer, _ in edges:
            if layer in CUTS:
                ends = [ROUTED.index(metal) for metal, *_ in (a, b) if metal in ROUTED]
                places = [(end, a[1], a[2]) for end in ends]
            else:
                places = list(self._along(ROUTED.index(layer), a, b))
            found |= {place: None for place in places if self.on_track(*place)}
        for pin in pins:
            x, low, high, _ = pin.access
            if x in self.x_at:
                for y in self.ys:
                    if y % FINE == 0 and low + EDGE <= y <= high - EDGE and (0, x, y) not in found:
                        cost = self.via_cost(FIRST_CUT, x, y)
                        if cost >= 0:
                            found[0, x, y] = cost
        return found

    def _along(self, layer: int, a: Node, b: Node) -> Iterator[Grid]:
        """List the places on a wire; none of a piece across the metal's direction."""
        (metal, x0, y0), (_, x1, y1) = a, b
        if y0 == y1 and rail(metal) == "h":
            yield from ((layer, x, y0) for x in self.xs if min(x0, x1) <= x <= max(x0, x1))
        elif x0 == x1 and rail(metal) == "v":
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
                    cuts.append((FIRST_CUT, end[1], end[2]))
            for (layer, x, y), (other, to_x, to_y) in zip(path, path[1:], strict=False):
                if layer == other:
                    segments.append((ROUTED[layer], x, y, to_x, to_y))
                else:
                    cuts.append((CUTS[max(layer, other) + 1], x, y))
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
