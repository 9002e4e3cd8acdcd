"""Faults that people list beside their designs: changes of a file that the contracts must find."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.catalog.brought import holder, load
from eval.catalog.design import Design
from eval.contract.design import EXPONENTIATOR, MULTIPLIER, Broken, Check
from sim.errors import UserError


@dataclass(frozen=True)
class Fault:
    """Says what is changed: in a file of the folder, the only place with this text."""

    name: str
    file: str
    sound: str
    faulty: str


def faults_of(design: Design) -> list[Fault]:
    """List the faults in FAULTS of the design's file; none of a design that is not from a file."""
    module = holder(design.name)
    listed = getattr(module, "FAULTS", {}) if module else {}
    try:
        return [Fault(name, *change) for name, change in listed.items()]
    except (TypeError, AttributeError):
        raise UserError(
            f"design: {module.__file__}: FAULTS is no dict of name: (file, text, other text)"
        ) from None


def found_out(design: Design, fault: Fault) -> str | None:
    """Return what the contracts say of the design with a fault, at level rtl and the least width;
    None if they find nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        changed = _with(design, fault, Path(scratch))
        for part in (MULTIPLIER, EXPONENTIATOR):
            try:
                Check(part, design.widths[0], "rtl").run(changed)
            except Broken as error:
                return str(error)
    return None


def _with(design: Design, fault: Fault, folder: Path) -> Design:
    """Load the design from a copy of its folder in which a file is changed."""
    entry = Path(holder(design.name).__file__)
    for path in entry.parent.glob("*.py"):
        shutil.copy(path, folder)
    place = folder / fault.file
    text = place.read_text() if place.is_file() else ""
    if text.count(fault.sound) != 1:
        raise UserError(
            f"design: fault {fault.name!r}: {fault.file} has {text.count(fault.sound)} times "
            f"{fault.sound!r}; give a text that it has once"
        )
    place.write_text(text.replace(fault.sound, fault.faulty))
    module = load("design", folder / entry.name)
    return next(one for one in _designs(module) if one.name == design.name)


def _designs(module: object) -> Iterator[Design]:
    yield from (*module.DESIGNS, *getattr(module, "VARIANTS", ()))
