"""The chart of document 000's figures 30 to 33: exponentiators over the key's bits, beside ours."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from eval.chart.panel import BLACK, DASHED, GREY, Axis, Marker, Panel, Point, joined
from eval.documents.d000.figures import KEY_BITS, TWO
from eval.documents.d000.tables import COLUMNS, alms_of, columns_of, product_ns
from eval.study.results import PointResult, StudyResult
from eval.tasks.section import Chart

TITLE = "Exponentiators over the key's bits (document 000, figures 30 to 33)"
CAPTION = (
    "Two multipliers, both axes logarithmic. Grey squares: what the document prints in its tables "
    "7 and 8, for a Cyclone V; black circles: ours, logic mapped for that family, delays in 45 nm. "
    "Dashed lines are of the pseudo-modulus."
)
PRINTED, OURS = Marker("square", GREY), Marker("circle", BLACK)


def tables_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw logic and delay of an iteration, in studies that have such exponentiators."""
    if ours := columns_of(found, 2):
        logic = "logic elements, or adaptive logic modules"
        panels = [
            _panel(logic, TWO.elements, ours, lambda p: alms_of(found, p)),
            _panel("delay of an iteration, ns", TWO.delay_ns, ours, product_ns),
        ]
        yield Chart(TITLE, panels, CAPTION)


def _panel(
    title: str,
    printed: Mapping[str, tuple[float, ...]],
    ours: Mapping[str, list[PointResult]],
    value: Callable[[PointResult], float | None],
) -> Panel:
    points, lines = [], []
    for column in COLUMNS:
        way, form = column.split("-")
        own = {p.point.nbits: v for p in ours.get(column, []) if (v := value(p))}
        for name, marker, spots in (
            (f"000: {way.upper()}", PRINTED, zip(KEY_BITS, printed[column], strict=True)),
            (way.upper(), OURS, sorted(own.items())),
        ):
            if line := [Point(*spot, marker) for spot in spots]:
                line[-1] = replace(line[-1], name=name)
                points += line
                lines.append(joined(line, marker.colour, DASHED if form == "pseudo" else ()))
    across = Axis("bits", "log", sorted({point.x for point in points}))
    return Panel(across, Axis(title, "log"), points, lines)
