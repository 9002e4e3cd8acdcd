"""The charts of signatures: area and energy against time, a panel for each size of key."""

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from eval.report.chart import TITLE_STYLE, decorate
from eval.report.panels import LINE, point_style
from eval.report.pareto import ENERGY_VIEW, TIME_VIEW, View, pareto
from eval.report.signers import SIGN, key_widths, points_in
from eval.study.results import PointResult, StudyResult
from eval.tasks.drawing import as_svg
from eval.tasks.labels import FONT_POINTS, Label, place_all
from eval.tasks.section import Chart

WIDTH, PANEL_HEIGHT = 9.0, 5.0  # inches
TITLE = "Signatures: area and energy against time"
CAPTION = (
    "Each point is an accelerator that signs with a key of the panel's size; a click on it leads "
    "to its card. Time: cycles of workload d x the clock period asked for, or that reached where "
    "it is missed. The black line joins the designs for any RSA key that no other beats in both, "
    "the dashed one those among the designs of constant time. Left and low is better. # takes "
    "moduli of one form only, ! misses the clock."
)
MARKS = {True: ("s", "constant time"), False: ("o", "other designs")}


def signatures_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw them; nothing where no two designs sign at such sizes."""
    if chart := figure(found):
        yield Chart(TITLE, as_svg(chart, "signatures"), CAPTION)


def figure(found: StudyResult) -> Figure | None:
    """Draw a panel for each pair of metrics and each width at which two designs have both."""
    panels = [
        (view, nbits, points)
        for view in (TIME_VIEW, ENERGY_VIEW)
        for nbits in key_widths(found)
        if len(points := points_in(found, nbits, view)) > 1
    ]
    if not panels:
        return None
    chart = Figure(figsize=(WIDTH, PANEL_HEIGHT * len(panels)), layout="constrained")
    drawn = []
    for axes, (view, nbits, points) in zip(
        chart.subplots(len(panels), squeeze=False)[:, 0], panels, strict=True
    ):
        drawn.append((axes, _panel(axes, found, view, points)))
        axes.set_title(f"{nbits} bits", **TITLE_STYLE)
    place_all(chart, drawn)
    return chart


def _panel(
    axes: Axes, found: StudyResult, view: View, points: Sequence[PointResult]
) -> list[Label]:
    where = {p: view.spots(found, p, SIGN) for p in points}
    constant = {p: spots for p, spots in where.items() if p.point.entry.constant_time}
    for front, dashes in ((pareto(where), "-"), (pareto(constant), "--")):
        if front.corners:
            axes.plot(*zip(*front.corners, strict=True), dashes, **LINE)
    labels = []
    for p, [spot] in where.items():
        axes.plot(*spot, **_style(p.point.entry.constant_time), zorder=3, url=f"#{p.card}")
        labels.append((*spot, found.name_of(p)))
    decorate(axes, view)
    axes.set_ylabel("time of a signature, us")
    samples = [Line2D([], [], label=text, **_style(mark)) for mark, (_, text) in MARKS.items()]
    axes.legend(
        handles=samples,
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=len(samples),
        frameon=False,
        fontsize=FONT_POINTS,
    )
    return sorted(labels)


def _style(constant_time: bool) -> dict[str, object]:
    return point_style(MARKS[constant_time][0], "black" if constant_time else "white")
