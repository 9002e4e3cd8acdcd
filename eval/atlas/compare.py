"""Compares the values of two results: integers and text exactly, other numbers to 1e-9."""

from collections.abc import Iterator
from math import isclose
from typing import Any, NamedTuple

CLOSE = 1e-9


class Difference(NamedTuple):
    """A value that differs, by its path in the result; None stands for one that is missing."""

    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        text = f"{self.path}: {self.before} -> {self.after}"
        numbers = isinstance(self.before, int | float) and isinstance(self.after, int | float)
        if numbers and self.before:
            text += f" ({100 * (self.after / self.before - 1):+.3g} %)"
        return text


def differences(before: Any, after: Any, path: str = "") -> Iterator[Difference]:
    """Find all values that differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            yield from differences(before.get(name), after.get(name), f"{path}.{name}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{path}[{place}]")
    elif not same(before, after):
        yield Difference(path, before, after)


def same(before: Any, after: Any) -> bool:
    """Whether two values count as equal."""
    if isinstance(before, float) and isinstance(after, int | float):
        return isclose(before, after, rel_tol=CLOSE, abs_tol=0.0)
    if isinstance(after, float) and isinstance(before, int):
        return isclose(before, after, rel_tol=CLOSE, abs_tol=0.0)
    return type(before) is type(after) and before == after


def without(values: Any, names: frozenset[str]) -> Any:
    """Leave out the fields of these names, however deep they are."""
    if isinstance(values, dict):
        return {k: without(v, names) for k, v in values.items() if k not in names}
    if isinstance(values, list):
        return [without(one, names) for one in values]
    return values
