"""What a report shows of private operations by CRT in hardware."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.marks import marked
from eval.tasks.private_energy import PrivateEnergy, PrivateResult
from eval.tasks.section import Section, tables


def _rows(rows: Mapping[PrivateEnergy, PrivateResult | None]) -> Iterator[Row]:
    """Go through the netlists of each design."""
    for row in rows_of(rows):
        for clocks, one in row.result.netlists.items():
            cycles = row.result.cycles
            yield Row(
                row.task,
                one,
                design=marked(row.point, one.setup_slack_ns),
                clocks=clocks,
                cycles=cycles,
                time_us=cycles * row.task.clock_ns / 1000,
            )


PRIVATE_ENERGIES = Table(
    "Private operations by CRT in hardware",
    words({"design": "design", "clocks": "clocks"})
    + numbers(0, {"area\num2": "area_um2"})
    + numbers(3, {"period\nns": "period_ns"})
    + numbers(0, {"cycles": "cycles"})
    + numbers(2, {"time\nus": "time_us"})
    + numbers(
        3,
        {
            "energy\nuJ": "energy_uj",
            "with\nglitches": "energy_with_glitches_uj",
            "+-": "energy_error_uj",
        },
    ),
    "Cycles from go to the result. Time and energy are those at the clock that was asked for; the "
    "same pushes without a go are subtracted. +- is of the sampled cycles, twice the standard "
    "error; a dash says that all cycles were replayed.",
    rows=_rows,
)

TASK = PrivateEnergy
SECTION = Section(results=tables(PRIVATE_ENERGIES))
