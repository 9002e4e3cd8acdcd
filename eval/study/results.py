"""What a study found: each of its tasks with its result, and each point with all its metrics."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.documents.document import numbers, written
from eval.study.failures import RowsFailed
from eval.study.netlists import Netlist, netlists_of
from eval.study.study import Study
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS, with_derived
from eval.tasks.section import measured
from eval.tasks.simulation import Simulation
from eval.tasks.task import Row, Task
from eval.tasks.unit import ACCELERATOR
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import technology

T = TypeVar("T", bound=Task)


@dataclass(frozen=True, eq=False)
class PointResult:
    """A point with its metrics, from whatever task measured them."""

    point: Point
    metrics: dict[str, float] = field(default_factory=dict)

    def get(self, name: str) -> float | None:
        """Return a metric, None if it was not measured."""
        return self.metrics.get(METRICS[name].name)

    @property
    def cycles(self) -> dict[str, float]:
        """The cycles of the workloads through the port, of those that were simulated."""
        found = {workload: self.get(f"xcel_cycles_{workload}") for workload in WORKLOADS}
        return {workload: cycles for workload, cycles in found.items() if cycles is not None}

    def marked(self, name: str = "") -> str:
        """Write the design, or a name of it, marked if it takes few moduli or misses the clock."""
        return marked(self.point, self.get("setup_slack_ns"), name or self.point.design)

    @property
    def card(self) -> str:
        """The name of its card on the page."""
        return re.sub(r"[^\w-]+", "-", f"{self.point.design}-{self.point.nbits}-bits")


@dataclass(frozen=True)
class StudyResult:
    """Says what a study found, by the rows of it that were measured."""

    study: Study
    rows: Sequence[Row]
    failures: Mapping[Task, str] = field(default_factory=dict)  # why rows failed

    @cached_property
    def results(self) -> dict[Task, Any]:
        """The result of each task of the study, in its order; None if it was not measured."""
        asked: dict[Task, Any] = dict.fromkeys(self.study.tasks)
        return asked | {row.task: row.result for row in self.rows}

    @cached_property
    def designs(self) -> frozenset[str]:
        """The designs that the study has rows of."""
        return frozenset(task.subject()[0] for task in self.results)

    def of(self, kind: type[T]) -> dict[T, Any]:
        """Return the tasks of one kind with their results, None where not measured."""
        results: dict[Any, Any] = self.results
        return {task: result for task, result in results.items() if task.kind == kind.kind}

    def cycles_of(self, point: Point, workload: str) -> int | None:
        """Return the simulated cycles of a workload on a point's exponentiator, if it has any."""
        result = self.results.get(Simulation(point, workload))
        return result and result.metrics.get(f"cycles_{workload}")

    def name_of(self, p: PointResult) -> str:
        """What the report calls the point's design, marked."""
        return p.marked(self.study.label(p.point.design))

    def called(self, p: PointResult) -> str:
        """What the report calls the point's design at its own clock, which it does not miss."""
        return marked(p.point, None, self.study.label(p.point.design))

    @cached_property
    def techs(self) -> tuple[str, ...]:
        """The technologies in which points were measured, in the study's order; its own if none."""
        found = dict.fromkeys(t.tech for t, r in self.results.items() if r and t.about and t.tech)
        return tuple(found) or (self.study.tech,)

    def in_technology(self, tech: str) -> "StudyResult":
        """Return the same rows as a study in another technology, at the usual clock of that."""
        if tech == self.study.tech:
            return self
        tasks, clock_ns = self.study.tasks, technology(tech).clock_ns
        study = replace(self.study, planned=lambda plan: tasks, tech=tech, clock_ns=clock_ns)
        return replace(self, study=study)

    def is_in_its_technology(self, task: Task) -> bool:
        """Whether a task is of the study's technology, or of none."""
        return task.tech in ("", self.study.tech)

    @cached_property
    def points(self) -> tuple[PointResult, ...]:
        """The points that some task is about, in the study's order, with their metrics."""
        found: dict[Point, dict[str, float]] = {}
        for task, result in self.results.items():
            if task.about and self.is_in_its_technology(task):
                found.setdefault(task.about, {}).update(result.metrics if result else {})
        return tuple(
            PointResult(point, with_derived(values, self.study.clock_ns))
            for point, values in found.items()
        )

    @cached_property
    def netlists(self) -> dict[Point, list[Netlist]]:
        """The netlists of each point's accelerator that the flow made, those for the longest clock
        first: fronts, pictures and findings rest on these."""
        made = {
            point: [netlist for netlist in netlists if not netlist.composed]
            for point, netlists in self.with_composed.items()
        }
        return {point: netlists for point, netlists in made.items() if netlists}

    @cached_property
    def with_composed(self) -> dict[Point, list[Netlist]]:
        """The same, and those that were composed of modules where the flow did not run."""
        return netlists_of(
            {task: r for task, r in self.results.items() if self.is_in_its_technology(task)},
            {p.point: p.cycles for p in self.points},
        )

    @cached_property
    def tools(self) -> dict[str, str]:
        """The tools that measured, with their versions, by name."""
        found: dict[str, str] = {}
        for task, result in measured(self.results).items():
            found |= result.tools
            if kit := result.kit:
                name = "kit" if self.is_in_its_technology(task) else f"kit of {task.tech}"
                found[name] = f"{kit.name}, liberty sha256 {kit.liberty_sha256[:16]}.."
        return dict(sorted(found.items()))


