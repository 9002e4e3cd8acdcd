"""Noise: how far the flow's figures move when only names and the order of modules change.

Synthesis is a heuristic: nets under other names and modules in another order give another netlist
of the same design. What differs by less than this is not a difference between designs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from eval.tasks.at_clock import HURRIED, hurried
from eval.tasks.flow_run.task import EnergyAtClock, Figures, FlowResult, FlowRun, energy_metrics
from eval.tasks.task import Result, measure
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.results.run import Results

SEEDS = (1, 2, 3, 4, 5)
ENERGY = "energy_glitches_d_nj"


class Netlist(Figures):
    """What a netlist came to, and the energy of workload d where that was measured."""

    energy_nj: float | None = None


class NoiseResult(Result):
    """The figures as designed and under each seed, at the clock and in a hurry; and the recipes of
    all these."""

    own: Netlist
    runs: list[Netlist]
    hurried_own: Netlist
    hurried_runs: list[Netlist]
    recipes: list[str]


@dataclass(frozen=True)
class Noise(EnergyAtClock[NoiseResult]):
    """Map DESIGN's accelerator again with nets renamed and modules reordered, five times.

    What two designs differ by less than this is no difference between them. Area and energy are
    those at --clock, the period is the shortest that synthesis reaches.
    """

    kind = "noise"
    Result = NoiseResult

    def parameters(self) -> dict[str, Any]:
        """The clock, that of the hurry, the seeds, and the workloads."""
        return super().parameters() | {"seeds": SEEDS, "hurried": HURRIED}

    def compute(self, on_step: OnStep) -> NoiseResult:
        """Map under each seed by the recipes that the point's own mapping was made of. Of what
        misses the clock no energy is measured."""
        timed = FlowRun(self.point, ACCELERATOR, self.clock_ns, tech=self.tech)
        own = measure(timed, on_step).result
        run = self.flow_run if own.metrics["setup_slack_ns"] >= 0 else timed
        own = measure(run, on_step).result
        clock = hurried(own.metrics["period_ns"])
        fast = replace(timed, clock_ns=clock)
        fastest = measure(fast, on_step).result
        return NoiseResult(
            own.tools,
            _netlist(own),
            [*_under_seeds(run, own, on_step)],
            _netlist(fastest),
            [*_under_seeds(fast, fastest, on_step)],
            _recipes(own),
        )


def _recipes(own: FlowResult) -> list[str]:
    """List the recipes that the mapping was made of."""
    if own.flat is None or own.recipe != own.flat.recipe:
        return sorted({part.by for part in own.modules})
    return [own.recipe]


def _under_seeds(run: FlowRun, own: FlowResult, on_step: OnStep) -> Iterable[Netlist]:
    """Map under each seed."""
    for seed in SEEDS:

        def say(step: str, seed: int = seed) -> None:
            on_step(f"{run.clock_ns:g} ns, seed {seed} of {len(SEEDS)}, {step}")

        yield _netlist(run.run(run.to, say, _recipes(own), seed, energy=run.energy))


def _netlist(found: FlowResult | Results) -> Netlist:
    """Take the figures of a run, with its energy if it was measured."""
    energy = found.energy if isinstance(found, FlowResult) else found.steps.power
    return Netlist.of(found.metrics, energy_nj=energy and energy_metrics(energy)[ENERGY])
