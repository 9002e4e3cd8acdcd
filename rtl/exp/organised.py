"""An organisation's choices as parts of an exponentiator, around any multiplier."""

from collections.abc import Callable
from functools import partial

from pymtl3 import Component

from cl.exp.enter import Converts, Takes, TakesAtOnce
from cl.exp.leave import ConvertsOut
from cl.exp.leave_reduced import ConvertsOutReduced
from cl.exp.loop import FromHighestOne, InTurn, SideBySide
from cl.exp.stands import Doublings
from cl.exponentiator import ExponentiatorOfParts, Parts
from cl.organisation import USUAL, Organisation
from cl.r_squared import best_squarings, doubling_cycles, product_cycles, remainder_cycles
from cl.unit import Part, Unit
from fl.masked_ladder import MASKED_LADDER
from fl.schedule import LADDER, LEFT_TO_RIGHT, LEFT_TO_RIGHT_ALWAYS
from rtl.exp.enter import Convert, NoOne, TakeAsItIs, TakeAtOnce, TakeRadix
from rtl.exp.exponentiator import ExponentiatorRTL
from rtl.exp.holding import OfHeldOperands
from rtl.exp.judge import AnyModulus, OddModulus
from rtl.exp.ladder import Ladder
from rtl.exp.leave import ConvertOut, Keep, Reduce, SubtractOnce
from rtl.exp.leave_reduced import ConvertOutReduced
from rtl.exp.left_to_right import LeftToRight
from rtl.exp.left_to_right_always import LeftToRightAlways
from rtl.exp.masked_ladder import MaskedLadder
from rtl.exp.r_squared import NoRSquared, RSquaredOne, RSquaredProduct, RSquaredRemainder
from rtl.exp.r_squared_doubling import RSquaredDoubling
from rtl.exp.right_to_left import RightToLeft
from rtl.exp.windows import Windows
from rtl.mul.modulus_constant import NoConstant
from rtl.mul.ssmm import Ssmm

PLAIN = Ssmm  # what multiplies R - m by itself for R^2 (document 004)


class Organised(ExponentiatorOfParts, OfHeldOperands):
    """Adds the hardware to an exponentiator of parts."""

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return ExponentiatorRTL(self.parts)


def organised(
    unit: Unit,
    organisation: Organisation = USUAL,
    takes: Callable[[int], bool] | None = None,
    judge: Callable[[], Component] | None = None,
    enter: Callable[[], Component] | None = None,
    exp_bits: int | None = None,
) -> Organised:
    """Make an exponentiator of such units.

    takes, judge: which moduli there may be, in integers and in hardware; if not given, any, or in
        a Montgomery domain the odd ones.
    enter: what takes the base in, if not what the entry says.
    exp_bits: a ladder by shares has exponents of fewer bits than the unit's.
    """
    nbits, guard, odd = unit.nbits, unit.guard_bits, unit.radix > 0
    if organisation.schedule.from_one and not odd:
        raise ValueError("a result that begins as R mod m asks for a Montgomery multiplier")
    if organisation.schedule is MASKED_LADDER and organisation.forward:
        raise ValueError(
            "a ladder by shares keeps an answer before it is an operand: forward=False"
        )
    if organisation.schedule.constant and not unit.constant_time:
        raise ValueError("a loop of constant time asks for a multiplier of constant time")
    r_squared, way_in, way_in_cl = ENTRIES[organisation.entry]
    parts = Parts(
        unit,
        organisation,
        judge=Part(judge or partial(OddModulus if odd else AnyModulus, nbits)),
        constant=unit.constant or Part(partial(NoConstant, nbits)),
        r_squared=r_squared(unit, organisation),
        enter=Part(enter or partial(way_in, nbits, guard), cl=way_in_cl),
        one=_one(unit, organisation),
        loop=_loop(unit, organisation, exp_bits or nbits),
        leave=_leave(unit, organisation),
    )
    return Organised(exp_bits or nbits, takes or (_odd if odd else _any), parts)


def _one(unit: Unit, organisation: Organisation) -> Part:
    nbits, guard = unit.nbits, unit.guard_bits
    if unit.radix and (organisation.units == 5 or organisation.converts):
        return Part(partial(Convert, nbits, guard), cl=Converts)
    if organisation.schedule.from_one:
        return Part(partial(TakeRadix, nbits, guard, unit.radix))
    return Part(partial(NoOne, nbits, guard))


