"""Results of made-up figures, so that tables and charts can be tested without any tool."""

from typing import Any

import msgspec

from eval.catalog.point import Point
from eval.study.results import StudyResult
from eval.study.study import Study
from eval.tasks.flow_run.task import FlowRun, energy_metrics
from eval.tasks.noise import Noise
from eval.tasks.simulation import Simulation
from eval.tasks.task import Row, Task
from flow.results.energy import Energy

KIT = {"name": "kit", "liberty_sha256": "0" * 64}


def row(task: Task, **fields: Any) -> Row:
    """A row of a task; its fields as JSON has them."""
    return Row(task, result_of(task, **fields), False)


def result_of(task: Task, **fields: Any) -> Any:
    """The result of a task."""
    return msgspec.convert({"tools": {}} | fields, task.Result)


def flow_row(task: FlowRun, metrics: dict[str, Any], **fields: Any) -> Row:
    """A row of a flow run: of one netlist, with hierarchy, and no registers."""
    area = metrics.get("area_um2", 0.0)
    hierarchical = {
        **{"recipe": "area", "area_um2": area, "cells": 10, "setup_slack_ns": 0.5},
        **{"period_ns": 2.5, "clock_met": True, "seconds": 1.0},
    }
    netlist = {"recipe": "area", "modules": [], "hierarchical": hierarchical, "flat": None}
    return row(task, **netlist | {"metrics": metrics, "critical_path": None, "kit": KIT} | fields)


def found_of(*rows: Row, clock_ns: float = 3.0) -> StudyResult:
    """A study of just these rows."""
    tasks = [row.task for row in rows]
    return StudyResult(Study("made-up", "made up", lambda plan: tasks, clock_ns), rows)


def simulated(point: Point, workload: str, metrics: dict[str, float]) -> Row:
    """A row of a simulation of 2^5 mod 9."""
    request = {"base": 2, "exp": 5, "mod": 9}
    return row(Simulation(point, workload), metrics=metrics, request=request, result=5)


def module(name: str, count: int, each: float, registers: float, inside: dict[str, int]) -> dict:
    """The flow's row of a module; with its submodules each instance has 7000 um2 if it is a
    multiplier's."""
    return {
        "module": name,
        "instances": count,
        "submodules": inside,
        "cells_each": 1,
        "area_each_um2": each,
        "area_um2": each * count,
        "sequential_area_um2": registers * count,
        "area_each_with_submodules_um2": 7000.0 if name.startswith("MulRem") else each,
        "recipe": "area",
    }


def path(*stretches: tuple[str, float]) -> dict:
    """A critical path through instances of such modules, with its delay in each."""
    through = [{"instance": "a", "module": m, "delay_ns": delay} for m, delay in stretches]
    ends = {"start": "a/b_reg[1]/Q", "end": "c_reg/D", "arrival_ns": 3.0}
    return ends | {"through": through, "points": []}


def window(power: float, cycles: int) -> dict:
    """A window whose power is evenly divided, and half as much again with glitches."""
    parts = dict.fromkeys(("internal", "switching", "clock", "leakage"), power / 4)
    sampled = {"cycles": cycles, "toggle_factor": 2.5, "power_mw": power}
    return {
        "cycles": cycles,
        "power_mw": parts | {"total": power},
        "energy_nj": power * cycles * 3e-3,
        "energy_with_glitches_nj": 1.5 * power * cycles * 3e-3,
        "sampled": sampled | {"power_with_glitches_mw": 1.5 * power},
        "modules": [],
    }


def operation(windows: dict[str, dict], name: str, dummy: str) -> dict:
    """An operation: a window less its dummy call."""
    row = {"cycles": windows[name]["cycles"] - windows[dummy]["cycles"]}
    row["power_mw"] = windows[name]["power_mw"]["total"]
    for key in ("energy_nj", "energy_with_glitches_nj"):
        row[key] = windows[name][key] - windows[dummy][key]
        row[f"dummy_{key}"] = windows[dummy][key]
    return row


def energy_of(prefix: str = "") -> dict:
    """Both workloads, e of 100 cycles and d of 200."""
    windows = {"idle": window(1.0, 200), f"{prefix}dummy": window(2.0, 5)}
    windows |= {f"{prefix}e": window(3.0, 105), f"{prefix}d": window(4.0, 205)}
    operations = {n: operation(windows, n, f"{prefix}dummy") for n in (f"{prefix}e", f"{prefix}d")}
    how = {"clock_period_ns": 3.0, "voltage_v": 1.1, "wires": "some", "method": {}}
    return {"windows": windows, "operations": operations} | how


def metrics_of(energy: dict) -> dict[str, float]:
    """The metrics that such energies give an accelerator."""
    return energy_metrics(msgspec.convert(energy, Energy))


# Area, cycles d, energy d, slack, by design.
FIGURES = {
    "ssmm-small": (1000.0, 900, 6.0, 0.5),
    "mont-best": (3000.0, 100, 8.0, 0.1),
    "mont-small": (1005.0, 1500, 5.0, 0.9),
    "mont-ct": (3100.0, 200, 9.0, 0.1),
    "mont-pipe": (500.0, 50, 1.0, -0.5),  # misses the clock
    "near-power-4": (400.0, 40, 2.0, 0.5),  # for some moduli only
}


def study(nbits: int = 32, **changes: tuple[float, int, float, float]) -> list:
    """Rows of these designs."""
    rows = []
    for design, (area, cycles, energy, slack) in (FIGURES | changes).items():
        point = Point(design.replace("_", "-"), nbits)
        metrics = {"area_um2": area, "setup_slack_ns": slack, "period_ns": 3.0 - slack}
        metrics |= {"energy_glitches_d_nj": energy, "power_d_mw": 2.0}
        rows.append(flow_row(FlowRun(point, "accelerator", 3.0), metrics))
        rows.append(simulated(point, "d", {"cycles_d": cycles - 5, "xcel_cycles_d": cycles}))
    return rows


def noise(design: str, part: float) -> object:
    """A row of noise that moves areas by that part."""
    own = {"area_um2": 100.0, "setup_slack_ns": 0.0, "period_ns": 3.0}
    moved = own | {"area_um2": 100.0 * (1 + part)}
    task = Noise(Point(design, 32), 3.0)
    return row(task, own=own, runs=[moved], hurried_own=own, hurried_runs=[own], recipes=["area"])
