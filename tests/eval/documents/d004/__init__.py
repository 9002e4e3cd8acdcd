"""What document 004 has: the first and the last number of each kind; and its kinds of
measurement."""

from eval.catalog.point import Point
from eval.tasks.task import Task

HAS = {"algorithm": (0, 6), "figure": (1, 7), "table": (1, 1), "claim": (1, 1)}


def tasks() -> dict[str, Task]:
    """Make a task of its kind."""
    from eval.documents.d004.table_1 import Table004

    return {"table-004": Table004(Point("ssmm-004", 64))}
