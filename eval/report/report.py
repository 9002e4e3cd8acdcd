"""The report of a study as data: the sections of the kinds of measurement that the study asks for,
and the views that join several kinds."""

from collections.abc import Iterator

from eval.documents.claims import claims
from eval.documents.document import documents
from eval.documents.views import ALL, sections
from eval.report.comparison import BESIDE
from eval.report.countermeasures import COUNTERMEASURES
from eval.report.findings import findings
from eval.report.making import MAKERS, STEPS
from eval.report.overview import AREAS, overview, periods_grid
from eval.report.products import PRODUCTS
from eval.report.scaling import LAWS, SAID
from eval.report.signatures import signature_grids
from eval.study.results import StudyResult
from eval.table import Table, words
from eval.tasks.kinds import KINDS, section_of
from eval.tasks.section import Chart, Item, Section, tables

DOCUMENTS_TITLE = "The documents"


def chart(found: StudyResult) -> Iterator[Chart | None]:
    """Draw designs beside each other."""
    from eval.report.chart import designs_chart
    from eval.report.products_chart import products_chart
    from eval.report.scaling_chart import scaling_chart
    from eval.report.signatures_chart import signatures_chart

    yield designs_chart(found)
    yield from products_chart(found)
    yield from scaling_chart(found)
    yield from signatures_chart(found)
    yield from _of_documents("chart", found)


def _of_documents(place: str, found: StudyResult) -> Iterator[Item | None]:
    """Yield what documents show of all results in a place."""
    for section in sections(ALL):
        yield from getattr(section, place)(found)


# The documents that figures and designs are from.
SOURCES = Table(
    DOCUMENTS_TITLE,
    words({"document": "number", "authors": "authors", "year": "when"})
    + words({"title": lambda d: f"{d.title} ({d.form})", "what of it is here": "has"}),
    "Year: that printed in the document, or that of the newest work it cites.",
    rows=lambda found: documents(),
)
TOOLS = Table(
    "Tools",
    words({"tool": 0, "version": 1}),
    rows=lambda found: found.tools.items(),
)
# As sections, but of all results.
VIEWS = Section(
    findings=findings,
    overview=overview,
    chart=chart,
    designs=lambda found: [AREAS.of(found), periods_grid(found)],
    results=lambda found: [
        *signature_grids(found),
        COUNTERMEASURES.of(found),
        *_of_documents("results", found),
        *tables(PRODUCTS, LAWS, SAID)(found),
    ],
    beside=lambda found: [BESIDE.of(found), *_of_documents("beside", found)],
    reasons=lambda found: [*_of_documents("reasons", found), *claims(found)],
    details=tables(SOURCES),
    making=tables(MAKERS, STEPS, TOOLS),
)


class Report:
    """Makes what each place of a study's report shows, when it is first asked for."""

    def __init__(self, found: StudyResult) -> None:
        self.found = found
        self._shown: dict[str, tuple[Item, ...]] = {}

    def __getitem__(self, place: str) -> tuple[Item, ...]:
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
                for section in (section_of(kind), *sections(kind)):
                    yield from getattr(section, place)(by_kind[kind])
        yield from getattr(VIEWS, place)(self.found)
