"""What commands have in common that measure studies."""

from collections.abc import Sequence

from eval.cli.progress import Reporter
from eval.study.engine import Engine
from eval.study.eta import Eta
from eval.study.results import StudyResult, run_all
from eval.study.study import Study
from eval.tasks.store import Store
from eval.tasks.task import Row, Task


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
