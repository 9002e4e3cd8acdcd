"""How long a sweep will still take, by what its rows took before."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from eval.tasks.task import Task


class Left:
    """Weighs tasks by the seconds that they took when they were last made, those that never were as
    the mean of their kind, so that the share of the weight that is done tells what is left."""

    def __init__(self, tasks: Sequence[Task], known: Mapping[str, float]) -> None:
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

    def seconds(self, passed: float, waiting: Sequence[Task]) -> float | None:
        """Estimate the seconds left, after those that have passed; None before the first row."""
        rest = sum(self.weights[task] for task in waiting)
        done = sum(self.weights.values()) - rest
        return passed * rest / done if done > 0 and len(waiting) < len(self.weights) else None
