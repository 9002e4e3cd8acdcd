"""What the catalog says of a design: the records of multipliers and exponentiators."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from pymtl3 import Component

from cl.exponentiator import Exponentiator
from cl.unit import Unit
from fl.peripheral_at_once import PeripheralAtOnce
from fl.peripheral_map import LOADED, Fixed
from fl.peripheral_registers import Registers
from fl.rsa_keys import RsaKey
from sim.errors import UserError

MODEL_LEVELS = ("fl", "cl", "rtl")


def model_level(level: str) -> str:
    """Name the level of the component: batch and verilog run the translated rtl."""
    return level if level in MODEL_LEVELS else "rtl"


@lru_cache(None)
def _bound(make: Callable[[int], Any], nbits: int, kind: type[Any]) -> Any:
    """Return what `make` makes at a width, made once; UserError if it is not of a kind."""
    made = make(nbits)
    if not isinstance(made, kind):
        raise UserError(
            f"design: its `make` returns {made!r:.60} at {nbits} bits; it must return "
            f"{'an' if kind is Exponentiator else 'a'} {kind.__name__}"
        )
    return made


@dataclass(frozen=True)
class Moduli:
    """Says which moduli a design takes; others are answered with status "bad modulus".

    text: the condition in words, "any >= 1".
    """

    text: str
    # (nbits) -> a key that is measured where the workloads' own is none of these
    key: Callable[[int], RsaKey] | None = None
    only: Callable[[int], int] | None = None  # (nbits) -> the only one, fixed in the hardware

    @property
    def some(self) -> bool:
        """Return whether the moduli are of one form, so that the workloads' own is none of them."""
        return self.key is not None

    @property
    def kind(self) -> str:
        """Return the text without its details: any, odd, a form."""
        return re.split(r" >=| only|,", self.text)[0]


def any_modulus(mod: int) -> bool:
    """Return whether mod is a modulus: any but 0."""
    return mod >= 1


ANY_MODULUS = Moduli("any >= 1")
ODD_MODULUS = Moduli("odd >= 1")


@dataclass(frozen=True)
class Multiplier:
    """Describes a modular multiplier; at(nbits) is a Unit, with its value, time and hardware.

    name, title: its name for commands, and what it is in a few words.
    make: makes its unit at a width.
    """

    name: str
    title: str
    make: Callable[[int], Unit]
    tested_to: int = 4096  # the widest that tests simulate
    inside: bool = False  # of a core of others, which nobody can take out

    def at(self, nbits: int) -> Unit:
        """Return the unit that exponentiators of this width are made of."""
        return _bound(self.make, nbits, Unit)

    def by_itself(self, nbits: int) -> Unit:
        """Return the same as a unit that needs nothing else."""
        from rtl.mul.with_constant import by_itself

        return by_itself(self.at(nbits))


