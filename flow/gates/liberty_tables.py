"""Look many Liberty tables up at once."""

import numpy as np

from flow.gates.cells import Table

POINTS = 7


class TableBank:
    """Tables by number, each brought to 7 x 7 points without changing what it says."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._tables: list[Table] = []  # kept, so that id() stays theirs
        shapes = ((0, POINTS), (0, POINTS), (0, POINTS, POINTS))
        self._stacked = tuple(np.zeros(shape) for shape in shapes)  # axes and values

    def add(self, table: Table) -> int:
        """Number a table; the same one has the same number."""
        if id(table) not in self._numbers:
            self._numbers[id(table)] = len(self._tables)
            self._tables.append(table)
        return self._numbers[id(table)]

    def look_up(self, numbers: np.ndarray, slews: np.ndarray, loads: np.ndarray) -> np.ndarray:
        """Look a value up in each table: interpolated, and beyond its ends extrapolated."""
        if new := self._tables[len(self._stacked[0]) :]:
            axes = zip(*map(_widened, new), strict=True)
            parts = zip(self._stacked, map(np.array, axes), strict=True)
            self._stacked = tuple(map(np.concatenate, parts))
        x_axis, y_axis, values = self._stacked
        row, part_x = _place(x_axis[numbers], slews)
        column, part_y = _place(y_axis[numbers], loads)
        low, high = (
            values[numbers, at, column] * (1 - part_y) + values[numbers, at, column + 1] * part_y
            for at in (row, row + 1)
        )
        return low * (1 - part_x) + high * part_x


def _place(axes: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find for each position the point of its axis below it, and how far it is to the next."""
    point = np.clip((axes <= at[:, None]).sum(axis=1) - 1, 0, POINTS - 2)
    rows = np.arange(len(at))
    left, right = axes[rows, point], axes[rows, point + 1]
    return point, (at - left) / (right - left)


def _widened(table: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bring a table to 7 points on each axis: further points continue the last stretch, and a table
    that does not depend on an axis gets one."""
    x_axis, y_axis, values = table.slews, table.loads, table.values
    if max(values.shape) > POINTS:
        raise ValueError(f"a table of {values.shape} points, at most {POINTS} are expected")
    y_axis, values = _longer(y_axis, values)
    x_axis, columns = _longer(x_axis, values.T)
    return x_axis, y_axis, columns.T


def _longer(axis: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add points to the end of the axis of the columns, and their values."""
    if len(axis) == 1:
        return np.arange(POINTS, dtype=float), np.repeat(values, POINTS, axis=1)
    while len(axis) < POINTS:
        axis = np.append(axis, 2 * axis[-1] - axis[-2])
        values = np.column_stack([values, 2 * values[:, -1] - values[:, -2]])
    return axis, values
