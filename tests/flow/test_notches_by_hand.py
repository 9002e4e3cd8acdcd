"""What is too narrow between the wires of one net, worked out by hand."""

import pytest

from flow.layout.notches import drawn
from flow.layout.technology import stack_of
from flow.layout.wires import Wires, shapes

pytestmark = pytest.mark.quick
# The fifth metal runs along x, 280 units wide and as far apart: a track each 560.
TRACK, STEP = 28 * 560, 420


def test_a_wire_that_steps_aside_between_two_tracks_leaves_no_notch() -> None:
    """It goes 420 units across, along for 560, and back: 140 units are between its two parts."""
    wires = Wires([], h={}, v={})
    wires.h["metal5", TRACK] = [(0, 8000)]
    wires.h["metal5", TRACK + STEP] = [(4000, 4560)]
    wires.v["metal5", 4000] = wires.v["metal5", 4560] = [(TRACK, TRACK + STEP)]
    stack = stack_of("nangate45")
    assert stack.wide_pads == frozenset()
    own = {*shapes(stack, wires)}
    filled = {*drawn(stack, wires)} - own
    assert own <= {*drawn(stack, wires)}
    assert filled == {("metal5", 4140, TRACK + 140, 4420, TRACK + STEP - 140)}


def test_two_tracks_apart_nothing_is_filled() -> None:
    """The same with a step of a track: 280 units are enough."""
    wires = Wires([], h={}, v={})
    wires.h["metal5", TRACK] = [(0, 8000)]
    wires.h["metal5", TRACK + 560] = [(4000, 4560)]
    wires.v["metal5", 4000] = wires.v["metal5", 4560] = [(TRACK, TRACK + 560)]
    stack = stack_of("nangate45")
    assert {*drawn(stack, wires)} == {*shapes(stack, wires)}
