"""Area and timing of the processor, with what is attached, beside document 001's areas."""

from eval.catalog.processor import SYSTEM, BusProcessor
from eval.tasks.flow_run.grids import Rows
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS
from eval.tasks.systems import PRINTED_AREAS

SHOWN = ("area_um2", "cells", "setup_slack_ns", "period_reached_ns")


def processors_grid(rows: Rows) -> Grid | None:
    """Show a line per processor, a dash for what was not measured; None if there is none."""
    found = {t: r for t, r in rows.items() if t.unit == SYSTEM and not t.gated}
    lines = []
    for task, result in reversed(found.items()):  # the largest are measured first
        metrics = result.metrics if result else {}
        on_bus = isinstance(task.point, BusProcessor)
        printed = None if on_bus else PRINTED_AREAS.get(task.point.attached)
        ours = metrics.get("area_um2")
        cells = (
            *(
                marked(task.point, metrics.get("setup_slack_ns"), task.point.title),
                task.point.divider,
                *(metrics.get(m) for m in SHOWN),
            ),
            *(printed, ours and printed and ours / printed),
        )
        lines.append(line(*cells, commands=(task.command,)))
    clocks = {f"{task.clock_ns:g} ns" for task in found}
    return grid(
        f"Area and timing of the processor, for a clock of {', '.join(clocks)}",
        (
            words("system", "divider")
            + [METRICS[m].column for m in SHOWN]
            + numbers(1, "001: area\num2")
            + numbers(2, "ours /\n001")
        ),
        lines,
        "Without the ports that show what retires. Document 001's areas are those of layouts.",
    )
