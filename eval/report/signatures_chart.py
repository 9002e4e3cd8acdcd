"""The charts of signatures: area and energy against time, a panel for each size of key."""

from collections.abc import Iterator

from eval.chart.panel import DASHED, DOTTED, GREY, Axis, Line, Marker, Panel, Point
from eval.report.pareto import (
    CURVES_VIEW,
    ENERGY_CURVES_VIEW,
    SIGN,
    NetlistView,
    Spot,
    key_widths,
    pareto,
)
from eval.report.signers import points_in
from eval.study.results import PointResult, StudyResult
from eval.tasks.section import Chart, Section

TITLE = "Signatures: area and energy against time"
CAPTION = (
    "Each point is a netlist of an accelerator that signs with a key of the panel's size, at the "
    "shortest period at which it works; dots join those of a design, which has its name at the "
    "fastest. A click leads to its card. Time: cycles of workload d x that period. The black line "
    "is the front of the designs for any RSA key, the dashed one that of the designs of constant "
    "time. Left and low is better. # takes moduli of one form only."
)
# By view: the title across, and the um2 or nJ of its unit.
ACROSS = {
    CURVES_VIEW: ("accelerator area, mm2", 1e6),
    ENERGY_CURVES_VIEW: ("energy of a signature, with glitches, uJ", 1e3),
}
CONSTANT, OTHER = Marker("square"), Marker(filled=False)
KEYS = {"constant time": CONSTANT, "other designs": OTHER}


def signatures_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw a panel for each pair of metrics and each width at which two designs have both; nothing
    if there is none."""
    panels = [
        _panel(found, view, nbits, points)
        for view in ACROSS
        for nbits in key_widths(found)
        if len(points := points_in(found, nbits, view)) > 1
    ]
    if panels:
        yield Chart(TITLE, panels, CAPTION)


def _panel(found: StudyResult, view: NetlistView, nbits: int, points: list[PointResult]) -> Panel:
    title, unit = ACROSS[view]
    where = {
        p: [Spot(at.across / unit, at.up / 1000) for at in view.spots(found, p, SIGN)]
        for p in points
    }
    constant = {p: spots for p, spots in where.items() if p.point.entry.constant_time}
    marks = [
        Point(
            *spot,
            CONSTANT if p in constant else OTHER,
            found.called(p) if spot.up == min(at.up for at in spots) else "",
            p.card,
        )
        for p, spots in where.items()
        for spot in spots
    ]
    curves = [Line(sorted(spots), GREY, DOTTED) for spots in where.values() if len(spots) > 1]
    fronts = [
        Line(pareto(where).corners, steps=True),
        Line(pareto(constant).corners, dash=DASHED, steps=True),
    ]
    across, up = Axis(title), Axis("time of a signature, ms")
    return Panel(across, up, marks, [*curves, *fronts], title=f"{nbits} bits", keys=KEYS)


SECTION = Section(chart=signatures_chart)
