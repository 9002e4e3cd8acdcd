"""Checks of a student's Python that needs no hardware: its functions are called, stage by stage."""

import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from eval.labs.lab import Items, Mark
from eval.labs.stages import Wrong, in_turn
from sim.errors import RunError, UserError

Stage = Callable[[Any], None]  # is handed a student's module


class Elsewhere(ABC):
    """Stands for a student's module whose functions run in another process."""

    @abstractmethod
    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function; Wrong if that fails."""


def mark_python(
    file: Path, items: Items, stages: Mapping[str, Callable[[Any], None]]
) -> list[Mark]:
    """Mark a file by stages, each of which is handed its module, and raises Wrong. The module is
    loaded here unless `module_of` is another loader."""

    def said(item: str) -> str:
        try:
            stages[item](module_of(file))
        except (UserError, RunError, Wrong) as error:
            return str(error)
        except Exception as error:
            if not (place := place_in(error, file)):
                raise
            return f"{place}: {type(error).__name__}: {error}".splitlines()[0]
        return ""

    return in_turn(items, said)


def loaded(file: Path) -> ModuleType:
    """Run a file as a module of its own; Wrong if there is none."""
    module = ModuleType(f"lab_{file.stem}")
    module.__file__ = str(file)
    try:
        text = file.read_bytes()
    except OSError as error:
        raise Wrong(f"{file.name}: {error.strerror}; take the file of a new `lab start`") from None
    sys.modules[module.__name__] = module  # dataclasses look there
    exec(compile(text, str(file), "exec"), vars(module))
    return module


module_of: Callable[[Path], Any] = loaded


def place_in(error: Exception, file: Path) -> str | None:
    """Say which line of a file an error came through last; None if through none."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f"{file.name}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename == str(file)]
    return f"{file.name}, line {inside[-1].lineno}" if inside else None


def called(module: ModuleType | Elsewhere, name: str, *arguments: Any) -> Any:
    """Call a function of a student's; Wrong if there is none of that name."""
    if isinstance(module, Elsewhere):
        return module.call(name, *arguments)
    function = getattr(module, name, None)
    if not callable(function):
        raise Wrong(f"there is no function {name} any more; take it from a new `lab start`")
    return function(*arguments)
