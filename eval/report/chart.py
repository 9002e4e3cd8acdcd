"""The charts of the report: designs beside each other, view by view, readable without colour."""

from collections.abc import Sequence
from dataclasses import replace

from eval.catalog.workloads import WORKLOADS
from eval.chart.families import marker
from eval.chart.panel import DASHED, DOTTED, GREY, Axis, Line, Marker, Panel, Point, joined
from eval.report.pareto import CYCLES_VIEW, Spot, View, pareto, views
from eval.study.results import PointResult, StudyResult
from eval.tasks.marks import MEANINGS
from eval.tasks.section import Chart, Section, commonest

COMPARED_HEIGHT, WIDTHS_HEIGHT = 580, 330
CAPTION = (
    "Each point is one accelerator at one width, through its port; a click on it leads to its "
    "card. The shape of the marker is the family; open "
    "markers are workload e (encryption), filled ones workload d (decryption). A design's name "
    "stands at its workload d, with the slack where it misses the clock. A grey line joins the "
    "netlists of one design, mapped for one clock after another, its name at the smallest. Eta "
    "and low is better; the black line among designs of one width joins those which no other beats "
    "in both under workload d, among designs for any RSA key; the others stand beside them in "
    "grey. " + " ".join(MEANINGS.values())
)
FILLED = dict(zip(WORKLOADS, (False, True), strict=True))  # encryption open


def designs_chart(found: StudyResult) -> Chart | None:
    """Make the report's chart of designs; None if the study has no points."""
    return Chart("Designs beside each other", panels(found), CAPTION) if found.points else None


def panels(found: StudyResult) -> list[Panel]:
    """Draw a panel per view that has measurements: the designs of one width, by name. Below them,
    in the first view, stand those of other widths, beside the same ones at this."""

    def spots(p: PointResult, view: View) -> list[Spot]:
        return [spot for workload in WORKLOADS for spot in view.spots(found, p, workload)]

    measured = [p for p in found.points if spots(p, CYCLES_VIEW)]
    nbits = commonest(p.point.nbits for p in measured)
    most = [p for p in measured if p.point.nbits == nbits]
    compared = most if len(most) > 1 else []
    drawn = [
        _compared_panel(found, points, view)
        for view in views(found)
        if (points := [p for p in compared if spots(p, view)])
    ]
    elsewhere = {p.point.design for p in measured if p not in compared}
    widths = [p for p in measured if p.point.design in elsewhere]
    return [*drawn, _widths_panel(found, widths)] if widths or not compared else drawn


def _compared_panel(found: StudyResult, designs: Sequence[PointResult], view: View) -> Panel:
    """Join each design's workloads, or the netlists of its curve, by a grey line, its name at the
    last, and draw the front under the last workload. Where a workload moves a point across, too, or
    a design has a curve, draw the last alone."""
    shown = [w for w in WORKLOADS if any(view.spots(found, p, w) for p in designs)]
    curves = any(len(view.spots(found, p, w)) > 1 for p in designs for w in shown)
    if view.moved_across or curves:
        shown = shown[-1:]
    points, lines = [], []
    for p in designs:
        if own := [point for workload in shown for point in _points(found, p, view, workload)]:
            named = 0 if len(own) > len(shown) else -1
            own[named] = replace(own[named], name=_name(found, p))
            points += own
            entry = p.point.entry
            dash = DOTTED if entry.assumed else DASHED if entry.moduli.some else ()
            lines.append(joined(own, GREY, dash))
    front = pareto({p: view.spots(found, p, shown[-1]) for p in designs}).corners
    lines.append(Line(front, steps=True))
    title, keys = f"{view.title}, {designs[0].point.nbits} bits", _keys(designs, shown)
    across, up = Axis(view.across_title), Axis(view.up_title)
    return Panel(across, up, points, lines, title=title, keys=keys, height=COMPARED_HEIGHT)


def _widths_panel(found: StudyResult, designs: Sequence[PointResult]) -> Panel:
    """Draw a line per design and workload; several designs show the last workload alone, and have
    their names at the widest."""
    widths: dict[str, list[PointResult]] = {}
    for p in designs:
        widths.setdefault(p.point.design, []).append(p)
    alone = len(widths) == 1
    shown = list(WORKLOADS)[0 if alone else -1 :]
    points, lines = [], []
    for of in widths.values():
        for workload in shown:
            own = [
                replace(point, name=f"{p.marked()}, {p.point.nbits} bits" * named)
                for p in of
                for named in [workload == shown[-1] and (alone or p is of[-1])]
                for point in _points(found, p, CYCLES_VIEW, workload)
            ]
            points += own
            lines.append(joined(own))
    title, keys = f"{CYCLES_VIEW.title}, several widths", _keys(designs, shown)
    across, up = Axis(CYCLES_VIEW.across_title), Axis(CYCLES_VIEW.up_title)
    return Panel(across, up, points, lines, title=title, keys=keys, height=WIDTHS_HEIGHT)


def _points(found: StudyResult, p: PointResult, view: View, workload: str) -> list[Point]:
    """Mark where a point is under a workload, and link it to its card."""
    look = marker(p.point.entry.family, FILLED[workload], grey=p.point.entry.moduli.some)
    return [Point(*spot, look, card=p.card) for spot in view.spots(found, p, workload)]


def _keys(designs: Sequence[PointResult], workloads: Sequence[str]) -> dict[str, Marker]:
    """Explain what shapes and fills mean."""
    families = dict.fromkeys(p.point.entry.family for p in designs)
    return {family: marker(family) for family in families} | {
        f"workload {w}": Marker(filled=FILLED[w]) for w in workloads
    }


def _name(found: StudyResult, p: PointResult) -> str:
    """Name the design; say its slack if that is negative or the study has labels of its own."""
    label, slack = found.name_of(p), p.metrics.get("setup_slack_ns", 0.0)
    if found.study.label(p.point.design) == p.point.design and slack >= 0:
        return label
    return f"{label}, slack {slack:.2f} ns"


SECTION = Section(chart=lambda found: [designs_chart(found)])
