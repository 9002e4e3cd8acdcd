"""Connect the pieces of a net again: a maze search on the tracks of the wires' metals.

The search is in a window. Shapes that would be too close to another net's are forbidden or, if
`pushing`, dear: the other net is then rerouted in its turn. What is in dispute for long becomes
dearer still: nets, and the places where they were too close (negotiated congestion, as in
PathFinder by McMurchie and Ebeling, 1995).
"""

import ctypes
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from flow.layout.conflicts import Conflicts
from flow.layout.connected import Edge
from flow.layout.technology import Stack
from flow.layout.wires import Cut, Node, PinAt, Segment
from flow.layout.wiring import Metals, Places, address, column, layer_numbers, library, rows

# In sevenths of the height of a row, as are margins.
VIA_COST = 2
CONFLICT_COST = 15
HEAT_COST = 1  # of a shape where others were too close after an earlier round
# A way around is near or not at all; a way through others is worth a longer look.
MOST_NODES = {False: 30_000, True: 250_000}
CROSSING = 2  # from this of the wires' metals on, wires turn only where they meet others' tracks
DEARER = 20  # a wire where only those above it are wanted
Window = tuple[int, int, int, int]
Grid = tuple[int, int, int]  # index of the metal among those of wires, x, y
_i64 = ctypes.c_int64


class Dear(NamedTuple):
    """Where wires are dear up to a metal, by its index among those of wires."""

    layer: int
    window: Window


@dataclass
class Pieces:
    """A net in pieces: what of it is kept, and the edges and pins of each piece."""

    kept: list[Edge]
    edges: dict[Node, list[Edge]]
    pins: dict[Node, list[PinAt]]


def between(values: list[int], low: int, high: int) -> list[int]:
    """List those of sorted values that are from low to high."""
    return values[bisect_left(values, low) : bisect_right(values, high)]


def sevenths(stack: Stack, count: int) -> int:
    """Tell how long so many sevenths of the height of a row are."""
    return round(count * stack.row_height / 7)


@cache
def _metals(stack: Stack) -> Metals:
    """Tell the compiled search about the wires' metals, and the vias below them. What a via has on
    the strips' metal is within that of the pin, unless it is wider than this."""
    numbers = layer_numbers(stack.spacing)
    cuts = stack.cuts[1 : len(stack.routed) + 1]
    vias = [
        [
            (numbers[layer], *half)
            for layer, *half in stack.vias[cut].shapes
            if layer in numbers and (layer != stack.pin_metal or layer in stack.wide_pads)
        ]
        for cut in cuts
    ]
    metals = stack.routed
    columns: dict[str, list[int]] = {
        "layer": [numbers[metal] for metal in metals],
        "flat": [stack.rail(metal) == "h" for metal in metals],
        "pitch": [stack.pitch(metal) for metal in metals],
        "half_width": [stack.half_width[metal] for metal in metals],
        "via_start": [*accumulate((len(shapes) for shapes in vias), initial=0)],
    }
    arrays = {name: column(values) for name, values in columns.items()}
    arrays["via_shape"] = rows((shape for shapes in vias for shape in shapes), 3)
    told = Metals(
        count=len(metals),
        via=sevenths(stack, VIA_COST),
        conflict=sevenths(stack, CONFLICT_COST),
        heat=sevenths(stack, HEAT_COST),
        crossing=CROSSING,
        dearer=DEARER,
        **{name: array.ctypes.data for name, array in arrays.items()},
    )
    told.keep = arrays
    return told


