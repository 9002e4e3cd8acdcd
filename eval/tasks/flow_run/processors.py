"""Area and timing of the processor, with what is attached, beside document 001's areas."""

from eval.catalog.processor import SYSTEM, BusProcessor
from eval.documents.systems import printed_areas
from eval.table import Row, Table, numbers, ratio, words
from eval.tasks.columns import SLACK, marked_by, metrics
from eval.tasks.flow_run.grids import Rows


def _processors(rows: Rows) -> list[Row]:
    """List the processors, measured or not, the largest of which are measured first, last."""
    return [
        Row(
            *(task, result),
            printed=None
            if isinstance(task.point, BusProcessor)
            else printed_areas().get(task.point.attached),
        )
        for task, result in reversed([*rows.items()])
        if task.unit == SYSTEM and not task.gated
    ]


def _title(rows: Rows) -> str:
    clocks = {f"{row.task.clock_ns:g} ns" for row in _processors(rows)}
    return f"Area and timing of the processor, for a clock of {', '.join(clocks)}"


AREAS = Table(
    _title,
    marked_by(SLACK, "point.title", "system")
    + words({"divider": "point.divider"})
    + metrics("area_um2", "cells", "setup_slack_ns", "period_ns")
    + numbers(1, {"001: area\num2": "printed"})
    + numbers(2, {"ours /\n001": ratio("area_um2", "printed")}),
    "Without the ports that show what retires. Document 001's areas are those of layouts.",
    rows=_processors,
)
