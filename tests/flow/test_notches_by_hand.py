"""What is too narrow or too small between the wires of one net, worked out by hand."""

from collections import Counter
from random import Random

import klayout.db as kdb
import pytest

from flow.layout.notches import drawn, filled
from flow.layout.technology import stack_of
from flow.layout.wires import Shape, Wires, shapes

pytestmark = pytest.mark.quick
# The fifth metal runs along x, 280 units wide and as far apart: a track each 560.
TRACK = 28 * 560


@pytest.mark.parametrize(("step", "filled"), [(420, [(4140, 140, 4420, 280)]), (560, [])])
def test_a_wire_that_steps_aside_by_less_than_a_track_leaves_no_notch(
    step: int, filled: list[tuple[int, int, int, int]]
) -> None:
    """It goes so far across, along for 560 units, and back. By 420, 140 units are between its two
    parts, which are filled; by a track, 280 are, which is enough."""
    wires = Wires([])
    wires.h["metal5", TRACK] = [(0, 8000)]
    wires.h["metal5", TRACK + step] = [(4000, 4560)]
    wires.v["metal5", 4000] = wires.v["metal5", 4560] = [(TRACK, TRACK + step)]
    stack = stack_of("nangate45")
    assert stack.wide_pads == frozenset()
    found = Counter(drawn(stack, wires))
    found.subtract(shapes(stack, wires))
    between = [("metal5", x0, TRACK + y0, x1, TRACK + y1) for x0, y0, x1, y1 in filled]
    assert {box: times for box, times in found.items() if times} == dict.fromkeys(between, 1)


def ring(metal: str, hole: kdb.Box, wide: tuple[int, int, int, int]) -> list[Shape]:
    """Four boxes around a hole, so wide to the left, below, to the right and above."""
    left, low, right, high = wide
    outer = (hole.left - left, hole.bottom - low, hole.right + right, hole.top + high)
    return [
        (metal, outer[0], outer[1], hole.left, outer[3]),
        (metal, hole.right, outer[1], outer[2], outer[3]),
        (metal, hole.left, outer[1], hole.right, hole.bottom),
        (metal, hole.left, hole.top, hole.right, outer[3]),
    ]


# The least area of a hole and the spacing by SKY130's published rules (m1.7 to m4.7), um2 and um;
# um2 of 4 million square units.
HOLES = {"met1": (0.14, 0.14), "met2": (0.14, 0.14), "met3": (0.2, 0.3), "met4": (0.2, 0.3)}


@pytest.mark.parametrize("metal", HOLES)
def test_a_hole_is_filled_if_its_area_is_below_the_limit(metal: str) -> None:
    """Of random width and place, as high as it takes for the limit, and a grid step less. With a
    corner of it covered it is an L, and as much smaller. Another metal's boxes fill no hole."""
    um2, space = HOLES[metal]
    limit, grid = round(um2 * 4_000_000), 10
    rng, stack = Random(metal), stack_of("sky130")
    other = "met1" if metal == "met2" else "met2"
    for _ in range(10):
        wide = rng.randrange(round(2000 * space) + grid, limit // round(2000 * space) - 300, grid)
        high = -(-limit // (wide * grid)) * grid
        x, y = (rng.randrange(-90_000, 90_000, grid) for _ in "xy")
        around = tuple(rng.sample(range(300, 2000, grid), 4))
        for less, holes in ((0, 0), (grid, 1)):
            hole = kdb.Box(x, y, x + wide, y + high - less)
            assert (hole.area() < limit) == holes
            boxes = [*ring(metal, hole, around), (other, x - 900, y - 900, x + 9000, y + 400)]
            found = list(filled(stack, boxes, {metal, other}))
            assert found == [(metal, x, y, x + wide, y + high - less)] * holes
        corner = kdb.Box(x, y, x + grid, y + grid)
        region = kdb.Region(kdb.Box(x, y, x + wide, y + high)) - kdb.Region(corner)
        whole = kdb.Box(x, y, x + wide, y + high)
        boxes = [*ring(metal, whole, around), (metal, x, y, x + grid, y + grid)]
        parts = [kdb.Box(*box) for _, *box in filled(stack, boxes, {metal})]
        assert (kdb.Region(parts) ^ (region if region.area() < limit else kdb.Region())).is_empty()


@pytest.mark.parametrize("tech", ["nangate45", "osu018"])
def test_no_hole_is_filled_where_none_is_too_small(tech: str) -> None:
    """By published rules; a hole as wide as the spacing is enough."""
    stack = stack_of(tech)
    assert stack.with_holes == frozenset()
    metal = stack.routed[0]
    space = stack.spacing[metal]
    boxes = ring(metal, kdb.Box(0, 0, space, space), (300, 400, 500, 600))
    assert list(filled(stack, boxes, {metal})) == []
