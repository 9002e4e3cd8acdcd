"""What commands have in common that measure one task."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from eval.cli.options import print_json
from eval.cli.progress import Reporter
from eval.table.terminal import print_grids
from eval.tasks.kinds import section_of
from eval.tasks.task import Row, Task, measure

if TYPE_CHECKING:
    from eval.study.engine import Engine


def measured(task: Task, as_json: bool, engine: "Engine | None" = None, **shown: Any) -> Row | None:
    """Measure a task with progress, and return its row; as JSON, print the point, what else is
    `shown` and the result, and return None. Here, unless the engine is a cluster."""
    with Reporter(str(task)) as progress:
        if engine and engine.on_cluster:
            [row] = engine.run([task], lambda done, running: progress.now("on the cluster"))
        else:
            row = measure(task, progress.now)
    if not as_json:
        return row
    print_json(vars(task.point) | shown | {"reused": row.reused} | task.shown(row.result))
    return None


def print_row(row: Row) -> None:
    """Print what the section of its kind shows of one row."""
    section = section_of(row.task.kind)
    shown: Iterable[Any] = (section.alone or section.results)({row.task: row.result})
    print_grids(filter(None, shown))
