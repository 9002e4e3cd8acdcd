"""The charts of signatures: area and energy against time, a panel for each size of key."""

from collections.abc import Iterator

from eval.chart.panel import DASHED, Axis, Line, Marker, Panel, Point
from eval.report.pareto import ENERGY_VIEW, TIME_VIEW, View, pareto
from eval.report.signers import SIGN, key_widths, points_in
from eval.study.results import PointResult, StudyResult
from eval.tasks.section import Chart, Section

TITLE = "Signatures: area and energy against time"
CAPTION = (
    "Each point is an accelerator that signs with a key of the panel's size; a click on it leads "
    "to its card. Time: cycles of workload d x the clock period asked for, or that reached where "
    "it is missed. The black line joins the designs for any RSA key that no other beats in both, "
    "the dashed one those among the designs of constant time. Left and low is better. # takes "
    "moduli of one form only, ! misses the clock."
)
CONSTANT, OTHER = Marker("square"), Marker(filled=False)
KEYS = {"constant time": CONSTANT, "other designs": OTHER}


def signatures_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw a panel for each pair of metrics and each width at which two designs have both; nothing
    if there is none."""
    panels = [
        _panel(found, view, nbits, points)
        for view in (TIME_VIEW, ENERGY_VIEW)
        for nbits in key_widths(found)
        if len(points := points_in(found, nbits, view)) > 1
    ]
    if panels:
        yield Chart(TITLE, panels, CAPTION)


def _panel(found: StudyResult, view: View, nbits: int, points: list[PointResult]) -> Panel:
    where = {p: view.spots(found, p, SIGN) for p in points}
    constant = {p: spots for p, spots in where.items() if p.point.entry.constant_time}
    points = [
        Point(*spot, CONSTANT if p in constant else OTHER, found.name_of(p), p.card)
        for p, [spot] in where.items()
    ]
    fronts = [
        Line(pareto(where).corners, steps=True),
        Line(pareto(constant).corners, dash=DASHED, steps=True),
    ]
    across, up = Axis(view.across_title), Axis("time of a signature, us")
    return Panel(across, up, points, fronts, title=f"{nbits} bits", keys=KEYS)


SECTION = Section(chart=signatures_chart)
