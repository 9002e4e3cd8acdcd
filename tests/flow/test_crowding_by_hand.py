"""What wires want of the tracks of a square, worked out by hand.

Squares are 10 rows, 28000 units, high, and a quarter of the core wide. Along rows go the third
metal, a track each 280 units, and the fifth, each 560: three tracks in 560. Across go the fourth
and the sixth, each 560: two.
"""

import numpy as np
import pytest

from flow.layout.crowding import ENOUGH, Crowding
from flow.layout.design import Cell, Design
from flow.layout.placement import room
from tests.flow.test_placing import SHAPES, SITE

pytestmark = pytest.mark.quick
SITES = 300  # 114000 units
WIDE, HIGH = 28500, 28000
ALONG, ACROSS = 560 / 3, 560 / 2  # units of width for a track


def design_of(places: list[tuple[int, int]], nets: list[list[int]], sites: int = SITES) -> Design:
    """Inverters at these sites and rows; nets join the output of the first cell of each list with
    inputs of the others."""
    cells = [Cell(f"i{n}", "INV", site, row, "N") for n, (site, row) in enumerate(places)]
    joined = {
        f"n{number}": [(first, "ZN"), *((other, "A") for other in others)]
        for number, (first, *others) in enumerate(nets)
    }
    return Design("Top", sites, 40, {}, cells, joined, SHAPES)


def test_a_line_turns_either_corner() -> None:
    """From (570, 1000) to (190 + 160 sites, 1000 + 20 rows): half of it along each of two rows of
    squares, half across each of two columns."""
    design = design_of([(0, 0), (160, 20)], [[0, 1]])
    right, top = 190 + 160 * SITE, 1000 + 20 * 2800
    wanted = Crowding(design).wanted
    along = np.zeros_like(wanted)
    for row in (0, 2):
        along[:3, row] = (WIDE - 570) / 2, WIDE / 2, (right - 2 * WIDE) / 2
    across = np.zeros_like(wanted)
    for column in (0, 2):
        across[column, :3] = (HIGH - 1000) / 2, HIGH / 2, (top - 2 * HIGH) / 2
    assert wanted.shape == (5, 5)  # the last of either is empty
    found = np.maximum(along * ALONG, across * ACROSS) / (WIDE * HIGH)
    assert np.allclose(wanted, found)
    assert wanted[1, 1] == 0  # neither corner is in it


def test_a_net_of_three_pins_is_a_tree() -> None:
    """In a row: two lines, from one to the next; none from the first to the last."""
    row = [(10, 0), (50, 0), (30, 0)]
    one = Crowding(design_of(row, [[0, 1, 2]])).wanted
    # From 570 past 10 sites to 190 past 50.
    assert one[0, 0] == pytest.approx((40 * SITE - SITE) * ALONG / (WIDE * HIGH))


def test_what_is_too_much_gets_room() -> None:
    """Fifteen nets up through a square want more than enough of it; those in it get wider."""
    # Each is 9 rows, 25200 units long, of 28000: 15 want 15 * 25200 * 280 / 28000 ** 2 of it.
    places = [(4 * n, row) for n in range(15) for row in (0, 9)]
    quiet = [(110, 30), (113, 30)]
    nets = [[2 * n, 2 * n + 1] for n in range(15)]
    few = Crowding(design_of([*places, *quiet], [*nets, [30, 31]]))
    share = 15 * 25200 * ACROSS / (WIDE * HIGH)
    assert few.wanted.max() == pytest.approx(share)
    assert share < ENOUGH
    assert few.excess == 0
    assert few.has_room
    assert few.roomier({}) == {}

    nets *= 10
    many = Crowding(design_of([*places, *quiet], [*nets, [30, 31]]))
    assert many.excess == pytest.approx(10 * share - ENOUGH)
    assert not many.has_room
    times = pytest.approx(10 * share / ENOUGH)
    assert many.roomier({}) == dict.fromkeys(range(30), times)
    again = many.roomier({0: 2.0, 31: 1.5})
    assert again[0] == pytest.approx(2 * 10 * share / ENOUGH)
    assert again[1] == times
    assert again[31] == 1.5
    assert 30 not in again


@pytest.mark.parametrize(("wanted", "has_room"), [(0.825, True), (0.826, False)])
def test_a_thousandth_of_all_tracks_is_little(wanted: float, has_room: bool) -> None:
    """Of 25 squares, of which one wants too much."""
    crowding = Crowding(design_of([(0, 0), (0, 1)], [[0, 1]]))
    squares = np.zeros((5, 5))
    squares[2, 3] = wanted
    crowding.__dict__["wanted"] = squares
    assert crowding.has_room == has_room


def test_a_cell_that_is_wider_than_usual_has_more_room() -> None:
    """Two pins of an inverter take 5 sites, of one that is half as wide again 7.5."""
    design = design_of([(0, 0), (0, 1), (0, 2)], [[0, 1], [1, 2], [2, 0]])
    assert room(design, 0.5) == [3, 3, 3]
    assert room(design, 0.5, {1: 1.5, 7: 9.0}) == [3, 6, 3]
    assert room(design, 0.5, looser=1.2) == [4, 4, 4]
    assert room(design, 0.5, {1: 1.5}, looser=1.2) == [4, 7, 4]


def test_the_last_square_is_no_sliver() -> None:
    """A core that is wider by ten sites has as many squares, each a little wider: what runs up its
    east edge, where ports are, is a small part of what its last square has room for."""
    wanted = Crowding(design_of([(300, 0), (300, 9)], [[0, 1]], sites=310)).wanted
    # 117800 units in four squares of 29450.
    assert wanted.shape == (5, 5)
    assert wanted[3, 0] == pytest.approx(25200 * ACROSS / (29450 * HIGH))
    assert wanted.sum() == wanted[3, 0]
