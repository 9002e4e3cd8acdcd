"""The chart of the report: cycles against area, readable without colour."""

import io
import re

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from eval.labels import place
from eval.metrics import METRICS
from eval.panels import AREA, compared_panel, widths_panel
from eval.results import PointResult, StudyResult

WIDTH, COMPARED_HEIGHT, WIDTHS_HEIGHT = 9.0, 7.4, 4.2  # inches

LINEAR_TO = 4.0  # the largest ratio of two values that a linear axis shows well


def figure(found: StudyResult) -> Figure:
    """Accelerator cycles over area: the designs of one width by name, and
    below them the widths of those that have several."""
    compared = _most_compared(found)
    widths = _at_several_widths(found) if compared else _measured(found)
    heights = [COMPARED_HEIGHT] * bool(compared) + [WIDTHS_HEIGHT] * bool(widths or not compared)
    chart = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    panels = list(chart.subplots(len(heights), height_ratios=heights, squeeze=False)[:, 0])
    drawn = []
    if compared:
        drawn.append((panels[0], compared_panel(panels[0], compared, found.study)))
        panels[0].set_title(f"Designs at {compared[0].point.nbits} bits", loc="left")
    if widths:
        drawn.append((panels[-1], widths_panel(panels[-1], widths)))
        panels[-1].set_title("Designs at several widths", loc="left")
    for axes in panels:
        _decorate(axes)
    chart.draw_without_rendering()  # from here on nothing moves
    for axes, labels in drawn:
        place(axes, labels)
    return chart


def svg(found: StudyResult) -> str:
    """The chart as an SVG element that refers to nothing outside; equal for equal results."""
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "modexplorer", "svg.fonttype": "path"}):
        figure(found).savefig(text, format="svg", metadata={"Date": None})
    drawing = text.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.S)
    drawing = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawing)
    return drawing.replace("<svg", '<svg role="img" aria-label="cycles against area"', 1)


def _measured(found: StudyResult) -> list[PointResult]:
    return [
        p for p in found.points if AREA in p.metrics and any("xcel_cycles" in m for m in p.metrics)
    ]


def _most_compared(found: StudyResult) -> list[PointResult]:
    """The measured points of the width at which most designs stand, the widest of such; none if
    no width has two designs."""
    by_width: dict[int, list[PointResult]] = {}
    for p in _measured(found):
        by_width.setdefault(p.point.nbits, []).append(p)
    most = max(by_width.items(), key=lambda item: (len(item[1]), item[0]), default=(0, []))[1]
    return most if len(most) > 1 else []


def _at_several_widths(found: StudyResult) -> list[PointResult]:
    """The measured points of designs with more than one width."""
    points = _measured(found)
    designs = [p.point.design for p in points]
    return [p for p in points if designs.count(p.point.design) > 1]


def _decorate(axes: Axes) -> None:
    axes.set_xlabel(f"accelerator {METRICS[AREA].heading}")
    axes.set_ylabel("cycles of one exponentiation")
    axes.grid(True, which="both", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(0.14)
    if not axes.has_data():
        return
    bounds = axes.dataLim
    for axis, least, most in (
        (axes.xaxis, bounds.x0, bounds.x1),
        (axes.yaxis, bounds.y0, bounds.y1),
    ):
        if most / least > LINEAR_TO:
            axis.axes.set(**{f"{axis.axis_name}scale": "log"})
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
