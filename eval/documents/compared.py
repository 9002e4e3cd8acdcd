"""What documents print of designs of the catalog, and which of it some task measures, too."""

from functools import cache

from eval.catalog.point import Point
from eval.documents.document import stated
from eval.documents.published import Published
from eval.tasks.metrics import METRICS
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, MULTIPLIER

WHOLES = (ACCELERATOR, EXPONENTIATOR, "system")


@cache
def published() -> tuple[Published, ...]:
    """Collect the figures, document by document."""
    return tuple(figure for figures in stated("beside", "PUBLISHED") for figure in figures)


def compared(point: Point) -> list[Published]:
    """Find the figures that documents print for a point and that some task measures."""
    of = point.entry.name, point.nbits
    return [f for f in published() if (f.design, f.nbits) == of and f.what in METRICS]


def measured_unit(figure: Published) -> str:
    """Name the unit that a figure is of: one of WHOLES, or else the multiplier, by its own name."""
    return figure.of if figure.of in WHOLES else MULTIPLIER
