"""How figures grow with the width of a design: the power of n that fits them best."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from statistics import linear_regression

from eval.study.results import PointResult, StudyResult

LEAST_BITS, MOST_BITS = 32, 2048
LEAST_WIDTHS = 3  # that a power is fitted to


@dataclass(frozen=True)
class Growth:
    """Holds the power law factor * n^exponent of least squares in the logarithms, the widths that
    it is fitted to, and the largest part of itself by which it misses a value there."""

    exponent: float
    factor: float
    deviation: float
    widths: tuple[int, ...]

    def at(self, n: int) -> float:
        """Return what the law says of a width."""
        return self.factor * n**self.exponent


def growth(values: Mapping[int, float | None]) -> Growth | None:
    """Fit a power law to values by width; None for fewer than three. What was not measured, or is
    no positive number, is left out."""
    known = {n: value for n, value in sorted(values.items()) if value is not None and value > 0}
    if len(known) < LEAST_WIDTHS:
        return None
    line = linear_regression([log(n) for n in known], [log(v) for v in known.values()])
    law = Growth(line.slope, exp(line.intercept), 0.0, tuple(known))
    deviation = max(abs(value / law.at(n) - 1) for n, value in known.items())
    return Growth(law.exponent, law.factor, deviation, law.widths)


def by_design(found: StudyResult) -> dict[str, list[PointResult]]:
    """Group the points of the widths that are fitted by design, the narrowest first."""
    points: dict[str, list[PointResult]] = {}
    for p in sorted(found.points, key=lambda p: p.point.nbits):
        if LEAST_BITS <= p.point.nbits <= MOST_BITS and not p.point.entry.assumed:
            points.setdefault(p.point.design, []).append(p)
    return points


def growth_of(points: list[PointResult], metric: str) -> Growth | None:
    """Fit a metric of a design's points."""
    return growth({p.point.nbits: p.get(metric) for p in points})


def misses(p: PointResult) -> bool:
    """Return whether the point is known to miss the clock."""
    slack = p.get("setup_slack_ns")
    return slack is not None and slack < 0
