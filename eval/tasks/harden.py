"""Harden a unit of a design point: its Verilog through the flow, and what we take from it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from pymtl3 import Component

from eval.catalog.point import Point
from sim.errors import UserError
from sim.paths import build_dir
from sim.translate import Translation, translate

if TYPE_CHECKING:
    from flow.recording import Recording

TIMING, POWER, EQUIVALENCE = "timing", "power", "equivalence"
UNITS = ("accelerator", "multiplier")
CLOCKS_NS = (0.1, 1000.0)
METRICS_OF_FLOW = ("area_um2", "cells", "setup_slack_ns", "shortest_period_ns")


class Target(Protocol):
    """What can be hardened, a unit at a time: a design point, or the processor."""

    design: str
    nbits: int
    arguments: str  # as commands take it
    dissolve: tuple[str, ...]  # classes of modules that are mapped with their parents

    def top_of(self, unit: str) -> str:
        """The unit's Verilog top module."""
        ...

    def component(self, unit: str) -> Component:
        """A new component of the unit."""
        ...


def check_clock(clock_ns: float) -> None:
    """UserError unless the clock period is one that a person can mean."""
    least, most = CLOCKS_NS
    if not least <= clock_ns <= most:
        raise UserError(f"--clock: {clock_ns:g} ns is not from {least:g} to {most:g} ns")


def check_unit(unit: str) -> None:
    """UserError unless there is such a unit."""
    if unit not in UNITS:
        raise UserError(f"--unit: no unit {unit!r}; choose from {', '.join(UNITS)}")


@lru_cache(None)
def translation(point: Target, unit: str = "accelerator") -> Translation:
    """The Verilog of a unit of the point, under a top module name of its own."""
    return translate(point.component(unit), point.top_of(unit))


def harden(
    point: Target,
    clock_ns: float = 3.0,
    unit: str = "accelerator",
    on_step: Callable[[str], None] = lambda step: None,
    recipes: Sequence[str] = (),
    seed: int = 0,
    to: str = TIMING,
    workload: "Recording | None" = None,
    gated: bool = False,
) -> dict[str, Any]:
    """Run the flow on a unit up to a step; `metrics` as in metrics.py, and what else the flow
    says.

    With a seed, as noise does: other recipes, other names and another order of modules. From the
    step power on, which takes a workload, `energy` is what that step says, and `equivalence` what
    the step of that name does. With gated clocks, `gating` is what synthesis and timing say of
    them, and `clocked` in which share of each window's cycles a register is clocked.
    """
    results = run_to(to, point, clock_ns, unit, on_step, recipes, seed, workload, gated)
    metrics = {metric: results["metrics"][metric] for metric in METRICS_OF_FLOW}
    synthesis = results["steps"]["synthesis"]
    modules = synthesis["modules"]
    if unit == "accelerator" and (row := multiplier_row(point, modules)):
        metrics["multiplier_area_um2"] = row["area_each_with_submodules_um2"]
    more = {}
    if gating := synthesis.get("gating"):
        slack = results["steps"]["timing"].get("enable_slack_ns")  # None without any gate
        more["gating"] = gating | {"enable_slack_ns": slack}
    if energy := results["steps"].get("power"):
        more["energy"] = energy
        if gated:
            windows = results["steps"]["simulation"]["windows"]
            more["clocked"] = {name: row.get("clocked", 1.0) for name, row in windows.items()}
        if unit == "accelerator":
            metrics |= energy_metrics(energy)
    if equivalence := results["steps"].get("equivalence"):
        more["equivalence"] = equivalence
    return more | {
        "metrics": metrics,
        "modules": modules,
        "recipe": synthesis["recipe"],
        "hierarchical": synthesis["hierarchical"],
        "flat": synthesis["flat"],
        "critical_path": results["steps"]["timing"]["critical_path"],
        "tools": results["tools"],
        "kit": results["kit"],
    }


def energy_metrics(energy: dict[str, Any]) -> dict[str, float]:
    """Power of each window of an accelerator's workload, and energy of each operation."""
    metrics = {"power_idle_mw": energy["windows"]["idle"]["power_mw"]["total"]}
    for name, row in energy["operations"].items():
        metrics |= {
            f"power_{name}_mw": row["power_mw"],
            f"energy_{name}_nj": row["energy_nj"],
            f"energy_glitches_{name}_nj": row["energy_with_glitches_nj"],
            f"toggle_factor_{name}": energy["windows"][name]["sampled"]["toggle_factor"],
        }
    return metrics


def run_to(
    step: str,
    point: Target,
    clock_ns: float,
    unit: str,
    on_step: Callable[[str], None],
    recipes: Sequence[str] = (),
    seed: int = 0,
    workload: "Recording | None" = None,
    gated: bool = False,
) -> dict[str, Any]:
    """What the flow says of a unit up to a step. All steps of a unit share one build folder, which
    a second run waits for."""
    from flow.run import run_flow

    done = translation(point, unit)
    return run_flow(
        run_name(point, unit, clock_ns, seed, gated),
        done.text,
        done.top,
        build_dir("flow"),
        clock_period=clock_ns,
        to=step,
        recording=workload,
        dissolve=point.dissolve,
        recipes=recipes,
        seed=seed,
        gated=gated,
        on_step=lambda step, event: on_step(f"{step} {event}"),
        wait=True,
    )


def run_name(point: Target, unit: str, clock_ns: float, seed: int = 0, gated: bool = False) -> str:
    """The name of the flow's run, and of its folder."""
    name = f"{point.top_of(unit)}-{clock_ns:.10g}ns"
    return name + (f"-seed{seed}" if seed else "") + "-gated" * gated


def multiplier_row(point: Point, modules: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The flow's row of the multiplier's module, among those of the accelerator; None if the
    exponentiator has no such module: it does the multiplier's work itself."""
    multiplier = type(point.entry.multiplier.at(point.nbits).rtl()).__name__
    return next((row for row in modules if row["module"].split("__")[0] == multiplier), None)
