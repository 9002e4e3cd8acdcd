"""Multipliers for one modulus, fixed when they are built, and exponentiators around them.

Document 000's CM and DM. At each width the modulus is that of the document's family (fl/fixed_exp),
worked with as it is or modulo its pseudo-modulus.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pymtl3 import Component

from cl.fixed_exp import ByMultipleCL, FixedExpCL, by_multiple_latency, fixed_latency
from cl.fixed_mul import FixedMulCL
from eval.catalog.design import Design, Moduli, Multiplier
from eval.catalog.montgomery import DESIGNS as MONTGOMERY
from eval.catalog.workloads import key_for
from fl.compression import LATE
from fl.fixed_exp import FixedModulus, family, family_alone, takes_family
from fl.fixed_mul import FixedMulFL
from fl.mod_exp import ModExpFL
from fl.modulus import Modulus
from fl.near_power import PSEUDO_WIDTHS, pseudo_key
from fl.rsa_keys import RsaKey
from rtl.exp.by_multiple import ByMultipleRTL
from rtl.exp.fixed_exp import FixedExpRTL
from rtl.mul.fixed_mul import DirectMulTwoRTL, FixedMulRTL
from rtl.mul.product_remainder import DirectMul
from rtl.mul.tree_mul import TreeMul

DISSOLVED = (
    *("TreeDatapath", "Products", "AndRow", "CompressColumn", "FiveThree", "FullAdders"),
    *("HalfAdders", "Inverted", "SumDropped", "SumAround", "SumInverted", "SumSelected"),
    *("AddConstant", "ConstantRow", "LeastNonNegative", "BackAdder", "PrefixAdder", "Carries"),
    "PrefixLevel",
)
SOURCE = "document 000, figures 16, 17, 37 and 38"
WIDTHS = (8, 128)  # trees grow with the square, and take long to translate and map
TESTED_TO = 33


def pseudo(nbits: int) -> Modulus:
    """2^N - 1, the pseudo-modulus of the family, for N = nbits or one less."""
    return family(nbits).tree


def alone(nbits: int) -> Modulus:
    """2^n + k with n = N - 2 and k = 2^(n-2) + 2^(n-4) + ...: a third of 2^N - 1."""
    return family_alone(nbits).tree


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


def late_tree(nbits: int, modulus: Modulus) -> Component:
    """A compression tree that is compressed to two rows before it is folded."""
    return FixedMulRTL(nbits, modulus.value, lambda: TreeMul(modulus, LATE))


def direct(nbits: int, modulus: Modulus) -> Component:
    """A product and a remainder behind a register."""
    return FixedMulRTL(nbits, modulus.value, lambda: DirectMul(modulus.value))


def direct_two(nbits: int, modulus: Modulus) -> Component:
    """A product, a register, a remainder."""
    return DirectMulTwoRTL(nbits, modulus.value)


PSEUDO_TREE = fixed("cm-minus-1", "compression tree modulo 2^N-1", pseudo, tree)
ALONE_TREE = fixed("cm-plus-k", "compression tree modulo 2^n+k = (2^N-1)/3", alone, tree)
LATE_TREE = fixed("cm-late", "tree modulo 2^n+k = (2^N-1)/3, folded at its end", alone, late_tree)
PSEUDO_DIRECT = fixed("dm-minus-1", "product and remainder modulo 2^N-1 in a cycle", pseudo, direct)
ALONE_DIRECT = fixed("dm-1", "product and remainder modulo 2^n+k in a cycle", alone, direct)

MULTIPLIERS = (
    PSEUDO_TREE,
    ALONE_TREE,
    LATE_TREE,
    PSEUDO_DIRECT,
    ALONE_DIRECT,
    fixed(
        "dm-2",
        "product and remainder modulo 2^n+k, a register between them",
        alone,
        direct_two,
        registers=2,
    ),
)


def measured_key(nbits: int) -> RsaKey:
    """The key under which the family is measured; exponents and messages as of other designs.

    Its modulus is the family's, which is a product of two primes at few widths only: the key of
    document 000 there, elsewhere the exponents of the workloads' own key.
    """
    if nbits in PSEUDO_WIDTHS:
        return pseudo_key(nbits)
    m = family(nbits).m
    return replace(key_for(nbits), name=f"family-{nbits}", source=SOURCE, n=m, p=m, q=1)


FAMILY = Moduli(
    "(2^N-1)/3 only, N = n or n - 1, even", takes_family, measured_key, lambda n: family(n).m
)
SCHEDULES = {1: "right-to-left, a product a cycle", 2: "right-to-left, a bit a cycle"}
UNITS = {1: "one multiplier", 2: "two multipliers"}
# What products are made by and modulo what; the widest that default tests simulate.
KINDS: dict[str, tuple[Multiplier, Callable[[int], FixedModulus], int]] = {
    "cm-pseudo": (PSEUDO_TREE, family, TESTED_TO),
    "cm-modulus": (ALONE_TREE, family_alone, 10),
    "cm-late": (LATE_TREE, family_alone, 10),
    "dm-pseudo": (PSEUDO_DIRECT, family, TESTED_TO),
    "dm-modulus": (ALONE_DIRECT, family_alone, TESTED_TO),
}


def exponentiator(kind: str, units: int) -> Design:
    """A bit a cycle with two multipliers; with one, a cycle more for each one of the exponent."""
    multiplier, modulus, tested_to = KINDS[kind]

    def mk_unit(nbits: int) -> Component:
        fixed_modulus = modulus(nbits)
        if kind.startswith("dm"):
            return DirectMul(fixed_modulus.worked)
        return TreeMul(fixed_modulus.tree, LATE if kind == "cm-late" else "document")

    levels: dict[str, Any] = {
        "fl": lambda nbits: ModExpFL(nbits, FAMILY.at(nbits)),
        "cl": lambda nbits: FixedExpCL(nbits, modulus(nbits), units),
        "rtl": lambda nbits: FixedExpRTL(nbits, modulus(nbits), units, lambda: mk_unit(nbits)),
    }
    return Design(
        name=f"{kind}-{units}",
        title=f"{UNITS[units]}: {multiplier.title}",
        source=SOURCE,
        family="pseudo-modulus",
        schedule=SCHEDULES[units],
        multiplier=multiplier,
        latency=lambda nbits, base, exp, mod: fixed_latency(
            exp, modulus(nbits), units, FAMILY.takes(nbits, mod)
        ),
        components=levels,
        domain="plain, modulo 2^N-1" if kind.endswith("pseudo") else "plain",
        moduli=FAMILY,
        widths=WIDTHS,
        tested_to=tested_to,
    )


def montgomery_by_multiple() -> Design:
    """mm-000 modulo 2^N - 1; its own entry in the catalog is document 000's MM without that."""
    inner = next(design for design in MONTGOMERY if design.name == "mm-000")

    def latency(nbits: int, *request: int) -> int:
        return by_multiple_latency(
            *request, family(nbits), lambda *asked: inner.cycles(nbits, *asked)
        )

    levels: dict[str, Any] = {
        "fl": lambda nbits: ModExpFL(nbits, FAMILY.at(nbits)),
        "cl": lambda nbits: ByMultipleCL(
            nbits, family(nbits), lambda *asked: inner.cycles(nbits, *asked)
        ),
        "rtl": lambda nbits: ByMultipleRTL(nbits, family(nbits), inner.components["rtl"]),
    }
    return replace(
        inner,
        name="mm-pseudo-2",
        title="mm-000 modulo 2^N-1, for (2^N-1)/3",
        source="document 000, figure 19",
        family="pseudo-modulus",
        latency=latency,
        components=levels,
        moduli=FAMILY,
        published=(),
    )


DESIGNS = (exponentiator("cm-pseudo", 2), exponentiator("cm-pseudo", 1))
VARIANTS = (
    *(exponentiator(kind, units) for kind in KINDS for units in UNITS if kind != "cm-pseudo"),
    montgomery_by_multiple(),
)
