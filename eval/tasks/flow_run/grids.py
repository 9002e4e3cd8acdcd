"""The tables of flow runs: what was measured, the mappings, the modules, the critical paths."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import SimpleNamespace

from eval.table import Columns, Row, Table, numbers, ratio, rows_of, words
from eval.tasks.columns import SLACK, marked_by
from eval.tasks.flow_run.task import EQUIVALENCE, FlowResult, FlowRun
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS
from eval.tasks.section import measured
from flow.technologies.asked import DEFAULT

MODULES_SHOWN = 12
ENDS_SHOWN = 3
Rows = Mapping[FlowRun, FlowResult | None]


def unit_name(row: Row) -> str:
    """Name the unit, marked if it misses its clock."""
    of_tech = "" if row.task.tech == DEFAULT else f", {row.task.tech}"
    name = f"{row.point} {row.task.unit}{of_tech}"
    return marked(row.point, row.metrics.get("setup_slack_ns"), name)


UNIT = words({"unit": unit_name})


def plain(rows: Rows) -> dict[FlowRun, FlowResult]:
    """Keep what was measured without gated clocks."""
    return {task: result for task, result in measured(rows).items() if not task.gated}


def not_timed(ends: Sequence[str]) -> Iterator[str]:
    """Say which endpoints no path is timed to, though they are not constant."""
    if ends:
        more = ", ..." if len(ends) > ENDS_SHOWN else ""
        yield f"{len(ends)} endpoints are not timed: {', '.join(ends[:ENDS_SHOWN])}{more}"


# In the order of all metrics.
RESULT = Table(
    "Result",
    words({"metric": 0}) + numbers(0, {"value": 1}) + words({"unit": 2}),
    lambda result: " ".join(not_timed(result.untimed)),
    rows=lambda result: [
        (metric.title, metric.format(result.metrics[name]), metric.unit)
        for name, metric in METRICS.items()
        if name in result.metrics
    ],
)


def _mapping(kind: str, name: str) -> Columns:
    """Show the best netlist of a kind."""
    return (
        words({f"{name}:\nrecipe": f"{kind}.recipe"})
        + numbers(1, {"\num2": f"{kind}.area_um2"})
        + numbers(3, {"\nslack, ns": f"{kind}.setup_slack_ns"})
    )


def _taken(row: Row) -> str:
    flat = row.result.flat
    return "flat" if flat is not None and row.result.recipe == flat.recipe else "hierarchy"


MAPPINGS = Table(
    "Hierarchy kept, and mapped as one module",
    UNIT
    + _mapping("hierarchical", "hierarchy")
    + _mapping("flat", "flat")
    + words({"taken": _taken}),
    "Taken: the smaller that meets the clock, else the faster. Mixed: each module by the "
    "recipe that suits it. Areas by module are those of the hierarchical netlist.",
)


def _modules(row: Row) -> Iterator[Row]:
    """List the largest modules, and all others together."""
    found, whole = row.result.modules, _whole(row.result)
    shown = {m.module.replace("__", " "): m for m in found[:MODULES_SHOWN]}
    if rest := found[MODULES_SHOWN:]:
        count, area = sum(m.instances for m in rest), sum(m.area_um2 for m in rest)
        shown[f"{len(rest)} smaller modules"] = SimpleNamespace(
            instances=count, area_each_um2="", area_um2=area
        )
    return (Row(None, m, name=name, whole=whole) for name, m in shown.items())


def _whole(result: FlowResult) -> float:
    best = result.hierarchical or result.flat
    assert best is not None, result.recipe
    return best.area_um2


def _note(row: Row) -> str:
    other = _whole(row.result) != row.metrics["area_um2"]
    return (
        f"Cells directly inside the module. Recipe of the mapping: {row.result.recipe}."
        + " Areas by module are those of the best netlist with hierarchy." * other
    )


# Where the area of a unit is: the cells directly inside each module, of all instances.
MODULES = Table(
    lambda row: f"Area by module, {unit_name(row)}",
    words({"module": "name"})
    + numbers(0, {"instances": "instances"})
    + numbers(1, {"each, um2": "area_each_um2", "all, um2": "area_um2"})
    + numbers(1, {"share, %": ratio("area_um2", "whole", 100)}),
    _note,
    rows=_modules,
)


def _signal(pin: str) -> str:
    """Name the signal of a register's pin: `a/b_reg/D` is `a/b`."""
    return re.sub(r"(_reg)?/[A-Z]+$", "", pin)


# Its ends, and the delay in each module on its way.
PATHS = Table(
    "Critical path",
    UNIT
    + words({"from": lambda row: _signal(row.result.critical_path.start)})
    + words({"to": lambda row: _signal(row.result.critical_path.end)})
    + words({"through (delay in ns)": lambda row: modules_of_path(row.result, delays=True)}),
    rows=lambda rows: [row for row in rows_of(rows) if row.result.critical_path],
)


def modules_of_path(result: FlowResult, delays: bool = False) -> str:
    """List the modules that a unit's critical path goes through, in order."""
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


def _proved(rows: Rows) -> list[Row]:
    """List the units whose proof was asked for, without gated clocks first."""
    found = [row for row in rows_of(rows) if row.result.equivalence]
    return sorted(found, key=lambda row: row.task.gated)


PROOFS = Table(
    "Whether netlist and RTL are equal for all inputs and states",
    marked_by(SLACK, "point", "unit")
    + words({"clocks": lambda row: "gated" if row.task.gated else "plain"})
    + words({"proof": "equivalence.outcome"}),
    "All of them were compared in every cycle of the workloads, too. Registers find their "
    "partners by name.",
    rows=_proved,
    commands=lambda row: row.task.command_to(EQUIVALENCE),
)
