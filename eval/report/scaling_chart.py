"""The chart of growth: what designs take over the width, each axis logarithmic."""

from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval.report.growth import LEAST_WIDTHS, by_design, misses
from eval.report.panels import LINE, marker_style, over_widths
from eval.report.scaling import marking
from eval.study.results import PointResult, StudyResult
from eval.tasks.drawing import as_svg
from eval.tasks.labels import Label, place_all
from eval.tasks.metrics import METRICS
from eval.tasks.section import Chart

WIDTH, PANEL_HEIGHT = 9.0, 5.0  # inches
TITLE = "Growth with the width"
# By metric: the power of n that its dotted line has.
PANELS = {
    "area_um2": 1,
    "period_reached_ns": 0,
    "xcel_cycles_e": 1,
    "xcel_cycles_d": 2,
    "energy_glitches_d_nj": 3,
}
CAPTION = (
    "Accelerators over the width, both axes logarithmic: a power of n is a straight line, the "
    "dotted ones n, n^2 and n^3, and in the panel of periods none. Each line is a design of three "
    "widths or more, its name at the widest; a click on a point leads to its card. Open markers "
    "miss the clock."
)
Lines = list[list[PointResult]]


def scaling_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw how designs grow; nothing if none has three widths."""
    if chart := figure(found):
        yield Chart(TITLE, as_svg(chart, "growth with the width"), CAPTION)


def figure(found: StudyResult) -> Figure | None:
    """Draw a panel for each metric that some design has at three widths; None if there is none."""
    panels = {metric: lines for metric in PANELS if (lines := _lines(found, metric))}
    if not panels:
        return None
    chart = Figure(figsize=(WIDTH, PANEL_HEIGHT * len(panels)), layout="constrained")
    drawn = []
    for axes, (metric, lines) in zip(
        chart.subplots(len(panels), squeeze=False)[:, 0], panels.items(), strict=True
    ):
        drawn.append((axes, _panel(axes, found, metric, lines)))
    place_all(chart, drawn)
    return chart


def _lines(found: StudyResult, metric: str) -> Lines:
    """List the points that have a metric, design by design, of those that have enough."""
    lines = ([p for p in own if p.get(metric)] for own in by_design(found).values())
    return [own for own in lines if len(own) >= LEAST_WIDTHS]


def _panel(axes: Axes, found: StudyResult, metric: str, lines: Lines) -> list[Label]:
    labels = []
    for own in lines:
        spots = [(p.point.nbits, p.get(metric)) for p in own]
        axes.plot(*zip(*spots, strict=True), **LINE)
        for p, spot in zip(own, spots, strict=True):
            style = marker_style(p.point.entry.family, filled=not misses(p))
            axes.plot(*spot, **style, url=f"#{p.card}")
        labels.append((*spots[-1], found.name_of(marking(own))))
    _reference(axes, metric, lines)
    over_widths(axes, {p.point.nbits for own in lines for p in own}, METRICS[metric].heading)
    return labels


def _reference(axes: Axes, metric: str, lines: Lines) -> None:
    """Draw the dotted line, from below the least value of the narrowest width on."""
    if power := PANELS[metric]:
        widths = sorted({p.point.nbits for own in lines for p in own})
        least = min(p.get(metric) * (widths[0] / p.point.nbits) ** power for o in lines for p in o)
        values = [least * (n / widths[0]) ** power for n in widths]
        axes.plot(widths, values, ":", color="0.4", linewidth=0.8)
