"""What the report shows of flow runs."""

from collections.abc import Iterator

from eval.catalog.processor import Processor
from eval.table import Grid, rows_of
from eval.tasks.flow_run.energy import accelerators_grid, energy_grids
from eval.tasks.flow_run.grids import MAPPINGS, MODULES, PATHS, PROOFS, RESULT, Rows, plain
from eval.tasks.section import Chart, Section
from eval.tasks.unit import ACCELERATOR


def results(rows: Rows) -> Iterator[Grid | None]:
    """Show processors, energies, what gated clocks are worth, and proofs."""
    from eval.tasks.flow_run.gating import GATED_AREAS, GATED_ENERGIES
    from eval.tasks.flow_run.processors import AREAS

    yield AREAS.of(rows)
    yield accelerators_grid(rows)
    for table in (GATED_AREAS, GATED_ENERGIES, PROOFS):
        yield table.of(rows)


def charts(rows: Rows) -> Iterator[Chart | None]:
    """Draw where energy goes."""
    from eval.tasks.flow_run.energy_chart import energy_chart

    yield energy_chart(rows)


def details(rows: Rows) -> Iterator[Grid | None]:
    """Show the modules of what documents print areas of, and the mapping and path of each unit."""
    from eval.documents.published import compared

    found = plain(rows)
    for row in rows_of(found):
        if row.point == Processor() or (row.task.unit == ACCELERATOR and compared(row.point)):
            yield MODULES.of(row)
    yield MAPPINGS.of(found)
    yield PATHS.of(found)


def alone(rows: Rows) -> Iterator[Grid | None]:
    """Show all that is known of each run."""
    for row in rows_of(rows):
        own = {row.task: row.result}
        yield RESULT.of(row.result)
        yield MAPPINGS.of(own)
        yield MODULES.of(row)
        yield PATHS.of(own)
        if row.result.energy:
            yield from energy_grids(str(row.point), row.result.energy)


SECTION = Section(results=results, charts=charts, details=details, alone=alone)
