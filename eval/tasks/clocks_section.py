"""What a report shows of area-delay curves."""

from collections.abc import Mapping

from eval.tasks.clocks import Curve, CurveResult
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.section import Section, measured
from eval.tasks.unit import ACCELERATOR


def clocks_grid(rows: Mapping[Curve, CurveResult | None]) -> Grid | None:
    """Show area and reached period at every clock asked for; None if nothing was measured."""
    return grid(
        "Area for each clock period",
        (
            words("design")
            + numbers(0, "bits")
            + numbers(3, "asked,\nns")
            + numbers(1, "area,\num2")
            + numbers(3, "reached,\nns")
            + words("met", "")
        ),
        (
            line(
                *(
                    marked(task.point, name=task.point.design),
                    task.point.nbits,
                    run.clock_ns,
                    run.area_um2,
                ),
                *(run.period_reached_ns, "yes" if run.setup_slack_ns >= 0 else "no"),
                "shortest" if run.period_reached_ns == shortest else "",
                commands=(FlowRun(task.point, ACCELERATOR, run.clock_ns).command,),
            )
            for task, result in measured(rows).items()
            for shortest in [result.metrics["shortest_period_ns"]]
            for run in result.runs
        ),
        "The smallest netlist of the portfolio that meets the clock, else the fastest; it works at "
        "every period from the one reached on.",
    )


TASK = Curve
SECTION = Section(results=lambda rows: [clocks_grid(rows)])
