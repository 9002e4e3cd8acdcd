"""Design points: a design at a width, and the numbers that people type."""

import re
from dataclasses import dataclass
from pathlib import Path

from pymtl3 import Component

from eval.catalog import find
from eval.catalog.design import Design
from sim.errors import ArgumentError, UserError

_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]+")
_DIGITS_SHOWN = 24
_LONGEST = 4000  # digits; Python refuses to convert many more


@dataclass(frozen=True, order=True)
class Point:
    """Names one design at one width; ArgumentError unless there are such a design and width."""

    design: str
    nbits: int

    def __post_init__(self) -> None:
        least, most = self.entry.widths
        if not (isinstance(self.nbits, int) and least <= self.nbits <= most):
            raise ArgumentError(
                f"--nbits: {shorten(str(self.nbits))} is not a width of {self.design}; "
                f"choose from {least} to {most}"
            )

    def __str__(self) -> str:
        return f"{self.design}-{self.nbits}"

    @property
    def top(self) -> str:
        """Return the name of the point's Verilog top module: no other point's, no `__` in it."""
        return f"{self.design.replace('-', '_')}_{self.nbits}"

    @property
    def arguments(self) -> str:
        """Return the point as on a command line."""
        return f"{self.design} --nbits {self.nbits}"

    def top_of(self, unit: str) -> str:
        """Return the name of a unit's Verilog top module."""
        return self.top if unit == "accelerator" else f"{self.top}_{unit}"

    def component(self, unit: str) -> Component:
        """Make a new component: the accelerator, the exponentiator in it, or a multiplier of it."""
        if unit == "accelerator":
            return self.entry.xcel("rtl", self.nbits)
        if unit == "exponentiator":
            return self.entry.component("rtl", self.nbits)
        return self.entry.multiplier.at(self.nbits).rtl()

    @property
    def entry(self) -> Design:
        """Return the design's entry in the catalog."""
        return find(self.design)

    @property
    def has_multiplier(self) -> bool:
        """Return whether the exponentiator holds the multiplier as a component."""
        kind = type(self.entry.multiplier.at(self.nbits).rtl())
        whole = self.entry.component("rtl", self.nbits)
        whole.elaborate()
        return any(type(part) is kind for part in whole.get_all_components())


def parse_number(argument: str, text: str) -> int:
    """Return the natural number written in decimal or 0x; UserError names the argument."""
    text = text.strip()
    if re.fullmatch(r"-\s*[0-9].*", text):
        raise UserError(f"{argument}: {shorten(text)} is negative; give a number from 0 on")
    if not _NUMBER.fullmatch(text):
        raise UserError(
            f"{argument}: {shorten(text)!r} is not a whole number; write decimal, "
            "such as 65537, or hexadecimal, such as 0x10001"
        )
    if len(text) > _LONGEST:
        raise UserError(
            f"{argument}: {len(text)} digits are more than any design takes; "
            "give a number of at most 4096 bits"
        )
    return int(text, 16) if text[:2] in ("0x", "0X") else int(text)


def shorten(text: str) -> str:
    """Return the text, its middle left out if it is long."""
    if len(text) <= _DIGITS_SHOWN:
        return text
    half = _DIGITS_SHOWN // 2 - 1
    return f"{text[:half]}..{text[-half:]}"


def check_output(argument: str, path: Path) -> Path:
    """Return the path, its folder made; UserError if a file cannot be written there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a"):
            pass
    except OSError as error:
        raise UserError(
            f"{argument}: cannot write {path} ({error.strerror}); give another file"
        ) from None
    return path
