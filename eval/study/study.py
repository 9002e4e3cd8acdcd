"""A study: tasks that are measured together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from shlex import quote
from typing import TYPE_CHECKING

from flow.technologies.asked import DEFAULT

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.study.results import StudyResult
    from eval.tasks.task import Task

TIMING, POWER = "timing", "power"  # how far a unit goes through the flow


@dataclass(frozen=True)
class Looked:
    """A design that a search has looked at, by its estimates under a workload."""

    design: str
    nbits: int
    workload: str
    area_um2: float
    time_us: float


@dataclass(frozen=True)
class Study:
    """Tasks that are measured together, and shown in one report.

    `planned` says which, of a Plan for the study's clock, and `then`, which follow from what these
    found; `labels` are what the report calls a design if not its name.
    """

    name: str
    title: str
    planned: Callable[["Plan"], Iterable["Task"]]
    clock_ns: float = 3.0
    tech: str = DEFAULT
    labels: Mapping[str, str] = field(default_factory=dict)
    own: bool = False  # a user's
    asked: str = ""  # what names it on a command line, if not its name
    then: Callable[["Plan", "StudyResult"], Iterable["Task"]] | None = None
    looked: tuple[Looked, ...] = ()  # what a search has looked at beside it

    @cached_property
    def tasks(self) -> tuple["Task", ...]:
        """The tasks, each once. They are made when somebody asks, since that loads designs."""
        from eval.study.plan import Plan

        return tuple(dict.fromkeys(self.planned(Plan(self.clock_ns, self.tech))))

    def after(self, found: "StudyResult") -> "Study":
        """The same study with the tasks that follow from what it found."""
        if self.then is None:
            return self
        from eval.study.plan import Plan

        more = tuple(self.then(Plan(self.clock_ns, self.tech), found))
        return replace(self, planned=lambda plan: (*self.tasks, *more), then=None)

    def with_more(self, more: Callable[["Plan"], Iterable["Task"]]) -> "Study":
        """Return the same study with more tasks after its own."""
        planned = self.planned
        return replace(self, planned=lambda plan: (*planned(plan), *more(plan)))

    @property
    def command(self) -> str:
        """The command that makes its report: as it was asked for, in the same folder."""
        from eval.catalog.user_designs import with_option

        brought = dict.fromkeys(with_option(task.subject()[0]) for task in self.tasks)
        return f"modexplorer report {quote(self.asked or self.name)}{''.join(brought)}"

    def label(self, design: str) -> str:
        """What the report calls a design."""
        return self.labels.get(design, design)
