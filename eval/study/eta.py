"""How long a sweep will still take, by what its rows took before."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean

from eval.study.sweep import in_order
from eval.tasks.kinds import KINDS
from eval.tasks.task import PROCESSOR, Task

KIND_BITS = 32  # of the seconds that a kind has
SETTLED = 10.0  # seconds from which on the pace tells something: rows that are there go at once
WITH_PROCESSOR = 4  # times those of a design
# Of the usual seconds: what took less was made of results that were there, and tells nothing of
# others of its kind.
MADE_ANEW = 0.05


def usual(task: Task) -> float:
    """Tell the seconds that a task takes, about, if no row of its kind was ever made."""
    if task.kind not in KINDS:
        return 1.0
    times = WITH_PROCESSOR if task.rank == PROCESSOR else 1
    return KINDS[task.kind].seconds * times * sqrt(task.subject()[1] / KIND_BITS)


class Eta:
    """Weighs tasks by the seconds that they took when they were last made. Those that never were
    are weighed as is usual, times what their kind took beside the usual. The weight that went in
    the time since it was first asked tells when the rest will have gone."""

    def __init__(self, tasks: Sequence[Task], known: Mapping[str, float]) -> None:
        self._order = in_order(tasks)
        seconds = {task: known.get(task.asked) for task in tasks}
        paces: dict[str, list[float]] = defaultdict(list)
        for task, took in seconds.items():
            if took is not None and took > MADE_ANEW * usual(task):
                paces[task.kind].append(took / usual(task))
        self.weights = {
            task: usual(task) * fmean(paces[task.kind] or [1.0]) if took is None else took
            for task, took in seconds.items()
        }
        self._first: tuple[float, float] | None = None

    def seconds(self, running: Sequence[Task]) -> float | None:
        """Estimate the seconds left while these run and those after them wait; None before the
        first row, and as long as rows that were there may be all that went."""
        begun = max((self._order.index(task) for task in running), default=len(self._order)) + 1
        rest = sum(self.weights[task] for task in (*running, *self._order[begun:]))
        now = time.monotonic()
        first, whole = self._first = self._first or (now, rest)
        if rest == whole or (rest and now - first < SETTLED):
            return None
        return (now - first) * rest / (whole - rest)
