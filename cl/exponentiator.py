"""The time of an exponentiator put together as an Organisation says.

Written as the sum of what happens: conversion in, the loop's bits, conversion out. The products
are computed, since a plain multiplier's time depends on its operands.
"""

from collections.abc import Callable
from dataclasses import dataclass

from cl.organisation import Organisation
from cl.server import ServerCL, Timing
from fl.messages import mk_exp_msgs
from fl.mod_exp import mod_exp
from fl.montgomery import first_power

Operands = Callable[[int, int, int], int]


@dataclass(frozen=True)
class UnitModel:
    """A multiplier at one width, as functions of (a, b, m); r of R = 2^r, 0 if plain."""

    value: Operands
    latency: Operands
    interval: Operands
    radix: int
    plain_latency: Operands | None = None  # of the unit that finds R^2, if it has its own
    prepare: Callable[[int], int] = lambda mod: 0  # to the unit's constant of the modulus
    finish: Callable[[int], int] | None = None  # from the last product to the reduced result
    moduli: Callable[[int], bool] | None = None  # which it takes, if not what its domain says

    def takes(self, mod: int) -> bool:
        """Whether an exponentiator of such units answers for mod."""
        return self.moduli(mod) if self.moduli else takes(mod, self.radix)


def takes(mod: int, radix: int) -> bool:
    """Whether an exponentiator with that R answers for mod: any >= 1, or the odd ones."""
    return mod % 2 == 1 if radix else mod >= 1


def r_squared_cycles(nbits: int, mod: int, organisation: Organisation, unit: UnitModel) -> int:
    """Cycles from the start to the first one in which R^2 stands, less one."""
    if organisation.r_squared == "one":
        return 0
    if organisation.r_squared == "none":
        return unit.prepare(mod)
    if organisation.r_squared == "remainder":
        return 2 * unit.radix + 1
    if organisation.r_squared == "product":
        rest = (1 << nbits) - mod
        cycles = 0
        if not mod >> (nbits - 1):
            cycles += 1 + unit.plain_latency(rest, int(mod != 1), mod)
            rest %= mod
        return cycles + 1 + unit.plain_latency(rest, rest, mod)
    squarings, radix = organisation.squarings, unit.radix
    constant = organisation.loop == "always"
    cycles = radix + (radix >> squarings) - (0 if constant else first_power(nbits, mod)[1])
    for i in range(squarings):
        # a squaring's time may depend on its operands only in the plain domain
        cycles += unit.latency(0, 0, mod) + 1 + (radix >> i & 1)
    return cycles


def exponentiator_latency(
    nbits: int, base: int, exp: int, mod: int, organisation: Organisation, unit: UnitModel
) -> int:
    """Cycles from request to response, if nothing stalls; equal to the hardware's."""
    constant = organisation.loop == "always"
    if not constant and (exp == 0 or not unit.takes(mod)):
        return 1
    r_squared = (1 << 2 * unit.radix) % mod if mod else 0
    ready = 2 + r_squared_cycles(nbits, mod, organisation, unit)
    converts = organisation.r_squared != "none"
    entered = ready
    if converts:
        entered += unit.latency(base, r_squared if unit.radix else 1, mod)
    if constant:
        out = unit.finish(mod) if unit.finish else 0
        return entered + _constant_loop(nbits, mod, organisation, unit) + 1 + out
    power = unit.value(base, r_squared if unit.radix else 1, mod) if converts else base
    in_domain = organisation.stays_in_domain and unit.radix > 0
    if organisation.loop == "left-to-right":
        skipped = nbits - exp.bit_length() + 2
        begin = max(entered + 1, skipped)
        end = begin + _left_to_right(power, exp, mod, organisation, unit)
    else:
        one = (1 << unit.radix) % mod if in_domain else int(mod != 1)
        end = entered + _right_to_left(power, one, exp, mod, organisation, unit)
    out = unit.latency(0, int(mod != 1), mod) if in_domain else 0
    return end + 1 + out + (unit.finish(mod) if unit.finish else 0)


def _gap(forward: bool, latency: int, interval: int) -> int:
    """Cycles from an answer to the next request's acceptance by the same unit."""
    return max(0, interval - latency) if forward else 1


def _right_to_left(
    power: int, one: int, exp: int, mod: int, organisation: Organisation, unit: UnitModel
) -> int:
    """Cycles from the cycle before the first request to that of the last answer."""
    result = one
    offered = 1  # when the bit's requests come; a unit takes one when it is free
    square_free = multiply_free = end = 0
    while exp:
        ends = []
        if exp & 1:
            operands = (result, power, mod)
            taken = max(offered, multiply_free)
            multiply_free = taken + unit.interval(*operands)
            ends.append(taken + unit.latency(*operands))
            result = unit.value(*operands)
        exp >>= 1
        if exp:
            operands = (power, power, mod)
            taken = max(offered, multiply_free if organisation.units == 1 else square_free)
            square_free = taken + unit.interval(*operands)
            if organisation.units == 1:
                multiply_free = square_free
            ends.append(taken + unit.latency(*operands))
            power = unit.value(*operands)
        end = max(ends)
        offered = end if organisation.forward else end + 1
    return end


def _constant_loop(nbits: int, mod: int, organisation: Organisation, unit: UnitModel) -> int:
    """The same for all nbits of an exponent; the unit's time does not depend on operands."""
    operands = (0, 0, mod)
    latency, interval = unit.latency(*operands), unit.interval(*operands)
    bit = latency + (interval if organisation.units == 1 else 0)
    return 1 + (nbits - 1) * (bit + _gap(organisation.forward, latency, interval)) + latency


def _left_to_right(
    power: int, exp: int, mod: int, organisation: Organisation, unit: UnitModel
) -> int:
    """Cycles from the first one in which the highest bit is out to that of `done`."""
    result, cycles, gap = power, 0, 0
    for bit in bin(exp)[3:]:
        for multiplies in (False, True) if bit == "1" else (False,):
            operands = (result, power if multiplies else result, mod)
            latency, interval = unit.latency(*operands), unit.interval(*operands)
            cycles += gap + latency
            result = unit.value(*operands)
            gap = _gap(organisation.forward, latency, interval)
    return cycles + (1 if exp > 1 else 0)


class ExponentiatorCL(ServerCL):
    """mod_exp(base, exp, mod) after exponentiator_latency cycles, one request at a time."""

    def construct(s, nbits: int, organisation: Organisation, unit: UnitModel):
        super().construct(
            *mk_exp_msgs(nbits),
            lambda *request: mod_exp(*request, unit.takes),
            Timing.one_at_a_time(
                lambda *request: exponentiator_latency(nbits, *request, organisation, unit)
            ),
        )
