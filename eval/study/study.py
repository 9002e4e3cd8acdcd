"""A study: tasks that are measured together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.study.results import StudyResult
    from eval.tasks.task import Task

TIMING, POWER = "timing", "power"  # how far a unit goes through the flow


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
    labels: Mapping[str, str] = field(default_factory=dict)
    own: bool = False  # a user's
    then: Callable[["Plan", "StudyResult"], Iterable["Task"]] | None = None

    @cached_property
    def tasks(self) -> tuple["Task", ...]:
        """The tasks, each once. They are made when somebody asks, since that loads designs."""
        from eval.study.plan import Plan

        return tuple(dict.fromkeys(self.planned(Plan(self.clock_ns))))

    def after(self, found: "StudyResult") -> "Study":
        """The same study with the tasks that follow from what it found."""
        if self.then is None:
            return self
        from eval.study.plan import Plan

        more = tuple(self.then(Plan(self.clock_ns), found))
        return replace(self, planned=lambda plan: (*self.tasks, *more), then=None)

    def label(self, design: str) -> str:
        """What the report calls a design."""
        return self.labels.get(design, design)
