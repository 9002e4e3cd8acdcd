"""Strips of metal2 over the pins of cells, worked out by hand for polygons of a few corners."""

import pytest

from flow.layout.lef import Macro, Pin
from flow.layout.strips import Strip, _landings, _order, _placed, _spread, covered, strips
from flow.layout.technology import stack_of

pytestmark = pytest.mark.quick
STACK = stack_of()
# Units of 0.5 nm: a strip is 140 wide, metal2 tracks are at 190, 570, 950, and so on.
BAR = [(0, 0), (400, 0), (400, 200), (200, 200), (200, 1000), (0, 1000)]
OPEN_RIGHT = [
    (0, 0),
    (500, 0),
    (500, 200),
    (100, 200),
    (100, 600),
    (500, 600),
    (500, 900),
    (0, 900),
]


def box(left: int, low: int, right: int, high: int) -> list[tuple[int, int]]:
    return [(left, low), (right, low), (right, high), (left, high)]


@pytest.mark.parametrize(
    ("polygon", "left", "right", "spans"),
    [
        (BAR, 0, 200, [(0, 1000)]),
        (BAR, 0, 400, [(0, 200)]),
        (BAR, 250, 350, [(0, 200)]),
        (BAR, 100, 300, [(0, 200)]),
        (BAR, -10, 100, []),
        (BAR, 300, 410, []),
        (OPEN_RIGHT, 200, 400, [(0, 200), (600, 900)]),
        (OPEN_RIGHT, 50, 400, [(0, 200), (600, 900)]),
        (OPEN_RIGHT, 0, 100, [(0, 900)]),
    ],
)
def test_where_a_polygon_covers_a_strip(polygon: list, left: int, right: int, spans: list) -> None:
    """From whatever corner on it is written, and in either sense."""
    for turned in (polygon, polygon[::-1]):
        for first in range(len(polygon)):
            assert covered([*turned[first:], *turned[:first]], left, right) == spans


def test_landings_are_where_the_whole_strip_is_on_tall_metal() -> None:
    """A strip reaches 70 to either side, and stands on multiples of 10."""
    pin = Pin(polygons=[box(105, 0, 300, 400)])
    assert _landings(STACK, pin, 400) == dict.fromkeys(range(180, 231, 10), (0, 400))
    assert _landings(STACK, pin, 401) == {}
    assert _landings(STACK, Pin(polygons=[box(100, 0, 240, 400)]), 280) == {170: (0, 400)}
    assert _landings(STACK, Pin(polygons=[box(100, 0, 239, 400)]), 280) == {}


@pytest.mark.parametrize("upside_down", [False, True])
def test_the_tallest_metal_is_landed_on(upside_down: bool) -> None:
    """Two bars of 300 and 400, and one that is too low; in either order."""
    bars = [box(0, 0, 140, 300), box(0, 500, 140, 900), box(0, 1000, 140, 1100)]
    pin = Pin(polygons=bars[::-1] if upside_down else bars)
    assert _landings(STACK, pin, 280) == {70: (500, 900)}
    assert _landings(STACK, Pin(polygons=[bars[0], bars[2]]), 280) == {70: (0, 300)}


@pytest.mark.parametrize(
    ("choices", "width", "distance", "order"),
    [
        ({"a": [190], "b": [570]}, 760, 380, [("a", 190), ("b", 570)]),
        ({"a": [190], "b": [569]}, 760, 380, None),
        ({"a": [189, 190], "b": [570]}, 760, 380, [("a", 190), ("b", 570)]),
        ({"a": [189], "b": [570]}, 760, 380, None),
        ({"a": [190], "b": [571]}, 760, 380, None),
        ({"a": [190, 600], "b": [180, 500]}, 760, 300, [("b", 180), ("a", 600)]),
        ({"a": [600, 190], "b": [500]}, 760, 300, [("a", 190), ("b", 500)]),
        ({}, 760, 380, []),
    ],
)
def test_strips_keep_their_distance_and_half_of_it_to_the_edges(
    choices: dict, width: int, distance: int, order: list | None
) -> None:
    assert _order(choices, width, distance) == order


def test_what_must_be_furthest_left_is_first() -> None:
    """By the last place of each, however sets are ordered."""
    columns = [190, 570, 950, 1330]
    choices = {f"p{i}": [*columns, 1710 + 10 * i] for i in range(5)}
    assert _order(choices, 3000, 380) == [*zip(sorted(choices), [*columns, 1750], strict=True)]


def test_strips_go_to_tracks_or_to_the_middle_of_their_room() -> None:
    """The second of 760 at 600: to 570, the nearest of two tracks, once the first is at 190."""

    def spread(first: list[int], second: list[int], width: int = 1140) -> dict[str, int]:
        choices = {"a": dict.fromkeys(first, (0, 0)), "b": dict.fromkeys(second, (0, 0))}
        order = [("a", 200), ("b", 600)]
        return _spread(STACK, order, choices, width, 380)

    assert spread([180, 190, 200], [570, 600, 640, 950]) == {"a": 190, "b": 570}
    # Off the tracks the middle of what is free counts, not that of the room from 580 to 950.
    assert spread([200], [740, 820, 860, 960]) == {"a": 200, "b": 820}
    assert spread([200], [500, 960]) == {"a": 200, "b": 600}  # nothing is free
    # The first has room up to 380 before the second.
    assert spread([200, 210, 220, 260], [600]) == {"a": 210, "b": 600}
    # The last has room up to 190 before the edge: 720 counts, or does not.
    assert spread([190], [600, 700, 720], width=910) == {"a": 190, "b": 700}
    assert spread([190], [600, 700, 720], width=909) == {"a": 190, "b": 600}


