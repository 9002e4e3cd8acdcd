"""What a report shows of area-delay curves."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.clocks import Curve, CurveResult
from eval.tasks.columns import MARKED, NBITS
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.section import Section, tables
from eval.tasks.unit import ACCELERATOR


def _runs(rows: Mapping[Curve, CurveResult | None]) -> Iterator[Row]:
    """List the netlists of each curve, clock by clock."""
    for row in rows_of(rows):
        for run in row.result.runs:
            yield Row(
                FlowRun(row.point, ACCELERATOR, run.clock_ns),
                run,
                met="yes" if run.met else "no",
                is_shortest=run.period_reached_ns == row.metrics["shortest_period_ns"],
            )


CLOCKS = Table(
    "Area for each clock period",
    MARKED
    + NBITS
    + numbers(3, {"asked,\nns": "clock_ns"})
    + numbers(1, {"area,\num2": "area_um2"})
    + numbers(3, {"reached,\nns": "period_reached_ns"})
    + words({"met": "met", "": lambda row: "shortest" if row.is_shortest else ""}),
    "The smallest netlist of the portfolio that meets the clock, else the fastest; it works at "
    "every period from the one reached on.",
    rows=_runs,
)

ENERGIES = Table(
    "Energy at the periods of curves",
    MARKED
    + NBITS
    + numbers(3, {"period,\nns": "period_reached_ns"})
    + numbers(1, {"area,\num2": "area_um2"})
    + numbers(2, {"e,\nnJ": "energies_nj.e", "d,\nnJ": "energies_nj.d"})
    + numbers(2, {"error\nof d, nJ": "errors_nj.d"}),
    "With glitches, of the netlists of least area, of least area x period and of the shortest "
    "period that meet the clock asked for; what leaks is counted for the period reached.",
    rows=lambda rows: [row for row in _runs(rows) if row.energies_nj],
    commands=lambda row: row.task.command_to(POWER),
)

TASK = Curve
SECTION = Section(results=tables(CLOCKS, ENERGIES))
