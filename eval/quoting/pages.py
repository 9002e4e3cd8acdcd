"""Pages that are written from sources in docs/source: the README, those of docs, flow and proc."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from eval.quoting.environment import Source
from eval.quoting.kept import UNKNOWN, Kept
from sim.errors import RunError
from sim.paths import ROOT

FOLDER = "docs/source"
EXAMPLES = "docs/source/examples"  # files that commands in texts take
ELSEWHERE = {"README": "README.md", "flow": "flow/README.md", "proc": "proc/README.md"}
# What no command prints, by how a text marks it.
OTHERS = {"machine": "of one machine", "tried": "of code that was tried and is not here"}


@dataclass(frozen=True)
class Page:
    """A page and its source."""

    source: Path
    file: Path

    @property
    def name(self) -> str:
        """The page's place in the checkout."""
        return str(self.file.relative_to(ROOT))

    def text(self, answers: Kept) -> str:
        """Write the page."""
        source = Source(answers)
        body = source.render(self.source.read_text(), file=example)
        return f"{self.header}\n{body.rstrip()}\n{footer(source)}"

    @property
    def header(self) -> str:
        """What its first line tells whoever would edit it."""
        place = self.source.relative_to(ROOT)
        return f"<!-- Written by `make pages` from {place}: edit that, not this. -->"


def pages(root: Path = ROOT) -> list[Page]:
    """List the pages; none where there is no checkout."""
    sources = sorted((root / FOLDER).glob("*.md"))
    names = {source: ELSEWHERE.get(source.stem, f"docs/{source.name}") for source in sources}
    return [Page(source, root / name) for source, name in names.items()]


def example(name: str) -> str:
    """Return a file that commands in texts take."""
    return (ROOT / EXAMPLES / name).read_text().rstrip("\n")


def footer(source: Source) -> str:
    """Say of which commits the figures of a page are; nothing where it quotes none."""
    counts: Counter[str] = Counter()
    for command, paths in source.values.items():
        if command in source.kept.answers:
            found = source.kept[command]
            counts[found.commit] += len(paths & found.values.keys())
    for command, excerpts in source.excerpts.items():
        counts[source.kept[command].commit] += len(excerpts)
    if source.marked["was"]:
        counts[UNKNOWN] += source.marked["was"]
    others = {kind: source.marked[kind] for kind in OTHERS if source.marked[kind]}
    if not counts and not others:
        return ""
    parts = [
        f"{count} not measured since they were typed"
        if commit == UNKNOWN
        else f"{count} measured at {commit}"
        for commit, count in sorted(counts.items(), key=lambda one: (one[0] == UNKNOWN, one))
    ]
    parts += [f"{count} {OTHERS[kind]}" for kind, count in others.items()]
    return (
        f"\n<sub>Figures and outputs of commands on this page: {', '.join(parts)}. "
        "`modexplorer figures` names their commands.</sub>\n"
    )


def quoted(answers: Kept, root: Path = ROOT) -> Source:
    """Find all that pages, the README's picture and items quote, whether it is kept or not."""
    from eval.documents.document import numbers
    from eval.documents.items import items_of
    from eval.quoting.fronts import fronts

    source = Source(answers, missing=True)
    for page in pages(root):
        source.render(page.source.read_text(), file=example)
    fronts(source)
    for item in (item for number in numbers() for item in items_of(number)):
        item.told(source.render)
    return source


def write(answers: Kept) -> list[str]:
    """Write all pages and the README's picture, and return the names of those that changed;
    RunError at the end if figures of a page were never measured."""
    from eval.quoting.fronts import PICTURE, draw

    changed, missing = [], []
    picture = ROOT / PICTURE
    before = picture.read_text() if picture.exists() else ""
    draw(Source(answers), picture)
    if picture.read_text() != before:
        changed.append(PICTURE)
    for page in pages():
        try:
            text = page.text(answers)
        except RunError as error:
            missing.append(f"{page.name}: {error}")
            continue
        if not page.file.exists() or page.file.read_text() != text:
            page.file.write_text(text)
            changed.append(page.name)
    if missing:
        raise RunError("not written: " + "; ".join(missing))
    return changed
