"""What a core of others computes, as it is declared, and when, as it is measured."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pymtl3 import Component

from cl.exponentiator import Exponentiator
from cl.unit import Unit
from fl.schedule import Counts
from rtl.foreign.taken import Taken
from rtl.foreign.text import VerilogModule
from rtl.foreign.unit import BareRTL, ForeignExponentiatorRTL, ForeignMultiplierRTL


@dataclass(frozen=True)
class Declared:
    """Says of a core what it takes, and where its Verilog and its cycles come from.

    accepts: the operands for which it must be right, of moduli that are taken. core, adapted: the
    Verilog at a width, without and with its adapter. cycles: runs a request at a width. given: how
    many of these cycles find what a host usually gives, at a width. asked: the constants of the
    modulus that the core asks for, at a width. hosted: whether the host gives them.
    """

    name: str
    taken: Taken
    accepts: Callable[[int, int, int], bool]
    constant_time: bool
    core: Callable[[int], VerilogModule]
    adapted: Callable[[int], VerilogModule]
    cycles: Callable[..., int]
    given: Callable[[int], int]
    asked: Callable[[int], Mapping[str, tuple[str, int]]] = lambda nbits: {}
    hosted: bool = False


@dataclass(frozen=True)
class ForeignUnit(Unit):
    """Is a multiplier of others: r = a*b/2^shift mod m."""

    declared: Declared
    shift: int
    measured = True

    @property
    def radix(self) -> int:
        return self.shift

    @property
    def constant_time(self) -> bool:
        return self.declared.constant_time

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined for these operands."""
        return self.declared.taken(m, self.nbits) and self.declared.accepts(a, b, m)

    def value(self, a: int, b: int, m: int) -> int:
        """Return r."""
        return a * b * pow(2, -self.shift, m) % m if self.shift else a * b % m

    def latency(self, a: int, b: int, m: int) -> int:
        """Measure the cycles to the response; where they are constant, of one request."""
        if self.constant_time:
            a, b, m = 1, 1, (1 << self.nbits) - 1
        return self.declared.cycles(self.nbits, a, b, m)

    def rtl(self) -> Component:
        """Make a new component of core and adapter."""
        return ForeignMultiplierRTL(self.nbits, self.declared.adapted(self.nbits))

    def bare(self) -> Component:
        """Make a new component of the core alone."""
        return BareRTL(self.declared.core(self.nbits))


@dataclass(frozen=True)
class ForeignExponentiator(Exponentiator):
    """Is an exponentiator of others."""

    declared: Declared
    measured = True
    schedule = "of the core"

    @property
    def constant_time(self) -> bool:
        """Return whether it is declared so."""
        return self.declared.constant_time

    def accepts(self, base: int, exp: int, mod: int) -> bool:
        """Return whether it must be right for the request; a bad modulus is always answered."""
        return not self.takes(mod) or self.declared.accepts(base, exp, mod)

    def counts(self, exp: int) -> Counts:
        """Count no products: nobody sees them."""
        return Counts(0, 0)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Measure the cycles to the response; the adapter refuses a modulus in the next one."""
        return self.declared.cycles(self.nbits, base, exp, mod) if self.takes(mod) else 1

    def rtl(self) -> Component:
        """Make a new component of core and adapter."""
        return ForeignExponentiatorRTL(self.nbits, self.declared.adapted(self.nbits))

    def bare(self) -> Component:
        """Make a new component of the core alone."""
        return BareRTL(self.declared.core(self.nbits))


@dataclass(frozen=True)
class InsideUnit(Unit):
    """Is a multiplier that stays inside a core of others: nobody can ask it."""

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return a * b % m
