"""The chart of a panel: it has the numbers that the panel has, on axes that fit them."""

import re
from typing import Any

import pytest

from eval.chart.drawing import svg
from eval.chart.families import FAMILIES, GLYPHS, OTHER, marker, rank
from eval.chart.panel import DASHED, GREY, Axis, Bar, Line, Marker, Panel, Point, joined, power
from eval.chart.tornado import LESS, MORE, Swing, tornado
from eval.chart.vega_lite import WIDTH, spec

SQUARE = Marker("square", GREY, filled=False)
POINTS = [
    Point(1.0, 10.0, name="first", card="card-1"),
    Point(2.0, 500.0, SQUARE),
    Point(3.0, 2000.0, name="last"),
]
PANEL = Panel(
    *(Axis("n"), Axis("area, um2"), POINTS),
    [Line([(1, 20), (2, 10), (3, 5)], dash=DASHED, steps=True), joined(POINTS, GREY)],
    title="A title",
    keys={"ours": Marker(), "theirs": SQUARE},
)


def layers(panel: Panel) -> list[dict[str, Any]]:
    """The layers of a chart of one panel."""
    [drawn] = spec([panel])["concat"]
    return drawn["layer"]


def rows(panel: Panel, mark: str) -> list[dict[str, Any]]:
    """The data of all layers with a mark."""
    return [
        row
        for layer in layers(panel)
        if layer["mark"]["type"] == mark
        for row in layer["data"]["values"]
    ]


def test_points_are_where_they_are_as_they_look() -> None:
    first, second, third = sorted(rows(PANEL, "point"), key=lambda row: row["x"])
    assert [(row["x"], row["y"]) for row in (first, second, third)] == [(p.x, p.y) for p in POINTS]
    assert (first["shape"], first["fill"], first["href"]) == ("circle", "#000000", "#card-1")
    assert (second["shape"], second["fill"], second["stroke"]) == ("square", "white", GREY)
    assert [row["text"] for row in rows(PANEL, "text")] == ["first", "last"]


def test_a_line_goes_through_its_spots_in_steps_or_straight() -> None:
    found = rows(PANEL, "line")
    stepped = [(row["x"], row["y"]) for row in found if row["strokeDash"]]
    assert stepped == [(1, 20), (2, 20), (2, 10), (3, 10), (3, 5)]
    straight = [(row["x"], row["y"]) for row in found if not row["strokeDash"]]
    assert straight == [(p.x, p.y) for p in POINTS]
    assert [row["order"] for row in found] == [*range(5), *range(3)]


def test_an_axis_is_logarithmic_where_values_differ_much_and_has_them_all() -> None:
    encoding = layers(PANEL)[0]["encoding"]
    for channel, kind, low, high in (("x", "linear", 1, 3), ("y", "log", 5, 2000)):
        scale = encoding[channel]["scale"]
        assert scale["type"] == kind
        assert scale["domain"][0] < low < high < scale["domain"][1]
    assert encoding["y"]["title"] == "area, um2"
    assert encoding["y"]["axis"]["values"] == [5, 10, 20, 50, 100, 200, 500, 1000, 2000]


def test_an_axis_of_one_value_or_none_has_room() -> None:
    for kind in ("", "linear", "log"):
        low, high = Axis("", kind).over([7.0]).ends
        assert low < 7 < high
    assert Axis("").over([]).kind == "linear"
    empty = spec([Panel(Axis("a"), Axis("b"))])
    assert svg(empty, "empty").count("<text") > 2


def test_a_settled_axis_says_where_a_value_stands() -> None:
    axis = Axis("", "log", ends=(1.0, 100.0)).over([])
    assert axis.part(10.0) == pytest.approx(0.5)
    assert Axis("", "linear", ends=(4.0, 0.0)).over([]).part(1.0) == pytest.approx(0.75)


def test_numbers_along_an_axis_are_few() -> None:
    def along(*values: float) -> list[float]:
        points = [Point(1, value) for value in values]
        chart = Panel(Axis("n"), Axis("", "log"), points)
        return layers(chart)[0]["encoding"]["y"]["axis"].get("values", [])

    assert along(1e2, 1e7) == [10.0**n for n in range(2, 8)]
    assert along(2.0, 2.1) == []  # Vega finds more
    ticks = Panel(Axis("bits", "log", [32, 64]), Axis("y"), [Point(32, 1), Point(64, 2)])
    assert layers(ticks)[0]["encoding"]["x"]["axis"]["values"] == [32, 64]


