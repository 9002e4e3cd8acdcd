"""How far a study's figures are in doubt: each design's own noise, or what stands in for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.study.results import StudyResult
from eval.tasks.noise import Bands, Noise, bands
from eval.tasks.section import measured

STANDS_IN = (
    "In brackets: not measured of this design; the most that renaming nets moved another one."
)


@dataclass(frozen=True)
class Doubt:
    """The bands of the designs whose noise was measured, and the largest, which stand in for those
    of the others; None if no noise was measured."""

    own: Mapping[Point, Bands]
    most: Bands | None

    def is_own(self, point: Point, name: str) -> bool:
        """Whether a band of a point, by its name, was measured of that point itself."""
        return getattr(self.own.get(point), name, None) is not None

    def of(self, point: Point, name: str) -> float:
        """Tell by which part noise moves a figure of a point; 0 if nothing is known."""
        source = self.own[point] if self.is_own(point, name) else self.most
        return getattr(source, name, None) or 0.0

    def text(self, point: Point, name: str) -> str | None:
        """Say the same in per cent, in brackets if it is not the point's own; None if nothing is
        known."""
        said = f"{100 * self.of(point, name):.1f}"
        if self.is_own(point, name):
            return said
        return None if getattr(self.most, name, None) is None else f"({said})"


def doubt_of(found: StudyResult) -> Doubt:
    """Find what the study's rows of noise tell."""
    results = measured(found.of(Noise))
    own = {task.point: bands([result]) for task, result in results.items()}
    return Doubt(own, bands(results.values()))
