"""Tell what is connected to what in the wires of one net."""

from collections import defaultdict
from typing import NamedTuple

from flow.layout.technology import Stack
from flow.layout.wires import PIN_METAL, Node, PinAt, Wires


class Edge(NamedTuple):
    """A piece of a net between two nodes: its layer (metal or cut) and length."""

    a: Node
    b: Node
    layer: str
    length: int


def graph(stack: Stack, wires: Wires) -> tuple[set[Node], list[Edge]]:
    """Find the net's nodes (ends, crossings, cuts, pins) and the pieces between them."""
    nodes: set[Node] = {(PIN_METAL, pin.access.x, pin.access.via) for pin in wires.pins}
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
    on_row: dict[tuple[str, int], list[int]] = defaultdict(list)
    on_column: dict[tuple[str, int], list[int]] = defaultdict(list)
    for metal, x, y in nodes:
        on_row[metal, y].append(x)
        on_column[metal, x].append(y)
    edges = []
    for (metal, y), spans in wires.h.items():
        xs = sorted(on_row[metal, y])
        for a, b in spans:
            inside = [x for x in xs if a <= x <= b]
            for p, q in zip(inside, inside[1:], strict=False):
                edges.append(Edge((metal, p, y), (metal, q, y), metal, q - p))
    for (metal, x), spans in wires.v.items():
        ys = sorted(on_column[metal, x])
        for a, b in spans:
            inside = [y for y in ys if a <= y <= b]
            for p, q in zip(inside, inside[1:], strict=False):
                edges.append(Edge((metal, x, p), (metal, x, q), metal, q - p))
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


def pin_node(pin: PinAt) -> Node:
    """Tell where a pin is in the graph."""
    return PIN_METAL, pin.access.x, pin.access.via


def is_open(stack: Stack, wires: Wires) -> bool:
    """Tell whether some pins of the net are not connected."""
    _, edges = graph(stack, wires)
    sets = Sets()
    for edge in edges:
        sets.join(edge.a, edge.b)
    return len({sets.find(pin_node(pin)) for pin in wires.pins}) > 1
