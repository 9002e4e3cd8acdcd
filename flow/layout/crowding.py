"""Find where a placed design wants more wires than there are tracks, and ask for room there.

Each net is estimated as a spanning tree whose lines turn one corner, either of the two. Squares of
a grid in which this wants too much of the tracks get more free sites beside their cells, so that
the next placement has fewer of them there.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flow.layout.design import Design
from flow.layout.estimate import spanning_tree
from flow.layout.routes import pins_of
from flow.layout.technology import Stack

SQUARE_ROWS = 10  # the side of a square, nearly: all are of one size
ENOUGH = 0.8  # the share of its tracks that may be wanted without more room
LITTLE = 0.001  # of all tracks: as much too much is settled by the router

Squares = NDArray[np.float64]


def _lengths(low: int, high: int, side: int) -> tuple[slice, Squares]:
    """Tell which squares a line passes, and how much of it is in each."""
    first, last = low // side, high // side
    edges = np.arange(first, last + 2) * side
    return slice(first, last + 1), np.diff(np.clip(edges, low, high)).astype(float)


def _tracks(stack: Stack, rail: str) -> float:
    """Tell how many tracks of wires in one direction there are in a unit of width."""
    return sum(1 / stack.pitch(metal) for metal in stack.routed if stack.rail(metal) == rail)


@dataclass(frozen=True)
class Crowding:
    """How crowded a placed design is."""

    design: Design

    @cached_property
    def _sides(self) -> tuple[int, int]:
        """How wide squares are, and how high."""
        side = SQUARE_ROWS * self.design.stack.row_height
        wide, high = (
            math.ceil(whole / max(1, round(whole / side)))
            for whole in (self.design.width, self.design.height)
        )
        return wide, high

    @cached_property
    def wanted(self) -> Squares:
        """What share of its tracks is wanted in each square, by column and row: the greater of
        those along the rows and across them."""
        design, (wide, high) = self.design, self._sides
        shape = (design.width // wide + 1, design.height // high + 1)
        along, across = np.zeros(shape), np.zeros(shape)
        for _, connected in design.routable():
            pins = pins_of(design, connected)
            for ends in spanning_tree(pins):
                at = [pins[number].access for number in ends[:2]]
                (left, right), (low, top) = sorted(p.x for p in at), sorted(p.via for p in at)
                columns, widths = _lengths(left, right, wide)
                rows, heights = _lengths(low, top, high)
                for y in (low, top):
                    along[columns, y // high] += widths / 2
                for x in (left, right):
                    across[x // wide, rows] += heights / 2
        sizes = _lengths(0, design.width, wide)[1], _lengths(0, design.height, high)[1]
        area = np.maximum(np.outer(*sizes), 1)
        return np.maximum(
            along / area / _tracks(design.stack, "h"), across / area / _tracks(design.stack, "v")
        )

    @property
    def excess(self) -> float:
        """How much more is wanted than there should be, summed over the squares."""
        return float(np.maximum(self.wanted - ENOUGH, 0).sum())

    @property
    def has_room(self) -> bool:
        """Whether there is little more to win by more room."""
        return self.excess <= LITTLE * self.wanted.size

    def roomier(self, wider: Mapping[int, float]) -> dict[int, float]:
        """Tell how much wider than usual the cells should be, by number, where they were so much
        wider in this placement: as many times as too much is wanted in their squares."""
        stack, (wide, high), found = self.design.stack, self._sides, dict(wider)
        for number, cell in enumerate(self.design.cells):
            if not cell.is_port:
                x, y = cell.site * stack.site_width, cell.row * stack.row_height
                times = self.wanted[x // wide, y // high] / ENOUGH
                if times > 1:
                    found[number] = found.get(number, 1.0) * float(times)
        return found
