"""The charts of the report: designs beside each other, view by view, readable without colour."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from eval.catalog.workloads import WORKLOADS
from eval.report.panels import compared_panel, widths_panel
from eval.report.pareto import CYCLES_VIEW, View, views
from eval.study.results import PointResult, StudyResult
from eval.tasks.drawing import as_svg
from eval.tasks.labels import place_all
from eval.tasks.marks import MEANINGS
from eval.tasks.section import Chart, commonest

WIDTH, COMPARED_HEIGHT, WIDTHS_HEIGHT = 9.0, 7.0, 4.2  # inches

CAPTION = (
    "Each point is one accelerator at one width, through its port; a click on it leads to its "
    "card. The shape of the marker is the family; open "
    "markers are workload e (encryption), filled ones workload d (decryption). A design's name "
    "stands at its workload d, with the slack where it misses the clock. A grey line joins the "
    "netlists of one design, mapped for one clock after another, its name at the smallest. Left "
    "and low is better; the black line among designs of one width joins those which no other beats "
    "in both under workload d, among designs for any RSA key; the others stand beside them in "
    "grey. " + " ".join(MEANINGS.values())
)
TITLE_STYLE = {"loc": "left", "fontsize": 10.5}  # beside the legend
LINEAR_TO = 4.0  # the largest ratio of two values that a linear axis shows well


def figure(found: StudyResult) -> Figure:
    """Draw a panel per view that has measurements: the designs of one width, by name. Below them,
    in the first view, stand those of other widths, beside the same ones at this."""
    compared = _most_compared(found)
    shown = [v for v in views(found) if _measured(found, v, compared)]
    widths = (
        _of_other_widths(found, compared)
        if compared
        else _measured(found, CYCLES_VIEW, found.points)
    )
    heights = [COMPARED_HEIGHT] * len(shown) + [WIDTHS_HEIGHT] * bool(widths or not compared)
    chart = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    panels = list(chart.subplots(len(heights), height_ratios=heights, squeeze=False)[:, 0])
    drawn = []
    for axes, view in zip(panels, shown, strict=False):
        drawn.append((axes, compared_panel(axes, compared, found, view)))
        axes.set_title(f"{view.title}, {compared[0].point.nbits} bits", **TITLE_STYLE)
        decorate(axes, view)
    if len(panels) > len(shown):
        drawn.append((panels[-1], widths_panel(panels[-1], widths, found, CYCLES_VIEW)))
        panels[-1].set_title(f"{CYCLES_VIEW.title}, several widths", **TITLE_STYLE)
        decorate(panels[-1], CYCLES_VIEW)
    place_all(chart, drawn)
    return chart


def svg(found: StudyResult) -> str:
    """Draw the charts as one SVG element, each point a link to its card."""
    return as_svg(figure(found), "designs beside each other")


def designs_chart(found: StudyResult) -> Chart | None:
    """Make the report's chart of designs; None if the study has no points."""
    return Chart("Designs beside each other", svg(found), CAPTION) if found.points else None


def _measured(found: StudyResult, view: View, points: Sequence[PointResult]) -> list[PointResult]:
    """Keep the points that have a place in a view."""
    return [p for p in points if any(view.spots(found, p, w) for w in WORKLOADS)]


def _most_compared(found: StudyResult) -> list[PointResult]:
    """The measured points of the width at which most designs stand; none if no width has two."""
    points = _measured(found, CYCLES_VIEW, found.points)
    nbits = commonest(p.point.nbits for p in points)
    most = [p for p in points if p.point.nbits == nbits]
    return most if len(most) > 1 else []


def _of_other_widths(found: StudyResult, compared: Sequence[PointResult]) -> list[PointResult]:
    """The measured points of other widths than those compared, and of designs that have such."""
    points = _measured(found, CYCLES_VIEW, found.points)
    designs = {p.point.design for p in points if p not in compared}
    return [p for p in points if p.point.design in designs]


def decorate(axes: Axes, view: View) -> None:
    """Name the axes, logarithmic where values differ much."""
    axes.set_xlabel(view.across_title)
    axes.set_ylabel(view.up_title)
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
        axis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
