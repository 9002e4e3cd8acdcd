"""What documents claim and rows bear out or not: the sentences `[[claims]]` of document.toml.

A claim is a template as items have; ours(design, nbits, metric) is a figure of the study. It is
said where all such figures were measured, and where the table of the document's views that it
goes `with` is shown, if it names one.
"""

from collections.abc import Iterator

from eval.documents.document import numbers, part, written
from eval.documents.items import terms_of
from eval.quoting.source import Source
from eval.study.results import StudyResult


class NotMeasured(LookupError):
    """Says that a study lacks a figure of a claim."""


def claims(found: StudyResult) -> Iterator[str]:
    """Yield the claims of which the study tells, document by document."""
    source = Source({})
    points = {(p.point.design, p.point.nbits): p for p in found.points}

    def ours(design: str, nbits: int, metric: str) -> float:
        p = points.get((design, nbits))
        if p is None or (value := p.get(metric)) is None:
            raise NotMeasured
        return value

    for number in numbers():
        for claim in written(number).get("claims", ()):
            table = claim.get("with")
            if table and not getattr(part(number, "views"), table).of(found):
                continue
            terms = terms_of(number)
            text = " ".join(claim["says"].split())
            try:
                yield source.render(text, terms.macros, **terms.names, ours=ours)
            except NotMeasured:
                continue
