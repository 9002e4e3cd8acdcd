"""The chart of the report: cycles against area, readable without colour."""

import io
import re
from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from eval.metrics import METRICS
from eval.results import PointResult, StudyResult

MARKERS = "osD^vP*X<>ph"
# Workloads differ by fill and line: encryption open and dashed, decryption filled and solid.
STYLES = {"e": ("white", "--"), "d": ("black", "-")}
SIZE_INCHES = (8.0, 5.2)


def figure(found: StudyResult) -> Figure:
    """Accelerator cycles over area, both logarithmic; a marker a design, a label a width."""
    chart = Figure(figsize=SIZE_INCHES, layout="constrained")
    axes = chart.add_subplot()
    designs = dict.fromkeys(p.point.design for p in found.points)
    for number, design in enumerate(designs):
        marker = MARKERS[number % len(MARKERS)]
        points = [p for p in found.points if p.point.design == design]
        for workload in found.study.workloads:
            _draw(axes, points, workload, marker)
    axes.set_xlabel(f"accelerator {METRICS['area_um2'].heading}")
    axes.set_ylabel("cycles of one exponentiation through the accelerator's port")
    axes.grid(True, which="both", color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(0.12)
    if axes.has_data():
        axes.set(xscale="log", yscale="log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axis.set_minor_formatter(NullFormatter())
        axes.legend(loc="best", frameon=True)
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


def _draw(axes: Axes, points: Sequence[PointResult], workload: str, marker: str) -> None:
    metric = f"xcel_cycles_{workload}"
    drawn = [p for p in points if {metric, "area_um2"} <= p.metrics.keys()]
    if not drawn:
        return
    fill, line = STYLES.get(workload, ("0.6", ":"))
    areas = [p.metrics["area_um2"] for p in drawn]
    cycles = [p.metrics[metric] for p in drawn]
    axes.plot(
        areas,
        cycles,
        linestyle=line,
        linewidth=0.8,
        color="black",
        marker=marker,
        markersize=7,
        markerfacecolor=fill,
        label=f"{points[0].point.design}, workload {workload}",
    )
    above = workload != "e"
    for p, area, count in zip(drawn, areas, cycles, strict=True):
        axes.annotate(
            f"{p.point.nbits} bits",
            (area, count),
            textcoords="offset points",
            xytext=(-7, 7) if above else (7, -7),
            ha="right" if above else "left",
            va="bottom" if above else "top",
            fontsize=9,
        )
