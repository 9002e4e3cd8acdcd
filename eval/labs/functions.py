"""Functions of a submission, called where its Python runs and compared where it does not.

Arguments and values travel as JSON; what JSON does not have is named: a tuple, a point, a key, a
source of random numbers, a product that is made where it is counted.
"""

from collections.abc import Callable
from operator import index
from pathlib import Path
from random import Random
from typing import Any

from eval.labs.confining import Confined
from eval.labs.python_code import Elsewhere, called, loaded, place_in
from eval.labs.stages import Wrong
from fl.rsa_keys import RsaKey

SHOWN = 200  # letters of what is no number, text or list
DEEPEST = 8
_loaded: dict[str, Any] = {}


class Other:
    """Stands for a value that is no number, text, list or tuple."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Remote(Elsewhere):
    """Stands for a student's module: its functions run in the sandbox."""

    def __init__(self, confined: Confined, file: Path) -> None:
        self.confined, self.file = confined, file.name

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function; Wrong says what was raised. Products are made here."""
        products = [one for one in arguments if callable(one) and not isinstance(one, Random)]
        request = {"file": self.file, "name": name, "arguments": [*map(_sent, arguments)]}
        answer = self.confined.ask(request)
        while "asks" in answer:
            given = answer["asks"]
            if not isinstance(given, list) or len(given) != 2 or not products:
                raise Wrong(f"{name}: multiply takes two numbers")
            if not all(type(value) is int for value in given):
                raise Wrong(f"{name}: multiply takes two numbers")
            answer = self.confined.ask({"product": products[0](*given)})
        if "value" not in answer:
            raise Wrong(str(answer.get("error", "no answer")))
        return received(answer["value"])


def _sent(value: Any, depth: int = 0) -> Any:
    """Write a value for JSON."""
    if isinstance(value, Random):
        return {"random": value.getrandbits(64)}
    if hasattr(value, "_fields") and value._fields == ("name", "area", "time"):
        return {"point": list(value)}
    if isinstance(value, RsaKey):
        return {"key": [getattr(value, name) for name in "nedpq"]}
    if callable(value):
        return {"multiply": True}
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if hasattr(value, "__index__"):
        return index(value)
    if isinstance(value, list | tuple) and depth < DEEPEST:
        parts = [_sent(one, depth + 1) for one in value]
        return parts if isinstance(value, list) else {"tuple": parts}
    return {"other": _text(value)}


def _text(value: Any) -> str:
    try:
        return str(value)[:SHOWN]
    except Exception as error:
        return type(error).__name__


def received(value: Any, depth: int = 0) -> Any:
    """Read what JSON has of a value."""
    if depth > DEEPEST:
        return Other("...")
    if isinstance(value, list):
        return [received(one, depth + 1) for one in value]
    if isinstance(value, dict):
        parts = value.get("tuple")
        if isinstance(parts, list):
            return tuple(received(one, depth + 1) for one in parts)
        return Other(str(value.get("other"))[:SHOWN])
    return value


def answer_call(
    folder: Path, request: dict[str, Any], asks: Callable[[list[int]], int]
) -> dict[str, Any]:
    """Call a function of a file in a folder, where the code may run."""
    file = folder / request["file"]
    try:
        if file.name not in _loaded:
            _loaded[file.name] = loaded(file)
        module = _loaded[file.name]
        given = [_given(module, one, asks) for one in request["arguments"]]
        return {"value": _sent(called(module, request["name"], *given))}
    except Wrong as error:
        return {"error": str(error)}
    except Exception as error:
        if not (place := place_in(error, file)):
            raise
        return {"error": f"{place}: {type(error).__name__}: {error}".splitlines()[0]}


def _given(module: Any, value: Any, asks: Callable[[list[int]], int]) -> Any:
    """Read an argument; points and keys are made by the classes of the student's module."""
    if isinstance(value, list):
        return [_given(module, one, asks) for one in value]
    if not isinstance(value, dict):
        return value
    [(kind, inside)] = value.items()
    if kind == "tuple":
        return tuple(_given(module, one, asks) for one in inside)
    if kind == "random":
        return Random(inside)
    if kind == "multiply":
        return lambda a, b: asks([a, b])
    if kind == "point":
        from eval.labs.front_code import Spot

        return getattr(module, "Point", Spot)(*inside)
    own = getattr(module, "Key", None)
    return own(*inside) if callable(own) else RsaKey("", "", *inside)