@dataclass(frozen=True)
class Design:
    """Describes an exponentiator; at(nbits) has its value, time and hardware.

    name, title: its name for commands, and what it is in a few words.
    source: where it comes from, "document 004, algo 6 (corrected)".
    family: the designs that charts show alike.
    multiplier: what makes its products.
    make: makes the exponentiator at a width.
    domain: which values it works on, in words: "plain", "Montgomery, R = 2^n".
    moduli: those that it takes.
    widths: the least and the greatest.
    """

    name: str
    title: str
    source: str
    family: str
    multiplier: Multiplier
    make: Callable[[int], Exponentiator]
    domain: str = "plain"
    moduli: Moduli = ANY_MODULUS
    widths: tuple[int, int] = (8, 4096)
    tested_to: int = 4096  # the widest in the default tests; unrolled arrays take long to compile
    spelled: str = ""  # as a point of a family, if it is one
    only_numbers: bool = False  # what its multiplier is
    # What is assumed of a design without hardware: um2, and ns of the shortest period.
    assumed_area_um2: float | None = None
    assumed_period_ns: float | None = None
    bare: bool = False  # a core of others without an adapter: nothing can be asked of it
    # (nbits, modulus) -> the same for that modulus alone, of trees that any modulus has
    of_modulus: Callable[[int, int], Exponentiator] | None = None

    def at(self, nbits: int) -> Exponentiator:
        """Return the exponentiator of this width."""
        return _bound(self.make, nbits, Exponentiator)

    def built_for(self, modulus: int) -> "Design":
        """Return the design whose hardware is made for that modulus, if there is such hardware;
        otherwise itself."""
        of_modulus = self.of_modulus
        if not of_modulus:
            return self
        moduli = replace(self.moduli, text="the key's only", only=lambda nbits: modulus)
        return replace(self, make=lambda nbits: of_modulus(nbits, modulus), moduli=moduli)

    @cached_property
    def assumed(self) -> bool:
        """Return whether its multiplier is no hardware yet: nothing can be translated or mapped."""
        if self.bare or self.multiplier.inside:  # a third-party core is hardware
            return False
        return self.only_numbers or not self.multiplier.at(self.widths[0]).has_hardware

    @property
    def schedule(self) -> str:
        """Return the order of its products in words."""
        return self.at(self.widths[0]).schedule

    @property
    def constant_time(self) -> bool:
        """Return whether its cycles are the same for every request."""
        return self.at(self.widths[0]).constant_time

    def cycles(self, nbits: int, base: int, exp: int, mod: int) -> int:
        """Count cycles from request to response if nothing stalls; exact, tested against RTL."""
        return self.at(nbits).latency(base, exp, mod)

    def component(self, level: str, nbits: int) -> Component:
        """Make a new exponentiator at level fl, cl or rtl, with stream ports recv and send."""
        return self.at(nbits).component(level)

    def xcel(self, level: str, nbits: int) -> Component:
        """Make a new accelerator around the exponentiator, with the processor's port xcel."""
        exponentiator = self.at(nbits)
        if level == "fl":
            from fl.component.xcel import XcelFL

            return XcelFL(exponentiator)
        if level == "cl":
            from cl.xcel import XcelCL

            return XcelCL(exponentiator)
        from rtl.port.xcel import XcelRTL

        return XcelRTL(exponentiator, self.moduli.only(nbits) if self.moduli.only else None)

    def peripheral(self, level: str, nbits: int, fixed: Fixed = LOADED) -> Component:
        """Make a new peripheral around the exponentiator, with the ports of a bus."""
        exponentiator = self.at(nbits)
        if self.moduli.only:
            fixed = replace(fixed, modulus=self.moduli.only(nbits))
        if exponentiator.by_crt and level == "fl":
            from fl.component.peripheral_crt import PeripheralCrtFL

            return PeripheralCrtFL(exponentiator, fixed, self.name)
        if exponentiator.by_crt and level == "cl":
            from cl.peripheral_crt import PeripheralCrtCL

            return PeripheralCrtCL(exponentiator, fixed, self.name)
        if level == "fl":
            from fl.component.peripheral import PeripheralFL

            return PeripheralFL(nbits, exponentiator.value, fixed, self.name)
        if level == "cl":
            from cl.peripheral import PeripheralCL

            return PeripheralCL(exponentiator, fixed, self.name)
        from rtl.port.peripheral import PeripheralRTL

        return PeripheralRTL(exponentiator, fixed, self.name)

    def on_bus(self, level: str, nbits: int) -> Component | PeripheralAtOnce:
        """Make a new peripheral for the bus of a processor at a level: fl's has no time."""
        if level != "fl":
            return self.peripheral("rtl", nbits)
        fixed = Fixed(self.moduli.only(nbits)) if self.moduli.only else LOADED
        if self.at(nbits).by_crt:
            from fl.peripheral_crt import CrtRegisters

            return PeripheralAtOnce(CrtRegisters(self.at(nbits), fixed, self.name))
        return PeripheralAtOnce(Registers(nbits, self.at(nbits).value, fixed, self.name))
