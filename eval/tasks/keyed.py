"""The stages of flow runs and recordings, and the workloads that a key names."""

from collections.abc import Iterable
from functools import cache

from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.tasks.unit import PERIPHERAL
from flow.order import SUMMARY, names_to
from sim.closure import hash_data
from sim.paths import ROOT
from sim.stages import stages


def steps_to(to: str, energy: bool) -> list[str]:
    """List the stages of the steps that a run of the flow goes through."""
    return stages_of((*names_to(to, energy), SUMMARY))


def stages_of(steps: Iterable[str]) -> list[str]:
    """List the stages of steps of the flow."""
    folder = ROOT / "flow/steps"
    return list(dict.fromkeys(stages().owner(folder / name) for name in steps))


def recorded_by(unit: str) -> list[str]:
    """List the stages that record the workloads of a unit, besides the task's own."""
    return ["run"] if unit in (SYSTEM, PERIPHERAL) else []


@cache
def asked_of(point: Point) -> str:
    """Hash what the workloads ask of a point, and the cycles that they take by its formula."""
    entry, nbits = point.entry, point.nbits
    requests = [work.request(nbits, entry.moduli.key) for work in WORKLOADS.values()]
    cycles = [entry.cycles(nbits, **vars(request)) for request in requests]
    given = [list(vars(request).values()) for request in requests]
    return hash_data([given, cycles, bool(entry.moduli.only)])[:12]
