"""Searches with progress."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval.catalog.inputs import check_output, shorten
from eval.cli.progress import Reporter
from eval.find.answer import Answer
from eval.find.need import Need
from eval.find.search import Search
from eval.study.sweep import cores
from eval.tasks.task import Row, Task
from sim.errors import UserError

if TYPE_CHECKING:
    from eval.study.engine import Engine


def found(need: Need, engine: "Engine") -> Answer:
    """Search with progress."""
    with Reporter("find") as progress:

        def run(tasks: Sequence[Task]) -> list[Row]:
            return engine.run(
                tasks, lambda done, running: progress.now(", ".join(map(str, running)))
            )

        search = Search(need, run, engine.jobs or engine.workers or cores(), progress.now)
        search.go()
    return Answer(search)


def check_study(argument: str, file: Path) -> None:
    """Raise UserError unless a study file can be written there."""
    if file.suffix != ".toml":
        raise UserError(
            f"{argument}: {shorten(file.name)!r} does not end in .toml, as studies do; name it so"
        )
    check_output(argument, file)
