"""Designs that people bring: entries in files of their own, wherever these are.

A file is named by an option or by the variable MODEXPLORER_DESIGNS; an installed package has one
as an entry point of the group `modexplorer.designs`. Modules beside a file are imported from it as
those of a package: `from .rtl import MineRTL`.
"""

import contextlib
import hashlib
import importlib.util
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from shlex import quote
from types import ModuleType

from eval.catalog.design import Design
from eval.catalog.family import Family
from eval.catalog.formulas import guard
from eval.catalog.inputs import check_path, shorten
from eval.catalog.untranslatable import explain
from sim.errors import UserError

VARIABLE, GROUP = "MODEXPLORER_DESIGNS", "modexplorer.designs"
TAKEN = ("all", "processor", "null")  # by commands
LONGEST = 40
# Python, and Verilog and VHDL of others with what they include.
SOURCES = (".py", ".v", ".sv", ".vhd", ".vhdl", ".vh", ".svh", ".inc", ".h")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def modules() -> Iterator[ModuleType]:
    """Yield the modules of all files that are named, then those of installed packages."""
    for file in _named():
        yield load(VARIABLE, Path(file))
    for point in _points():
        yield _installed(point)


def checked(argument: str, file: str | os.PathLike[str]) -> Path:
    """Return the path of a file that the variable can name."""
    path = check_path(argument, os.fspath(file)).absolute()
    if os.pathsep in str(path):
        raise UserError(f"{argument}: {path} has {os.pathsep!r} in it; move it")
    return path


def remember(path: Path) -> None:
    """Name a file in the variable, for processes that are started from here."""
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys([*_named(), str(path)]))


def folders() -> tuple[dict[str, str], ...]:
    """Read the files that are named, for another machine: of each its folder's sources by their
    names, the named one first."""
    found = []
    for file in map(Path, _named()):
        texts = {path.name: path.read_text() for path in sources(file.parent)}
        found.append({file.name: texts.pop(file.name)} | texts)
    return tuple(found)


def unpack(texts: tuple[dict[str, str], ...], place: Path) -> None:
    """Write what folders() has read below a place, and name the files."""
    for one in texts:
        digest = hashlib.sha256(repr(one).encode()).hexdigest()[:16]
        folder = place / digest
        if not folder.exists():
            made = Path(tempfile.mkdtemp(dir=place))
            for name, text in one.items():
                (made / name).write_text(text)
            with contextlib.suppress(OSError):  # another has made it
                made.rename(folder)
        remember(folder / next(iter(one)))


def load(argument: str, path: Path) -> ModuleType:
    """Return the module of a file; UserError if that fails, or if it is loaded and has changed."""
    if path.suffix != ".py" or not path.is_file():
        raise UserError(
            f"{argument}: {shorten(str(path))} is no Python file; give one that has DESIGNS, such "
            "as `modexplorer new` writes"
        )
    path = path.absolute()
    folder = path.parent
    name = f"{_package(folder)}.{path.stem}"
    if name in sys.modules:
        if sys.modules[name].code != code_of(folder):
            raise UserError(
                f"{argument}: {path}, or a file beside it, has changed since it was loaded; "
                "start anew"
            )
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    vars(module)["code"] = code_of(folder)
    try:
        spec.loader.exec_module(module)
        check_entries(module)
    except Exception as error:
        for loaded in [n for n in sys.modules if n.startswith(f"{_package(folder)}.")]:
            del sys.modules[loaded]
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UserError(f"{argument}: {_place(error, path)}: {what}; mend it") from error
    guard(_package(folder))
    return module


def check_entries(module: ModuleType) -> None:
    """Raise ValueError unless a module has DESIGNS, and entries whose names commands can take."""
    if not isinstance(getattr(module, "DESIGNS", None), tuple):
        raise ValueError("has no tuple DESIGNS; write DESIGNS = (Design(...),)")
    for kind, entry in entries(module):
        if not isinstance(entry, kind):
            raise ValueError(f"{entry!r} is no {kind.__name__}")
        check_name(entry.name)


