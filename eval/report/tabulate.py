"""The tables of the report, as data: the page and the terminal show the same grids."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from eval.study.results import StudyResult, command_for
from eval.tasks.measure import Hardening, Simulation
from eval.tasks.metrics import METRICS

MODULES_SHOWN = 12


@dataclass(frozen=True)
class Line:
    """A row of a grid, the commands that reproduce its numbers, the name by which the page refers
    to it, and where the logs are."""

    cells: tuple[str, ...]
    commands: tuple[str, ...] = ()
    anchor: str = ""
    logs: str = ""


@dataclass(frozen=True)
class Grid:
    """A table: `words` are the columns that hold words, the others hold numbers."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    words: tuple[int, ...] = (0,)
    note: str = ""

    @property
    def has_commands(self) -> bool:
        """Whether any line says how to reproduce it."""
        return any(line.commands for line in self.lines)


def cycles_grid(found: StudyResult) -> Grid:
    """Cycles of every workload on every point."""
    lines = []
    for p in found.points:
        for workload, request in p.requests.items():
            task = Simulation(p.point, workload)
            cycles = [f"cycles_{workload}", f"xcel_cycles_{workload}"]
            lines.append(
                Line(
                    (
                        p.point.design,
                        str(p.point.nbits),
                        workload,
                        f"{request['exp'].bit_length()} / {request['exp'].bit_count()}",
                        *(METRICS[c].format(p.metrics.get(c)) for c in cycles),
                    ),
                    (command_for(task), command_for(task, through_port=True)),
                )
            )
    return Grid(
        "Cycles of one exponentiation",
        ("design", "bits", "workload", "exponent bits / ones", "exponentiator", "accelerator"),
        tuple(lines),
        words=(0, 2),
        note="Exponentiator: from request to response. Accelerator: through its port, from the "
        "first operand word pushed to the last result word popped. Simulated: translated "
        "Verilog, compiled (level batch); every answer was checked.",
    )


AREA_METRICS = (
    *("area_um2", "multiplier_area_um2", "cells", "setup_slack_ns"),
    *("shortest_period_ns", "time_e_us", "time_d_us"),
)


def area_grid(found: StudyResult) -> Grid:
    """Area and timing of every point's accelerator, and the time of the workloads."""
    lines = []
    for p in found.points:
        hardening = Hardening(p.point, "accelerator", found.study.clock_ns)
        simulations = [Simulation(p.point, w) for w in p.requests]
        lines.append(
            Line(
                (
                    p.point.design,
                    str(p.point.nbits),
                    *(METRICS[m].format(p.metrics.get(m)) for m in AREA_METRICS),
                ),
                (
                    command_for(hardening),
                    *(command_for(task, through_port=True) for task in simulations),
                ),
                anchor=p.anchor,
                logs=f"build/flow/{hardening.run}/logs",
            )
        )
    return Grid(
        f"Area and timing of the accelerators, for a clock of {found.study.clock_ns:g} ns",
        ("design", "bits", *(f"{METRICS[m].title}\n{METRICS[m].unit}" for m in AREA_METRICS)),
        tuple(lines),
        note="Multiplier: one of the modular multipliers inside; a dash where none is a module of "
        "its own. Time: cycles of the accelerator x shortest period.",
    )


def mapping_grid(hardened: Sequence[tuple[Hardening, dict[str, Any]]]) -> Grid:
    """The best hierarchical netlist of each unit beside the best flat one, and which was taken."""
    lines = []
    for task, result in hardened:
        cells = [f"{task.point} {task.unit}"]
        for row in (result["hierarchical"], result["flat"]):
            if row is None:
                cells += ["-", "-", "-"]
            else:
                slack = METRICS["setup_slack_ns"].format(row["setup_slack_ns"])
                cells += [row["recipe"], METRICS["area_um2"].format(row["area_um2"]), slack]
        flat = result["flat"] is not None and result["recipe"] == result["flat"]["recipe"]
        lines.append(Line((*cells, "flat" if flat else "hierarchy"), (command_for(task),)))
    return Grid(
        "Hierarchy kept, and mapped as one module",
        ("unit", "hierarchy:\nrecipe", "\num2", "\nslack, ns")
        + ("flat:\nrecipe", "\num2", "\nslack, ns", "taken"),
        tuple(lines),
        words=(0, 1, 4, 7),
        note="Taken: the smaller that meets the clock, else the faster. Mixed: each module by the "
        "recipe that suits it. Areas by module are those of the hierarchical netlist.",
    )


