"""How long a sweep will still take, by what its rows took before."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from eval.study.sweep import in_order
from eval.tasks.task import Task


class Left:
    """Weighs tasks by the seconds that they took when they were last made, those that never were as
    the mean of their kind. The weight that went in the time since it was first asked tells when
    the rest will have gone."""

    def __init__(self, tasks: Sequence[Task], known: Mapping[str, float]) -> None:
        self._order = in_order(tasks)
        seconds = {task: known.get(task.asked) for task in tasks}
        of_kind: dict[str, list[float]] = defaultdict(list)
        for task, took in seconds.items():
            if took is not None:
                of_kind[task.kind].append(took)
        of_all = [took for kind in of_kind.values() for took in kind] or [1.0]
        self.weights = {
            task: fmean(of_kind.get(task.kind, of_all)) if took is None else took
            for task, took in seconds.items()
        }
        self._first: tuple[float, float] | None = None

    def seconds(self, running: Sequence[Task]) -> float | None:
        """Estimate the seconds left while these run and those after them wait; None before the
        first row."""
        begun = max((self._order.index(task) for task in running), default=len(self._order)) + 1
        rest = sum(self.weights[task] for task in (*running, *self._order[begun:]))
        now = time.monotonic()
        first, whole = self._first = self._first or (now, rest)
        return (now - first) * rest / (whole - rest) if rest < whole else None
