"""Which figures that documents print for our designs a task measures, too."""

from eval.catalog.point import Point
from eval.printed.published import Published
from eval.tasks.metrics import METRICS
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, MULTIPLIER

WHOLES = (ACCELERATOR, EXPONENTIATOR, "system")


def compared(point: Point) -> list[Published]:
    """Find the figures that documents print for a point and that some task measures."""
    figures = point.entry.published
    return [f for f in figures if f.nbits == point.nbits and f.what in METRICS]


def measured_unit(figure: Published) -> str:
    """Name the unit that a figure is of: one of WHOLES, or else the multiplier, by its own name."""
    return figure.of if figure.of in WHOLES else MULTIPLIER
