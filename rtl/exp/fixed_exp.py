"""Exponentiators for a modulus m fixed when they are built, working modulo c*m (fl/fixed_exp.py).

Document 000's figures 16 and 17 (units=2), 37 and 38 (units=1): the loop of right_to_left.py
around combinational multipliers (rtl/mul/fixed_mul.py), a register before each. What is theirs
alone is here: the base is reduced on entry; the unit's own reduction corrects the result.
"""

from dataclasses import replace
from functools import partial

from pymtl3 import update, zext

from cl.organisation import Organisation
from fl.fixed_exp import FixedModulus
from rtl.exp.enter import EnterPorts, TakeAsItIs
from rtl.exp.judge import OnlyModulus
from rtl.exp.organised import Organised, organised
from rtl.mul.fixed_mul import FixedMul
from rtl.mul.fixed_reduce import ReduceConstant


class TakeReduced(EnterPorts):
    """value = operand mod c*m, once `ready`."""

    def construct(s, nbits: int, modulus: FixedModulus):
        super().construct(nbits, 0)
        s.reduce = ReduceConstant(nbits, modulus.worked, modulus.most_at_entry(nbits))
        s.reduce.value //= s.operand
        s.take = TakeAsItIs(nbits, 0)
        s.take.start //= s.start
        s.take.mod //= s.mod
        s.take.ready //= s.ready
        s.take.r_squared //= s.r_squared
        s.take.done //= s.done
        s.take.value //= s.value

        @update
        def extend():
            s.take.operand @= zext(s.reduce.r, nbits)

    def line_trace(s) -> str:
        return s.take.line_trace()


def fixed_exponentiator(unit: FixedMul, units: int, squarer: FixedMul | None = None) -> Organised:
    """Make an exponentiator of such units: with two of them, a bit of the exponent per cycle.

    squarer: what squares in the place of the first of two.
    """
    if squarer and units == 1:
        raise ValueError("a squarer stands beside a multiplier: units must be 2, not 1")
    nbits, modulus = unit.nbits, unit.modulus
    reduces = modulus.most_at_entry(nbits) > 0
    made = organised(
        unit,
        Organisation(units=units, entry="as-it-is"),
        takes=modulus.is_m,
        judge=partial(OnlyModulus, nbits, modulus.m),
        enter=partial(TakeReduced, nbits, modulus) if reduces else None,
    )
    return replace(made, parts=replace(made.parts, squarer=squarer))
