"""Find what is around wires: other wires beside them, and how much of the metals above and below is
wire.

Wires beside each other are found exactly: what a wire sees first, on either side, along each part
of its length. What is above and below is told by tiles of two rows: the share that is metal there.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from flow.layout.spans import Span
from flow.layout.wires import Shape

ROWS = 2  # of a tile


class Run(NamedTuple):
    """A piece of wire on a track: its metal, direction, track, and both ends."""

    metal: str
    flat: bool
    track: int
    low: int
    high: int


class Beside(NamedTuple):
    """Two wires beside each other, the one of the higher track last: their numbers, from where to
    where they face each other, and the free space between."""

    lower: int
    upper: int
    low: int
    high: int
    space: int


class Densities:
    """The share of each tile that is metal; a tile is as wide and high as two rows."""

    def __init__(self, width: int, height: int, metals: Iterable[str], row: int) -> None:
        self.tile = ROWS * row
        size = -(-width // self.tile) + 1, -(-height // self.tile) + 1
        self.shares = {metal: np.zeros(size) for metal in metals}

    def add(self, shapes: Iterable[Shape]) -> None:
        """Add boxes, which overlap little."""
        for metal, x0, y0, x1, y1 in shapes:
            if (tiles := self.shares.get(metal)) is None:
                continue
            for i, width in self._parts(x0, x1, tiles.shape[0]):
                for j, height in self._parts(y0, y1, tiles.shape[1]):
                    tiles[i, j] += width * height / self.tile**2

    def _parts(self, low: int, high: int, tiles: int) -> list[Span]:
        """Tell in which rows of tiles a span lies, and how much of it."""
        size = self.tile
        first, last = max(0, low // size), min(tiles - 1, (high - 1) // size)
        return [
            (tile, min(high, (tile + 1) * size) - max(low, tile * size))
            for tile in range(first, last + 1)
        ]

    def at(self, metal: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Tell the share of a metal at places."""
        tiles = self.shares[metal]
        last_i, last_j = tiles.shape[0] - 1, tiles.shape[1] - 1
        i, j = (x // self.tile).clip(0, last_i), (y // self.tile).clip(0, last_j)
        found: np.ndarray = tiles[i.astype(int), j.astype(int)].clip(0, 1)
        return found


def _without(free: Sequence[Span], low: int, high: int) -> list[Span]:
    """Take a span out of others."""
    left = [part for a, b in free for part in ((a, min(b, low)), (max(a, high), b))]
    return [(a, b) for a, b in left if a < b]


def beside(runs: Sequence[Run], width: Mapping[str, int], reach: Mapping[str, int]) -> list[Beside]:
    """Find which wires of a metal and direction see each other, up to a space of `reach`."""
    lines: dict[tuple[str, bool], dict[int, list[tuple[int, int, int]]]]
    lines = defaultdict(lambda: defaultdict(list))
    for number, run in enumerate(runs):
        lines[run.metal, run.flat][run.track].append((run.low, run.high, number))
    found = []
    for (metal, _), on_track in lines.items():
        tracks = sorted(on_track)
        for line in on_track.values():
            line.sort()
        for at, track in enumerate(tracks):
            last = bisect_right(tracks, track + width[metal] + reach[metal])
            near = [(on_track[t], t - track - width[metal]) for t in tracks[at + 1 : last]]
            for low, high, number in on_track[track]:
                found += _seen(number, (low, high), near)
    return found


def _seen(
    number: int, span: Span, near: Sequence[tuple[list[tuple[int, int, int]], int]]
) -> list[Beside]:
    """Find what one wire sees on the tracks above its own, the nearest first."""
    free, found = [span], []
    for line, space in near:
        if not free:
            break
        begin = max(0, bisect_left(line, (free[0][0],)) - 1)
        end = bisect_left(line, (free[-1][1],))
        for low, high, other in line[begin:end]:
            for a, b in free:
                if max(a, low) < min(b, high):
                    found.append(Beside(number, other, max(a, low), min(b, high), max(space, 0)))
            free = _without(free, low, high)
    return found
