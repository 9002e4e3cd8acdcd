"""What reports show of document 000 beside its kinds of measurement."""

from collections.abc import Iterator

from eval.documents.d000.exponentiators import PAIRS
from eval.documents.d000.silicon import SILICON
from eval.documents.d000.tables import table_grids
from eval.documents.views import ALL
from eval.study.results import StudyResult
from eval.tasks.section import Chart, Section


def chart(found: StudyResult) -> Iterator[Chart | None]:
    """Draw figures 30 to 33."""
    from eval.documents.d000.tables_chart import tables_chart

    yield from tables_chart(found)


SECTIONS = {
    ALL: Section(
        chart=chart,
        results=lambda found: [
            *(PAIRS.of(found), *table_grids(found), SILICON.of(found)),
        ],
    )
}
