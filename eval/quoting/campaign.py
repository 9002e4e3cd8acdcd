"""Measures many commands, some side by side; what texts say the time of, alone on all cores."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from eval.descendants import end_descendants
from eval.quoting.environment import Source
from eval.quoting.kept import Answers
from eval.quoting.measuring import QUICK, measure
from sim.errors import RunError

Outcome = Answers | RunError


def measure_all(
    commands: Iterable[str],
    source: Source,
    jobs: int,
    fits: Callable[[str], bool],
    begins: Callable[[str], None],
) -> Iterator[tuple[str, Outcome]]:
    """Go through what the commands gave, as they end; begin none that no longer fits."""
    asked = list(commands)
    alone = [c for c in asked if jobs == 1 or c in source.timed or QUICK.search(c)]
    beside = [c for c in asked if c not in alone]
    cores = max(1, (os.cpu_count() or 1) // jobs)
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[Outcome], str] = {}
        try:
            for command in beside:
                if len(running) == jobs:
                    yield from _ended(running)
                if fits(command):
                    begins(command)
                    running[pool.submit(_attempt, command, source, cores)] = command
            while running:
                yield from _ended(running)
        except BaseException:
            end_descendants()  # for which the pool waits
            raise
    for command in alone:
        if fits(command):
            begins(command)
            yield command, _attempt(command, source)


def _ended(running: dict[Future[Outcome], str]) -> list[tuple[str, Outcome]]:
    """Wait for one to end, and take all out that have."""
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    return [(running.pop(future), future.result()) for future in done]


def _attempt(command: str, source: Source, cores: int | None = None) -> Outcome:
    try:
        return measure(command, source, cores)
    except RunError as error:
        return error
