"""Placements: how far a layout moves when the placer is given the cells in another order.

Placement and routing are heuristics, too: what two layouts differ by less than this is no
difference between them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from eval.tasks.at_clock import DesignAtClock
from eval.tasks.layout.task import LaidOut
from eval.tasks.task import LAYOUT, Result, measure
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.results.energy import Operation
from flow.results.record import Metrics, Record

SEEDS = (1, 2, 3, 4, 5)
WORKLOAD = "d"


class Laid(Record):
    """What came of a placement."""

    clean: bool
    area_um2: float
    period_ns: float
    setup_slack_ns: float
    hold_slack_ns: float | None
    wire_um: float
    energy_nj: float

    @classmethod
    def of(cls, label: str, metrics: Metrics, operations: Mapping[str, Operation]) -> Self:
        """Take the figures of a layout, and the energy of workload d with glitches."""
        return cls(
            clean=label == "clean",
            area_um2=metrics["layout_area_um2"],
            period_ns=metrics["layout_period_ns"],
            setup_slack_ns=metrics["layout_setup_slack_ns"],
            hold_slack_ns=metrics["layout_hold_slack_ns"],
            wire_um=metrics["wire_um"],
            energy_nj=operations[WORKLOAD].energy_with_glitches_nj,
        )


class PlacementsResult(Result):
    """The figures of the layout as it is, and under each seed."""

    own: Laid
    runs: list[Laid]


@dataclass(frozen=True)
class Placements(DesignAtClock[PlacementsResult]):
    """Place and route DESIGN's accelerator again, five times with its cells in another order.

    What two layouts differ by less than this is no difference between them. The netlist that is
    placed is the same each time.
    """

    kind = "placements"
    Result = PlacementsResult
    rank = LAYOUT

    def __post_init__(self) -> None:
        self.laid_out  # refuses a technology without layouts

    @property
    def laid_out(self) -> LaidOut:
        """The layout as it is."""
        return LaidOut(self.point, ACCELERATOR, self.clock_ns, tech=self.tech)

    def tools(self) -> dict[str, str]:
        """The tools of that layout."""
        return self.laid_out.tools()

    def stages(self) -> Iterable[str]:
        """List the stages of that layout."""
        return ["outcome", *self.laid_out.stages()]

    def parameters(self) -> dict[str, Any]:
        """The clock, the seeds, and the workloads that are recorded."""
        return super().parameters() | {"seeds": SEEDS} | self.laid_out.workloads()

    def compute(self, on_step: OnStep) -> PlacementsResult:
        """Lay the design out under each seed."""
        own = measure(self.laid_out, on_step).result
        runs = []
        for seed in SEEDS:

            def say(step: str, seed: int = seed) -> None:
                on_step(f"seed {seed} of {len(SEEDS)}, {step}")

            found = self.laid_out.finished(say, seed)
            layout, energy = found.steps.layout, found.steps.layout_energy
            assert layout, self
            assert energy, self
            runs.append(Laid.of(layout.label, found.metrics, energy.operations))
        first = Laid.of(own.label, own.metrics, own.operations)
        return PlacementsResult(own.tools, first, runs)
