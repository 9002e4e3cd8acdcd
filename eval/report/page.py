"""The report of a study as one self-contained page, with the large pictures in files beside it."""

import base64
import io
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from PIL import Image

from eval.catalog.inputs import write_whole
from eval.catalog.workloads import RULE
from eval.chart.families import GLYPHS
from eval.report import documents as by_item
from eval.report.cards import cards
from eval.report.comparison import comparisons
from eval.report.headline import by_width
from eval.report.report import Report
from eval.report.scaling import growth_json
from eval.report.sources import DOCUMENTS_TITLE, documents_of
from eval.report.technologies import comparisons_json
from eval.study.results import as_json
from eval.table.html import environment
from eval.tasks.section import Picture, Section

TEMPLATES = Path(__file__).parent / "templates"
FIELDS = {field.name for field in fields(Section)}
# The places of the page in their order, with their heading; what has none has titles of its own.
SPACE, FOUND, CARDS, ITEMS = "space", "findings", "cards", "printed"
PAGE = {
    SPACE: "The space of designs",
    FOUND: "What was found",
    "fronts": "",
    "overview": "",
    CARDS: "Design by design",
    "chart": "",
    "pictures": "Where the cells are",
    "designs": "",
    "results": "",
    "charts": "",
    "beside": "",
    "reasons": "Why ours differ",
    ITEMS: "The documents, item by item",
    "details": "",
    "rule": "Workloads",
    "making": "",
}
LESSONS_TO = 64  # bits of the widest designs that are for lessons only
SMALL = 420  # pixels of a picture in the page


def write(report: Report, page: Path) -> None:
    """Write the page once it is whole, and its pictures in a folder beside it; an error leaves the
    file as it was."""
    folder = page.with_name(f"{page.stem}-files")
    try:
        text = html(report, folder.name)
    except Exception as error:
        error.add_note(f"{page} is as it was")
        raise
    write_whole(page, text)
    for picture in report["pictures"]:
        folder.mkdir(exist_ok=True)
        (folder / picture.file).write_bytes(base64.b64decode(picture.png))


def html(report: Report, folder: str = "report-files", live: tuple[int, int] | None = None) -> str:
    """Write the page: no date, nothing loaded from elsewhere, equal for equal results of one commit
    on one machine. `folder` has the pictures. One that is `live`, of so many rows of so many,
    looks for more."""
    from eval.chart.drawing import script
    from eval.report.picture import MEASURES, space_of
    from eval.report.space import OPERATIONS

    pages = environment([TEMPLATES])
    pages.filters |= {
        "slug": lambda title: re.sub(r"\W+", "-", title.lower()),
        "small": small,
        "zip": zip,
        "named": lambda value, names: (value, names[value]),
    }
    study, space, shown = report.found.study, space_of(report.found), cards(report.found)
    used, heads = documents_of(report.found), by_width(report[FOUND])
    in_cards = {picture for card in shown for picture in card.pictures}
    places: dict[str, Any] = {place: report[place] for place in PAGE if place in FIELDS}
    places |= {
        SPACE: space,
        CARDS: shown,
        FOUND: [s for s in report[FOUND] if not space or s not in heads.values()],
        ITEMS: [by_item.ITEMS.of(document.number) for document in used],
        "rule": RULE,
        "pictures": [picture for picture in report["pictures"] if picture not in in_cards],
    }
    titles = [
        title
        for place, heading in PAGE.items()
        for title in ([heading] if heading else [item.title for item in places[place]])
        if places[place]
    ]
    return pages.get_template("report.html.j2").render(
        study=study,
        command=study.command,
        headlines=heads,
        measures=MEASURES,
        operations=OPERATIONS,
        lessons=LESSONS_TO,
        cards_by_name={f"{card.name}, {card.nbits} bits": card.anchor for card in shown},
        documents=used,
        documents_title=DOCUMENTS_TITLE,
        headings=PAGE,
        titles=titles,
        folder=folder,
        glyphs=GLYPHS,
        live=live,
        style=(TEMPLATES / "report.css").read_text(),
        script=(TEMPLATES / "report.js").read_text(),
        layers=(TEMPLATES / "layers.js").read_text() if report["pictures"] else "",
        library=script() if space else "",
        **places,
    )


def small(picture: Picture) -> str:
    """Return the picture in base64, no larger than the page shows it."""
    with Image.open(io.BytesIO(base64.b64decode(picture.png))) as image:
        image.thumbnail((SMALL, SMALL))
        out = io.BytesIO()
        image.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()


def report_json(report: Report) -> dict[str, Any]:
    """Put the results, what was found, growth with the width, what technologies say of each
    other, the documents' figures beside ours and the reasons into one JSON object."""
    return as_json(report.found) | {
        "findings": list(report["findings"]),
        "growth": growth_json(report.found),
        "technologies": comparisons_json(report.found),
        "beside": [vars(comparison) for comparison in comparisons(report.found)],
        "reasons": list(report["reasons"]),
    }
