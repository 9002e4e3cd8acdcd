"""What is too narrow between the wires of one net, worked out by hand."""

from collections import Counter

import pytest

from flow.layout.notches import drawn
from flow.layout.technology import stack_of
from flow.layout.wires import Wires, shapes

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
