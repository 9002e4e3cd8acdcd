"""Multipliers for one modulus, fixed when they are built: compression trees and the direct way.

Document 000's CM and DM. Each is tested for one modulus at each width.
"""

from collections.abc import Callable
from typing import Any

from pymtl3 import Component

from cl.fixed_mul import FixedMulCL
from eval.design import Multiplier
from fl.fixed_mul import FixedMulFL
from fl.modulus import Modulus
from rtl.direct_mul import DirectMul
from rtl.fixed_mul import DirectMulTwoRTL, FixedMulRTL
from rtl.tree_mul import TreeMul

DISSOLVED = (
    *("TreeDatapath", "Products", "AndRow", "CompressColumn", "FiveThree", "FullAdders"),
    *("HalfAdders", "Inverted", "SumDropped", "SumAround", "SumInverted", "SumSelected"),
    *("AddConstant", "ConstantRow", "LeastNonNegative", "BackAdder", "PrefixAdder", "Carries"),
    "PrefixLevel",
)


def below_a_power(nbits: int) -> Modulus:
    """2^nbits - 1."""
    return Modulus(nbits, -1)


def above_a_power(nbits: int) -> Modulus:
    """2^n + k with n = nbits - 1 and k = 2^(n-2) + 2^(n-4) + ...: a third of 2^(n+2) - 1."""
    n = nbits - 1
    return Modulus(n, ((1 << n) - 1) // 3)


def fixed(
    name: str,
    title: str,
    modulus: Callable[[int], Modulus],
    rtl: Callable[[int, Modulus], Component],
    registers: int = 1,
) -> Multiplier:
    """A multiplier whose modulus is modulus(nbits)."""

    def value_of(nbits: int) -> int:
        return modulus(nbits).value

    levels: dict[str, Any] = {
        "fl": lambda nbits: FixedMulFL(nbits, value_of(nbits)),
        "cl": lambda nbits: FixedMulCL(nbits, value_of(nbits), registers),
        "rtl": lambda nbits: rtl(nbits, modulus(nbits)),
    }
    return Multiplier(
        name=name,
        title=title,
        value=lambda nbits, a, b, m: a * b % value_of(nbits),
        cycles=lambda *_: registers,
        interval=lambda *_: 1,
        accepts=lambda nbits, a, b, m: m == value_of(nbits) and a < m and b < m,
        constant_time=True,
        components=levels,
        dissolve=DISSOLVED,
        fixed_modulus=value_of,
        tested_to=16,
    )


def tree(nbits: int, modulus: Modulus) -> Component:
    """A compression tree behind a register."""
    return FixedMulRTL(nbits, modulus.value, lambda: TreeMul(modulus))


def direct(nbits: int, modulus: Modulus) -> Component:
    """A product and a remainder behind a register."""
    return FixedMulRTL(nbits, modulus.value, lambda: DirectMul(modulus.value))


def direct_two(nbits: int, modulus: Modulus) -> Component:
    """A product, a register, a remainder."""
    return DirectMulTwoRTL(nbits, modulus.value)


MULTIPLIERS = (
    fixed("cm-minus-1", "compression tree modulo 2^n-1", below_a_power, tree),
    fixed("cm-plus-k", "compression tree modulo 2^n+k, 3*(2^n+k) = 2^(n+2)-1", above_a_power, tree),
    fixed("dm-1", "product and remainder modulo 2^n+k in a cycle", above_a_power, direct),
    fixed(
        "dm-2",
        "product and remainder modulo 2^n+k, a register between them",
        above_a_power,
        direct_two,
        registers=2,
    ),
)

DESIGNS = ()
