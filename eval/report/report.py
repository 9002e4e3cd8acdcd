"""The report of a study as data: the sections of the kinds of measurement that the study asks for,
and the views that join several kinds."""

from collections.abc import Iterator
from typing import Any

from eval.documents.views import sections as sections_beside
from eval.report.views import sections
from eval.study.results import StudyResult
from eval.tasks.kinds import KINDS, section_of
from eval.tasks.section import Item


class Report:
    """Makes what each place of a study's report shows, when it is first asked for."""

    def __init__(self, found: StudyResult) -> None:
        self.found = found
        self._shown: dict[str, tuple[Any, ...]] = {}

    def __getitem__(self, place: str) -> tuple[Any, ...]:
        """Return what a place shows; `place` is one of those of a Section."""
        if place not in self._shown:
            self._shown[place] = tuple(item for item in self._items(place) if item)
        return self._shown[place]

    def _items(self, place: str) -> Iterator[Item | None]:
        by_kind: dict[str, dict] = {}
        for task, result in self.found.results.items():
            by_kind.setdefault(task.kind, {})[task] = result
        for kind in KINDS:
            if kind in by_kind:
                for section in (section_of(kind), *sections_beside(kind)):
                    yield from getattr(section, place)(by_kind[kind])
        for section in sections(place, by_kind):
            yield from getattr(section, place)(self.found)