def metric_grid(result: dict[str, Any]) -> Grid:
    """What the flow measured of one unit."""
    lines = [
        Line((METRICS[name].title, METRICS[name].format(value), METRICS[name].unit))
        for name, value in result["metrics"].items()
    ]
    return Grid("Result", ("metric", "value", "unit"), tuple(lines), words=(0, 2))


def module_grid(task: Hardening, result: dict[str, Any]) -> Grid:
    """Where the area of a unit is: the cells directly inside each module, all its instances."""
    rows, whole = result["modules"], result["metrics"]["area_um2"]
    total = (result["hierarchical"] or result["flat"])["area_um2"]
    lines = [
        Line(
            (
                row["module"].replace("__", " "),
                str(row["instances"]),
                f"{row['area_each_um2']:.1f}",
                f"{row['area_um2']:.1f}",
                f"{100 * row['area_um2'] / total:.1f}",
            ),
        )
        for row in rows[:MODULES_SHOWN]
    ]
    if rest := rows[MODULES_SHOWN:]:
        area = sum(row["area_um2"] for row in rest)
        count = sum(row["instances"] for row in rest)
        name = f"{len(rest)} smaller modules"
        lines.append(Line((name, str(count), "", f"{area:.1f}", f"{100 * area / total:.1f}")))
    return Grid(
        f"Area by module, {task.point} {task.unit}",
        ("module", "instances", "each, um2", "all, um2", "share, %"),
        tuple(lines),
        note=f"Cells directly inside the module. Recipe of the mapping: {result['recipe']}."
        + (" Areas by module are those of the best netlist with hierarchy." * (total != whole)),
    )


def path_grid(hardened: Sequence[tuple[Hardening, dict[str, Any]]]) -> Grid:
    """The slowest path of each unit: its ends, and the delay in each module on its way."""
    lines = []
    for task, result in hardened:
        if path := result["critical_path"]:
            ends = (_signal(path["start"]), _signal(path["end"]))
            cells = (f"{task.point} {task.unit}", *ends, modules_of_path(result, delays=True))
            lines.append(Line(cells, (command_for(task),)))
    return Grid(
        "Slowest path",
        ("unit", "from", "to", "through (delay in ns)"),
        tuple(lines),
        words=(0, 1, 2, 3),
    )


def modules_of_path(result: dict[str, Any], delays: bool = False) -> str:
    """The modules that a unit's slowest path goes through, in order."""
    if not result["critical_path"]:
        return "no registers"
    stretches = groupby(result["critical_path"]["through"], lambda part: class_name(part["module"]))
    return " > ".join(
        name + (f" {sum(part['delay_ns'] for part in parts):.2f}" if delays else "")
        for name, parts in stretches
    )


def class_name(module: str) -> str:
    """The component's class in a module's name: the parameters follow it."""
    return re.sub(r"(__.*|_noparam)$", "", module)


def _signal(pin: str) -> str:
    """The signal of a register's pin: `a/b_reg/D` is `a/b`."""
    return re.sub(r"(_reg)?/[A-Z]+$", "", pin)


def tools_grid(found: StudyResult) -> Grid:
    """The tools that measured, with their versions."""
    lines = [Line((name, version)) for name, version in found.tools.items()]
    return Grid("Tools", ("tool", "version"), tuple(lines), words=(0, 1))
