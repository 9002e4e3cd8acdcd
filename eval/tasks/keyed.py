"""What keys name of flow runs, recordings and programs: nothing here computes."""

from functools import cache

from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.tasks.unit import PERIPHERAL
from flow.order import SUMMARY, names_to
from proc.programs.build import APP, RUNTIME
from sim.closure import hash_data
from sim.paths import ROOT

LINKED = (*RUNTIME, APP / "link.ld")  # to every program
RECORDINGS = "eval/tasks/flow_run"  # the modules that record workloads


def program(name: str) -> list[str]:
    """List a program of proc/app and what is linked to each; closures have what it includes."""
    return [str(path.relative_to(ROOT)) for path in (APP / name, *LINKED)]


def steps_to(to: str, energy: bool) -> list[str]:
    """List the folders of the steps that a run of the flow goes through."""
    return [f"flow/steps/{name}" for name in (*names_to(to, energy), SUMMARY)]


def recorded_by(unit: str) -> list[str]:
    """List what records the workloads of a unit, and the programs that run."""
    if unit == SYSTEM:
        systems = f"{RECORDINGS}/system_recording.py"
        return [f"{RECORDINGS}/recording.py", systems, *program("benchmark.c")]
    return [f"{RECORDINGS}/{'bus_' if unit == PERIPHERAL else ''}recording.py"]


@cache
def asked_of(point: Point) -> str:
    """Hash what the workloads ask of a point, and the cycles that they take by its formula."""
    entry, nbits = point.entry, point.nbits
    requests = [work.request(nbits, entry.moduli.key) for work in WORKLOADS.values()]
    cycles = [entry.cycles(nbits, **vars(request)) for request in requests]
    given = [list(vars(request).values()) for request in requests]
    return hash_data([given, cycles, bool(entry.moduli.only)])[:12]
