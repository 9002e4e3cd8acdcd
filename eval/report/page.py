"""The report of a study as one self-contained page."""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from eval.catalog.workloads import RULE
from eval.report.comparison import comparisons
from eval.report.report import Report
from eval.report.scaling import growth_json
from eval.study.results import as_json

TEMPLATES = Path(__file__).parent / "templates"
# The places of the page in their order, with their heading; what has none has titles of its own.
PAGE = {
    "chart": "",
    "overview": "",
    "designs": "",
    "results": "",
    "charts": "",
    "pictures": "Where the cells are",
    "beside": "",
    "reasons": "Why ours differ",
    "details": "",
}
RULE_HEADING = "Workloads"


def html(report: Report) -> str:
    """Write the page: no date, nothing loaded from elsewhere, equal for equal results."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["j2", "html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["slug"] = lambda title: re.sub(r"\W+", "-", title.lower())
    study = report.found.study
    titles = [
        title
        for place, heading in PAGE.items()
        for title in ([heading] if heading else [item.title for item in report[place]])
        if report[place]
    ]
    return environment.get_template("report.html.j2").render(
        study=study,
        command=f"modexplorer report {study.name}",
        report=report,
        headings=PAGE,
        titles=[*titles, RULE_HEADING],
        rule=RULE,
        rule_heading=RULE_HEADING,
    )


def report_json(report: Report) -> dict[str, Any]:
    """Put the results, their growth with the width, the documents' figures beside them and the
    reasons into one JSON object."""
    return as_json(report.found) | {
        "growth": growth_json(report.found),
        "beside": [vars(comparison) for comparison in comparisons(report.found)],
        "reasons": list(report["reasons"]),
    }
