"""What the catalog says of a design: the records of multipliers and exponentiators."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pymtl3 import Component

from cl.xcel import XcelCL
from eval.printed.published import Published
from fl.mod_exp import mod_exp
from fl.rsa_keys import RsaKey
from fl.xcel import XcelFL
from rtl.port.xcel import XcelRTL

MODEL_LEVELS = ("fl", "cl", "rtl")


@dataclass(frozen=True)
class Moduli:
    """Which moduli a design takes; the others are answered with status "bad modulus"."""

    text: str
    takes: Callable[[int, int], bool]  # (nbits, mod)
    # (nbits) -> a key that is measured where the workloads' own is none of these
    key: Callable[[int], RsaKey] | None = None
    only: Callable[[int], int] | None = None  # (nbits) -> the only one, fixed in the hardware

    @property
    def kind(self) -> str:
        """The text without its details: any, odd, a form."""
        return re.split(r" >=| only|,", self.text)[0]

    def at(self, nbits: int) -> Callable[[int], bool]:
        """Which moduli it takes at a width."""
        return lambda mod: self.takes(nbits, mod)


ANY_MODULUS = Moduli("any >= 1", lambda nbits, mod: mod >= 1)
ODD_MODULUS = Moduli("odd >= 1", lambda nbits, mod: mod % 2 == 1)


@dataclass(frozen=True)
class Multiplier:
    """A modular multiplier: what it computes, when it answers, and its component a level."""

    name: str
    title: str
    value: Callable[[int, int, int, int], int]  # (nbits, a, b, m) -> r
    cycles: Callable[[int, int, int, int], int]  # (nbits, a, b, m) -> request to response
    components: dict[str, Callable[[int], Component]]  # level -> (nbits -> component)
    # whether r is defined: (nbits, a, b, m)
    accepts: Callable[[int, int, int, int], bool] = lambda nbits, a, b, m: m >= 1
    radix: Callable[[int], int] = lambda nbits: 0  # r = a*b/2^radix mod m
    guard_bits: int = 0  # of a, b and r beyond nbits; r < m, or 2m if there are any
    # (nbits, a, b, m) -> request to next request; None: one cycle after its response
    interval: Callable[[int, int, int, int], int] | None = None
    constant_time: bool = False
    # Classes of components chained many to a cycle, which synthesis maps with their parents.
    dissolve: tuple[str, ...] = ()
    fixed_modulus: Callable[[int], int] | None = None  # the only m that it takes, of nbits
    tested_to: int = 4096  # the widest that tests simulate

    def component(self, level: str, nbits: int) -> Component:
        """A new component of this unit at level fl, cl or rtl."""
        return self.components[level](nbits)


@dataclass(frozen=True)
class Design:
    """An exponentiator: an exponentiation schedule and a modular multiplier, at any width."""

    name: str
    title: str
    source: str
    family: str
    schedule: str
    multiplier: Multiplier
    latency: Callable[[int, int, int, int], int]  # (nbits, base, exp, mod)
    components: dict[str, Callable[[int], Component]]
    domain: str = "plain"
    moduli: Moduli = ANY_MODULUS
    widths: tuple[int, int] = (8, 4096)
    tested_to: int = 4096  # the widest in the default tests; unrolled arrays take long to compile
    constant_time: bool = False
    published: tuple[Published, ...] = field(default=())

    def value(self, nbits: int, base: int, exp: int, mod: int) -> tuple[int, int]:
        """(result, status) of an n-bit request."""
        return mod_exp(base, exp, mod, self.moduli.at(nbits))

    def cycles(self, nbits: int, base: int, exp: int, mod: int) -> int:
        """Cycles from request to response if nothing stalls; exact, tested against RTL."""
        return self.latency(nbits, base, exp, mod)

    def component(self, level: str, nbits: int) -> Component:
        """A new exponentiator at level fl, cl or rtl, with stream ports recv and send."""
        return self.components[level](nbits)

    def xcel(self, level: str, nbits: int) -> Component:
        """A new accelerator around the exponentiator, with the processor's port xcel."""

        def compute(*request: int) -> tuple[int, int]:
            return self.value(nbits, *request)

        if level == "fl":
            return XcelFL(nbits, compute)
        if level == "cl":
            return XcelCL(nbits, lambda *request: self.cycles(nbits, *request), compute)
        only = self.moduli.only(nbits) if self.moduli.only else None
        return XcelRTL(nbits, self.components["rtl"], only)
