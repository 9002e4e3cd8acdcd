"""The code that a row rests on: what computes it, found in the imports, and nothing that shows it.

A closure ends where something else in the key stands for what follows, or where nothing that
follows decides a figure.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from sys import modules, version_info

from eval.catalog import holder
from eval.catalog.user_designs import file_of
from sim.closure import Code, Used

# What makes hardware: the hash of its Verilog stands for it.
HARDWARE = (
    "rtl",
    "proc/rtl",
    *(f"eval/catalog/{name}.py" for name in ("__init__", "user_designs", "design", "family")),
)
# What lists the catalog's files: that there is another one says nothing of an entry.
REGISTRY = ("eval/catalog/files.py",)
# What finds rows, keeps them and says how they were made; and what names keys, as this file does.
KEEPING = (
    *("eval/tasks/kinds.py", "eval/tasks/provenance.py", "eval/tasks/store.py"),
    *("eval/tasks/closure.py", "eval/tasks/keyed.py", "eval/tasks/versions.py", "sim/closure.py"),
    "eval/tasks/leakage/keys.py",
)
# What decides whether there is a row, by rows of its own, but nothing in it.
GATES = ("eval/tasks/answers.py",)
# Of this some tasks of a kind use a part, which they name themselves, by Task.uses.
IN_PARTS = (
    *("flow/steps", "proc/app"),
    *(f"eval/tasks/flow_run/{whose}recording.py" for whose in ("", "bus_", "system_")),
    *(f"eval/tasks/leakage/{of}.py" for of in ("gates", "layouts")),
)
ENDS = (*HARDWARE, *REGISTRY, *KEEPING, *GATES, *IN_PARTS)

DISTRIBUTIONS = {"elftools": "pyelftools", "yaml": "PyYAML", "PIL": "pillow"}

CODE = Code()


def used_by(kind: type, parts: Iterable[str] = (), entries: Iterable[str] = ()) -> Used:
    """Find what the tasks of a kind use, as `used_from`."""
    return used_from(kind.__module__, parts, entries)


def used_from(module: str, parts: Iterable[str] = (), entries: Iterable[str] = ()) -> Used:
    """Find what a module uses, with parts of IN_PARTS; and where it uses a design's entry itself,
    its formulas or what it declares, all that makes the design."""
    found = CODE.uses([_file(module)], ENDS)
    for part in parts:
        path = CODE.root / part
        if path.suffix == ".py":
            found |= CODE.uses([path], ENDS)
        else:  # a step or a C program
            files = [path] if path.is_file() else CODE.folder(path)
            found |= CODE.uses(files, (*KEEPING, *HARDWARE))
    if entries:
        found |= _hardware([module], entries, (*GATES, *IN_PARTS))
    return found


def hardware(names: Iterable[str], entries: Iterable[str]) -> Used:
    """Find what makes the Verilog of designs: modules of these names, of the designs' entries."""
    return _hardware(["eval.tasks.unit", *names], entries, ())


def _hardware(names: list[str], entries: Iterable[str], ends: tuple[str, ...]) -> Used:
    files = [_file(name) for name in names]
    for entry in entries:
        module = holder(entry)
        own = hasattr(module, "code")  # somebody has brought it
        files += file_of(module).parent.glob("*.py") if own else [_file(module.__name__)]
    return CODE.uses(files, (*REGISTRY, *KEEPING, *ends))


def _file(module: str) -> Path:
    path = CODE.root / f"{module.replace('.', '/')}.py"
    return path if path.is_file() else file_of(modules[module])


def named(found: Used) -> dict[str, str]:
    """Name code and packages for a key."""
    return {"code": CODE.hash(found.files)[:12]} | versions(found.packages)


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Find the versions of packages that are imported, and of Python."""
    python = ".".join(map(str, version_info[:2]))
    return {"python": python} | {name: version_of(name) for name in sorted(packages)}


@cache
def version_of(module: str) -> str:
    """Find the version of the package that has a module."""
    try:
        return version(DISTRIBUTIONS.get(module, module))
    except PackageNotFoundError:
        names = _packages().get(module)
        return version(names[0]) if names else "not installed"


@lru_cache(1)
def _packages() -> dict[str, list[str]]:
    return dict(packages_distributions())
