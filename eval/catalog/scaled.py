"""The pseudo-modulus in the catalog: near-power moduli, and multiples c*m of any modulus."""

from collections.abc import Callable
from typing import Any

from cl.exponentiator import UnitModel
from cl.fold_mul import FoldMulCL, fold_latency
from cl.organisation import Organisation, best_squarings
from cl.scaled import (
    ScaledHighMulCL,
    ScaledLowMulCL,
    high_finish,
    high_latency,
    high_prepare,
    low_finish,
    low_latency,
    scaled_high_latency,
    scaled_low_latency,
)
from eval.catalog.design import ANY_MODULUS, ODD_MODULUS, Design, Moduli, Multiplier
from eval.catalog.organised import exponentiator
from fl.fold_mul import FoldMulFL, fold_mul
from fl.near_power import is_near_power, measured_key
from fl.scaled import (
    ScaledHighMulFL,
    ScaledLowMulFL,
    high_guard_bits,
    high_mul,
    low_guard_bits,
    low_mul,
    low_radix,
)
from rtl.leaf.shift_remainder import ReduceOut
from rtl.mul.fold_mul import FoldMulRTL, NearPower
from rtl.mul.modulus_constant import HalvedPower, PowerRemainder
from rtl.mul.scaled import ScaledHighMulRTL, ScaledLowMulRTL
from rtl.mul.with_constant import PreparedMulRTL

DIGIT = 4  # bits a cycle of the designs in the catalog
DIGITS = (1, 4, 8, 16)  # with those of the variants

NEAR_POWER = Moduli("2^n - k, k up to about n/2 + 9 bits", is_near_power, measured_key)
SOURCE = "this project, after document 000's pseudo-modulus"


def model(
    value: Callable[[int, int, int], int],
    latency: int,
    radix: int = 0,
    **more: Callable[[int], Any],
) -> UnitModel:
    """A unit whose time is always the same; it takes a request with the last answer."""
    return UnitModel(value, lambda *_: latency, lambda *_: latency, radix, **more)


def fold_unit(digit: int) -> Multiplier:
    """Folding modulo 2^n - k."""
    return Multiplier(
        name=f"fold-{digit}",
        title=f"digits of {digit} bits, folded at 2^n times k",
        value=lambda nbits, *operands: fold_mul(*operands, nbits, digit),
        cycles=lambda nbits, *operands: fold_latency(nbits, digit),
        interval=lambda nbits, *operands: fold_latency(nbits, digit),
        accepts=lambda nbits, a, b, m: is_near_power(nbits, m),
        constant_time=True,
        components={
            "fl": lambda nbits: FoldMulFL(nbits, digit),
            "cl": lambda nbits: FoldMulCL(nbits, digit),
            "rtl": lambda nbits: FoldMulRTL(nbits, digit),
        },
    )


def near_power(digit: int) -> Design:
    """Two folding units, for moduli of their form."""

    def unit(nbits: int) -> UnitModel:
        return model(
            lambda a, b, m: a * b % m,
            fold_latency(nbits, digit),
            moduli=lambda mod: is_near_power(nbits, mod),
        )

    return Design(
        name=f"near-power-{digit}",
        title=f"two folding units for moduli 2^n - k, up to {digit} bits a cycle",
        source=SOURCE,
        family="pseudo-modulus",
        multiplier=fold_unit(digit),
        **exponentiator(
            Organisation(r_squared="none"),
            unit,
            lambda nbits: FoldMulRTL(nbits, digit),
            NEAR_POWER,
            parts={"mk_judge": NearPower},
        ),
    )


def low_parts(digit: int) -> dict[str, Callable[[int], Any]]:
    """What low-digit units ask for: the constant first, a reduction at the end."""
    guard_bits = low_guard_bits(digit)
    return {
        "mk_prepare": lambda nbits: HalvedPower(nbits, digit),
        "mk_finish": lambda nbits: ReduceOut(nbits, nbits + guard_bits, guard_bits, False),
    }


