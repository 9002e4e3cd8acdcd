"""Tell what is connected to what in the wires of one net."""

from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from flow.layout.technology import Stack
from flow.layout.wires import Node, PinAt, Wires


class Edge(NamedTuple):
    """A piece of a net between two nodes: its layer (metal or cut) and length."""

    a: Node
    b: Node
    layer: str
    length: int


def graph(stack: Stack, wires: Wires) -> tuple[set[Node], list[Edge]]:
    """Find the net's nodes (ends, crossings, cuts, pins) and the pieces between them."""
    nodes: set[Node] = {pin_node(stack, pin) for pin in wires.pins}
    for cut, x, y in wires.cuts:
        nodes |= {(stack.vias[cut].below, x, y), (stack.vias[cut].above, x, y)}
    for metal, x0, y0, x1, y1 in wires.segments():
        nodes |= {(metal, x0, y0), (metal, x1, y1)}
    for (metal, y), spans in wires.h.items():
        for (other, x), crossing in wires.v.items():
            if (
                other == metal
                and any(a <= x <= b for a, b in spans)
                and any(a <= y <= b for a, b in crossing)
            ):
                nodes.add((metal, x, y))
    edges = []
    for tracks, flat in ((wires.h, True), (wires.v, False)):
        on_track: dict[tuple[str, int], list[tuple[int, Node]]] = defaultdict(list)
        for metal, x, y in nodes:
            place, track = (x, y) if flat else (y, x)
            on_track[metal, track].append((place, (metal, x, y)))
        for (metal, track), spans in tracks.items():
            places = sorted(on_track[metal, track])
            for low, high in spans:
                inside = [at for at in places if low <= at[0] <= high]
                for (p, a), (q, b) in pairwise(inside):
                    edges.append(Edge(a, b, metal, q - p))
    for cut, x, y in wires.cuts:
        via = stack.vias[cut]
        edges.append(Edge((via.below, x, y), (via.above, x, y), cut, 0))
    return nodes, edges


class Sets:
    """Sets that can be joined (union and find)."""

    def __init__(self) -> None:
        self.above: dict[Node, Node] = {}

    def find(self, item: Node) -> Node:
        """Find the one that stands for the set that holds the item."""
        above = self.above
        while (parent := above.get(item, item)) != item:
            above[item] = above.get(parent, parent)
            item = parent
        return item

    def join(self, a: Node, b: Node) -> bool:
        """Make one set of two; whether they were two."""
        a, b = self.find(a), self.find(b)
        self.above[a] = b
        return a != b


def pin_node(stack: Stack, pin: PinAt) -> Node:
    """Tell where a pin is in the graph."""
    return stack.pin_metal, pin.access.x, pin.access.via


def is_open(stack: Stack, wires: Wires) -> bool:
    """Tell whether some pins of the net are not connected."""
    _, edges = graph(stack, wires)
    sets = Sets()
    for edge in edges:
        sets.join(edge.a, edge.b)
    return len({sets.find(pin_node(stack, pin)) for pin in wires.pins}) > 1
