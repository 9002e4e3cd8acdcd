"""Design points: a design at a width."""

import re
from dataclasses import dataclass
from shlex import quote

from pymtl3 import Component

from eval.catalog import find
from eval.catalog.design import Design
from eval.catalog.inputs import shorten
from fl.peripheral_map import LEAST_BITS
from sim.errors import ArgumentError


def identifier(design: str) -> str:
    """Write a design's name as part of a Verilog name, without `__`."""
    return re.sub(r"\W+", "_", design).strip("_")


@dataclass(frozen=True, order=True)
class Point:
    """Names one design at one width; ArgumentError unless there are such a design and width.

    A design may be spelled as a point of a family: its name is then the catalog's, or the shortest.
    """

    design: str
    nbits: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "design", find(self.design).name)
        least, most = self.entry.widths
        if not (isinstance(self.nbits, int) and least <= self.nbits <= most):
            raise ArgumentError(
                f"--nbits: {shorten(self.nbits)} is not a width of {self.design}; "
                f"choose from {least} to {most}"
            )

    def __str__(self) -> str:
        return f"{self.design}-{self.nbits}"

    @property
    def top(self) -> str:
        """Return the name of the point's Verilog top module: no other point's, no `__` in it."""
        return f"{identifier(self.design)}_{self.nbits}"

    @property
    def arguments(self) -> str:
        """Return the point as on a command line."""
        return f"{quote(self.design)} --nbits {self.nbits}"

    def top_of(self, unit: str) -> str:
        """Return the name of a unit's Verilog top module."""
        return self.top if unit == "accelerator" else f"{self.top}_{unit}"

    def component(self, unit: str) -> Component:
        """Make a new component of a unit: the accelerator, the peripheral, what is in both."""
        self.check_hardware("design")
        if unit == "accelerator":
            return self.entry.xcel("rtl", self.nbits)
        if unit == "peripheral":
            self.check_peripheral()
            return self.entry.peripheral("rtl", self.nbits)
        if unit == "exponentiator":
            return self.entry.component("rtl", self.nbits)
        if unit == "core":
            return self.bare()
        return self.entry.multiplier.at(self.nbits).rtl()

    def bare(self) -> Component:
        """Make a new component of a core of others, without its adapter; UserError of ours."""
        for unit in (self.entry.at(self.nbits), self.entry.multiplier.at(self.nbits)):
            if hasattr(unit, "bare"):
                bare: Component = unit.bare()
                return bare
        raise ArgumentError(f"--unit: {self.design} has no core of others; leave --unit out")

    @property
    def holds(self) -> str:
        """Return the name of the design."""
        return self.design

    @property
    def entry(self) -> Design:
        """Return the design's entry in the catalog."""
        return find(self.design)

    def check_hardware(self, argument: str) -> None:
        """Raise ArgumentError if there is nothing to translate, as its multiplier is no hardware
        yet."""
        others = "simulate it at level cl, formula or rtl, or explore it --to none"
        if self.entry.only_numbers:
            raise ArgumentError(
                f"{argument}: the multipliers of {self.design} are only numbers, there is no "
                f"hardware; {others}, or with area= and period= beside designs that are mapped"
            )
        if self.entry.assumed:
            raise ArgumentError(
                f"{argument}: the multiplier of {self.design} is no hardware yet; {others}; "
                "`modexplorer new FOLDER --level rtl` adds the next file"
            )

    def check_takes(self, modulus: int, argument: str = "design") -> None:
        """Raise ArgumentError unless the design takes the modulus."""
        if not self.entry.at(self.nbits).takes(modulus):
            raise ArgumentError(
                f"{argument}: {self.design} does not take {shorten(modulus)}; "
                f"give one for any odd modulus, it takes {self.entry.moduli.text}"
            )

    def check_peripheral(self) -> None:
        """Raise ArgumentError unless there are peripherals of the width."""
        if self.nbits < LEAST_BITS:
            raise ArgumentError(
                f"--nbits: {self.nbits} is less than a word of the peripheral; "
                f"give {LEAST_BITS} or more"
            )

    @property
    def has_multiplier(self) -> bool:
        """Return whether the exponentiator holds the multiplier as a component."""
        if self.entry.multiplier.inside:
            return False
        kind = type(self.entry.multiplier.at(self.nbits).rtl())
        whole = self.entry.component("rtl", self.nbits)
        whole.elaborate()
        return any(type(part) is kind for part in whole.get_all_components())
