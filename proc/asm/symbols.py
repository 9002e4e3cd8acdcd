"""The assembler's symbols: named values, and numeric labels that may repeat."""

import difflib
from collections.abc import Callable, Iterable

from proc.asm.expressions import Expression


def near(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that `name` may have been meant to be, or nothing."""
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""


class Symbols:
    """Keeps values by name; a second definition and an unknown name are ValueErrors."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self._numeric: dict[str, list[int]] = {}

    def define(self, name: str, value: int) -> None:
        """Give a name its value."""
        if name in self.values:
            raise ValueError(f"'{name}' is already defined")
        self.values[name] = value

    def label(self, name: str, address: int) -> None:
        """Put a label at an address."""
        if name.isdigit():
            self._numeric.setdefault(name, []).append(address)
        else:
            self.define(name, address)

    def knows(self, text: str) -> bool:
        """Return whether every symbol of the expression has its value by now."""
        return all(name in self.values for name in Expression(text).names)

    def value(self, text: str, pc: int = 0) -> int:
        """Return the value of an expression in the statement at pc."""
        return Expression(text).value(self._finder(pc))

    def _finder(self, pc: int) -> Callable[[str], int]:
        def find(name: str) -> int:
            if name == ".":
                return pc
            if name in self.values:
                return self.values[name]
            places = self._numeric.get(name[:-1], [])
            if name[-1] == "b":
                places = [place for place in places if place <= pc][-1:]
            else:
                places = [place for place in places if place > pc][:1]
            if not places:
                raise ValueError(f"'{name}' is not defined{near(name, self.values)}")
            return places[0]

        return find
