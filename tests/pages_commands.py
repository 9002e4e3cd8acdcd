"""The commands that pages show in blocks, as somebody types them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.quoting.pages import pages
from tests.places import ROOT

FENCE = re.compile(r" *```(\w*)$")
SHELLS = ("", "console", "sh")
PAGES = sorted([*pages(), ROOT / "CONTRIBUTING.md"])
# What else a block may begin a line with, to prepare for a command or to look at its output.
STARTS = re.compile(r"(make|cat|export|python3?|echo|eval|\. |apt|pytest|dask|git|source) ?")
POWER = re.compile(r"\$\(python3 -c 'print\(([\d* -]+)\)'\)")  # a number that a shell computes


@dataclass(frozen=True)
class Command:
    """A line of a block: where it stands, and its words; those of a session stand after a $."""

    page: Path
    line: str

    @property
    def words(self) -> list[str]:
        """Split it, without its comment, and up to what a shell makes of it."""
        line = POWER.sub(lambda power: str(eval(power[1])), self.line)
        found = shlex.split(line, comments=True)
        ends = next(
            (i for i, word in enumerate(found) if word in ("|", ">", "&&", ";")), len(found)
        )
        return found[:ends]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.line}"


def blocks_of(page: Path) -> Iterator[list[str]]:
    """Go through the blocks of a page that may hold commands."""
    inside: list[str] | None = None
    shell = False
    for line in page.read_text().splitlines():
        if not (fence := FENCE.match(line)):
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside, shell = [], fence[1] in SHELLS
        else:
            if shell:
                yield "\n".join(inside).replace("\\\n", " ").splitlines()
            inside = None


def commands_of(page: Path) -> Iterator[Command]:
    """Go through the commands of a page; those of a session stand after a $."""
    for block in blocks_of(page):
        session = any(line.strip().startswith("$ ") for line in block)
        for line in map(str.strip, block):
            if session and line.startswith("$ "):
                yield Command(page, line[2:])
            elif not session and (line.startswith("modexplorer ") or STARTS.match(line)):
                yield Command(page, line)
