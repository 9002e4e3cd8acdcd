"""A panel of a chart as data: points, lines and parts of bars between two axes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import exp, log

BLACK, GREY = "#000000", "#999999"
LINEAR_TO = 4.0  # the largest ratio of two values that a linear axis shows well
MARGIN = 0.14  # of what the values take of an axis, on either side
ALONE = 0.2  # of a value that is alone on an axis, on either side
DASHED, DOTTED = (5, 3), (1, 3)
THICK = 0.7  # of a row of bars


@dataclass(frozen=True)
class Marker:
    """How a point is drawn: a shape of Vega's, its colour, and whether it is filled."""

    shape: str = "circle"
    colour: str = BLACK
    filled: bool = True


@dataclass(frozen=True)
class Point:
    """A value over another: how it is marked, what is written beside it, and the card it leads
    to."""

    x: float
    y: float
    marker: Marker = Marker()
    name: str = ""
    card: str = ""


@dataclass(frozen=True)
class Line:
    """A line along spots; one of `steps` goes across to the next, then up or down to it."""

    spots: Sequence[tuple[float, float]]
    colour: str = BLACK
    dash: tuple[int, ...] = ()
    steps: bool = False

    @property
    def corners(self) -> list[tuple[float, float]]:
        """Return all its corners."""
        spots = [(x, y) for x, y in self.spots]
        if not self.steps:
            return spots
        return spots[:1] + [at for one, to in pairwise(spots) for at in ((to[0], one[1]), to)]


def joined(points: Iterable[Point], colour: str = BLACK, dash: tuple[int, ...] = ()) -> Line:
    """Join points."""
    return Line([(p.x, p.y) for p in points], colour, dash)


def power(points: Sequence[Point], exponent: int) -> Line:
    """Draw a power of x, dotted, from below all points."""
    across = sorted({p.x for p in points})
    factor = min(p.y / p.x**exponent for p in points)
    return Line([(x, factor * x**exponent) for x in across], GREY, DOTTED)


@dataclass(frozen=True)
class Bar:
    """A part of a bar in a row, from a value to another."""

    row: int
    start: float
    end: float
    fill: str = "white"

    @property
    def corners(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return two corners, one across from the other."""
        return (self.start, self.row - THICK / 2), (self.end, self.row + THICK / 2)

    def hatches(self, step: float) -> list[Line]:
        """Hatch it by lines, so far from each other."""
        (_, top), (_, bottom) = self.corners
        starts = [self.start + i * step for i in range(int((self.end - self.start) / step))]
        return [Line([(start, bottom), (start + step, top)]) for start in starts]


@dataclass(frozen=True)
class Axis:
    """An axis: its title with the unit, how values stand along it, what it marks.

    Without ends it goes beyond the values by a margin, and is logarithmic where they differ much.
    """

    title: str
    kind: str = ""
    ticks: Sequence[float] = ()
    words: Sequence[str] = ()  # for the ticks, instead of numbers
    ends: tuple[float, float] | None = None
    constant: float = 1.0  # to which one of the kind symlog is about linear

    def over(self, values: Iterable[float]) -> "Axis":
        """Settle the kind and the ends for these values."""
        values = list(values) or [0.0, 1.0]
        low, high = min(values), max(values)
        differ = 0 < LINEAR_TO * low < high and not self.ends
        kind = self.kind or ("log" if differ else "linear")
        if self.ends:
            return replace(self, kind=kind)
        if kind == "log":
            room = MARGIN * log(high / low) or ALONE
            return replace(self, kind=kind, ends=(low * exp(-room), high * exp(room)))
        room = MARGIN * (high - low) or ALONE * abs(high) or 1.0
        return replace(self, kind=kind, ends=(low - room, high + room))

    def part(self, value: float) -> float:
        """Return where a value stands on a settled axis, from 0 at its first end to 1."""
        along = log if self.kind == "log" else float
        assert self.ends is not None, f"the axis {self.title!r} is not settled"
        first, last = map(along, self.ends)
        return (along(value) - first) / (last - first)


@dataclass(frozen=True)
class Panel:
    """What stands between two axes, and what its markers mean; heights are pixels."""

    x: Axis
    y: Axis
    points: Sequence[Point] = ()
    lines: Sequence[Line] = ()
    bars: Sequence[Bar] = ()
    title: str = ""
    keys: Mapping[str, Marker] = field(default_factory=dict)
    height: int = 400

    def settled(self) -> tuple[Axis, Axis]:
        """Settle both axes for all that is drawn."""
        spots = [(p.x, p.y) for p in self.points]
        spots += [spot for line in self.lines for spot in line.spots]
        spots += [(x, bar.row) for bar in self.bars for x in (bar.start, bar.end)]
        return self.x.over(x for x, _ in spots), self.y.over(y for _, y in spots)