def _odd(mod: int) -> bool:
    return mod % 2 == 1


def _any(mod: int) -> bool:
    return mod >= 1


def _none(unit: Unit, organisation: Organisation) -> Part:
    return Part(partial(NoRSquared, unit.nbits, unit.guard_bits))


def _reduced(unit: Unit, organisation: Organisation) -> Part:
    return Part(partial(RSquaredOne, unit.nbits, unit.guard_bits))


def _remainder(unit: Unit, organisation: Organisation) -> Part:
    make = partial(RSquaredRemainder, unit.nbits, unit.guard_bits, unit.radix)
    return Part(make, remainder_cycles(unit.radix))


def _product(unit: Unit, organisation: Organisation) -> Part:
    plain = PLAIN(unit.nbits)
    return Part(partial(RSquaredProduct, plain), partial(product_cycles, plain))


def _doubling(unit: Unit, organisation: Organisation) -> Part:
    product, constant = unit.latency(0, 0, 1), organisation.schedule.constant
    count = organisation.squarings
    if count is None:
        count = best_squarings(unit.radix, product)
        # What the units' constant takes must be over when the first squaring begins.
        first = unit.constant.time(1) if unit.constant else 0
        while count and unit.radix - (unit.nbits - 1) + (unit.radix >> count) < first:
            count -= 1
    make = partial(RSquaredDoubling, unit.nbits, unit.guard_bits, unit.radix, count, constant)
    return Part(
        make,
        of_unit=lambda unit, mod: doubling_cycles(
            unit.nbits, mod, unit.radix, count, unit.latency(0, 0, 1), constant
        ),
        cl=partial(Doublings, count, constant),
    )


# Entry: what finds R^2, what takes the base in, and that at cycle level.
ENTRIES: dict[str, tuple[Callable[[Unit, Organisation], Part], type, type]] = {
    "at-once": (_none, TakeAtOnce, TakesAtOnce),
    "as-it-is": (_none, TakeAsItIs, Takes),
    "reduced": (_reduced, Convert, Converts),
    "remainder": (_remainder, Convert, Converts),
    "product": (_product, Convert, Converts),
    "doubling": (_doubling, Convert, Converts),
}


def _loop(unit: Unit, organisation: Organisation, exp_bits: int) -> Part:
    nbits, guard, forward = unit.nbits, unit.guard_bits, organisation.forward
    if organisation.schedule is LEFT_TO_RIGHT:
        return Part(partial(LeftToRight, nbits, guard, forward), cl=FromHighestOne)
    if organisation.schedule is LEFT_TO_RIGHT_ALWAYS:
        return Part(partial(LeftToRightAlways, nbits, guard, forward), cl=InTurn)
    if organisation.schedule is LADDER:
        return Part(partial(Ladder, nbits, guard, forward), cl=SideBySide)
    if organisation.schedule is MASKED_LADDER:
        together = organisation.units > 1
        return Part(partial(MaskedLadder, nbits, guard, exp_bits, together), cl=SideBySide)
    if window_bits := organisation.schedule.window_bits:
        return Part(partial(Windows, nbits, guard, window_bits, forward), cl=InTurn)
    in_domain = unit.radix > 0 and organisation.stays_in_domain
    always = organisation.schedule.constant
    return Part(partial(RightToLeft, nbits, guard, always, forward, in_domain), cl=SideBySide)


def _reduced_product(unit: Unit, mod: int) -> int:
    """Count the cycles of the product with 1, and those of the unit's reduction."""
    assert unit.reduction, unit
    return unit.latency(0, int(mod != 1), mod) + unit.reduction.time(mod)


def _leave(unit: Unit, organisation: Organisation) -> Part:
    nbits, guard = unit.nbits, unit.guard_bits
    if unit.radix and organisation.stays_in_domain:
        if unit.reduction:
            make = partial(ConvertOutReduced, nbits, guard, unit.reduction)
            return Part(make, of_unit=_reduced_product, cl=ConvertsOutReduced)
        return Part(
            partial(ConvertOut, nbits, guard),
            of_unit=lambda unit, mod: unit.latency(0, int(mod != 1), mod),
            cl=ConvertsOut,
        )
    if unit.reduction:
        return Part(partial(Reduce, nbits, guard, unit.reduction), unit.reduction.cycles)
    return Part(partial(SubtractOnce if guard else Keep, nbits))
