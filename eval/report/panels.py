"""The panels of the chart: designs beside each other, and designs at several widths.

A panel draws its points and its legend, and returns its labels (x, y, text) for labels.place.
"""

from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from eval.catalog.workloads import WORKLOADS
from eval.report.pareto import Spot, View, pareto
from eval.study.results import PointResult, StudyResult
from eval.tasks.labels import FONT_POINTS, Label

MARKERS = {"naive": "o", "shift-sub": "s", "Montgomery": "^", "pseudo-modulus": "P"}
OTHER_FAMILY = "D"
FILLS = dict(zip(WORKLOADS, ("white", "black"), strict=True))  # encryption open
FEW = 100  # the least ratio of two values whose axis has powers of ten alone
LINE = {"color": "black", "linewidth": 0.8, "zorder": 1}


def compared_panel(
    axes: Axes, points: Sequence[PointResult], found: StudyResult, view: View
) -> list[Label]:
    """Join each design's workloads, or the netlists of its curve, by a grey line, its name at the
    last, and draw the front under the last workload. Where a workload moves a point across, too, or
    a design has a curve, draw the last alone."""
    labels: list[Label] = []
    shown = _shown(points, found, view)
    where: dict[PointResult, list[Spot]] = {}
    for p in points:
        for workload in shown:
            where[p] = view.spots(found, p, workload)
            _draw(axes, p, where[p], workload)
        if own := [spot for workload in shown for spot in view.spots(found, p, workload)]:
            line = "--" if p.point.entry.moduli.some else "-"
            axes.plot(*zip(*own, strict=True), line, color="0.7", linewidth=0.8, zorder=1)
            labels.append((*(own[0] if len(own) > len(shown) else own[-1]), _label(p, found)))
    axes.plot(*zip(*pareto(where).corners, strict=True), **LINE)
    _legend(axes, points, shown)
    return sorted(labels)


def widths_panel(
    axes: Axes, points: Sequence[PointResult], found: StudyResult, view: View
) -> list[Label]:
    """Draw a line per design and workload; several designs show the last workload alone, and have
    their names at the widest."""
    labels: list[Label] = []
    designs = dict.fromkeys(p.point.design for p in points)
    alone = len(designs) == 1
    shown = list(WORKLOADS)[slice(None) if alone else slice(-1, None)]
    for design in designs:
        own = [p for p in points if p.point.design == design]
        for workload in shown:
            drawn = [_draw(axes, p, view.spots(found, p, workload), workload) for p in own]
            line = [spot for spots in drawn for spot in spots]
            axes.plot(*zip(*line, strict=True), **LINE)
        names = [f"{p.marked()}, {p.point.nbits} bits" for p in own]
        named = [(*end, name) for end, name in zip(line, names, strict=True)]
        labels += named if alone else named[-1:]
    _legend(axes, points, shown)
    return labels


def _shown(points: Sequence[PointResult], found: StudyResult, view: View) -> list[str]:
    """List the workloads of a view that were measured and do not move points across."""
    several = view.moved_across or any(
        len(view.spots(found, p, w)) > 1 for p in points for w in WORKLOADS
    )
    measured = [w for w in WORKLOADS if any(view.spots(found, p, w) for p in points)]
    return measured[-1:] if several else measured


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


def _draw(axes: Axes, p: PointResult, spots: Sequence[Spot], workload: str) -> Sequence[Spot]:
    """Mark where a point is under a workload, each a link to the point's row."""
    style = point_style(_marker(p.point.entry.family), FILLS[workload], p.point.entry.moduli.some)
    for spot in spots:
        axes.plot(*spot, **style, zorder=3, url=f"#{p.card}")
    return spots


def _marker(family: str) -> str:
    return MARKERS.get(family, OTHER_FAMILY)


def marker_style(family: str, filled: bool = True) -> dict[str, object]:
    """Return how a design of a family is marked where no workload tells it apart."""
    return point_style(_marker(family), "black" if filled else "white")


def over_widths(axes: Axes, widths: Iterable[int], title: str) -> None:
    """Let the axes show something over the width, both logarithmic."""
    axes.set(xscale="log", yscale="log", xlabel="bits", ylabel=title)
    axes.set_xticks(sorted(widths))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    if axes.dataLim.y1 < FEW * axes.dataLim.y0:  # powers of ten alone would be one or two
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(True, which="both", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(0.14)


def point_style(marker: str, fill: str, faint: bool = False) -> dict[str, object]:
    """Return how a point is drawn."""
    edge = "0.6" if faint else "black"
    return {
        "linestyle": "none",
        "marker": marker,
        "markersize": 6.5,
        "markerfacecolor": edge if fill == "black" else fill,
        "markeredgecolor": edge,
    }


def _sample(marker: str, fill: str, text: str) -> Line2D:
    return Line2D([], [], label=text, **point_style(marker, fill))


def _label(p: PointResult, found: StudyResult) -> str:
    """Name the design; say its slack if that is negative or the study has labels of its own."""
    label, slack = found.name_of(p), p.metrics["setup_slack_ns"]
    if found.study.label(p.point.design) == p.point.design and slack >= 0:
        return label
    return f"{label}, slack {slack:.2f} ns"