def check_name(name: str) -> None:
    """Raise ValueError unless commands can take a name."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST or name in TAKEN:
        raise ValueError(
            f"{shorten(name)!r} is no name for a design; choose another one of at most {LONGEST} "
            "small letters, digits and single hyphens"
        )


def entries(module: ModuleType) -> Iterator[tuple[type, Design | Family]]:
    """Yield the designs, variants and families of a module, each with what it should be."""
    for kind, name in ((Design, "DESIGNS"), (Design, "VARIANTS"), (Family, "FAMILIES")):
        for entry in getattr(module, name, ()):
            yield kind, entry


def sources(folder: Path) -> list[Path]:
    """List the files of a folder that make its designs."""
    return sorted(path for path in folder.iterdir() if path.suffix in SOURCES)


def code_of(folder: Path) -> str:
    """Hash the sources in a folder."""
    digest = hashlib.sha256()
    for path in sources(folder):
        digest.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return digest.hexdigest()[:12]


def design_code(name: str) -> dict[str, str]:
    """Name the code of a design of a user, for the keys of its rows; the name may
    be that of a processor with the design."""
    module = holder(name.partition("+")[2] or name)
    return {"design code": module.code} if module else {}


def holder(design: str) -> ModuleType | None:
    """Return the module of a user with a design or its family, if there is one."""
    for module in modules():
        if design.partition("(")[0] in {entry.name for _, entry in entries(module)}:
            return module
    return None


def with_option(design: str) -> str:
    """Return the option that names a design of somebody's file to any command; "" of others."""
    module = holder(design.rpartition("+")[2])  # which may be a processor's accelerator
    if module is None or file_of(module) not in map(Path, _named()):
        return ""
    return f" --with {quote(str(file_of(module)))}"


def file_of(module: ModuleType) -> Path:
    """Return the file of a module of a user."""
    assert module.__file__ is not None, f"{module.__name__} has no file"
    return Path(module.__file__)


def blamed(error: Exception) -> str | None:
    """Say where in somebody's files something went wrong, and what; None if it did not there."""
    if said := explain(error):
        return said
    files = {module.__file__ for module in list(sys.modules.values()) if hasattr(module, "code")}
    for folder in {Path(file).parent for file in files if file}:
        if place := _place_in(error, folder):
            return f"{place}: {type(error).__name__}: {error}".splitlines()[0]
    return None


def with_options() -> str:
    """Return the options that name all files of designs to any command; "" if there are none."""
    return "".join(f" --with {quote(file)}" for file in _named())


def _named() -> list[str]:
    return list(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


@cache
def _installed(point: EntryPoint) -> ModuleType:
    """Load what an installed package offers."""
    try:
        module = point.load()
        check_entries(module)
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        assert point.dist is not None, f"{point.name} is of no package"
        raise UserError(
            f"designs: package {point.dist.name}, {point.value}: {what}; mend or remove it"
        ) from error
    vars(module)["code"] = code_of(file_of(module).parent)
    guard(module.__name__.rpartition(".")[0] or module.__name__)
    return module


def _package(folder: Path) -> str:
    """Name the package that stands for a folder, and make it."""
    digest = hashlib.blake2b(os.fsencode(folder), digest_size=4).hexdigest()
    name = f"brought_{re.sub(r'[^0-9a-zA-Z]+', '_', folder.name)}_{digest}"
    if name not in sys.modules:
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [str(folder)]
    return name


def _place(error: Exception, path: Path) -> str:
    """Say in which file and line of the folder something went wrong."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    return _place_in(error, path.parent) or str(path)


def _place_in(error: Exception, folder: Path) -> str | None:
    """Say which line of a file in the folder an error came through last, if through any."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).parent == folder]
    return f"{inside[-1].filename}, line {inside[-1].lineno}" if inside else None
