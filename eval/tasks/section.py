"""What a kind of measurement shows in a report: its section, and what a section is made of."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from eval.table import Grid, Table

if TYPE_CHECKING:
    from eval.chart.panel import Panel

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Chart:
    """A chart: its title, its panels, what its marks mean, and how many panels are side by side."""

    title: str
    panels: Sequence["Panel"]
    caption: str
    columns: int = 1

    @cached_property
    def svg(self) -> str:
        """Draw it as elements of a page, one for each row of panels: a row stays whole in print."""
        from eval.chart.drawing import svg
        from eval.chart.vega_lite import spec

        rows = range(0, len(self.panels), self.columns)
        each = (self.panels[at : at + self.columns] for at in rows)
        return "".join(svg(spec(panels, self.columns), self.title) for panels in each)


@dataclass(frozen=True)
class Picture:
    """A picture: its title, the PNG in base64, the name of a file of it, and what the page draws
    in layers in its place, if it has scripts."""

    title: str
    png: str
    file: str
    layers: dict[str, Any] = field(compare=False)


Item = Grid | Chart | Picture | str
# From the tasks of a kind, each with its result or None, to what is shown; None shows nothing.
Shows = Callable[[Any], Iterable[Item | None]]


def nothing(rows: Mapping[Any, Any]) -> tuple[()]:
    """Show nothing, as in most places."""
    return ()


def tables(*shown: Table) -> Shows:
    """Show tables of the rows, None for one that has no line."""
    return lambda rows: [table.of(rows) for table in shown]


@dataclass(frozen=True)
class Section:
    """What a kind of measurement shows, place by place of the report in its order; `alone`, what
    its command prints of one row, if not its results. Findings and reasons are sentences."""

    findings: Shows = nothing
    overview: Shows = nothing
    fronts: Shows = nothing
    chart: Shows = nothing
    designs: Shows = nothing
    results: Shows = nothing
    charts: Shows = nothing
    pictures: Shows = nothing
    beside: Shows = nothing
    reasons: Shows = nothing
    details: Shows = nothing
    making: Shows = nothing
    alone: Shows | None = None


def measured(rows: Mapping[T, R | None]) -> dict[T, R]:
    """Keep the rows that have a result."""
    return {task: result for task, result in rows.items() if result is not None}


def commonest(widths: Iterable[int]) -> int:
    """Find the width that occurs most often, the largest of such; 0 for none."""
    counts = Counter(widths)
    return max(counts, key=lambda nbits: (counts[nbits], nbits), default=0)
