"""Area against cycles of document 001's systems, as its figure 17, beside ours."""

from collections.abc import Iterator

from matplotlib.figure import Figure

from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.study.results import StudyResult
from eval.tasks.drawing import as_svg
from eval.tasks.execution import Execution
from eval.tasks.execution_section import PRINTED_DIVIDER, call_of
from eval.tasks.flow_run.grids import plain
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.labels import place_all
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
    rows = found.of(Execution)
    measured = [s for s in ALL_SYSTEMS if s.on(PRINTED_DIVIDER) in areas]
    points = {
        workload: [
            (call.cycles, areas[system.on(PRINTED_DIVIDER)], system)
            for system in measured
            if (call := call_of(rows, system, PRINTED_DIVIDER, workload))
        ]
        for workload in WORKLOADS
    }
    if not all(points.values()):
        return
    figure = Figure(figsize=(9.0, 8.0), layout="constrained")
    labels = []
    for axes, (workload, ours) in zip(figure.subplots(2), points.items(), strict=True):
        written = []
        for cycles, area, system in ours:
            printed = system.printed.calls[workload].cycles, system.printed.area_um2
            axes.plot(cycles, area, "o", color="k")
            axes.plot(*printed, "s", color="0.6")
            written += [(cycles, area, system.title), (*printed, f"001: {system.printed.title}")]
        axes.set(xscale="log", yscale="log", ylabel="area, um2")
        axes.set_xlabel(f"cycles of workload {workload}")
        axes.set_title(f"Workload {workload}", loc="left")
        axes.grid(True, which="major", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.margins(0.2)
        labels.append((axes, list(dict.fromkeys(written))))
    place_all(figure, labels)
    yield Chart(TITLE, as_svg(figure, "systems-001"), CAPTION)
