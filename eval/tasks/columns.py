"""Columns that many tables share, of rows that have a point, and metrics where they show these."""

from eval.table import Column, Columns, numbers, words
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS

DESIGN = words({"design": "point.design"})
MARKED = words({"design": lambda row: marked(row.point, name=row.point.design)})
BITS = numbers(0, {"bits": "point.nbits"})
WORKLOAD = words({"work-\nload": "workload"})


def metrics(*names: str) -> Columns:
    """Show metrics of a row under their own titles."""
    return tuple(
        Column(METRICS[name].column_heading, METRICS[name].digits, f"metrics.{name}")
        for name in names
    )
