"""What campaigns of faults have in common: what they are asked for, and what is shown of them."""

from dataclasses import dataclass
from typing import Any, TypeVar

from eval.catalog.point import Point
from eval.tasks.faults.models import FLIP
from eval.tasks.faults.operation import CRT
from eval.tasks.task import SHORT, Result, Task

SEED = 1  # if not given

R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class FaultTask(Task[R]):
    """Faults of a model in a private operation with a point's accelerator: all of them, or so many
    that are drawn. A model has its own number, if it is not given."""

    point: Point
    operation: str = CRT
    faults: int = 0
    seed: int = SEED
    model = FLIP
    shell = "faults {0.point.arguments}{0.options}"
    rank = SHORT
    by_entry = True

    @property
    def options(self) -> str:
        """The options of a command line."""
        model = f" --model {self.model}" if self.model != FLIP else ""
        operation = f" --operation {self.operation}" if self.operation != CRT else ""
        faults = f" --faults {self.faults}" if self.faults != type(self).faults else ""
        seed = f" --seed {self.seed}" if self.seed != SEED else ""
        return model + operation + faults + seed

    def shown(self, result: Any) -> dict[str, Any]:
        """Add the shares, with their intervals, and what each check costs."""
        shown = super().shown(result)
        plain = result.campaigns[0]
        for values, one in zip(shown["campaigns"], result.campaigns, strict=True):
            values |= {"price": one.price(plain)}
            values |= {"exploitable": one.exploitable, "coverage": one.coverage}
        return shown
