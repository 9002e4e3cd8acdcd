"""Noise: how far the flow's figures move when only names and the order of modules change.

Synthesis is a heuristic: nets under other names and modules in another order give another netlist
of the same design. What differs by less than this is not a difference between designs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.tasks.at_clock import DesignAtClock
from eval.tasks.flow_run.task import TIMING, Figures, FlowRun
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.section import Section, measured
from eval.tasks.task import OnStep, Result, measure
from eval.tasks.unit import ACCELERATOR

SEEDS = (1, 2, 3, 4, 5)


class NoiseResult(Result):
    """The figures as designed and under each seed, and the recipes of all these."""

    own: Figures
    runs: list[Figures]
    recipes: list[str]


@dataclass(frozen=True)
class Noise(DesignAtClock[NoiseResult]):
    """Map DESIGN's accelerator again with nets renamed and modules reordered, five times.

    What two designs differ by less than this is no difference between them.
    """

    kind = "noise"
    Result = NoiseResult

    def parameters(self) -> dict[str, Any]:
        """The clock and the seeds."""
        return super().parameters() | {"seeds": SEEDS}

    def compute(self, on_step: OnStep) -> NoiseResult:
        """Map under each seed by the recipes that the point's own mapping was made of."""
        run = FlowRun(self.point, ACCELERATOR, self.clock_ns)
        own = measure(run, on_step).result
        recipes = [own.recipe]
        if own.flat is None or own.recipe != own.flat.recipe:
            recipes = sorted({part.recipe for part in own.modules})
        runs = []
        for seed in SEEDS:

            def say(step: str, seed: int = seed) -> None:
                on_step(f"seed {seed} of {len(SEEDS)}, {step}")

            runs.append(Figures.of(run.run(TIMING, say, recipes, seed).metrics))
        return NoiseResult(own.tools, Figures.of(own.metrics), runs, recipes)


def area_band(results: Iterable[NoiseResult]) -> float:
    """Find the largest relative change of area that any seed made, of all results."""
    return max(
        abs(run.area_um2 / result.own.area_um2 - 1) for result in results for run in result.runs
    )


def noise_grid(rows: Mapping[Noise, NoiseResult | None]) -> Grid | None:
    """Show each point's figures, and how far the seeds moved them; None if nothing was measured."""
    found = measured(rows)
    if not found:
        return None
    lines = []
    for task, result in found.items():
        area = [run.area_um2 for run in result.runs]
        slack = [run.setup_slack_ns for run in result.runs]
        cells = (
            *(task.point.design, task.point.nbits, result.own.area_um2, min(area), max(area)),
            *(result.own.setup_slack_ns, min(slack), max(slack), 100 * area_band([result])),
        )
        lines.append(line(*cells, commands=(task.command,)))
    return grid(
        "Noise of the synthesis",
        (
            words("design")
            + numbers(0, "bits")
            + numbers(1, "area,\num2", "\nleast", "\nmost")
            + numbers(3, "slack,\nns", "\nleast", "\nmost")
            + numbers(1, "area\n+-%")
        ),
        lines,
        f"The same design with nets renamed and modules reordered, {len(SEEDS)} seeds. Areas that "
        f"differ by less than {100 * area_band(found.values()):.1f} % are equal as far as this "
        "flow can tell.",
    )


TASK = Noise
SECTION = Section(results=lambda rows: [noise_grid(rows)])
