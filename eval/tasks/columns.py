"""Columns that many tables share, of rows that have a point, and metrics where they show these."""

from eval.table import Columns, Row, numbers, words
from eval.table.column import Get, got
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS
from flow.technologies.asked import DEFAULT

SLACK = "metrics.setup_slack_ns"


def marked_by(slack: Get, name: Get = "point.design", heading: str = "design") -> Columns:
    """Name the point of a row, marked by its moduli and its slack, with an unusual technology."""

    def of(row: Row) -> str:
        tech = getattr(getattr(row, "task", None), "tech", "")
        of_tech = "" if tech in ("", DEFAULT) else f" {tech}"
        return marked(row.point, got(slack, row), str(got(name, row))) + of_tech

    return words({heading: of})


DESIGN = words({"design": "point.design"})  # without marks
MARKED = marked_by(lambda row: None)  # by its moduli alone
NBITS = numbers(0, {"bits": "point.nbits"})
WORKLOAD = words({"work-\nload": "workload"})


def metrics(*names: str) -> Columns:
    """Show metrics of a row under their own titles."""
    return tuple(METRICS[name].column for name in names)
