"""Powers that the Verilog of a design made are kept in the results store, one by one: a run that
was interrupted goes on where it stopped, and one that is finished needs no simulation."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.catalog.workloads import Request
from eval.conform.powers import DRIVER, PERIPHERAL, Way, way
from eval.tasks.answering import ask
from eval.tasks.exponentiation import Answer
from eval.tasks.task import Result, Task, measure
from eval.tasks.traced import traced_digest
from eval.tasks.unit import ACCELERATOR, OnStep
from eval.tasks.unit import PERIPHERAL as PERIPHERAL_UNIT
from eval.tasks.versions import processor_tools

KEPT = (
    "batch"  # the level whose powers are kept: others are quick, or are asked for to look at them
)


class PowerResult(Result):
    """A power as it was answered: in hexadecimal, since it is wide."""

    result: str
    status: int
    cycles: int


class Asked:
    """A way to a design that is made when the first power is asked for."""

    def __init__(self, point: Point, through: str) -> None:
        self.point, self.through = point, through
        self._way: Way | None = None

    def power(self, request: Request) -> Answer:
        """Return the answer."""
        if self._way is None:
            self._way = way(self.point, self.through, KEPT)
        return self._way.power(request)

    def close(self) -> None:
        """End the simulation, if there was one."""
        if self._way:
            self._way.close()


@dataclass(frozen=True)
class PowerOf(Task[PowerResult]):
    """A power that a point is asked for on a way."""

    point: Point
    request: Request
    through: str
    unit: str
    by: Asked = field(compare=False, repr=False)
    kind = "conform"
    Result = PowerResult
    text = "{0.point} through the {0.through}"
    by_entry = True

    def tools(self) -> dict[str, str]:
        """Name what simulates, and what compiles the driver."""
        return processor_tools()

    def verilog(self) -> str:
        """Hash that of what is asked."""
        if self.through == DRIVER:
            return traced_digest(Processor(self.point.design, self.point.nbits))
        return super().verilog()

    def parameters(self) -> dict[str, Any]:
        """Name the way and the operands."""
        operands = {name: f"{value:x}" for name, value in vars(self.request).items()}
        return {"through": self.through} | operands

    def compute(self, on_step: OnStep) -> PowerResult:
        """Ask."""
        answer = self.by.power(self.request)
        return PowerResult(self.tools(), f"{answer.result:x}", answer.status, answer.cycles)


class Keeping:
    """Asks a design for powers that are not kept yet."""

    def __init__(self, point: Point, through: str, requests: Iterable[Request]) -> None:
        self.point, self.through = point, through
        self.asked = Asked(point, through)
        ask([self._task(request) for request in requests])

    def _task(self, request: Request) -> PowerOf:
        unit = PERIPHERAL_UNIT if self.through == PERIPHERAL else ACCELERATOR
        return PowerOf(self.point, request, self.through, unit, self.asked)

    def power(self, request: Request) -> Answer:
        """Return the answer, as it is kept or as it comes."""
        found = measure(self._task(request)).result
        return Answer(int(found.result, 16), found.status, found.cycles)

    def close(self) -> None:
        """End the simulation."""
        self.asked.close()
