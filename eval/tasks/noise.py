"""Noise: how far the flow's figures move when only names and the order of modules change.

Synthesis is a heuristic: nets under other names and modules in another order give another netlist
of the same design. What differs by less than this is not a difference between designs.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from eval.catalog.point import Point
from eval.tasks.harden import harden, translation
from eval.tasks.measure import Hardening, measure
from eval.tasks.store import Key, as_text
from eval.tasks.versions import flow_tools

SEEDS = (1, 2, 3, 4, 5)
FIGURES = ("area_um2", "setup_slack_ns", "shortest_period_ns")


@dataclass(frozen=True, order=True)
class Noise:
    """A point's accelerator mapped again under each of SEEDS, by the recipes that its own mapping
    was made of."""

    point: Point
    clock_ns: float

    def __str__(self) -> str:
        return f"{self.point} noise"

    @property
    def command(self) -> str:
        """The command that reproduces the row."""
        return f"modexplorer noise {self.point.arguments} --clock {self.clock_ns:.10g}"

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="noise",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"clock_ns": self.clock_ns, "seeds": SEEDS}),
            workload="",
            verilog=translation(self.point, "accelerator").digest,
            tools=as_text(flow_tools()),
        )

    def compute(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """The figures as designed and under each seed."""
        own = measure(Hardening(self.point, "accelerator", self.clock_ns), on_step).result
        recipes = [own["recipe"]]
        if own["flat"] is None or recipes != [own["flat"]["recipe"]]:
            recipes = sorted({part["recipe"] for part in own["modules"]})
        runs = []
        for seed in SEEDS:

            def say(step: str, seed: int = seed) -> None:
                on_step(f"seed {seed} of {len(SEEDS)}, {step}")

            moved = harden(self.point, self.clock_ns, "accelerator", say, recipes, seed)
            runs.append({name: moved["metrics"][name] for name in FIGURES})
        return {
            "own": {name: own["metrics"][name] for name in FIGURES},
            "runs": runs,
            "recipes": recipes,
            "tools": own["tools"],
        }


def area_band(results: Iterable[dict[str, Any]]) -> float:
    """The largest relative change of area that any seed made, of all results."""
    return max(
        abs(run["area_um2"] / result["own"]["area_um2"] - 1)
        for result in results
        for run in result["runs"]
    )
