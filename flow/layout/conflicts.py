"""Index shapes by place, to find quickly those of different nets that touch or are too close."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from flow.layout.lef import units
from flow.layout.notches import drawn
from flow.layout.technology import Stack
from flow.layout.wires import Shape, Wires

BUCKET = units(1.4)  # about as high as a row
Key = tuple[str, int, int]


class Conflicts:
    """All shapes by place; a net's can be added and taken away. What has no spacing lies below the
    via of a pin, within the pin, and is in nobody's way."""

    def __init__(self, spacing: Mapping[str, int]) -> None:
        self.spacing = spacing
        self.buckets: dict[Key, dict[int, tuple[int, int, int, int, str]]] = defaultdict(dict)
        self.of_net: dict[str, list[tuple[int, list[Key]]]] = defaultdict(list)
        self.count = 0

    def add(self, net: str, boxes: Iterable[Shape]) -> None:
        """Add boxes of a net."""
        for layer, x0, y0, x1, y1 in boxes:
            if layer not in self.spacing:
                continue
            self.count += 1
            keys = [
                (layer, i, j)
                for i in range(x0 // BUCKET, x1 // BUCKET + 1)
                for j in range(y0 // BUCKET, y1 // BUCKET + 1)
            ]
            for key in keys:
                self.buckets[key][self.count] = (x0, y0, x1, y1, net)
            self.of_net[net].append((self.count, keys))

    def remove(self, net: str) -> None:
        """Take away all boxes of a net."""
        for number, keys in self.of_net.pop(net, ()):
            for key in keys:
                del self.buckets[key][number]

    def hits(self, net: str, shape: Shape) -> set[str]:
        """Find the other nets that the box would touch or be too close to."""
        layer, x0, y0, x1, y1 = shape
        if layer not in self.spacing:
            return set()
        space = self.spacing[layer]
        left, low, right, high = x0 - space, y0 - space, x1 + space, y1 + space
        square = space * space
        found = set()
        for i in range(left // BUCKET, right // BUCKET + 1):
            for j in range(low // BUCKET, high // BUCKET + 1):
                bucket = self.buckets.get((layer, i, j))
                if not bucket:
                    continue
                for a0, b0, a1, b1, other in bucket.values():
                    if other != net and a0 < right and left < a1 and b0 < high and low < b1:
                        dx, dy = max(a0 - x1, x0 - a1, 0), max(b0 - y1, y0 - b1, 0)
                        if dx * dx + dy * dy < square:
                            found.add(other)
        return found

    def of(self, net: str, boxes: Iterable[Shape]) -> set[str]:
        """Find the other nets that any of the boxes would be too close to."""
        found: set[str] = set()
        for box in boxes:
            found |= self.hits(net, box)
        return found


def index(
    stack: Stack, nets: dict[str, Wires], spacing: Mapping[str, int] | None = None
) -> Conflicts:
    """Index the shapes of all nets, which are too close below this spacing, or the stack's."""
    found = Conflicts(spacing or stack.spacing)
    for net, wires in nets.items():
        found.add(net, drawn(stack, wires))
    return found


def pairs(stack: Stack, nets: dict[str, Wires], where: Conflicts) -> set[tuple[str, str]]:
    """Find the pairs of nets that are too close somewhere."""
    return {
        (min(net, other), max(net, other))
        for net, wires in nets.items()
        for other in where.of(net, drawn(stack, wires))
    }
