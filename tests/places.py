"""Where the checkout and the programs are, for the tests of every folder."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def path_without(program: str, folder: Path) -> str:
    """A PATH of one folder, made of links to all programs of ours but one."""
    for place in os.environ["PATH"].split(os.pathsep):
        for file in Path(place).glob("*"):
            link = folder / file.name
            if file.is_file() and file.name != program and not link.is_symlink():
                link.symlink_to(file)
    return str(folder)
