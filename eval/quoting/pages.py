"""Pages that quote commands: edited where they are read, with what is quoted refreshed in place.

A number within a line has the command, the path in its JSON, a format, and what divides it. Its
options have one dash: a comment within a line of Markdown must not have two.

    has <!--= flow mul-rem -nbits 32; metrics.area_um2; .1f; 1000 -->13.4<!--/--> thousand um2

A module of the code, with a path of names in it, may be in place of the command:

    at most <!--= eval.catalog.inputs; LARGEST_BITS -->4096<!--/--> bits

A block is between two lines. It quotes the output of a command, or its tables of these titles,
without their notes if it ends with `no notes`; docstrings; or a file.

    <!-- output: flow mul-rem --nbits 32; Result; no notes -->
    <!-- api: modexplorer.frames Some -->
    <!-- file: docs/examples/own.c -->
    ...
    <!-- /file -->

The rows of a table are written by a template: what it may use, `eval/quoting/source.py` says.

    <!-- table: {% for design in "mul-rem", "mont-best" %}
    | `{{ design }}` | {{ area(design) | num(".0f") }} |
    {% endfor %} -->
    | design | area, um2 |
    |---|---|
    ...
    <!-- /table -->
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from eval.documents.document import numbers
from eval.documents.items import items_of
from eval.find.known import estimates_take
from eval.quoting.docstrings import described
from eval.quoting.excerpt import label
from eval.quoting.fronts import PICTURE, drawn
from eval.quoting.source import Source
from eval.quoting.stored import Answers, Stored
from sim.paths import ROOT

EXAMPLES = "docs/examples"  # files that commands in texts take
FOLDERS = (".", "docs", "docs/course", "docs/results", "flow", "proc")
OTHERS = {"CHANGELOG.md", "CONTRIBUTING.md", "GLOSSARY.md"}  # quote nothing
NO_NOTES = "no notes"
NUMBER = re.compile(r"<!--= (?P<what>[^\n]*?) -->(?P<text>[^<\n]*)<!--/-->")
BLOCK = re.compile(
    r"^<!-- (?P<kind>output|table|api|file):\s(?P<what>.*?)\s-->\n"
    r"(?P<body>.*?)^<!-- /(?P=kind) -->$",
    re.M | re.S,
)
_OPTION = re.compile(r"(?<!\S)-(?=\w\w)")


def pages() -> list[Path]:
    """List the pages; none where there is no checkout."""
    found = [file for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.md"))]
    return [file for file in found if file.name not in OTHERS]


def refreshed(text: str, source: Source) -> str:
    """Return a page with the numbers and outputs that are stored; RunError if one is not."""
    text = BLOCK.sub(lambda block: _block(block, source), text)
    return NUMBER.sub(lambda number: _number(number, source), text)


def _number(number: re.Match[str], source: Source) -> str:
    command, path, *how = number["what"].split("; ")
    spec, per = (how + ["", "1"][len(how) :])[:2]
    shown = source.figure(_OPTION.sub("--", command), path, spec, float(per))
    return f"<!--= {number['what']} -->{shown}<!--/-->"


def _block(block: re.Match[str], source: Source) -> str:
    kind, what = block["kind"], block["what"]
    body = _BODIES[kind](what, block["body"], source)
    head = block[0][: block.start("body") - block.start()]
    return f"{head}{body}\n<!-- /{kind} -->"


def asked(what: str) -> tuple[str, tuple[str, ...], bool]:
    """Split what a block of output quotes: command, titles of tables, and whether with notes."""
    command, *titles = what.split("; ")
    return command, tuple(title for title in titles if title != NO_NOTES), NO_NOTES not in titles


def _output(what: str, body: str, source: Source) -> str:
    command, titles, notes = asked(what)
    fence, first, *_ = body.split("\n", 2)
    show = source.session if first.startswith("$ ") else source.output
    return f"{fence}\n{show(command, *titles, notes=notes)}\n```"


def _table(what: str, body: str, source: Source) -> str:
    head = body.split("\n")[:2]
    return "\n".join([*head, source.render(what).strip()])


def _file(what: str, body: str, source: Source) -> str:
    return f"{body.splitlines()[0]}\n{(ROOT / what).read_text().rstrip()}\n```"


_BODIES: Mapping[str, Callable[[str, str, Source], str]] = {
    "output": _output,
    "table": _table,
    "api": lambda what, body, source: described(*what.split()),
    "file": _file,
}


def quoted(answers: Stored) -> Source:
    """Find all that pages, the README's picture, items and searches take, stored or not."""
    source = Source(answers, missing=True)
    for page in pages():
        refreshed(page.read_text(), source)
    drawn(source)
    for item in (item for number in numbers() for item in items_of(number)):
        item.told(source.render)
    for command, found in answers.items():
        for path in estimates_take(command, found.values):
            source.value(command, path)
    return source


def pruned(answers: Stored, source: Source) -> Stored:
    """Return what is stored without what nothing quotes."""
    kept = {}
    for command in answers.keys() & (source.values | source.excerpts).keys():
        found, paths = answers[command], source.values.get(command, set())
        names = {label(*one) for one in source.excerpts.get(command, ())}
        values = {path: value for path, value in found.values.items() if path in paths}
        printed = {name: text for name, text in found.printed.items() if name in names}
        kept[command] = Answers(values, printed, found.commit)
    return kept


def older(answers: Stored) -> Iterator[tuple[Path, str]]:
    """Go through the pages and the picture that differ from what is stored, with what they would
    be."""
    source = Source(answers)
    for page in pages():
        before = page.read_text()
        if (after := refreshed(before, source)) != before:
            yield page, after
    if pages() and (picture := drawn(source)) != (ROOT / PICTURE).read_text():
        yield ROOT / PICTURE, picture


def write(answers: Stored) -> list[str]:
    """Write the pages and the picture anew, and return the names of those that changed."""
    changed = [*older(answers)]
    for file, text in changed:
        file.write_text(text)
    return [str(file.relative_to(ROOT)) for file, _ in changed]
