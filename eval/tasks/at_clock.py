"""What kinds have in common that ask about a design's accelerator at a clock."""

from dataclasses import dataclass

from eval.catalog.point import Point
from eval.tasks.task import AFTER_FLOW, R, Task
from eval.tasks.unit import ACCELERATOR, clock_option


@dataclass(frozen=True)
class AtClock(Task[R]):
    """A task with a command of its own: `modexplorer KIND DESIGN --nbits N --clock NS`."""

    point: Point
    clock_ns: float
    rank = AFTER_FLOW
    unit = ACCELERATOR

    def __str__(self) -> str:
        return f"{self.point} {self.kind}"

    @property
    def command(self) -> str:
        """The command of its kind."""
        return f"modexplorer {self.kind} {self.point.arguments} {clock_option(self.clock_ns)}"
