"""The faults of an accelerator: what is tried, and the row of it."""

from dataclasses import dataclass
from typing import Any

from eval.catalog.point import Point
from eval.tasks.faults.campaign import Campaign, run_campaign
from eval.tasks.faults.models import FLIP
from eval.tasks.faults.operation import CRT, PRIVATE, Signing
from eval.tasks.task import SHORT, Result, Task
from eval.tasks.unit import ACCELERATOR, OnStep
from eval.tasks.versions import simulation_tools
from sim.errors import UserError

FAULTS, SEED = 100_000, 1  # if not given


class FaultsResult(Result):
    """The campaigns of an operation: without a check and with one, or only of a design that makes
    all of it; and the bits of the key."""

    key_bits: int
    campaigns: list[Campaign]


@dataclass(frozen=True)
class Faults(Task[FaultsResult]):
    """Register bits that are flipped, or stuck, in a private operation of a point's accelerator, at
    RTL: all of them, or so many that are drawn."""

    point: Point
    operation: str = CRT
    faults: int = FAULTS
    seed: int = SEED
    model: str = FLIP
    kind = "faults"
    Result = FaultsResult
    text = "{0.point} faults in {0.operation}{0.of_model}"
    shell = "faults {0.point.arguments}{0.options}"
    unit = ACCELERATOR
    rank = SHORT
    by_entry = True

    def __post_init__(self) -> None:
        self.point.check_hardware("design")
        if self.point.entry.at(self.point.nbits).measured:
            raise UserError("design: the registers inside a core of others are not seen")
        self.signings  # refuses what does not go together

    @property
    def signings(self) -> list[Signing]:
        """Return the operations, without a check and with one, if the host makes it."""
        checks = (False,) if self.operation == PRIVATE else (False, True)
        return [Signing(self.point, self.operation, checked) for checked in checks]

    @property
    def of_model(self) -> str:
        """The model, if it is not the usual one, in words."""
        return f" by bits that are {self.model}" if self.model != FLIP else ""

    @property
    def options(self) -> str:
        """The options of a command line."""
        model = f" --model {self.model}" if self.model != FLIP else ""
        operation = model + (f" --operation {self.operation}" if self.operation != CRT else "")
        faults = f" --faults {self.faults}" if self.faults != FAULTS else ""
        return operation + faults + (f" --seed {self.seed}" if self.seed != SEED else "")

    def tools(self) -> dict[str, str]:
        """Name what simulates."""
        return simulation_tools()

    def compute(self, on_step: OnStep) -> FaultsResult:
        """Try the faults; RunError if the design is wrong without one."""
        made = [
            run_campaign(one, self.faults, self.seed, on_step, self.model) for one in self.signings
        ]
        return FaultsResult(self.tools(), self.signings[0].key.nbits, made)

    def shown(self, result: FaultsResult) -> dict[str, Any]:
        """Add the shares, with their intervals, and what the check costs."""
        shown = super().shown(result)
        plain = result.campaigns[0]
        for values, one in zip(shown["campaigns"], result.campaigns, strict=True):
            values |= {"price": one.cycles / plain.cycles - 1}
            values |= {"exploitable": one.exploitable, "coverage": one.coverage}
        return shown
