"""Tables of a Liberty file: what lies between their points, and beyond them, by hand."""

import numpy as np
import pytest

from flow.gates.cells import Table, WireLoad
from flow.gates.liberty_tables import POINTS, TableBank

pytestmark = pytest.mark.quick

SQUARE = Table(np.array([1.0, 3.0]), np.array([10.0, 20.0]), np.array([[1.0, 2.0], [5.0, 10.0]]))
# Two stretches on each axis, of other slopes.
BENT = Table(
    np.array([0.0, 1.0, 3.0]),
    np.array([0.0, 2.0, 3.0]),
    np.array([[0.0, 2.0, 8.0], [10.0, 12.0, 18.0], [14.0, 16.0, 22.0]]),
)
OF_SLEW = Table(np.array([1.0, 2.0]), np.zeros(1), np.array([[5.0], [7.0]]))
OF_LOAD = Table(np.zeros(1), np.array([1.0, 3.0]), np.array([[5.0, 11.0]]))
CONSTANT = Table(np.zeros(1), np.zeros(1), np.array([[4.0]]))
ROW = np.arange(POINTS, dtype=float)
FULL = Table(ROW, 10 * ROW, np.add.outer(ROW**2, 100 * ROW**2))  # slew^2 + load^2 at the points


def looked_up(bank: TableBank, *asked: tuple[Table, float, float]) -> list[float]:
    numbers = np.array([bank.add(table) for table, *_ in asked])
    slews, loads = (np.array(column) for column in list(zip(*asked, strict=True))[1:])
    return bank.look_up(numbers, slews, loads).tolist()


@pytest.mark.parametrize(
    ("table", "slew", "load", "value"),
    [
        (SQUARE, 1, 10, 1),
        (SQUARE, 3, 20, 10),
        (SQUARE, 1, 20, 2),
        (SQUARE, 2, 15, 4.5),
        # Beyond an end the first or last stretch goes on: 2 a ns and 0.1 a fF at the low ends.
        (SQUARE, 4, 10, 7),
        (SQUARE, 1, 25, 2.5),
        (SQUARE, 0, 10, -1),
        (SQUARE, 1, 0, 0),
        (SQUARE, 4, 25, 2.5 + 1.5 * 10),
        (SQUARE, 0, 0, 0),
        # 1 a fF up to 2 fF, then 6; 10 a ns up to 1 ns, then 2.
        (BENT, 0.5, 1, 6),
        (BENT, 2, 2.5, 12 + 3 + 2),
        (BENT, 5, 5, 14 + 4 + 8 + 12),
        (BENT, 0, 1.9, 1.9),
        (BENT, 0, 2.1, 2.6),
        (BENT, -1, 0, -10),
        (OF_SLEW, 1.5, 77, 6),
        (OF_SLEW, 4, 0, 11),
        (OF_LOAD, 77, 2, 8),
        (OF_LOAD, 0, 0, 2),
        (CONSTANT, 3, 9, 4),
        # Between points of a square's parabola: the chord.
        (FULL, 5.5, 0, 30.5),
        (FULL, 0, 55, 3050),
        (FULL, 7, 0, 47),
        (FULL, 0, 70, 4700),
        (FULL, 0.5, 5, 0.5 + 50),
        (FULL, 6, 60, 36 + 3600),
    ],
)
def test_a_table_says_by_hand(table: Table, slew: float, load: float, value: float) -> None:
    assert looked_up(TableBank(), (table, slew, load)) == pytest.approx([value])


def test_tables_are_asked_together_and_added_later() -> None:
    bank = TableBank()
    assert looked_up(bank, (SQUARE, 2, 15), (OF_SLEW, 4, 0)) == [4.5, 11]
    assert looked_up(bank, (CONSTANT, 0, 0), (SQUARE, 0, 10), (BENT, 5, 5)) == [4, -1, 38]
    assert [bank.add(table) for table in (SQUARE, OF_SLEW, CONSTANT, BENT)] == [0, 1, 2, 3]


def test_a_table_of_more_points_is_refused() -> None:
    wide = Table(np.zeros(1), np.arange(8.0), np.zeros((1, 8)))
    with pytest.raises(ValueError, match=r"a table of \(1, 8\) points, at most 7"):
        looked_up(TableBank(), (wide, 0, 0))


def test_wires_grow_with_the_loads_between_the_points_and_beyond() -> None:
    model = WireLoad("made", 0.5, 2.0, ((1, 4.0), (3, 10.0)))
    found = model.capacitances(np.array([0, 1, 2, 3, 4, 10]))
    assert found.tolist() == [0, 2, 3.5, 5, 6, 12]
