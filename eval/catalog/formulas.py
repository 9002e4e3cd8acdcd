"""What the functions of a user's design may return; for anything else an error names the function.

Every command calls them: `value` and `accepts` of fl.py, `latency` and `interval` of cl.py.
"""

import inspect
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from cl.model import Model
from sim.errors import RunError, UserError

MOST_CYCLES = 10**12
SHOWN = 60  # characters of what was returned


def guard(package: str) -> None:
    """Check from now on what the models return whose classes are in the modules of a package."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            for kind in list(vars(module).values()):
                if isinstance(kind, type) and issubclass(kind, Model) and kind.__module__ == name:
                    _guard(kind)


def _guard(kind: type[Model]) -> None:
    for name, (is_sound, must) in RULES.items():
        function = vars(kind).get(name)
        if inspect.isfunction(function) and not hasattr(function, "__wrapped__"):
            setattr(kind, name, _checked(function, f"{kind.__name__}.{name}", is_sound, must))


def _checked(
    function: Callable[..., Any],
    name: str,
    is_sound: Callable[[Any, Any], bool],
    must: str,
) -> Callable[..., Any]:
    """Return a function that raises RunError where this one raises, or returns what it must not."""
    code = function.__code__
    place = f"{code.co_filename}, line {code.co_firstlineno}"
    used = _used(function)

    @wraps(function)
    def call(model: Any, *operands: Any) -> Any:
        asked = f"{name}({', '.join(map(str, operands))})"
        try:
            returned = function(model, *operands)
        except (UserError, RunError, MemoryError):
            raise
        except Exception as error:
            line = _line(error, code.co_filename) or place
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            raise RunError(f"{line}: {asked} raises {what}; it must return {must}") from error
        if is_sound(model, returned):
            return returned
        shown = (
            f"a number of {returned.bit_length()} bits" if _is_long(returned) else repr(returned)
        )
        raise RunError(f"{place}: {asked} returns {shown[:SHOWN]}; it must return {must}{used}")

    return call


def _used(function: Callable[..., Any]) -> str:
    """Name the functions of the same folder that a function calls by their names."""
    folder, found = Path(function.__code__.co_filename).parent, []
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if inspect.isfunction(called) and Path(called.__code__.co_filename).parent == folder:
            code = called.__code__
            found.append(f"{name} ({Path(code.co_filename).name}, line {code.co_firstlineno})")
    return f". It calls {', '.join(found)}" if found else ""


def _is_long(returned: Any) -> bool:
    return isinstance(returned, int) and abs(returned) >> 200 > 0


def _line(error: Exception, file: str) -> str | None:
    """Say which line of the folder of a file an error came through last."""
    folder = Path(file).parent
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).parent == folder]
    return f"{inside[-1].filename}, line {inside[-1].lineno}" if inside else None


def _is_value(model: Any, returned: Any) -> bool:
    """Return whether it fits the fields of the response."""
    widths = [field.nbits for field in model.messages[1].__bitstruct_fields__.values()]
    fields = returned if isinstance(returned, tuple) else (returned,)
    return len(fields) == len(widths) and all(
        _is_int(field) and 0 <= field < 1 << nbits
        for field, nbits in zip(fields, widths, strict=True)
    )


def _is_cycles(model: Any, returned: Any) -> bool:
    return _is_int(returned) and 1 <= returned <= MOST_CYCLES


def _is_int(returned: Any) -> bool:
    return isinstance(returned, int) and not isinstance(returned, bool)


RULES: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "value": (
        _is_value,
        "whole numbers from 0 on that fit the response: r, or of an exponentiator (result, status)",
    ),
    "latency": (_is_cycles, f"the cycles to the response, an int from 1 to {MOST_CYCLES:.0e}"),
    "interval": (_is_cycles, f"the cycles to the next request, an int from 1 to {MOST_CYCLES:.0e}"),
    "accepts": (
        lambda model, returned: isinstance(returned, bool | int),
        "True or False: whether the result is defined for these operands",
    ),
}
