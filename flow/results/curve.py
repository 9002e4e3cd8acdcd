"""What the curve of a design says that is composed of its modules."""

from typing import Any, Self

import msgspec

from flow.results.record import Record


class ComposedPoint(Record):
    """A netlist composed of modules: the clock for which its gates were sized, its area, the
    shortest period at which it works, and how many modules each recipe made, at each clock."""

    clock_ns: float
    area_um2: float
    period_ns: float
    recipes: dict[str, int]

    @property
    def met(self) -> bool:
        """Whether it meets the clock for which its gates were sized."""
        return self.period_ns <= self.clock_ns


class ComposedCurve(Record):
    """The netlists, the longest clock first; how many modules there are, how many mappings of one
    they took, and how many timing runs."""

    points: list[ComposedPoint]
    modules: int
    mappings: int
    timings: int

    @classmethod
    def of(cls, results: dict[str, Any]) -> Self:
        """Take it from what run_curve returns."""
        return msgspec.convert(results["steps"]["curve"], cls)