def accelerator_run(found: StudyResult, p: PointResult) -> FlowRun:
    """Name the flow run of a point's accelerator."""
    return FlowRun(p.point, ACCELERATOR, found.study.clock_ns, tech=found.study.tech)


def run_all(
    studies: Sequence[Study], run: Callable[[Sequence[Task]], Sequence[Row]]
) -> list[StudyResult]:
    """Run the tasks of studies together, and then those that follow from what was found.

    RowsFailed, which has what was found, if rows failed.
    """
    rows: dict[Task, Row] = {}
    failures: dict[Task, str] = {}

    def run_through(asked: Iterable[Study]) -> None:
        tasks = dict.fromkeys(task for study in asked for task in study.tasks)
        left = tuple(task for task in tasks if task not in rows and task not in failures)
        try:
            made = run(left) if left else ()
        except RowsFailed as error:
            made = error.rows
            failures.update(error.failures)
        rows.update({row.task: row for row in made})

    run_through(studies)
    whole = [study.after(_found(study, rows, failures)) for study in studies]
    run_through(whole)
    founds = [_found(study, rows, failures) for study in whole]
    if failures:
        failed = RowsFailed(failures, [*rows.values()])
        failed.founds = founds
        raise failed
    return founds


def _found(study: Study, rows: Mapping[Task, Row], failures: Mapping[Task, str]) -> StudyResult:
    return StudyResult(
        study,
        [rows[task] for task in study.tasks if task in rows],
        {task: failures[task] for task in study.tasks if task in failures},
    )


def as_json(found: StudyResult) -> dict[str, Any]:
    """Put all results of a study into one JSON object."""
    points = {
        p.point: vars(p.point) | {"metrics": p.metrics, "requests": {}, "units": {}}
        for p in found.points
    }
    of_documents = (place for n in numbers() for place in written(n, "kinds").get("places", ()))
    names = ("systems", "processors", *of_documents, "others")
    places: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for task, result in measured(found.results).items():
        shown = task.as_json(result)
        if task.place in places:
            places[task.place].append(shown)
        else:  # among the others of its point
            for part, values in shown.items():
                points[task.point][part] |= values
    heads = {"study": found.study.name, "clock_ns": found.study.clock_ns}
    if found.study.tech != DEFAULT:
        heads["tech"] = found.study.tech
    if found.failures:
        heads |= {"failed": {str(task): reason for task, reason in found.failures.items()}}
    return heads | {"points": list(points.values())} | places | {"tools": found.tools}
