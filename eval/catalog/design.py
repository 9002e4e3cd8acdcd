"""What the catalog says of a design: the records of multipliers and exponentiators."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pymtl3 import Component

from cl.exponentiator import Exponentiator
from cl.unit import Unit
from cl.xcel import XcelCL
from eval.printed.published import Published
from fl.rsa_keys import RsaKey
from fl.xcel import XcelFL
from rtl.mul.with_constant import by_itself
from rtl.port.xcel import XcelRTL

MODEL_LEVELS = ("fl", "cl", "rtl")


@lru_cache(None)
def _bound(make: Callable[[int], Any], nbits: int) -> Any:
    """What `make` makes at a width, made once."""
    return make(nbits)


@dataclass(frozen=True)
class Moduli:
    """Which moduli a design takes; the others are answered with status "bad modulus"."""

    text: str
    # (nbits) -> a key that is measured where the workloads' own is none of these
    key: Callable[[int], RsaKey] | None = None
    only: Callable[[int], int] | None = None  # (nbits) -> the only one, fixed in the hardware

    @property
    def kind(self) -> str:
        """The text without its details: any, odd, a form."""
        return re.split(r" >=| only|,", self.text)[0]


ANY_MODULUS = Moduli("any >= 1")
ODD_MODULUS = Moduli("odd >= 1")


@dataclass(frozen=True)
class Multiplier:
    """A modular multiplier of any width; at(nbits) is a Unit, with its value, time and hardware."""

    name: str
    title: str
    make: Callable[[int], Unit]
    tested_to: int = 4096  # the widest that tests simulate

    def at(self, nbits: int) -> Unit:
        """The unit that exponentiators of this width are made of."""
        return _bound(self.make, nbits)

    def by_itself(self, nbits: int) -> Unit:
        """The same as a unit that needs nothing else."""
        return by_itself(self.at(nbits))


@dataclass(frozen=True)
class Design:
    """An exponentiator of any width: at(nbits) has its value, time and hardware."""

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
    published: tuple[Published, ...] = ()

    def at(self, nbits: int) -> Exponentiator:
        """The exponentiator of this width."""
        return _bound(self.make, nbits)

    @property
    def schedule(self) -> str:
        """The order of its products in words."""
        return self.at(self.widths[0]).schedule

    @property
    def constant_time(self) -> bool:
        """Whether its cycles are the same for every request."""
        return self.at(self.widths[0]).constant_time

    def cycles(self, nbits: int, base: int, exp: int, mod: int) -> int:
        """Cycles from request to response if nothing stalls; exact, tested against RTL."""
        return self.at(nbits).latency(base, exp, mod)

    def component(self, level: str, nbits: int) -> Component:
        """A new exponentiator at level fl, cl or rtl, with stream ports recv and send."""
        return self.at(nbits).component(level)

    def xcel(self, level: str, nbits: int) -> Component:
        """A new accelerator around the exponentiator, with the processor's port xcel."""
        exponentiator = self.at(nbits)
        if level == "fl":
            return XcelFL(nbits, exponentiator.value)
        if level == "cl":
            return XcelCL(exponentiator)
        return XcelRTL(exponentiator, self.moduli.only(nbits) if self.moduli.only else None)
