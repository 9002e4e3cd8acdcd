"""AddRed in the two orders of document 001's figure 8: the same unit, mapped in either."""

from collections.abc import Mapping

from eval.tasks.flow_run.task import FlowResult, FlowRun
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.metrics import METRICS
from eval.tasks.section import measured
from eval.tasks.unit import MULTIPLIER

# Figure and order: a design of units of 8 steps per cycle, as many as in a stage of MontMulRem.
ORDERS = {
    "8a: first add, then reduce": "mont(unit=add-then-reduce)",
    "8b: multiples added before": "mont-best",
}
FASTEST_NS = 1.0  # a clock that none of them meets: asked for it, they are as fast as they become


def orders_grid(rows: Mapping[FlowRun, FlowResult | None]) -> Grid | None:
    """Show what the unit takes in each order; None unless both were mapped for such a clock."""
    found = {
        task.point.design: (task, result)
        for task, result in measured(rows).items()
        if task.unit == MULTIPLIER and task.clock_ns == FASTEST_NS
    }
    if not found.keys() >= set(ORDERS.values()):
        return None
    return grid(
        "AddRed in the orders of document 001's figure 8: a unit of 8 steps per cycle",
        words("figure, order", "design")
        + numbers(0, "bits")
        + [METRICS[m].column for m in ("period_reached_ns", "area_um2")],
        (
            line(
                *(order, design, task.point.nbits),
                *(result.metrics[m] for m in ("period_reached_ns", "area_um2")),
                commands=(task.command,),
            )
            for order, design in ORDERS.items()
            for task, result in [found[design]]
        ),
        f"Asked for {FASTEST_NS:g} ns, which neither meets.",
    )
