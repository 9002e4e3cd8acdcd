"""An exponentiator to which R, R^2 and the units' constant are given with the hardware.

Documents 000 (R^2) and 002 have them as inputs, found outside once for a modulus; here that is the
only modulus, and they stand from the beginning.
"""

from dataclasses import replace
from functools import partial

from pymtl3 import InPort, OutPort, mk_bits

from cl.organisation import Organisation
from cl.unit import Part, Unit
from rtl.exp.enter import EnterPorts
from rtl.exp.judge import OnlyModulus
from rtl.exp.organised import Organised, organised
from rtl.exp.r_squared import RSquaredPorts
from rtl.leaf.flattened import Flattened


class GivenRSquared(RSquaredPorts, Flattened):
    """value = R^2 mod m, given."""

    def construct(s, nbits: int, guard_bits: int, r_squared: int):
        super().construct(nbits, guard_bits)
        s.done //= 1
        s.value //= mk_bits(nbits + guard_bits)(r_squared)


class GivenOne(EnterPorts, Flattened):
    """value = R mod m, given."""

    def construct(s, nbits: int, guard_bits: int, one: int):
        super().construct(nbits, guard_bits)
        s.done //= 1
        s.value //= mk_bits(nbits + guard_bits)(one)


class GivenConstant(Flattened):
    """constant = what the units ask for, given."""

    def construct(s, nbits: int, constant_bits: int, constant: int):
        s.start = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.constant = OutPort(constant_bits)
        s.done //= 1
        s.constant //= mk_bits(constant_bits)(constant)


def given_r_squared(unit: Unit, organisation: Organisation, mod: int) -> Organised:
    """Make an exponentiator of such units for one modulus, with its R^2."""
    nbits = unit.nbits
    judge = partial(OnlyModulus, nbits, mod)
    made = organised(unit, organisation, takes=mod.__eq__, judge=judge)
    r_squared = partial(GivenRSquared, nbits, unit.guard_bits, (1 << 2 * unit.radix) % mod)
    return replace(made, parts=replace(made.parts, r_squared=Part(r_squared)))


def given(
    unit: Unit, organisation: Organisation, mod: int, constant: int, constant_bits: int
) -> Organised:
    """Make an exponentiator of such units for one modulus, with R, R^2 and that constant of it."""
    nbits, guard = unit.nbits, unit.guard_bits
    made = given_r_squared(unit, organisation, mod)
    parts = replace(
        made.parts,
        constant=Part(partial(GivenConstant, nbits, constant_bits, constant)),
        one=Part(partial(GivenOne, nbits, guard, (1 << unit.radix) % mod)),
    )
    return replace(made, parts=parts)
