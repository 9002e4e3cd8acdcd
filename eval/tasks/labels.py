"""Labels beside the points of a chart, where they cover neither each other nor what is drawn."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from math import dist

from matplotlib.axes import Axes
from matplotlib.figure import Figure

Label = tuple[float, float, str]  # x, y, text
Box = tuple[float, float, float, float]  # left, bottom, right, top
FONT_POINTS = 8.5
EDGE = 3.0  # from a label's estimated side to the panel's, in points
CLEAR = 6.0  # from the middle of a point to a label, in points
STEP_POINTS = 3.0  # along a line, from one box to the next
DISTANCES = (1.0, 2.2, 3.6, 5.0, 7.0, 9.5, 12.5, 16.0, 20.0, 25.0)
# In the order of preference: which way from the point, -1, 0 or 1 across and up.
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1), (0, -1), (1, -1), (-1, -1))
ACROSS = {1: "left", 0: "center", -1: "right"}
UP = {1: "bottom", 0: "center", -1: "top"}


def place_all(figure: Figure, panels: Iterable[tuple[Axes, Sequence[Label]]]) -> None:
    """Write the labels of each panel of a figure that is drawn otherwise."""
    figure.draw_without_rendering()  # from here on nothing moves
    for axes, labels in panels:
        place(axes, labels)


def place(axes: Axes, labels: Sequence[Label]) -> None:
    """Write each label near its point, clear of the axes' lines and markers.

    The axes' limits and place must be final. A label with no free place covers a line rather than
    another label.
    """
    scale = 72 / axes.figure.dpi
    drawn, written = _drawn(axes, scale), []
    left, bottom, right, top = (v * scale for v in axes.bbox.extents)

    def inside(box: Box) -> bool:
        across = left + EDGE < box[0] and box[2] < right - EDGE
        return across and bottom < box[1] and box[3] < top

    for x, y, text in labels:
        at = _display(axes, x, y, scale)
        places = []
        for distance, way in product(DISTANCES, DIRECTIONS):
            offset = (way[0] * CLEAR * distance, way[1] * CLEAR * distance)
            places.append((distance, way, offset, _box(at, offset, way, text)))
        within = [place for place in places if inside(place[-1])]
        readable = [p for p in within if not any(_overlap(p[-1], box) for box in written)]
        free = [p for p in readable if not any(_overlap(p[-1], box) for box in drawn)]
        distance, way, offset, box = (*free, *readable, *within, *places)[0]
        written.append(box)
        far = distance > DISTANCES[0]
        axes.annotate(
            text,
            (x, y),
            textcoords="offset points",
            xytext=offset,
            ha=ACROSS[way[0]],
            va=UP[way[1]],
            fontsize=FONT_POINTS,
            arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": "0.4"} if far else None,
        )


def _drawn(axes: Axes, scale: float) -> list[Box]:
    """Lay boxes over the markers and along the lines."""
    boxes = []
    for line in axes.lines:
        corners = [_display(axes, x, y, scale) for x, y in line.get_xydata()]
        half = 4.0 if line.get_marker() != "None" else 1.0
        spots = list(corners)
        for start, end in pairwise(corners):
            steps = int(dist(start, end) / STEP_POINTS)
            for part in (i / steps for i in range(1, steps)):
                spots.append(tuple(a + part * (b - a) for a, b in zip(start, end, strict=True)))
        boxes += [(x - half, y - half, x + half, y + half) for x, y in spots]
    return boxes


def _display(axes: Axes, x: float, y: float, scale: float) -> tuple[float, float]:
    across, up = axes.transData.transform((x, y))
    return across * scale, up * scale


def _box(at: tuple[float, float], offset: tuple[float, float], way: tuple, text: str) -> Box:
    """Estimate where the text will stand."""
    lines = text.splitlines()
    width, height = 0.64 * FONT_POINTS * max(map(len, lines)), 1.25 * FONT_POINTS * len(lines)
    left = at[0] + offset[0] + (way[0] - 1) / 2 * width
    bottom = at[1] + offset[1] + (way[1] - 1) / 2 * height
    return left, bottom, left + width, bottom + height


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
