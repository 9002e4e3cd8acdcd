"""The chart of what a modular product costs at long keys, over the width."""

from collections.abc import Iterator

from eval.chart.families import marker
from eval.chart.panel import Axis, Panel, Point, joined, power
from eval.report.products import TITLE, product_costs
from eval.study.results import StudyResult
from eval.tasks.section import Chart, Section

CAPTION = (
    "Area of the accelerator x time of a product, each design at its own clock, over the width; "
    "both axes logarithmic. Low is better. A design whose cost grows with the square of the width, "
    "as its area and its cycles grow with the width, is parallel to the dotted line."
)


def products_chart(found: StudyResult) -> Iterator[Chart | None]:
    """Draw area x time over the width; nothing unless a design has several long widths."""
    designs: dict[str, list[Point]] = {}
    for cost in sorted(product_costs(found), key=lambda cost: -cost.p.point.nbits):
        own = designs.setdefault(cost.p.point.design, [])
        name = "" if own else cost.name
        look = marker(cost.p.point.entry.family)
        own.append(Point(cost.p.point.nbits, cost.area_time, look, name))
    if any(len(own) > 1 for own in designs.values()):
        points = [point for own in designs.values() for point in own]
        across = Axis("bits", "log", sorted({point.x for point in points}))
        up = Axis("area x time of a product, um2 us", "log")
        lines = [*map(joined, designs.values()), power(points, 2)]
        yield Chart(TITLE, [Panel(across, up, points, lines)], CAPTION)


SECTION = Section(chart=products_chart)
