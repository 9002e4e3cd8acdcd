"""The time of an exponentiator that is put together from parts.

It is the sum of what happens: conversion in, the loop's rounds of products, conversion out. Where a
product's time depends on its operands, the products are computed.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from cl.model import Model
from cl.organisation import Organisation
from cl.unit import Part, Unit
from fl.exponentiator import mod_exp
from fl.messages import mk_exp_msgs
from fl.schedule import LEFT_TO_RIGHT, POWER, RESULT, Counts

SKIPPED = 1  # cycles of a request that needs no product


@dataclass(frozen=True)
class Exponentiator(Model):
    """result, status = base^exp mod mod, for the moduli that it takes."""

    nbits: int
    takes: Callable[[int], bool]

    constant_time: ClassVar[bool] = False

    @property
    def messages(self) -> tuple[type, type]:
        """Requests of base, exp and mod, responses of result and status."""
        return mk_exp_msgs(self.nbits)

    def value(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        """The power and status OK, or 0 and BAD_MODULUS."""
        return mod_exp(base, exp, mod, self.takes)

    @property
    def schedule(self) -> str:
        """The schedule in words, and how its products are made."""
        raise NotImplementedError

    def counts(self, exp: int) -> Counts:
        """The loop's products for an exponent >= 1."""
        raise NotImplementedError


@dataclass(frozen=True)
class Parts:
    """What an exponentiator is put together from; each makes a component of its own.

    judge: which moduli it takes. base: holds the operand, or passes it. constant: of the modulus,
    for the units. r_squared: what the base is multiplied by on its way in. enter: makes the base
    the loop's first power. one: the loop's first result, where that is a value of the multiplier's
    domain. loop: the rounds of products. leave: makes the loop's last value the result.
    """

    unit: Unit
    organisation: Organisation
    judge: Part
    base: Part
    constant: Part
    r_squared: Part
    enter: Part
    one: Part
    loop: Part
    leave: Part

    @property
    def in_domain(self) -> bool:
        """Whether the loop's result is a value of a domain that it must leave."""
        return self.organisation.stays_in_domain and self.unit.radix > 0

    @property
    def waits(self) -> bool:
        """Whether the base enters only after the cycle in which it comes."""
        return self.organisation.entry != "at-once"

    @property
    def leaves(self) -> bool:
        """Whether something is to be done after the loop."""
        return self.in_domain or self.unit.reduction is not None


@dataclass(frozen=True)
class ExponentiatorOfParts(Exponentiator):
    """An exponentiator of parts: its time; the hardware is rtl/exp/exponentiator.py."""

    parts: Parts

    @property
    def constant_time(self) -> bool:
        """Whether all requests take the same cycles."""
        return self.parts.organisation.schedule.constant

    @property
    def schedule(self) -> str:
        """The schedule in words, and which units make its products."""
        return self.parts.organisation.text

    def counts(self, exp: int) -> Counts:
        """The loop's products for an exponent >= 1."""
        return self.parts.organisation.schedule.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Cycles from request to response."""
        if not self.constant_time and (exp == 0 or not self.takes(mod)):
            return SKIPPED
        ended = self._entered(base, exp, mod) + self._loop(base, exp, mod)
        return ended + 1 + self.parts.leave.time(mod)

    def _entered(self, base: int, exp: int, mod: int) -> int:
        """Cycles to the one before the loop's first requests."""
        parts, organisation = self.parts, self.parts.organisation
        if organisation.entry == "at-once":
            return 0
        if organisation.entry == "as-it-is":
            return 2 + parts.constant.time(mod)
        entered = 2 + parts.r_squared.time(mod)
        entered += parts.unit.latency(base, self._r_squared(mod), mod)
        if organisation.schedule is LEFT_TO_RIGHT:  # leading zeros leave, a bit per cycle
            return max(entered + 1, self.nbits - exp.bit_length() + 2)
        return entered

    def _r_squared(self, mod: int) -> int:
        """What the base is multiplied by on its way in."""
        return (1 << 2 * self.parts.unit.radix) % mod if self.parts.unit.radix and mod else 1

    def _loop(self, base: int, exp: int, mod: int) -> int:
        """Cycles from the one before the first requests to that of the last answer.

        A round's products are asked for together; those of one unit follow each other.
        """
        unit, organisation = self.parts.unit, self.parts.organisation
        values = None if unit.constant_time else self._first_values(base, mod)
        operands = (0, 0, mod)
        latency, interval = unit.latency(*operands), unit.interval(*operands)
        free: Counter[bool] = Counter()  # when each unit takes its next request
        offered, end = 1, 0
        for products in organisation.schedule.rounds(exp, self.nbits):
            made, end = {}, 0
            for product in products:
                if values:
                    operands = (values[product.a], values[product.b], mod)
                    latency, interval = unit.latency(*operands), unit.interval(*operands)
                    made[product.into] = unit.value(*operands)
                own = product.squares and organisation.units > 1
                taken = max(offered, free[own])
                free[own] = taken + interval
                end = max(end, taken + latency)
            if values:
                values |= made
            offered = end if organisation.forward else end + 1
        return end

    def _first_values(self, base: int, mod: int) -> dict[str, int]:
        """The power and the result with which the loop begins."""
        unit, organisation = self.parts.unit, self.parts.organisation
        power = base
        if organisation.entry not in ("at-once", "as-it-is"):
            power = unit.value(base, self._r_squared(mod), mod)
        if organisation.schedule.first == POWER:
            return {POWER: power, RESULT: power}
        return {POWER: power, RESULT: (1 << unit.radix if self.parts.in_domain else 1) % mod}
