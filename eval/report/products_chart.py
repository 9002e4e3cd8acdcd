"""The chart of what a modular product costs at long keys, over the width."""

from collections.abc import Iterator

from matplotlib.figure import Figure

from eval.report.panels import LINE, marker_style, over_widths
from eval.report.products import TITLE, ProductCost, product_costs
from eval.study.results import StudyResult
from eval.tasks.drawing import as_svg
from eval.tasks.labels import place_all
from eval.tasks.section import Chart

WIDTH, HEIGHT = 9.0, 6.0  # inches
CAPTION = (
    "Area of the accelerator x time of a product, over the width; both axes logarithmic. Low is "
    "better. A design whose cost grows with the square of the width, as its area and its cycles "
    "grow with the width, is parallel to the dotted line."
)


def products_chart(found: StudyResult) -> Iterator[Chart | None]:
    """Draw area x time over the width; nothing unless a design has several long widths."""
    lines: dict[str, list[ProductCost]] = {}
    for cost in product_costs(found):
        lines.setdefault(cost.p.point.design, []).append(cost)
    if not any(len(costs) > 1 for costs in lines.values()):
        return
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    labels = []
    for costs in lines.values():
        spots = sorted((cost.p.point.nbits, cost.area_time) for cost in costs)
        axes.plot(*zip(*spots, strict=True), **LINE)
        style = marker_style(costs[0].p.point.entry.family)
        axes.plot(*zip(*spots, strict=True), **style)
        labels.append((*spots[-1], costs[-1].p.marked()))
    widths = sorted({cost.p.point.nbits for costs in lines.values() for cost in costs})
    least = min(cost.area_time for costs in lines.values() for cost in costs)
    squares = [least * (nbits / widths[0]) ** 2 for nbits in widths]
    axes.plot(widths, squares, ":", color="0.6", linewidth=0.8)
    over_widths(axes, widths, "area x time of a product, um2 us")
    place_all(figure, [(axes, labels)])
    yield Chart(TITLE, as_svg(figure, "products at long keys"), CAPTION)
