"""The quantities that a need limits or wants least, in the units that people type."""

import re
from dataclasses import dataclass

from eval.catalog.inputs import shorten
from eval.table.units import engineering
from sim.errors import UserError

NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*([a-zA-Z]*[0-9]?)", re.ASCII)
LONGEST = 40


@dataclass(frozen=True)
class Quantity:
    """A figure of a design, less of which is better: its unit here, what that is in each unit that
    is typed, and the band of noise that moves it."""

    name: str
    unit: str
    units: dict[str, float]
    band: str

    def text(self, value: float) -> str:
        """Write a value with its unit."""
        return engineering(value, self.unit)

    def read(self, argument: str, text: str) -> float:
        """Return what a number with a unit is; UserError if it is none."""
        example = f"{self.name}={self.example}"
        what = shorten(text)
        if re.match(r"-\s*[0-9.]", text.strip()):
            raise UserError(f"{argument}: {self.name}={what} is negative; give one as {example}")
        match = NUMBER.fullmatch(text.strip()) if len(text) <= LONGEST else None
        if not match:
            raise UserError(
                f"{argument}: {self.name}={what!r} is not a number with a unit; "
                f"give one as {example}"
            )
        number, unit = match.groups()
        if unit not in self.units:
            wrong = f"{unit!r} is no unit of {self.name}" if unit else f"{what} has no unit"
            raise UserError(
                f"{argument}: {self.name}: {wrong}; give one of {', '.join(self.units)}, "
                f"as {example}"
            )
        if not float(number):
            raise UserError(
                f"{argument}: {self.name}={what}: nothing is that small; give one as {example}"
            )
        return float(number) * self.units[unit]

    @property
    def example(self) -> str:
        """A value as it is typed."""
        return {"time": "2ms", "area": "0.4mm2", "energy": "35uJ"}[self.name]


QUANTITIES = {
    quantity.name: quantity
    for quantity in (
        Quantity("time", "us", {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}, "period"),
        Quantity("area", "um2", {"um2": 1, "mm2": 1e6}, "area"),
        Quantity("energy", "nJ", {"pJ": 1e-3, "nJ": 1, "uJ": 1e3, "mJ": 1e6, "J": 1e9}, "energy"),
    )
}
SECONDS = {"s": 1, "min": 60, "h": 3600}


def read_limits(argument: str, texts: list[str]) -> dict[str, float]:
    """Read limits such as time=2ms, each quantity once, in their units here."""
    found: dict[str, float] = {}
    for text in texts:
        name, sign, value = map(str.strip, text.partition("="))
        check_quantity(argument, name)
        if not sign:
            example = QUANTITIES[name].example
            raise UserError(f"{argument}: {name} has no limit; give one as {name}={example}")
        if name in found:
            raise UserError(f"{argument}: {name} is limited twice; give it once")
        found[name] = QUANTITIES[name].read(argument, value)
    return found


def check_quantity(argument: str, name: str) -> None:
    """Raise UserError unless there is such a quantity."""
    if name not in QUANTITIES:
        raise UserError(
            f"{argument}: no quantity {shorten(name)!r} here; choose from {', '.join(QUANTITIES)}"
        )


def read_seconds(argument: str, text: str) -> float:
    """Return the seconds of a time such as 20min; UserError if it is none."""
    match = NUMBER.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if not match or match[2] not in SECONDS or not float(match[1]):
        raise UserError(
            f"{argument}: {shorten(text)!r} is no time to search; give one in "
            f"{', '.join(SECONDS)}, as 20min"
        )
    return float(match[1]) * SECONDS[match[2]]
