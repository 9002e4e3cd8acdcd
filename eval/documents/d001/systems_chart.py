"""Area against cycles of document 001's systems, as its figure 17, beside ours."""

from collections.abc import Iterator

from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.chart.panel import GREY, Axis, Marker, Panel, Point
from eval.documents.d001.systems import PRINTED_DIVIDER
from eval.documents.systems import printed
from eval.study.results import StudyResult
from eval.tasks.execution import Execution
from eval.tasks.execution_section import call_of
from eval.tasks.flow_run.grids import plain
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.section import Chart
from eval.tasks.systems import ALL_SYSTEMS

TITLE = "Area against cycles of the processor's systems, as figure 17 of document 001"
CAPTION = (
    "A call on the processor, normalised; the divider takes 32 steps. Points: ours, of mapped "
    "cells; squares: the document's, of layouts. Left and low is better."
)


def systems_chart(found: StudyResult) -> Iterator[Chart | None]:
    """Draw a panel per workload; nothing unless systems have both areas and cycles."""
    areas = {
        task.point: result.metrics["area_um2"]
        for task, result in plain(found.of(FlowRun)).items()
        if task.unit == SYSTEM
    }
    rows, panels = found.of(Execution), []
    for workload in WORKLOADS:
        points = []
        for system in ALL_SYSTEMS:
            area = areas.get(system.on(PRINTED_DIVIDER))
            call, theirs = call_of(rows, system, PRINTED_DIVIDER, workload), printed(system)
            if area and call:
                points.append(Point(call.cycles, area, name=system.title))
                spot = theirs.calls[workload].cycles, theirs.area_um2
                points.append(Point(*spot, Marker("square", GREY), f"001: {theirs.title}"))
        across, up = Axis(f"cycles of workload {workload}", "log"), Axis("area, um2", "log")
        title = f"Workload {workload}"
        panels.append(Panel(across, up, list(dict.fromkeys(points)), title=title, height=320))
    if all(panel.points for panel in panels):
        yield Chart(TITLE, panels, CAPTION)
