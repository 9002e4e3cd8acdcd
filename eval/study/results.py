"""What a study found: the rows of each point merged, with the commands that reproduce them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.catalog.design import Published
from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM
from eval.study.studies import Study
from eval.tasks.execution import Execution
from eval.tasks.layout import PICTURE
from eval.tasks.measure import Hardening, Row, Simulation, Task
from eval.tasks.metrics import METRICS, with_derived
from eval.tasks.table_004 import Table004

WHOLES = ("accelerator", "exponentiator", "system")


@dataclass
class PointResult:
    """One point's metrics; `units` holds what the flow said of each unit."""

    point: Point
    metrics: dict[str, float] = field(default_factory=dict)
    requests: dict[str, dict[str, int]] = field(default_factory=dict)
    units: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def anchor(self) -> str:
        """The name of its row on the page."""
        return f"{self.point.design}-{self.point.nbits}-bits"


@dataclass(frozen=True)
class StudyResult:
    """All points of a study, in its order, the tools that measured them, what systems took,
    what fills document 004's table 1, and the results of all other tasks; those of gated clocks are
    among the last."""

    study: Study
    points: tuple[PointResult, ...]
    tools: dict[str, str]
    executions: dict[Execution, dict[str, Any]] = field(default_factory=dict)
    processors: dict[Hardening, dict[str, Any]] = field(default_factory=dict)
    table_004: dict[Point, dict[str, Any]] = field(default_factory=dict)
    others: dict[Task, dict[str, Any]] = field(default_factory=dict)

    @property
    def hardened(self) -> dict[Hardening, dict[str, Any]]:
        """What the flow said of every unit and processor, and with gated clocks after that."""
        units = {
            Hardening(p.point, unit, self.study.clock_ns): result
            for p in self.points
            for unit, result in p.units.items()
        }
        return units | self.processors | self.of(Hardening)

    def of(self, kind: type) -> dict[Any, dict[str, Any]]:
        """The results of all tasks of a kind."""
        return {task: result for task, result in self.others.items() if isinstance(task, kind)}


def of_one_width(points: Sequence[PointResult]) -> list[PointResult]:
    """Those of the width at which there are most, the widest of such; none of none."""
    by_width: dict[int, list[PointResult]] = {}
    for p in points:
        by_width.setdefault(p.point.nbits, []).append(p)
    return max(by_width.items(), key=lambda item: (len(item[1]), item[0]), default=(0, []))[1]


def unit_of(published: Published) -> str:
    """What a published figure is about: one of WHOLES, or else the multiplier."""
    return published.of if published.of in WHOLES else "multiplier"


def compared(point: Point) -> list[Published]:
    """The figures that documents print for a point and that the flow or a simulation gives."""
    figures = point.entry.published
    return [f for f in figures if f.nbits == point.nbits and f.what in METRICS]


def gather(study: Study, rows: Sequence[Row]) -> StudyResult:
    """Merge the rows of a study by point."""
    points = {point: PointResult(point) for point in study.points}
    tools: dict[str, str] = {}
    executions, processors, table_004, others = {}, {}, {}, {}
    for row in rows:
        result = row.result
        tools |= result["tools"]
        if kit := result.get("kit"):
            tools["kit"] = f"{kit['name']}, liberty sha256 {kit['liberty_sha256'][:16]}.."
        if isinstance(row.task, Hardening) and row.task.gated:
            others[row.task] = result
            continue
        if isinstance(row.task, Execution):
            executions[row.task] = result
            continue
        if isinstance(row.task, Table004):
            table_004[row.task.point] = result
            continue
        if isinstance(row.task, Hardening) and row.task.unit == SYSTEM:
            processors[row.task] = result
            continue
        if not isinstance(row.task, Simulation | Hardening):
            others[row.task] = result
            continue
        found = points[row.task.point]
        if isinstance(row.task, Simulation):
            found.metrics |= result["metrics"]
            found.requests[row.task.workload] = result["request"]
        else:
            found.units[row.task.unit] = result
            if row.task.unit == "accelerator":
                found.metrics |= result["metrics"]
    for found in points.values():
        found.metrics = with_derived(found.metrics)
    sorted_tools = dict(sorted(tools.items()))
    return StudyResult(
        study, tuple(points.values()), sorted_tools, executions, processors, table_004, others
    )


def command_for(task: Simulation | Hardening, through_port: bool = False) -> str:
    """The command that reproduces a row."""
    target = task.point.arguments
    if isinstance(task, Hardening):
        unit = "" if task.unit in ("accelerator", SYSTEM) else f" --unit {task.unit}"
        gated = " --gated" if task.gated else ""
        return f"modexplorer flow {target} --clock {task.clock_ns:.10g}{unit}{gated}"
    port = " --xcel" if through_port else ""
    return f"modexplorer simulate {target} --workload {task.workload} --level batch{port}"


def as_json(found: StudyResult) -> dict[str, Any]:
    """The study's results as one JSON object."""
    return {
        "study": found.study.name,
        "clock_ns": found.study.clock_ns,
        "points": [
            {
                "design": p.point.design,
                "nbits": p.point.nbits,
                "metrics": p.metrics,
                "requests": p.requests,
                "units": p.units,
            }
            for p in found.points
        ],
        "systems": [
            vars(task.point) | {"variant": task.variant} | result
            for task, result in found.executions.items()
        ],
        "processors": [
            vars(task.point) | {"units": {task.unit: result}}
            for task, result in found.processors.items()
        ],
        "table_004": [vars(point) | result for point, result in found.table_004.items()],
        "others": [
            {"task": str(task)} | {key: v for key, v in result.items() if key != PICTURE}
            for task, result in found.others.items()
        ],
        "tools": found.tools,
    }
