"""The stages of a measurement (sim/stages.toml): the version of each, and a digest of its code.

A digest is of syntax trees without docstrings, comments and types, and of no file's name or place:
whoever moves a file to another folder of its stage changes none.
"""

import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from sim.closure import PACKAGES, Code, files_in, hash_data
from sim.paths import ROOT

FILE = Path(__file__).with_name("stages.toml")
APART = "apart"  # files that compute no stored value
HARDWARE, ENTRIES = "hardware", "entries"  # for which digests of Verilog and entries stand
MEASURE = "measure"  # what all kinds of measurement share
DIGITS = 16


class Stage(NamedTuple):
    """A stage: its version, its files as paths or patterns, the stages whose code it uses, and
    those that it uses only for tasks that name them."""

    version: int
    files: tuple[str, ...]
    uses: tuple[str, ...]
    optional: tuple[str, ...] = ()


class Stages:
    """The stages of the code below a folder."""

    def __init__(self, code: Code | None = None, table: str | None = None) -> None:
        self.code = code or Code()
        read = tomllib.loads(FILE.read_text() if table is None else table)
        self.named: Mapping[str, Stage] = {
            name: Stage(
                one["version"],
                tuple(one["files"]),
                tuple(one["uses"]),
                tuple(one.get("optional", ())),
            )
            for name, one in read.items()
        }
        self._digests: dict[tuple[str, ...], str] = {}

    def with_used(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the stages and all that they use, sorted; KeyError for an unknown name."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            if (name := waiting.pop()) not in found:
                found.add(name)
                waiting += self.named[name].uses
        return tuple(sorted(found))

    def versions(self, names: Iterable[str]) -> dict[str, int]:
        """Return the versions of the stages and of all that they use."""
        return {name: self.named[name].version for name in self.with_used(names)}

    def digest(self, names: Iterable[str]) -> str:
        """Hash the code of the stages and of all that they use."""
        key = self.with_used(names)
        if key not in self._digests:
            self._digests[key] = hash_data([self.own_digest(name) for name in key])[:DIGITS]
        return self._digests[key]

    def own_digest(self, name: str) -> str:
        """Hash the code of one stage alone."""
        return self.code.contents(self.files[name])[:DIGITS]

    def owner(self, path: Path) -> str:
        """Return the stage of a file or folder: that of the longest entry that it is below."""
        place = path.relative_to(self.code.root).as_posix()
        own = [(len(one), name) for one, name in self._entries if _is_below(place, one)]
        return max(own)[1] if own else APART

    @cached_property
    def _entries(self) -> list[tuple[str, str]]:
        return [(one, name) for name, stage in self.named.items() for one in stage.files]

    @cached_property
    def files(self) -> dict[str, list[Path]]:
        """The files of each stage."""
        found: dict[str, list[Path]] = {name: [] for name in self.named}
        for package in PACKAGES:
            for path in files_in(self.code.root / package):
                found[self.owner(path)].append(path)
        return found


def _is_below(place: str, entry: str) -> bool:
    return place == entry or place.startswith(f"{entry}/") or fnmatchcase(place, entry)


@cache
def stages() -> Stages:
    """Return the stages of this checkout or installation."""
    return Stages(Code(ROOT))