def macro(width: int = 760, **boxes: list[tuple[int, int, int, int]]) -> Macro:
    pins = {name: Pin(polygons=[box(*one) for one in some]) for name, some in boxes.items()}
    supply = Pin(use="power", polygons=[box(0, 0, 10, 10)])
    return Macro("M", width, pins | {"VDD": supply})


def test_strips_of_a_cell() -> None:
    """A via in the middle of the metal, on a grid of 5."""
    found = strips(STACK, macro(A=[(120, 1001, 260, 1408)], B=[(500, 400, 640, 700)]))
    assert found == {"A": Strip(190, 1200), "B": Strip(570, 550)}
    assert (Strip(0, 0).bottom, Strip(0, 0).top) == (140, 2660)


def test_strips_stand_closer_before_a_via_stands_on_less() -> None:
    """B has 300 of metal at 550, and 200 at 570."""
    a, tall, low = (120, 1000, 260, 1400), (480, 0, 620, 300), (500, 1000, 640, 1200)
    assert strips(STACK, macro(A=[a], B=[tall, low]))["B"] == Strip(550, 150)
    assert strips(STACK, macro(A=[a], B=[low]))["B"] == Strip(570, 1100)
    assert strips(STACK, macro(A=[a], B=[(500, 1000, 640, 1139)])) is None
    assert strips(STACK, macro(A=[a], B=[(500, 1000, 640, 1140)]))["B"] == Strip(570, 1070)
    assert strips(STACK, macro(A=[a], B=[(400, 0, 540, 300)]))["B"].x == 470  # 280 apart
    assert strips(STACK, macro(A=[a], B=[(390, 0, 530, 300)])) is None


# In OSU018, units: strips reach from 400 to 19600 and 400 to either side, as do vias, whose cut is
# 400 wide; wires are 600 apart, and a via needs 800 of the pin's metal.
ABOVE, BELOW = (0, 12_000, 5000, 13_000), (0, 6000, 5000, 7000)


@pytest.mark.parametrize(
    ("landing", "others", "strip"),
    [
        ((1001, 3008), [], (2000, 400, 19_600)),
        # Shapes of the cell end it. A via's metal is 200 beyond its cut.
        ((1000, 3000), [ABOVE], (2000, 400, 11_400)),
        ((12_500, 16_000), [ABOVE], (14_900, 13_600, 19_600)),
        ((14_000, 18_000), [BELOW, ABOVE], (16_000, 13_600, 19_600)),
        ((7000, 11_300), [BELOW, ABOVE], (9500, 7600, 11_400)),
        # Of what is on either side of one the longer is taken.
        ((9000, 16_000), [ABOVE], (10_100, 400, 11_400)),
        ((3000, 12_000), [BELOW], (9900, 7600, 19_600)),
        # 800 of metal are left above 13800, and 799.
        ((12_500, 14_600), [ABOVE], (14_200, 13_600, 19_600)),
        ((12_500, 14_599), [ABOVE], None),
        # Beside it: 600 away, and less.
        ((1000, 3000), [(3000, 12_000, 4000, 13_000)], (2000, 400, 19_600)),
        ((1000, 3000), [(2999, 12_000, 4000, 13_000)], (2000, 400, 11_400)),
        ((1000, 3000), [(0, 12_000, 1000, 13_000)], (2000, 400, 19_600)),
        ((1000, 3000), [(0, 12_000, 1001, 13_000)], (2000, 400, 11_400)),
    ],
)
def test_a_strip_ends_before_other_shapes_of_the_cell(
    landing: tuple[int, int], others: list, strip: tuple[int, int, int] | None
) -> None:
    found = _placed(stack_of("osu018"), 2000, landing, others)
    assert found == (strip and Strip(2000, *strip))


@pytest.mark.parametrize(("low", "is_long"), [(2240, True), (2239, False)])
def test_a_strip_is_as_long_as_it_must_be(low: int, is_long: bool) -> None:
    """0.6 um in SKY130: from 760 on, to 280 before the other shape."""
    found = _placed(stack_of("sky130"), 2000, (900, 1500), [(0, low, 5000, low + 100)])
    assert found == (Strip(2000, 1200, 760, 1960) if is_long else None)


@pytest.mark.parametrize(("width", "fits"), [(880, True), (869, False)])
def test_a_via_keeps_half_of_the_spacing_to_the_edge_of_its_cell(width: int, fits: bool) -> None:
    """In SKY130 it reaches 290 to either side, half of the spacing is 140, and strips stand on
    multiples of 20: at 440."""
    found = strips(stack_of("sky130"), macro(width, A=[(200, 1000, 680, 2000)]))
    assert found == ({"A": Strip(440, 1500, 760, 4680)} if fits else None)