def low_unit(digit: int) -> Multiplier:
    """Scaling so that the lowest digit is the quotient digit."""
    return Multiplier(
        name=f"scaled-low-{digit}",
        title=f"digits of {digit} bits, modulo c*m = -1 mod 2^{digit}",
        value=lambda nbits, *operands: low_mul(*operands, nbits, digit),
        cycles=lambda nbits, *operands: scaled_low_latency(nbits, digit),
        accepts=lambda nbits, a, b, m: m % 2 == 1 and b < m,
        radix=lambda nbits: low_radix(nbits, digit),
        constant_time=True,
        components={
            "fl": lambda nbits: ScaledLowMulFL(nbits, digit),
            "cl": lambda nbits: ScaledLowMulCL(nbits, digit),
            "rtl": lambda nbits: PreparedMulRTL(
                nbits,
                low_guard_bits(digit),
                lambda width: ScaledLowMulRTL(width, digit),
                **low_parts(digit),
            ),
        },
    )


def scaled_low(digit: int) -> Design:
    """Two low-digit units."""

    def unit(nbits: int) -> UnitModel:
        return model(
            lambda a, b, m: a * b * pow(2, -low_radix(nbits, digit), m) % m,
            low_latency(nbits, digit),
            low_radix(nbits, digit),
            finish=lambda mod: low_finish(digit),
        )

    return Design(
        name=f"scaled-low-{digit}",
        title=f"two units modulo c*m = -1 mod 2^{digit}, {digit} bits a cycle",
        source=SOURCE,
        family="pseudo-modulus",
        domain="base only, Montgomery modulo c*m",
        multiplier=low_unit(digit),
        **exponentiator(
            Organisation(),
            unit,
            lambda nbits: ScaledLowMulRTL(nbits, digit),
            ODD_MODULUS,
            low_guard_bits(digit),
            low_parts(digit),
            squarings_for(unit, digit),
        ),
    )


def high_parts(digit: int) -> dict[str, Callable[[int], Any]]:
    """What high-digit units ask for: the constant first, a reduction at the end."""
    guard_bits = high_guard_bits(digit)
    return {
        "mk_prepare": lambda nbits: PowerRemainder(nbits, digit),
        "mk_finish": lambda nbits: ReduceOut(nbits, nbits + guard_bits, guard_bits + 1, True),
    }


def high_unit(digit: int) -> Multiplier:
    """Scaling so that the modulus is just below a power of two."""
    return Multiplier(
        name=f"scaled-high-{digit}",
        title=f"digits of {digit} bits, modulo c*m just below 2^(n+{digit + 3})",
        value=lambda nbits, *operands: high_mul(*operands, nbits, digit),
        cycles=lambda nbits, a, b, m: scaled_high_latency(nbits, digit, m),
        components={
            "fl": lambda nbits: ScaledHighMulFL(nbits, digit),
            "cl": lambda nbits: ScaledHighMulCL(nbits, digit),
            "rtl": lambda nbits: PreparedMulRTL(
                nbits,
                high_guard_bits(digit),
                lambda width: ScaledHighMulRTL(width, digit),
                **high_parts(digit),
            ),
        },
    )


def scaled_high(digit: int) -> Design:
    """Two high-digit units."""

    def unit(nbits: int) -> UnitModel:
        return model(
            lambda a, b, m: a * b % m,
            high_latency(nbits, digit),
            prepare=lambda mod: high_prepare(nbits, digit, mod),
            finish=lambda mod: high_finish(nbits, digit, mod),
        )

    return Design(
        name=f"scaled-high-{digit}",
        title=f"two units modulo c*m just below 2^(n+{digit + 3}), {digit} bits a cycle",
        source=SOURCE,
        family="pseudo-modulus",
        domain="plain, modulo c*m",
        multiplier=high_unit(digit),
        **exponentiator(
            Organisation(r_squared="none"),
            unit,
            lambda nbits: ScaledHighMulRTL(nbits, digit),
            ANY_MODULUS,
            high_guard_bits(digit),
            high_parts(digit),
        ),
    )


def squarings_for(unit: Callable[[int], UnitModel], digit: int) -> Callable[[int], int]:
    """The squarings on the way to R^2 that take the fewest cycles.

    The units' constant, found a bit of the digit a cycle meanwhile, stands before the first.
    """

    def squarings(nbits: int) -> int:
        at_width = unit(nbits)
        radix = at_width.radix
        count = best_squarings(radix, at_width.latency(0, 0, 1))
        while radix - (nbits - 1) + (radix >> count) < digit:
            count -= 1
        return count

    return squarings


DESIGNS = (near_power(DIGIT), scaled_low(DIGIT), scaled_high(DIGIT))
MULTIPLIERS = tuple(design.multiplier for design in DESIGNS)
VARIANTS = tuple(
    make(digit)
    for make in (near_power, scaled_low, scaled_high)
    for digit in DIGITS
    if digit != DIGIT
)
