"""The netlists whose figures are known: those in the store, and those in eval/atlas/quoted.jsonl.

The latter come with the package, so that estimates begin with something. They are for estimates
alone, never for an answer.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.find.formula import cycles_of
from eval.find.model import Known, Spot
from eval.quoting.stored import load
from eval.tasks.clocks import Curve, clock_of
from eval.tasks.composed import Composed, ComposedResult
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.store import Store
from eval.tasks.unit import ACCELERATOR
from sim.errors import ArgumentError

TECH = "tech"  # among the parameters of rows in another technology than the usual one
USUAL_CLOCK = "3"  # of `modexplorer flow`
OPTIONS = {"--nbits", "--clock", "--to", "--gated"}  # of runs of accelerators
AREA, PERIOD, SLACK = (f"metrics.{n}" for n in ("area_um2", "period_ns", "setup_slack_ns"))
LAST, OF_RUN = "runs[-1]", {AREA: "area_um2", PERIOD: "period_ns"}
ENERGY = ("metrics.energy_glitches_{}_nj", "energy.operations.{}.energy_with_glitches_nj")


@dataclass(frozen=True)
class Netlist:
    """A netlist of the flow, with what is known of it; energies by workload."""

    spot: Spot
    area_um2: float | None
    period_ns: float | None
    energies_nj: tuple[tuple[str, float], ...] = ()

    def known(self, workload: str) -> Known:
        """Tell its figures under a workload."""
        spot, energy = self.spot, dict(self.energies_nj).get(workload)
        cycles = 0 if energy is None else cycles_of(spot.design, spot.nbits, workload)
        return Known(spot, self.area_um2, self.period_ns, energy, cycles)


def energies_of(metrics: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Take the energies with glitches of a run's metrics."""
    names = {workload: f"energy_glitches_{workload}_nj" for workload in WORKLOADS}
    return tuple((work, metrics[name]) for work, name in names.items() if name in metrics)


def spot_named(design: str, nbits: int, clock_ns: float, gated: bool) -> Spot | None:
    """Name a spot; None of somebody's own design, or of one that is no more."""
    try:
        return Spot(find(design).name, nbits, clock_ns, gated)
    except ArgumentError:
        return None


def quoted() -> list[Netlist]:
    """Read the netlists that texts quote, each of what several commands tell of it."""
    told: dict[Spot, dict[str, Any]] = {}
    for command, answers in load().items():
        values = answers.values
        if spot := _asked(command):
            told.setdefault(spot, {}).update(values)
        elif spot := _fastest_of_curve(command, values):
            last = {name: values[f"{LAST}.{part}"] for name, part in OF_RUN.items()}
            told.setdefault(spot, {}).update(last)
    return [_netlist(spot, values) for spot, values in told.items()]


def estimates_take(command: str, values: Mapping[str, Any]) -> set[str]:
    """Return the paths of a command's stored values from which estimates begin."""
    if _asked(command):
        energies = {form.format(workload) for form in ENERGY for workload in WORKLOADS}
        return values.keys() & {AREA, PERIOD, SLACK, *energies}
    if _fastest_of_curve(command, values):
        return {f"{LAST}.{name}" for name in ("clock_ns", *OF_RUN.values())}
    return set()


def _asked(command: str) -> Spot | None:
    """Tell of which accelerator's netlist a command of the flow is; None if of none."""
    kind, *words = shlex.split(command)
    options = {word for word in words if word.startswith("--")}
    if kind != FlowRun.kind or "--nbits" not in options or not options <= OPTIONS:
        return None
    values = dict(zip(words[1:], [*words[2:], ""], strict=True))
    if values.get("--to", "power") != "power":
        return None
    clock_ns = float(values.get("--clock", USUAL_CLOCK))
    return spot_named(words[0], int(values["--nbits"]), clock_ns, "--gated" in options)


def _fastest_of_curve(command: str, values: Mapping[str, Any]) -> Spot | None:
    """Tell which netlist the last run of a quoted curve is, at the shortest clock; None if it is
    not quoted."""
    kind, *words = shlex.split(command)
    if kind != Curve.kind or words[1:-1] != ["--nbits"] or f"{LAST}.clock_ns" not in values:
        return None
    return spot_named(words[0], int(words[-1]), values[f"{LAST}.clock_ns"], gated=False)


def _netlist(spot: Spot, values: Mapping[str, Any]) -> Netlist:
    period = values.get(PERIOD)
    if period is None and SLACK in values:
        period = spot.clock_ns - values[SLACK]
    energies = {
        workload: values[name]
        for workload in WORKLOADS
        for name in (form.format(workload) for form in ENERGY)
        if name in values
    }
    return Netlist(spot, values.get(AREA), period, tuple(energies.items()))


def of_curve(point: Point, curve: ComposedResult) -> list[Netlist]:
    """List the netlists of a composed curve, at the clocks by which the flow confirms them."""
    spots = [Spot(point.design, point.nbits, clock_of(one)) for one in curve.points]
    return [
        Netlist(spot, one.area_um2, one.period_ns)
        for spot, one in zip(spots, curve.points, strict=True)
    ]


def curves() -> dict[Composed, list[Netlist]]:
    """Read the composed curves that the store has, in the usual technology, whatever code and
    tools made them."""
    found = {}
    with Store() as store:
        for key, result in store.parts(Composed.kind, "$"):
            asked = json.loads(key.parameters)
            if TECH not in asked and spot_named(key.design, key.nbits, 1.0, False):
                task = Composed(Point(key.design, key.nbits), **asked)
                found[task] = of_curve(task.point, msgspec.convert(result, ComposedResult))
    return found


def stored() -> list[Netlist]:
    """Read the netlists of accelerators that the store has, in the usual technology, whatever code
    and tools made them: one of each spot, with energies if it has them."""
    found: dict[Spot, Netlist] = {}
    with Store() as store:
        for key, metrics in store.parts(FlowRun.kind, "$.metrics"):
            asked = json.loads(key.parameters)
            if asked["unit"] != ACCELERATOR or TECH in asked:
                continue
            spot = spot_named(key.design, key.nbits, asked["clock_ns"], asked.get("gated", False))
            energies = energies_of(metrics)
            if spot and (energies or spot not in found):
                figures = metrics["area_um2"], metrics["period_ns"]
                found[spot] = Netlist(spot, *figures, energies)
    return [*found.values()]
