"""The tables of flow runs: what was measured, the mappings, the modules, the slowest paths."""

import re
from collections.abc import Mapping
from itertools import groupby

from eval.tasks.flow_run.task import EQUIVALENCE, FlowResult, FlowRun
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS
from eval.tasks.section import measured

MODULES_SHOWN = 12
Rows = Mapping[FlowRun, FlowResult | None]


def unit_name(task: FlowRun, result: FlowResult) -> str:
    """Name the unit, marked if it misses its clock."""
    name = f"{task.point} {task.unit}"
    return marked(task.point, result.metrics.get("setup_slack_ns"), name)


def plain(rows: Rows) -> dict[FlowRun, FlowResult]:
    """Keep what was measured without gated clocks."""
    return {task: result for task, result in measured(rows).items() if not task.gated}


def metric_grid(result: FlowResult) -> Grid:
    """Show what the flow measured of one unit, in the order of all metrics."""
    lines = [
        line(metric.title, metric.format(result.metrics[name]), metric.unit)
        for name, metric in METRICS.items()
        if name in result.metrics
    ]
    return Grid("Result", ("metric", "value", "unit"), tuple(lines), words=(0, 2))


def mapping_grid(rows: Mapping[FlowRun, FlowResult]) -> Grid | None:
    """Show the best hierarchical netlist of each unit beside the best flat one, and the taken."""
    figures = numbers(1, "\num2") + numbers(3, "\nslack, ns")
    lines = []
    for task, result in rows.items():
        cells: list[str | float | None] = [unit_name(task, result)]
        for row in (result.hierarchical, result.flat):
            cells += [row.recipe, row.area_um2, row.setup_slack_ns] if row else [None] * 3
        flat = result.flat is not None and result.recipe == result.flat.recipe
        lines.append(line(*cells, "flat" if flat else "hierarchy", commands=(task.command,)))
    return grid(
        "Hierarchy kept, and mapped as one module",
        (
            words("unit")
            + words("hierarchy:\nrecipe")
            + figures
            + words("flat:\nrecipe")
            + figures
            + words("taken")
        ),
        lines,
        "Taken: the smaller that meets the clock, else the faster. Mixed: each module by the "
        "recipe that suits it. Areas by module are those of the hierarchical netlist.",
    )


def module_grid(task: FlowRun, result: FlowResult) -> Grid | None:
    """Show where the area of a unit is: the cells directly inside each module, of all instances."""
    total = (result.hierarchical or result.flat).area_um2
    shown, rest = result.modules[:MODULES_SHOWN], result.modules[MODULES_SHOWN:]
    found = [
        (row.module.replace("__", " "), row.instances, row.area_each_um2, row.area_um2)
        for row in shown
    ]
    if rest:
        count, area = (sum(v) for v in zip(*((m.instances, m.area_um2) for m in rest), strict=True))
        found.append((f"{len(rest)} smaller modules", count, "", area))
    other = total != result.metrics["area_um2"]
    return grid(
        f"Area by module, {unit_name(task, result)}",
        (
            words("module")
            + numbers(0, "instances")
            + numbers(1, "each, um2", "all, um2", "share, %")
        ),
        (line(*cells, 100 * cells[-1] / total) for cells in found),
        f"Cells directly inside the module. Recipe of the mapping: {result.recipe}."
        + " Areas by module are those of the best netlist with hierarchy." * other,
    )


def path_grid(rows: Mapping[FlowRun, FlowResult]) -> Grid | None:
    """Show the slowest path of each unit: its ends, and the delay in each module on its way."""
    return grid(
        "Slowest path",
        words("unit", "from", "to", "through (delay in ns)"),
        (
            line(
                *(unit_name(task, result), _signal(path.start), _signal(path.end)),
                modules_of_path(result, delays=True),
                commands=(task.command,),
            )
            for task, result in rows.items()
            if (path := result.critical_path)
        ),
    )


def modules_of_path(result: FlowResult, delays: bool = False) -> str:
    """List the modules that a unit's slowest path goes through, in order."""
    if not result.critical_path:
        return "no registers"
    stretches = groupby(result.critical_path.through, lambda part: class_name(part.module))
    return " > ".join(
        name + (f" {sum(part.delay_ns for part in parts):.2f}" if delays else "")
        for name, parts in stretches
    )


def class_name(module: str) -> str:
    """Take the component's class from a module's name: the parameters follow it."""
    return re.sub(r"(__.*|_noparam)$", "", module)


def _signal(pin: str) -> str:
    """Name the signal of a register's pin: `a/b_reg/D` is `a/b`."""
    return re.sub(r"(_reg)?/[A-Z]+$", "", pin)


def proofs_grid(rows: Rows) -> Grid | None:
    """Show whether each netlist was proved equal to its RTL; None if no proof was asked for."""
    found = measured(rows).items()
    return grid(
        "Whether netlist and RTL are equal for all inputs and states",
        words("unit", "clocks", "proof"),
        (
            line(
                marked(task.point, result.metrics.get("setup_slack_ns")),
                "gated" if task.gated else "plain",
                result.equivalence.outcome,
                commands=(task.command_to(EQUIVALENCE),),
            )
            for task, result in sorted(found, key=lambda row: row[0].gated)
            if result.equivalence
        ),
        "All of them were compared in every cycle of the workloads, too. Registers find their "
        "partners by name.",
    )