def test_bars_have_their_parts_and_hatches_stay_in_them() -> None:
    bars = [Bar(0, 0.0, 3.0, GREY), Bar(0, 3.0, 10.0)]
    hatches = bars[1].hatches(0.5)
    assert len(hatches) == 14
    spots = [spot for hatch in hatches for spot in hatch.spots]
    assert (min(spots), max(spots)) == ((3.0, 0.35), (10.0, -0.35))
    assert {y for _, y in spots} == {0.35, -0.35}
    across, up = Axis("nJ", "linear", ends=(0, 10)), Axis("", "linear", [0], ["one"], (0.6, -0.6))
    chart = Panel(across, up, lines=hatches, bars=bars, height=60)
    one, other = rows(chart, "rect")
    assert (one["x"], one["x2"], one["fill"]) == (0.0, 3.0, GREY)
    assert (other["x"], other["x2"], other["fill"]) == (3.0, 10.0, "white")
    assert (other["y"], other["y2"]) == (-0.35, 0.35)
    assert "one" in svg(spec([chart]), "bars")


def test_a_power_stays_below_all_points() -> None:
    points = [Point(n, value) for n, value in ((2, 10.0), (4, 20.0), (8, 320.0))]
    assert power(points, 2).spots == [(2, 5.0), (4, 20.0), (8, 80.0)]


def test_the_drawing_has_names_legend_links_and_nothing_from_elsewhere() -> None:
    drawing = svg(spec([PANEL, PANEL], columns=2), "a < b")
    assert drawing.startswith('<svg role="img" aria-label="a &lt; b"')
    for text in ("first", "last", "ours", "theirs", "A title", "area, um2", "n"):
        assert drawing.count(f">{text}</text>") == 2, text
    assert re.findall(r'<a xlink:href="([^"]*)"', drawing) == ["#card-1"] * 2
    assert "http" not in drawing
    assert " id=" not in drawing  # several on a page would share it
    assert drawing == svg(spec([PANEL, PANEL], columns=2), "a < b")


def test_a_chart_is_as_wide_as_the_page_shows_it() -> None:
    for columns in (1, 2):
        drawing = svg(spec([PANEL] * 2, columns), "wide")
        width = float(re.search(r'<svg[^>]* width="([\d.]+)"', drawing)[1])
        assert WIDTH - 60 < width < WIDTH + 30


def test_families_differ_in_shape_and_in_colour() -> None:
    looks = [*FAMILIES.values(), OTHER]
    assert len({shape for shape, _ in looks}) == len({colour for _, colour in looks}) == 9
    assert {shape for shape, _ in looks} == {*GLYPHS}  # of keys of the page
    assert len({*GLYPHS.values()}) == 9
    assert marker("Montgomery") == Marker(*FAMILIES["Montgomery"])
    assert marker("of tomorrow", filled=False, grey=True) == Marker(OTHER[0], GREY, filled=False)
    assert sorted(["own", "Montgomery", "naive"], key=rank) == ["naive", "Montgomery", "own"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        *(((1.0, 4.0), "linear"), ((1.0, 4.01), "log"), ((2.5, 3.0, 10.0), "linear")),
        *(((2.5, 3.0, 10.1), "log"), ((0.0, 9.0), "linear"), ((-1.0, 9.0), "linear")),
    ],
)
def test_an_axis_is_logarithmic_from_more_than_four_times_on(
    values: tuple[float, ...], kind: str
) -> None:
    assert Axis("").over(values).kind == kind


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_a_power_lies_below_all_points_and_touches_one(exponent: int) -> None:
    points = [Point(x, y) for x, y in ((4.0, 90.0), (1.0, 7.0), (2.0, 3.0), (2.0, 30.0))]
    spots = dict(power(points, exponent).spots)
    assert [*spots] == [1.0, 2.0, 4.0]
    assert spots == pytest.approx({x: 3.0 * (x / 2) ** exponent for x in spots})
    assert all(spots[p.x] <= p.y for p in points)


def test_the_first_swing_of_a_tornado_stands_on_top_and_goes_both_ways_from_0() -> None:
    swings = [Swing("most", -8.0, 5.0), Swing("less", 3.0, 0.0), Swing("least", 0.0, -1.0)]
    panel = tornado(swings, "title", "cycles")
    assert [(bar.row, bar.start, bar.end, bar.fill) for bar in panel.bars] == [
        *((0, -8.0, 0.0, LESS), (0, 0.0, 5.0, MORE)),
        *((1, 0.0, 3.0, LESS), (2, -1.0, 0.0, MORE)),
    ]
    x, y = panel.settled()
    assert y.part(0) > y.part(1) > y.part(2)  # from the bottom
    assert (*y.words,) == ("most", "less", "least")
    assert 0 < x.part(-8) < x.part(0) < x.part(5) < 1


def test_a_line_of_steps_goes_across_and_then_up_or_down() -> None:
    """So a front stays at its last value up to the next spot."""
    spots = [(1.0, 9.0), (2.0, 5.0), (4.0, 3.0)]
    assert Line(spots, steps=True).corners == [
        *((1.0, 9.0), (2.0, 9.0), (2.0, 5.0), (4.0, 5.0), (4.0, 3.0)),
    ]
    assert Line(spots).corners == spots
