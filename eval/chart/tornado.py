"""A tornado chart: what changes most stands on top, its bars reach out to both sides."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.chart.panel import BLACK, GREY, Axis, Bar, Line, Marker, Panel

ROW = 30  # pixels
LESS, MORE = "white", GREY


@dataclass(frozen=True)
class Swing:
    """What is changed, and how far the result then goes to either side, from 0."""

    name: str
    less: float
    more: float


def tornado(swings: Sequence[Swing], title: str, across: str) -> Panel:
    """Draw swings in the order given; `across` says what is along the axis."""
    bars = [
        Bar(row, min(0.0, value), max(0.0, value), fill)
        for row, swing in enumerate(swings)
        for value, fill in ((swing.less, LESS), (swing.more, MORE))
        if value
    ]
    ends = (len(swings) - 0.5, -0.5)
    names = Axis("", ticks=range(len(swings)), words=[s.name for s in swings], ends=ends)
    middle = Line([(0.0, ends[0]), (0.0, ends[1])], BLACK)
    keys = {
        "the number is less": Marker("square", BLACK, filled=False),
        "it is more": Marker("square", MORE),
    }
    height = ROW * len(swings)
    return Panel(
        Axis(across), names, lines=[middle], bars=bars, title=title, keys=keys, height=height
    )
