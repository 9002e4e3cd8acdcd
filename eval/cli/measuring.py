"""What commands have in common that measure one task, or a study."""

from collections.abc import Sequence
from typing import Any

from eval.cli.options import print_json
from eval.cli.progress import Reporter
from eval.study.engine import Engine
from eval.study.eta import Eta
from eval.study.results import StudyResult, run_all
from eval.study.study import Study
from eval.table.terminal import print_grids
from eval.tasks.kinds import section_of
from eval.tasks.store import Store
from eval.tasks.task import Row, Task, measure


def measured(task: Task, as_json: bool, engine: Engine | None = None, **shown: Any) -> Row | None:
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
    print_grids(filter(None, (section.alone or section.results)({row.task: row.result})))


def run_studies(studies: Sequence[Study], engine: Engine) -> list[StudyResult]:
    """Run studies together with progress; the processes stop with this one."""

    def run(tasks: Sequence[Task]) -> list[Row]:
        with Store() as store:  # what is wrong with it is said once, not by every row
            left = Eta(tasks, store.seconds())
        with Reporter(f"study {studies[0].name}", len(tasks)) as progress:
            return engine.run(
                tasks,
                lambda done, running: progress.now(
                    ", ".join(map(str, running)), done, left.seconds(running)
                ),
            )

    return run_all(studies, run)


def run_study(study: Study, engine: Engine) -> StudyResult:
    """Run a study with progress."""
    return run_studies([study], engine)[0]
