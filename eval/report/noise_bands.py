"""The noise bands of a study's figures: each design's own, or those that stand in for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.study.results import StudyResult
from eval.tasks.noise import Noise
from eval.tasks.noise_section import NetlistBands, bands, bands_or_usual
from eval.tasks.section import measured


@dataclass(frozen=True)
class NoiseBands:
    """The bands of the designs whose noise was measured; those that stand in for the others', and
    whose they are."""

    own: Mapping[Point, NetlistBands]
    most: NetlistBands
    whose: str

    def is_own(self, point: Point, name: str) -> bool:
        """Whether a band of a point, by its name, was measured of that point itself."""
        return getattr(self.own.get(point), name, None) is not None

    def of(self, point: Point, name: str) -> float:
        """Tell by which part noise moves a figure of a point: not what is only assumed."""
        if point.entry.assumed:
            return 0.0
        return getattr(self.own[point] if self.is_own(point, name) else self.most, name)

    def text(self, point: Point, name: str) -> str:
        """Say the same in per cent, in brackets if it is not the point's own; a dash of what is
        only assumed."""
        if point.entry.assumed:
            return "-"
        said = f"{100 * self.of(point, name):.1f}"
        return said if self.is_own(point, name) else f"({said})"

    @property
    def note(self) -> str:
        """What the brackets mean."""
        return f"In brackets: not measured of this design here; {self.whose}."


def noise_bands_of(found: StudyResult) -> NoiseBands:
    """Find what the study's rows of noise tell."""
    results = measured(found.of(Noise))
    own = {t.point: one for t, result in results.items() if (one := bands([result]))}
    return NoiseBands(own, *bands_or_usual(results.values()))
