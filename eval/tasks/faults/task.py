"""The faults of an accelerator: what is tried, and the row of it."""

from dataclasses import dataclass

from eval.tasks.faults.campaign import Campaign, run_campaign
from eval.tasks.faults.fault_task import FaultTask
from eval.tasks.faults.models import FLIP
from eval.tasks.faults.operation import PRIVATE, Signing
from eval.tasks.task import Result
from eval.tasks.unit import ACCELERATOR, OnStep
from eval.tasks.versions import simulation_tools
from sim.errors import UserError


class FaultsResult(Result):
    """The campaigns of an operation: without a check and with one, or only of a design that makes
    all of it; and the bits of the key."""

    key_bits: int
    campaigns: list[Campaign]


@dataclass(frozen=True)
class Faults(FaultTask[FaultsResult]):
    """Register bits that are flipped, or stuck, in a private operation of a point's accelerator, at
    RTL."""

    faults: int = 100_000
    model: str = FLIP
    kind = "faults"
    Result = FaultsResult
    text = "{0.point} faults in {0.operation}{0.of_model}"
    unit = ACCELERATOR

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

    def tools(self) -> dict[str, str]:
        """Name what simulates."""
        return simulation_tools()

    def compute(self, on_step: OnStep) -> FaultsResult:
        """Try the faults; RunError if the design is wrong without one."""
        made = [
            run_campaign(one, self.faults, self.seed, on_step, self.model) for one in self.signings
        ]
        return FaultsResult(self.tools(), self.signings[0].key.nbits, made)
