"""The panels of the chart: designs beside each other, and designs at several widths.

A panel draws its points and its legend, and returns its labels (x, y, text) for labels.place.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from eval.catalog.workloads import WORKLOADS
from eval.report.pareto import VIEWS, Spot, View, front
from eval.study.results import PointResult
from eval.study.study import Study
from eval.tasks.labels import FONT_POINTS

MARKERS = {"naive": "o", "shift-sub": "s", "Montgomery": "^", "pseudo-modulus": "P"}
OTHER_FAMILY = "D"
FILLS = dict(zip(WORKLOADS, ("white", "black"), strict=True))  # encryption open
LINE = {"color": "black", "linewidth": 0.8, "zorder": 1}

Label = tuple[float, float, str]


def compared_panel(
    axes: Axes, points: Sequence[PointResult], study: Study, view: View
) -> list[Label]:
    """Join each design's workloads by a grey line, its name at the last, and draw the front of
    these. Where a workload moves a point across, too, draw the last alone."""
    labels: list[Label] = []
    shown = slice(-1, None) if view.moved_across else slice(None)
    for p in points:
        own = _draw_point(axes, p, view, shown)
        if not own:
            continue
        axes.plot(*zip(*own, strict=True), color="0.7", linewidth=0.8, zorder=1)
        labels.append((*own[-1], _label(p, study)))
    axes.plot(*zip(*front([label[:2] for label in labels]), strict=True), **LINE)
    _legend(axes, points, _workloads(points, view)[shown])
    return sorted(labels)


def widths_panel(axes: Axes, points: Sequence[PointResult]) -> list[Label]:
    """Draw a line per design and workload; several designs show the last workload alone, and have
    their names at the ends."""
    labels: list[Label] = []
    designs = dict.fromkeys(p.point.design for p in points)
    alone = len(designs) == 1
    shown = slice(None) if alone else slice(-1, None)
    for design in designs:
        own = [p for p in points if p.point.design == design]
        drawn = [_draw_point(axes, p, VIEWS[0], shown) for p in own]
        for line in zip(*drawn, strict=True):
            axes.plot(*zip(*line, strict=True), **LINE)
        ends = [found[-1] for found in drawn]
        if alone:
            names = [f"{design}, {p.point.nbits} bits" for p in own]
            labels += [(*end, name) for end, name in zip(ends, names, strict=True)]
        else:
            labels.append((*ends[-1], design))
    _legend(axes, points, _workloads(points, VIEWS[0])[shown])
    return labels


def _legend(axes: Axes, points: Sequence[PointResult], workloads: Sequence[str]) -> None:
    """Explain what marker shapes and fills mean."""
    families = dict.fromkeys(p.point.entry.family for p in points)
    handles = [_sample(_marker(family), "0.6", family) for family in families]
    handles += [_sample("o", FILLS[w], f"workload {w}") for w in workloads]
    axes.legend(
        handles=handles,
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=len(handles),
        frameon=False,
        fontsize=FONT_POINTS,
        borderaxespad=0.2,
        columnspacing=1.2,
        handletextpad=0.2,
    )


def _draw_point(
    axes: Axes, p: PointResult, view: View, workloads: slice = slice(None)
) -> list[Spot]:
    """Mark the point's workloads, each a link to the point's row, and return where they are."""
    spots = list(view.spots(p).items())[workloads]
    for workload, (x, y) in spots:
        style = _style(_marker(p.point.entry.family), FILLS[workload])
        axes.plot(x, y, **style, zorder=3, url=f"#{p.anchor}")
    return [spot for _, spot in spots]


def _workloads(points: Sequence[PointResult], view: View) -> list[str]:
    return [w for w in FILLS if any(w in view.spots(p) for p in points)]


def _marker(family: str) -> str:
    return MARKERS.get(family, OTHER_FAMILY)


def _style(marker: str, fill: str) -> dict[str, object]:
    return {
        "linestyle": "none",
        "marker": marker,
        "markersize": 6.5,
        "markerfacecolor": fill,
        "markeredgecolor": "black",
    }


def _sample(marker: str, fill: str, text: str) -> Line2D:
    return Line2D([], [], label=text, **_style(marker, fill))


def _label(p: PointResult, study: Study) -> str:
    """Name the design; say its slack if that is negative or the study has labels of its own."""
    label, slack = study.label(p.point.design), p.metrics["setup_slack_ns"]
    if label == p.point.design and slack >= 0:
        return label
    return f"{label}, slack {slack:.2f} ns"
