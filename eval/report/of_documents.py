"""What documents show of all rows of a study, and what they claim."""

from collections.abc import Iterator
from functools import partial

from eval.documents.claims import claims
from eval.documents.views import ALL, sections
from eval.study.results import StudyResult
from eval.tasks.section import Item, Section


def _shown(place: str, found: StudyResult) -> Iterator[Item | None]:
    for section in sections(ALL):
        yield from getattr(section, place)(found)


SECTION = Section(
    reasons=lambda found: [*_shown("reasons", found), *claims(found)],
    **{place: partial(_shown, place) for place in ("chart", "results", "beside")},
)
