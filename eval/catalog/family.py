"""Families of designs: a maker whose parameters choose the design, as `mont(steps=4,units=1)`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from eval.catalog.design import Design
from eval.catalog.inputs import shorten
from sim.errors import ArgumentError

Value = int | str | bool | float
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")
_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
_POINT = re.compile(r"\s*([\w-]+)\s*\(([^()]*)\)\s*")


@dataclass(frozen=True)
class Decimals:
    """All numbers of a unit from the least to the most: too many to list."""

    least: float
    most: float
    unit: str

    def __iter__(self) -> Iterator[float]:
        return iter(())

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.least <= value <= self.most


@dataclass(frozen=True)
class Parameter:
    """Names what a family leaves open, and all that may be chosen.

    name, title: its name for commands, and what it chooses in a few words.
    default: the choice where none is made.
    choices: all values that it may have.
    within_width: it counts bits of an operand; a search takes no more than the width has.
    """

    name: str
    default: Value
    choices: tuple[Value, ...] | range | Decimals
    title: str
    within_width: bool = False

    def choices_at(self, nbits: int) -> list[Value]:
        """List the choices that a search has at a width; the least one if all are wider."""
        if not self.within_width:
            return [*self.choices]
        numbers = [choice for choice in self.choices if isinstance(choice, int)]
        return [one for one in numbers if one <= nbits] or [min(numbers)]

    @property
    def text(self) -> str:
        """Return the choices in words."""
        if isinstance(self.choices, range):
            return f"{self.choices[0]} to {self.choices[-1]}"
        if isinstance(self.choices, Decimals):
            least, most = spelled(self.choices.least), spelled(self.choices.most)
            return f"{least} to {most} {self.choices.unit}"
        return ", ".join(map(spelled, self.choices))

    def read(self, text: str) -> Value:
        """Return the choice that is written so; ArgumentError with the choices if there is none."""
        choices = self.choices
        if isinstance(choices, range):  # which may be long
            written = _WHOLE.fullmatch(text)
            choices = (int(text),) if written and int(text) in choices else ()
        elif isinstance(choices, Decimals):
            decimal = _DECIMAL.fullmatch(text)
            if decimal and float(text) in choices:
                return float(text)
        for choice in choices:
            if spelled(choice) == text:
                return choice
        raise ArgumentError(
            f"design: {self.name}={shorten(text)} is no choice of {self.name}; "
            f"choose from {self.text}"
        )


def flag(name: str, title: str, default: bool = False) -> Parameter:
    """Make a parameter that is yes or no."""
    return Parameter(name, default, (False, True), title)


def spelled(value: Value) -> str:
    """Write a value as on a command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Constraint:
    """Says which values of parameters go together.

    text: why others do not, in words.
    holds: whether values go together; it takes all parameters of the family by their names.
    """

    text: str
    holds: Callable[..., bool]


@dataclass(frozen=True)
class Family:
    """Makes designs of its parameters' values.

    name, title: its name for commands, and what it is in a few words.
    parameters: what it leaves open.
    make: makes the design of values, given by name; its ValueError says what does not go together,
        if no constraint has said it.
    hardware: whether its designs can be mapped; those of an assumption cannot.
    constraints: which values go together, known without making a design.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    make: Callable[..., Design]
    hardware: bool = True
    constraints: tuple[Constraint, ...] = ()

    @property
    def usual(self) -> dict[str, Value]:
        """Return the parameters' defaults."""
        return {parameter.name: parameter.default for parameter in self.parameters}

    def spell(self, values: Mapping[str, Value]) -> str:
        """Name a point: the values that are not usual, in the parameters' order."""
        shown = (
            f"{name}={spelled(values[name])}"
            for name, default in self.usual.items()
            if values.get(name, default) != default
        )
        return f"{self.name}({','.join(shown)})"

    def broken(self, values: Mapping[str, Value]) -> str | None:
        """Return the text of the first constraint that values break; None if they go together."""
        whole = self.usual | dict(values)
        return next((one.text for one in self.constraints if not one.holds(**whole)), None)

    def values_at(self, nbits: int) -> Iterator[dict[str, Value]]:
        """Go through the values of all points that a search has at a width."""
        names = [parameter.name for parameter in self.parameters]
        choices = [parameter.choices_at(nbits) for parameter in self.parameters]
        for chosen in product(*choices):
            values = dict(zip(names, chosen, strict=True))
            if self.broken(values) is None:
                yield values

    def line(self, **values: Value) -> Design:
        """Make a design for the catalog, under the name that `make` gives it."""
        if unknown := values.keys() - self.usual.keys():
            raise ValueError(f"{self.name} has no {', '.join(unknown)}")
        if text := self.broken(values):
            raise ValueError(text)
        return replace(self.make(**self.usual | values), spelled=self.spell(values))

    def point(self, **values: Value) -> Design:
        """Make a design that is named after its values; ArgumentError if they do not go together.

        It is made at its least width, which is where that shows if no constraint tells.
        """
        name = self.spell(values)
        try:
            design = replace(self.line(**values), name=name)
            design.at(design.widths[0])
        except ValueError as error:
            raise ArgumentError(f"design: {name}: {error}; choose other values") from None
        return design

    def read(self, text: str) -> dict[str, Value]:
        """Return the values that are written between the brackets of a point."""
        named = {parameter.name: parameter for parameter in self.parameters}
        values: dict[str, Value] = {}
        for part in filter(None, map(str.strip, text.split(","))):
            name, sign, value = map(str.strip, part.partition("="))
            if not sign:
                raise ArgumentError(
                    f"design: {shorten(part)!r} gives no parameter of {self.name} a value; write "
                    f"one such as {self.parameters[0].name}={spelled(self.parameters[0].default)}"
                )
            if name not in named:
                raise ArgumentError(
                    f"design: {self.name} has no parameter {shorten(name)!r}; "
                    f"choose from {', '.join(named)}"
                )
            if name in values:
                raise ArgumentError(f"design: {name} is given twice; give it once")
            values[name] = named[name].read(value)
        return values

    def sweep(self, text: str) -> list[dict[str, Value]]:
        """Return the values of each point that is written with ranges, as `steps=1..8`, or with *
        for all choices, in the order of the choices."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        options = [self._options(part) for part in parts]
        return [self.read(",".join(chosen)) for chosen in product(*options)]

    def _options(self, part: str) -> list[str]:
        """List what a part of a sweep stands for, `name=value` each; no range is itself."""
        name, _, value = map(str.strip, part.partition("="))
        parameter = next((one for one in self.parameters if one.name == name), None)
        ends = _RANGE.fullmatch(value)
        if parameter is None or not (ends or value == "*"):
            return [part]
        choices = [*parameter.choices]
        if ends:
            low, high = map(int, ends.groups())
            choices = [c for c in choices if type(c) is int and low <= c <= high]
        if not choices:
            raise ArgumentError(
                f"design: {name}={shorten(value)} has no choice of {name}; "
                f"choose from {parameter.text}"
            )
        return [f"{name}={spelled(choice)}" for choice in choices]


def is_sweep(text: str) -> bool:
    """Say whether a point of a family is written with a range or a *."""
    return "(" in text and ("*" in text or ".." in text)


def parts_of(text: str) -> tuple[str, str]:
    """Split a point into the family's name and what is between the brackets; ArgumentError if it
    is none."""
    match = _POINT.fullmatch(text)
    if not match:
        raise ArgumentError(
            f"design: {shorten(text)!r} is no point of a family; write one as "
            "'mont(steps=4,units=1)'"
        )
    return match[1], match[2]
