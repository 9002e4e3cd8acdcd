"""Simulations of designs at the sizes in use, by their formulas."""

from eval.catalog.point import Point
from tests.eval.made_up import simulated


def cycles(design, workload, nbits=1024):
    """A simulation with the cycles of the design's formula."""
    point = Point(design, nbits)
    count = point.entry.cycles(nbits, 2, 65537 if workload == "e" else 2**nbits - 1, 2**nbits - 1)
    return simulated(point, workload, {f"cycles_{workload}": count})