class Maze:
    """The search for the ways of one net in one window."""

    def __init__(
        self,
        stack: Stack,
        conflicts: Conflicts,
        net: str,
        window: Window,
        pushing: bool,
        pin_columns: set[int],
        dear: Dear | None = None,
    ) -> None:
        self.stack, self.conflicts = stack, conflicts
        left, low, right, high = window
        self.pitches = [stack.pitch(metal) for metal in stack.routed]
        self.flat = [stack.rail(metal) == "h" for metal in stack.routed]
        columns, tracks = set[int](), set[int]()
        for pitch, flat in zip(self.pitches, self.flat, strict=True):
            first, last = (low, high) if flat else (left, right)
            on_tracks = range(-(-first // pitch) * pitch, last + 1, pitch)
            # Nothing is centred closer to the core's edge.
            (tracks if flat else columns).update(at for at in on_tracks if at > stack.reach)
        self.xs = sorted(columns | {x for x in pin_columns if left <= x <= right})
        self.ys = sorted(tracks)
        self._x_known, self._y_known = set(self.xs), set(self.ys)
        self._places = column(self.xs), column(self.ys)
        asked = Places(
            conflicts.number(net),
            pushing,
            MOST_NODES[pushing],
            len(self.xs),
            len(self.ys),
            *(array.ctypes.data for array in self._places),
            *((dear.layer, *dear.window) if dear else (-1, 0, 0, 0, 0)),
        )
        self._library = library()
        self._where = conflicts.handle, ctypes.byref(_metals(stack)), ctypes.byref(asked)

    def on_track(self, layer: int, x: int, y: int) -> bool:
        """Tell whether wire of the layer may pass here, along its direction."""
        if x not in self._x_known or y not in self._y_known:
            return False
        track, along = (y, x) if self.flat[layer] else (x, y)
        if track % self.pitches[layer]:
            return False
        return layer <= CROSSING or along % self.pitches[layer - 1] == 0

    def via_cost(self, cut: str, x: int, y: int) -> int:
        """Tell what the other nets make of a via: 0, a cost, or -1 if it is forbidden."""
        metal = self.stack.cuts.index(cut) - 1  # that above it
        cost: int = self._library.maze_via_cost(*self._where, _i64(metal), _i64(x), _i64(y))
        return cost

    def steps(self, at: Grid) -> Iterator[tuple[Grid, int]]:
        """List where to go from a place, and at what cost."""
        place, found = rows([[*at, 0]], 4), rows([[0] * 4] * 4, 4)
        count = self._library.maze_steps(*self._where, address(place), address(found))
        for layer, x, y, cost in found[:count].tolist():
            yield (layer, x, y), cost

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
            if x in self._x_known:
                for y in between(self.ys, low + reach, high - reach):
                    if y % self.pitches[0] == 0 and (0, x, y) not in found:
                        cost = self.via_cost(stack.first_cut, x, y)
                        if cost >= 0:
                            found[0, x, y] = cost
        return found

    def _along(self, layer: int, a: Node, b: Node) -> Iterator[Grid]:
        """List the places on a wire; none of a piece across the metal's direction."""
        (_, x0, y0), (_, x1, y1) = a, b
        if y0 == y1 and self.flat[layer]:
            yield from ((layer, x, y0) for x in between(self.xs, min(x0, x1), max(x0, x1)))
        elif x0 == x1 and not self.flat[layer]:
            yield from ((layer, x0, y) for y in between(self.ys, min(y0, y1), max(y0, y1)))

    def search(
        self, sources: dict[Grid, int | None], targets: dict[Grid, int | None]
    ) -> list[Grid] | None:
        """Find the cheapest path from a source to a target (A*); None if there is none."""
        path = ctypes.POINTER(_i64)()
        ends = [
            rows(((*at, cost or 0) for at, cost in one.items()), 4) for one in (sources, targets)
        ]
        told = [part for end in ends for part in (_i64(len(end)), address(end))]
        length = self._library.maze_search(*self._where, *told, ctypes.byref(path))
        steps = path[: 4 * length]
        return [*zip(steps[::4], steps[1::4], steps[2::4], strict=True)] or None

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


def by_piece(edges: list[Edge], find: Callable[[Node], Node]) -> dict[Node, list[Edge]]:
    """Sort edges by the piece that they belong to."""
    found: dict[Node, list[Edge]] = defaultdict(list)
    for edge in edges:
        found[find(edge.a)].append(edge)
    return found
