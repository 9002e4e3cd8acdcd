"""Faults that people list beside their designs: changes of a file that the contracts must find."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from eval.catalog.design import Design
from eval.catalog.family import parts_of
from eval.catalog.user_designs import blamed, file_of, holder, load, sources
from eval.contract.design import Broken, Check, tried_parts
from sim.errors import RunError, UserError


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
    if module is None:
        return []
    try:
        faults = [Fault(name, *change) for name, change in getattr(module, "FAULTS", {}).items()]
        if not all(isinstance(text, str) for fault in faults for text in vars(fault).values()):
            raise TypeError
        return faults
    except (TypeError, AttributeError):
        raise UserError(
            f"design: {module.__file__}: FAULTS is no dict of name: (file, text, other text)"
        ) from None


def check_fault(design: Design, fault: Fault) -> None:
    """Raise UserError unless a fault names a file and a text that it has once, and what it writes
    there is Python."""
    try:
        text = _changed(_file_of(design).parent, fault)
        if fault.file.endswith(".py"):
            compile(text, str(_file_of(design).with_name(fault.file)), "exec")
    except SyntaxError as error:
        raise UserError(
            f"design: fault {fault.name!r}: {error.filename}, line {error.lineno}: "
            f"{type(error).__name__}: {error.msg}"
        ) from None
    except UserError as error:
        raise UserError(f"design: fault {fault.name!r}: {error}") from None


def _changed(folder: Path, fault: Fault) -> str:
    """Return the text of a file with a fault in it."""
    place = folder / fault.file
    text = place.read_text() if place.is_file() else ""
    if text.count(fault.sound) != 1:
        raise UserError(
            f"{fault.file} has {text.count(fault.sound)} times "
            f"{fault.sound!r}; give a text that it has once"
        )
    return text.replace(fault.sound, fault.faulty)


def found_out(design: Design, fault: Fault) -> str | None:
    """Return what the contracts say of the design with a fault, at level rtl, or cl if there is no
    hardware yet, and the least width; None if they find nothing. UserError if the design cannot be
    made with it."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            changed = _with(design, fault, Path(scratch))
            for part in tried_parts(changed)[:-1]:
                Check(part, design.widths[0], "cl" if design.assumed else "rtl").run(changed)
        except (Broken, RunError) as error:
            return str(error)
        except Exception as error:
            said = str(error) if isinstance(error, UserError) else blamed(error)
            if not said:
                raise
            said = said.removeprefix("design: ")
            here = said.replace(scratch, str(_file_of(design).parent))
            raise UserError(f"design: fault {fault.name!r}: {here}") from error
    return None


def _file_of(design: Design) -> Path:
    module = holder(design.name)
    assert module is not None, f"{design.name} is of nobody's file"
    return file_of(module)


def _with(design: Design, fault: Fault, folder: Path) -> Design:
    """Load the design from a copy of its folder in which a file is changed."""
    entry = _file_of(design)
    for path in sources(entry.parent):
        shutil.copy(path, folder)
    (folder / fault.file).write_text(_changed(folder, fault))
    return _design_in(load("design", folder / entry.name), design.name)


def _design_in(module: ModuleType, name: str) -> Design:
    """Return the design or point of that name in a module."""
    for design in (*module.DESIGNS, *getattr(module, "VARIANTS", ())):
        if design.name == name:
            return design
    family_name, inside = parts_of(name)
    family = next(family for family in module.FAMILIES if family.name == family_name)
    return family.point(**family.read(inside))
