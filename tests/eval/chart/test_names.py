"""Names beside points: where they stand, and what they do not cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.chart.names import HIGH, Name, along, around, inside, overlap, place

pytestmark = pytest.mark.quick
SIZE = (800.0, 500.0)


def placed(spots: list[tuple[float, float]], lines: list = ()) -> list[Name]:
    """Place a name of each spot, each with a marker."""
    markers = [around(spot, 4.0) for spot in spots]
    return place([(*spot, f"name-{i}") for i, spot in enumerate(spots)], markers, lines, SIZE)


def test_a_name_stands_right_of_its_point_and_left_of_it_at_the_right_end() -> None:
    [name] = placed([(100.0, 100.0)])
    assert (name.way, name.far, name.at[1]) == ((1, 0), False, 100.0)
    assert 100 < name.at[0] == name.box[0] < 115
    [name] = placed([(790.0, 100.0)])
    assert name.way == (-1, 0)
    assert name.box[2] == name.at[0] < 790


def test_a_name_leaves_lines_and_markers_free() -> None:
    across = along([(0.0, 100.0), (800.0, 100.0)])
    [name] = placed([(400.0, 100.0)], across)
    assert name.way[1] != 0
    assert not any(overlap(name.box, box) for box in across)
    one, other = placed([(400.0, 100.0), (420.0, 100.0)])
    assert not overlap(one.box, around((420.0, 100.0), 4.0))
    assert not overlap(other.box, around((400.0, 100.0), 4.0))


def test_a_line_to_a_far_name_goes_round_other_markers() -> None:
    point, other = (400.0, 250.0), (430.0, 250.0)
    near = (340.0, 140.0, 460.0, 360.0)  # where nothing can be written

    def way(*markers: tuple[float, float]) -> tuple[int, int]:
        [name] = place([(*point, "name")], [around(m, 4.0) for m in markers], [near], SIZE)
        assert name.far
        return name.way

    assert way(point) == (1, 0)
    assert way(point, other) == (-1, 0)


def test_boxes_lie_along_a_line_so_near_that_no_name_stands_between() -> None:
    boxes = along([(10.0, 10.0), (50.0, 40.0)])
    steps = [other[0] - one[0] for one, other in zip(boxes, boxes[1:], strict=False)]
    assert 0 < min(steps) <= max(steps) < HIGH / 2
    assert overlap(boxes[0], around((10.0, 10.0), 1.0))
    assert overlap(boxes[-1], around((50.0, 40.0), 1.0))


@given(
    spots=st.lists(
        st.tuples(st.floats(100, 700), st.floats(50, 450)), min_size=1, max_size=12, unique=True
    )
)
def test_names_cover_no_other_name_and_stay_inside(spots: list[tuple[float, float]]) -> None:
    names = placed(spots)
    assert [name.text for name in names] == [f"name-{i}" for i in range(len(spots))]
    assert all(inside(name.box, *SIZE) for name in names)
    for i, name in enumerate(names):
        assert not any(overlap(name.box, other.box) for other in names[:i])
