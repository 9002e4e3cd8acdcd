"""What a report shows of area-delay curves."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.clocks import Curve, CurveResult, clock_of
from eval.tasks.columns import MARKED, NBITS
from eval.tasks.composed import Composed
from eval.tasks.composed_section import HOW, cost
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.section import Section, tables
from eval.tasks.unit import ACCELERATOR


def _composed(rows: Mapping[Curve, CurveResult | None]) -> Iterator[Row]:
    """List the composed netlists of each curve, with their errors where the flow confirmed them."""
    for row in rows_of(rows):
        runs = {run.clock_ns: run for run in row.result.runs}
        for point in row.result.composed.points if row.result.composed else ():
            clock_ns = clock_of(point)
            run = runs.get(clock_ns)
            yield Row(
                Composed(row.point, row.task.clock_ns, tech=row.task.tech),
                point,
                confirmed_at=clock_ns if run else None,
                area_error=run and 100 * (point.area_um2 / run.area_um2 - 1),
                period_error=run and 100 * (point.period_ns / run.period_ns - 1),
            )


def _cost(rows: Mapping[Curve, CurveResult | None]) -> str:
    """Tell what composed curves took."""
    said = [
        f"{cost(row.point, row.result.composed)}; {len(row.result.runs)} flow runs"
        for row in rows_of(rows)
        if row.result.composed
    ]
    return ". ".join(said)


def _runs(rows: Mapping[Curve, CurveResult | None]) -> Iterator[Row]:
    """List the netlists of each curve, clock by clock."""
    for row in rows_of(rows):
        for run in row.result.runs:
            yield Row(
                FlowRun(row.point, ACCELERATOR, run.clock_ns, tech=row.task.tech),
                run,
                met="yes" if run.met else "no",
                is_shortest=run.period_ns == row.metrics["shortest_period_ns"],
            )


CLOCKS = Table(
    "Area for each clock period",
    MARKED
    + NBITS
    + numbers(3, {"asked,\nns": "clock_ns"})
    + numbers(1, {"area,\num2": "area_um2"})
    + numbers(3, {"period,\nns": "period_ns"})
    + words({"met": "met", "": lambda row: "shortest" if row.is_shortest else ""}),
    "The smallest netlist of the portfolio that meets the clock, else the fastest; it works at "
    "every period from the one reached on.",
    rows=_runs,
)

ENERGIES = Table(
    "Energy at the periods of curves",
    MARKED
    + NBITS
    + numbers(3, {"period,\nns": "period_ns"})
    + numbers(1, {"area,\num2": "area_um2"})
    + numbers(2, {"e,\nnJ": "energies_nj.e", "d,\nnJ": "energies_nj.d"})
    + numbers(2, {"error\nof d, nJ": "errors_nj.d"}),
    "With glitches, of the netlists of least area, of least area x period and of the shortest "
    "period that meet the clock asked for; what leaks is counted for the period reached.",
    rows=lambda rows: [row for row in _runs(rows) if row.energies_nj],
    commands=lambda row: row.task.command_to(POWER),
)

COMPOSED = Table(
    "Area for each clock period, composed of modules",
    MARKED
    + NBITS
    + numbers(3, {"sized\nfor, ns": "clock_ns"})
    + numbers(1, {"area,\num2": "area_um2"})
    + numbers(3, {"period,\nns": "period_ns", "flow run\nat, ns": "confirmed_at"})
    + numbers(1, {"error of\narea, %": "area_error", "of period,\n%": "period_error"}),
    lambda rows: (
        f"{HOW} Errors: against the flow run for that clock, which maps all modules for it. "
        f"{_cost(rows)}."
    ),
    rows=_composed,
)

TASK = Curve
SECTION = Section(results=tables(CLOCKS, COMPOSED, ENERGIES))
