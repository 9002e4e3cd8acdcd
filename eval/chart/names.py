"""Names beside the points of a panel, where they cover neither each other nor what is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product
from math import dist

Spot = tuple[float, float]  # pixels across and down
Box = tuple[float, float, float, float]  # left, top, right, bottom
FONT = 11  # pixels
HIGH = 1.25 * FONT  # of a line
LETTER, WIDER = 0.63 * FONT, dict.fromkeys("mwMW", 0.98 * FONT)  # across, at most on average
CLEAR = 8.0  # from the middle of a point to a name
STEP = 4.0  # along a line, from one box to the next
DISTANCES = (1.0, 2.2, 3.6, 5.0, 7.0, 9.5, 12.5, 16.0, 20.0, 25.0)
# In the order of preference: which way from the point, -1, 0 or 1 across and down.
DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (1, -1), (-1, -1), (0, 1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Name:
    """Where a name is written: the spot that it starts, is centred or ends at, and its box."""

    text: str
    of: Spot
    at: Spot
    way: tuple[int, int]
    box: Box
    far: bool

    @property
    def leader(self) -> list[Box]:
        """Lay boxes along the line from the spot to a name that is far from it."""
        return along([self.of, self.at]) if self.far else []


def place(
    names: Sequence[tuple[float, float, str]],
    markers: Sequence[Box],
    lines: Sequence[Box],
    size: tuple[float, float],
) -> list[Name]:
    """Write each name near its spot, in a panel of this size; where there is no free place, it
    covers a line rather than a marker, and a marker rather than another name."""
    written: list[Name] = []
    for x, y, text in names:
        places = [
            _name(text, (x, y), way, distance) for distance, way in product(DISTANCES, DIRECTIONS)
        ]
        others = [box for box in markers if not overlap(box, (x, y, x, y))]
        within = [p for p in places if inside(p.box, *size)]
        readable = [p for p in within if not any(overlap(p.box, other.box) for other in written)]
        bare = [p for p in readable if not any(overlap(p.box, box) for box in markers)]
        free = [p for p in bare if not any(overlap(p.box, box) for box in lines)]
        clear = (p for p in free if not any(overlap(b, o) for b in p.leader for o in others))
        written.append(next(chain(clear, free, bare, readable, within, places)))
    return written


def along(corners: Sequence[Spot]) -> list[Box]:
    """Lay boxes along a line."""
    spots = [
        (start[0] + i / steps * (end[0] - start[0]), start[1] + i / steps * (end[1] - start[1]))
        for start, end in pairwise(corners)
        for steps in [1 + int(dist(start, end) / STEP)]
        for i in range(steps + 1)
    ]
    return [around(spot, 1.5) for spot in spots]


def around(spot: Spot, half: float) -> Box:
    """Lay a box around a spot."""
    return spot[0] - half, spot[1] - half, spot[0] + half, spot[1] + half


def _name(text: str, of: Spot, way: tuple[int, int], distance: float) -> Name:
    at = of[0] + way[0] * CLEAR * distance, of[1] + way[1] * CLEAR * distance
    wide = sum(WIDER.get(letter, LETTER) for letter in text)
    left, top = at[0] + (way[0] - 1) / 2 * wide, at[1] + (way[1] - 1) / 2 * HIGH
    box = left, top, left + wide, top + HIGH
    return Name(text, of, at, way, box, distance > DISTANCES[0])


def inside(box: Box, width: float, height: float) -> bool:
    """Return whether a box is within a panel of this size."""
    return box[0] > 2 and box[2] < width - 2 and box[1] > 0 and box[3] < height


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes cover each other."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
