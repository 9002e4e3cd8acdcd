"""The time of an exponentiator that is put together from parts.

It is the sum of what happens: conversion in, the loop's rounds of products, conversion out. Where a
product's time depends on its operands, the products are computed.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeVar

from pymtl3 import Component

from cl.model import Model
from cl.organisation import Organisation
from cl.unit import Part, Unit
from fl.crt import CrtKey
from fl.exponentiator import mod_exp
from fl.masked_ladder import MASKED_LADDER
from fl.messages import mk_exp_msgs
from fl.schedule import LEFT_TO_RIGHT, POWER, RESULT, Counts, power_name
from fl.xcel import EXP

Port = TypeVar("Port")  # that asks for products
SKIPPED = 1  # cycles of a request that needs no product
# What of a request the cycles may tell: the base; the exponent's length; its bits, of one length;
# the modulus; whether the request before had the same one.
BASE, LENGTH, BITS, MODULUS, BEFORE = FACTORS = ("base", "length", "bits", "modulus", "before")


@dataclass(frozen=True)
class Exponentiator(Model):
    """result, status = base^exp mod mod, for the moduli that it takes."""

    nbits: int
    takes: Callable[[int], bool]

    # Of the hardware behind the accelerator's port (core):
    operands_held: ClassVar[bool] = False  # it finds them at `held` as long as it works
    by_crt: ClassVar[bool] = False  # it makes private operations by an RSA key's primes, too

    def accepts(self, base: int, exp: int, mod: int) -> bool:
        """Return whether the result is defined for this request; it is for all of ours."""
        return True

    @property
    def wiped(self) -> tuple[int, ...]:
        """Return the operands, by their registers at the accelerator's port, that a reset sets to
        0 there; all others stay."""
        return ()

    @property
    def result_stays(self) -> bool:
        """Return whether the result is on its port until the next request is taken."""
        return False

    @property
    def constant_time(self) -> bool:
        """Return whether all requests take the same cycles."""
        return False

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare which of FACTORS the cycles depend on, among moduli that it takes."""
        return () if self.constant_time else (BASE, LENGTH, BITS, MODULUS)

    @property
    def messages(self) -> tuple[type, type]:
        """Return the messages: requests of base, exp and mod, responses of result and status."""
        return mk_exp_msgs(self.nbits)

    def value(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        """Return the power and status OK, or 0 and BAD_MODULUS."""
        return mod_exp(base, exp, mod, self.takes)

    @property
    def schedule(self) -> str:
        """Return the schedule in words, and how its products are made."""
        raise NotImplementedError

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent >= 1."""
        raise NotImplementedError

    @property
    def keeps(self) -> bool:
        """Return whether it keeps what it finds of a modulus for as long as that stays."""
        return False

    @property
    def kept(self) -> int | None:
        """Return the modulus of which it keeps something now."""
        return None

    def renewed(self) -> Self:
        """Return it with nothing kept: as it is after a reset, or when the modulus is new."""
        return self

    def private_value(self, base: int, mod: int, key: CrtKey) -> tuple[int, int]:
        """Return result and status of a private operation, if it makes any (by_crt)."""
        raise NotImplementedError

    def private_latency(self, e: int, mod: int) -> int:
        """Count the cycles of a private operation by a key of this public exponent."""
        raise NotImplementedError

    def core(self) -> Component:
        """Make a new component of the hardware, to be put behind the accelerator's port."""
        return self.rtl()


@dataclass(frozen=True)
class Parts:
    """Names what an exponentiator is put together from; each part makes a component of its own.

    judge: says which moduli are taken. constant: finds the number that units ask for. r_squared:
    finds what the base is multiplied by on its way in. enter: makes the base the loop's first
    power. one: makes the loop's first result, where that is a value of the multiplier's domain.
    loop: makes the rounds of products. leave: makes the loop's last value the result. squarer: the
    unit of squarings, where that is another one; its time is the same.
    """

    unit: Unit
    organisation: Organisation
    judge: Part
    constant: Part
    r_squared: Part
    enter: Part
    one: Part
    loop: Part
    leave: Part
    squarer: Unit | None = None

    @property
    def in_domain(self) -> bool:
        """Return whether the loop's result is a value of a domain that it must leave."""
        return self.organisation.stays_in_domain and self.unit.radix > 0

    @property
    def waits(self) -> bool:
        """Return whether the base enters only after the cycle in which it comes."""
        return self.organisation.entry != "at-once"

    @property
    def leaves(self) -> bool:
        """Return whether something is to be done after the loop."""
        return self.in_domain or self.unit.reduction is not None

    def first_result(self, mod: int) -> int:
        """Return the value with which the loop's result begins, if that is not the power."""
        return (1 << self.unit.radix if self.in_domain else 1) % mod

    def allotted(
        self,
        loop: Sequence[Port],
        enter: Sequence[Port],
        one: Sequence[Port],
        leave: Sequence[Port],
        r_squared: Sequence[Port],
    ) -> list[tuple[str, Unit, list[Port]]]:
        """Name the units, and give each the ports that ask it for products, the last one first.

        Every port has a unit of its own, or the last one, which all others share: of these the loop
        goes before conversion in, and that before R^2. Where two units convert, the squaring one
        takes the base in, the other one 1, and the result out.
        """
        *squarings, _ = loop
        own = [*squarings, *enter, *leave, *one][: self.organisation.units - 1]
        users = [*leave, *r_squared, *enter, *one, *loop]
        shared = [user for user in users if all(user is not port for port in own)]
        squarer = self.squarer or self.unit
        if self.organisation.converts:
            shared = [user for user in shared if all(user is not port for port in enter)]
            return [("unit_0", squarer, [*enter, *own]), ("unit", self.unit, shared)]
        alone = [
            (f"unit_{i}", squarer if user in squarings else self.unit, [user])
            for i, user in enumerate(own)
        ]
        return [*alone, ("unit", self.unit, shared)]


@dataclass(frozen=True)
class ExponentiatorOfParts(Exponentiator):
    """Tells the time of an exponentiator of parts, whose cycles rtl/exp/exponentiator.py lists."""

    parts: Parts

    def cl(self) -> Component:
        """Make a new component of the same parts at cycle level: there the cycles emerge."""
        from cl.exp.exponentiator import ExponentiatorCL

        return ExponentiatorCL(self)

    def with_unit(self, unit: Unit) -> Self:
        """Return it with another unit of the same domain, or the same one at another level."""
        return replace(self, parts=replace(self.parts, unit=unit))

    @property
    def measured(self) -> bool:
        """Return whether the time of its products is found by running them."""
        return self.parts.unit.measured

    @property
    def constant_time(self) -> bool:
        """Return whether all requests take the same cycles."""
        return self.parts.organisation.schedule.constant

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare what the cycles depend on.

        Squarings and products side by side hide the bits, unless a unit that has just answered
        must pause: after a bit of 0, which asks for no product, it is ready. What is found of a
        modulus beforehand is there sooner for some.
        """
        unit, organisation = self.parts.unit, self.parts.organisation
        if self.constant_time or not unit.constant_time:
            return super().time_tells
        pauses = unit.interval(0, 0, 0) > unit.latency(0, 0, 0) + (not organisation.forward)
        bits = (BITS,) if organisation.units == 1 or pauses else ()
        found = self.parts.r_squared, self.parts.constant
        modulus = (MODULUS,) if any(part.depends_on_modulus for part in found) else ()
        return (LENGTH, *bits, *modulus)

    @property
    def wiped(self) -> tuple[int, ...]:
        """Return the exponent's register if the loop has it as random shares."""
        return (EXP,) if self.parts.organisation.schedule is MASKED_LADDER else ()

    @property
    def result_stays(self) -> bool:
        """Return whether the result is in the loop's register, not on its way out of it."""
        return not self.parts.leaves and not self.parts.unit.guard_bits

    @property
    def schedule(self) -> str:
        """Return the schedule in words, and which units make its products."""
        return self.parts.organisation.text

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent >= 1."""
        return self.parts.organisation.schedule.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = entered + loop + 1 + leave, or SKIPPED where no product is needed."""
        if not self.constant_time and (exp == 0 or not self.takes(mod)):
            return SKIPPED
        ended = self._entered(base, exp, mod) + self._loop(base, exp, mod)
        return ended + 1 + self.parts.leave.time(mod, self.parts.unit)

    def _entered(self, base: int, exp: int, mod: int) -> int:
        """Return the cycle before the loop's first requests; the request comes in cycle 0.

        Left to right it is counted one late, as that loop ends in the cycle after its last answer.
        """
        parts, organisation = self.parts, self.parts.organisation
        if organisation.entry == "at-once":
            return 0
        if organisation.entry == "as-it-is":
            return 2 + parts.constant.time(mod)
        entered = 2 + max(parts.r_squared.time(mod, parts.unit), parts.constant.time(mod))
        entered += parts.unit.latency(base, self._r_squared(mod), mod)
        if organisation.schedule is LEFT_TO_RIGHT:  # leading zeros leave, a bit per cycle
            return max(entered + 1, self.nbits - exp.bit_length() + 2)
        return entered

    def _r_squared(self, mod: int) -> int:
        """Return what the base is multiplied by on its way in: R^2 mod m, or 1 if R = 1."""
        return (1 << 2 * self.parts.unit.radix) % mod if self.parts.unit.radix and mod else 1

    def _loop(self, base: int, exp: int, mod: int) -> int:
        """Count cycles from the one before the first requests to that of the last answer.

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
            needed = 0  # until when the round's other product needs the power as it was
            for product in products:
                if values:
                    operands = (values[product.a], values[product.b], mod)
                    latency, interval = unit.latency(*operands), unit.interval(*operands)
                    made[product.into] = unit.value(*operands)
                own = product.squares and organisation.units > 1
                taken = max(offered, free[own])
                answered = max(taken + latency, needed if own else 0)
                free[own] = answered - latency + interval
                needed = 0 if organisation.schedule.ladder else taken + 1
                end = max(end, answered)
            if values:
                values |= made
            offered = end if organisation.forward else end + 1
        return end

    def _first_values(self, base: int, mod: int) -> dict[str, int]:
        """Return the power and the result with which the loop begins."""
        unit, organisation = self.parts.unit, self.parts.organisation
        power = base
        if organisation.entry not in ("at-once", "as-it-is"):
            power = unit.value(base, self._r_squared(mod), mod)
        if organisation.schedule.first == POWER:
            return {POWER: power, RESULT: power}
        one = self.parts.first_result(mod)
        return {POWER: power, RESULT: one, power_name(0): one}
