"""What the report shows of flow runs."""

from collections.abc import Iterator

from eval.catalog.processor import Processor
from eval.tasks.flow_run.add_red import orders_grid
from eval.tasks.flow_run.energy import accelerators_grid, energy_grids, systems_grid, table_3_grid
from eval.tasks.flow_run.gating import gating_grids
from eval.tasks.flow_run.grids import (
    Rows,
    mapping_grid,
    metric_grid,
    module_grid,
    path_grid,
    plain,
    proofs_grid,
)
from eval.tasks.flow_run.processors import processors_grid
from eval.tasks.grid import Grid
from eval.tasks.published import compared
from eval.tasks.section import Chart, Section, measured
from eval.tasks.unit import ACCELERATOR


def results(rows: Rows) -> Iterator[Grid | None]:
    """Show processors, energies, what gated clocks are worth, and proofs."""
    yield processors_grid(rows)
    yield accelerators_grid(rows)
    yield systems_grid(rows)
    yield table_3_grid(rows)
    yield from gating_grids(rows)
    yield proofs_grid(rows)
    yield orders_grid(rows)


def charts(rows: Rows) -> Iterator[Chart | None]:
    """Draw where energy goes."""
    from eval.tasks.flow_run.energy_chart import energy_chart

    yield energy_chart(rows)


def details(rows: Rows) -> Iterator[Grid | None]:
    """Show the modules of what documents print areas of, and the mapping and path of each unit."""
    found = plain(rows)
    for task, result in found.items():
        if task.point == Processor() or (task.unit == ACCELERATOR and compared(task.point)):
            yield module_grid(task, result)
    yield mapping_grid(found)
    yield path_grid(found)


def alone(rows: Rows) -> Iterator[Grid | None]:
    """Show all that is known of each run."""
    for task, result in measured(rows).items():
        yield metric_grid(result)
        yield mapping_grid({task: result})
        yield module_grid(task, result)
        yield path_grid({task: result})
        if result.energy:
            yield from energy_grids(str(task.point), result.energy)


SECTION = Section(results=results, charts=charts, details=details, alone=alone)
