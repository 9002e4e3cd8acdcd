"""What an entry gives of a third-party core, checked where it is given: a wrong type is named with
what to give, in place of a traceback from where it is used."""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any


def check(argument: str, value: object, right: bool, give: str) -> None:
    """Raise ValueError unless the value is right, with what to give."""
    if not right:
        raise ValueError(f"{argument} is {value!r}; give {give}")


def are_texts(value: object) -> bool:
    """Return whether a value is a tuple or a list of texts."""
    return isinstance(value, tuple | list) and all(isinstance(each, str) for each in value)


def maps(value: object, kinds: Any) -> bool:
    """Return whether a value maps texts to values of such kinds."""
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and isinstance(each, kinds) and not isinstance(each, bool)
        for name, each in value.items()
    )


def check_call(argument: str, value: object, parameters: Iterable[str]) -> None:
    """Raise ValueError unless the value is a function that takes so many arguments."""
    names = [*parameters]
    right = callable(value)
    try:
        if callable(value):
            signature(value).bind(*names)
    except TypeError:
        right = False
    check(argument, value, right, f"a function, lambda {', '.join(names)}: ...")


def check_widths(value: object) -> None:
    """Raise ValueError unless the value is the least and the greatest width."""
    right = (
        isinstance(value, tuple)
        and len(value) == 2
        and all(type(each) is int for each in value)
        and 1 <= value[0] <= value[1]
    )
    check("widths", value, right, "the least and the greatest width in bits, as (8, 4096)")
