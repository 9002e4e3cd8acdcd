"""Deliberate faults: a module of ours with one line changed, loaded beside the sound one."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from eval.contract.check import CAUGHT

__all__ = ["CAUGHT", "faults", "plant", "plant_in_base"]


def plant(folder: Path, module: ModuleType, sound: str, faulty: str) -> ModuleType:
    """The module with the one occurrence of `sound` replaced by `faulty`, under a name of its own.

    Written to the folder, since PyMTL3 reads the source of a component's blocks from its file.
    """
    text = Path(module.__file__).read_text()
    if text.count(sound) != 1:
        raise ValueError(f"{module.__name__} has {text.count(sound)} times {sound!r}, not once")
    changed = text.replace(sound, faulty)
    name = "faulty_" + re.sub(r"\W", "_", f"{module.__name__}_{abs(hash((sound, faulty))):x}")
    path = folder / f"{name}.py"
    path.write_text(changed)
    spec = importlib.util.spec_from_file_location(name, path)
    faulty_module = importlib.util.module_from_spec(spec)
    sys.modules[name] = faulty_module
    spec.loader.exec_module(faulty_module)
    return faulty_module


def faults(*tables: dict[str, tuple[str, str]]) -> pytest.MarkDecorator:
    """A test for each row of the tables, name: (sound, faulty)."""
    rows = {name: row for table in tables for name, row in table.items()}
    return pytest.mark.parametrize(("sound", "faulty"), rows.values(), ids=rows.keys())


def plant_in_base(
    folder: Path, module: ModuleType, base: ModuleType, sound: str, faulty: str
) -> ModuleType:
    """The module, sound, with classes that inherit from those of its faulty base module."""
    broken = plant(folder, base, sound, faulty)
    return plant(folder, module, f"from {base.__name__} import", f"from {broken.__name__} import")
