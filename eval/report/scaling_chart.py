"""The chart of growth: what designs take over the width, each axis logarithmic."""

from collections.abc import Iterator

from eval.chart.families import marker
from eval.chart.panel import Axis, Panel, Point, joined, power
from eval.report.growth import LEAST_WIDTHS, by_design, misses
from eval.report.scaling import marking
from eval.study.results import PointResult, StudyResult
from eval.tasks.metrics import METRICS
from eval.tasks.section import Chart, Section

TITLE = "Growth with the width"
# By metric: the power of n that its dotted line has.
PANELS = {
    "area_um2": 1,
    "period_ns": 0,
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


def scaling_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw a panel for each metric that some design has at three widths; nothing if there is
    none."""
    if panels := [panel for metric in PANELS for panel in _panels(found, metric)]:
        yield Chart(TITLE, panels, CAPTION)


def _panels(found: StudyResult, metric: str) -> Iterator[Panel]:
    lines = []
    for own in by_design(found).values():
        measured = [p for p in own if p.get(metric)]
        if len(measured) >= LEAST_WIDTHS:
            names = {measured[-1]: found.name_of(marking(measured))}
            lines.append([_point(p, metric, names.get(p, "")) for p in measured])
    if points := [point for own in lines for point in own]:
        growth = [power(points, PANELS[metric])] if PANELS[metric] else []
        across = Axis("bits", "log", sorted({point.x for point in points}))
        up = Axis(METRICS[metric].heading, "log")
        yield Panel(across, up, points, [*map(joined, lines), *growth])


def _point(p: PointResult, metric: str, name: str) -> Point:
    look = marker(p.point.entry.family, filled=not misses(p))
    return Point(p.point.nbits, p.metrics[metric], look, name, p.card)


SECTION = Section(chart=scaling_chart)
