"""Multipliers for one modulus, fixed when they are built, and exponentiators around them.

Document 000's CM and DM. At each width the modulus is that of the document's family (fl/fixed_exp),
worked with as it is or modulo its pseudo-modulus.
"""

from collections.abc import Callable
from dataclasses import replace

from cl.organisation import Organisation
from eval.catalog.design import Design, Moduli, Multiplier
from eval.catalog.montgomery import DESIGNS as MONTGOMERY
from eval.catalog.workloads import key_for
from fl.fixed_exp import FixedModulus, family, family_alone
from fl.near_power import PSEUDO_WIDTHS, pseudo_key
from fl.rsa_keys import RsaKey
from rtl.exp.fixed_exp import fixed_exponentiator
from rtl.exp.given import given_r_squared
from rtl.exp.modulo_multiple import ModuloMultiple, modulo_multiple
from rtl.exp.organised import Organised
from rtl.mul.fixed_mul import SQUARE, FixedMul

SOURCE = "document 000, figures 16, 17, 37 and 38"
WIDTHS = (8, 128)  # trees grow with the square, and take long to translate and map
# Whole designs of trees, by default; tests/eval/catalog/test_widest.py has their parts, and the
# designs of direct products, at the widest.
TESTED_TO = 33

At = Callable[[int], FixedModulus]


def fixed(name: str, title: str, modulus: At, kind: str) -> Multiplier:
    """Describe a multiplier of a kind for modulus(nbits)."""
    return Multiplier(name, title, lambda nbits: FixedMul(nbits, modulus(nbits), kind), 16)


def unit_of(multiplier: Multiplier, nbits: int) -> FixedMul:
    """Return the unit of such a multiplier at a width."""
    unit = multiplier.at(nbits)
    assert isinstance(unit, FixedMul), multiplier.name
    return unit


PSEUDO_TREE = fixed("cm-minus-1", "compression tree modulo 2^N-1", family, "tree")
ALONE_TREE = fixed("cm-plus-k", "compression tree modulo 2^n+k = (2^N-1)/3", family_alone, "tree")
LATE_TREE = fixed(
    "cm-late", "tree modulo 2^n+k = (2^N-1)/3, folded at its end", family_alone, "late-tree"
)
PSEUDO_SQUARE = fixed("cm-square", "squaring tree modulo 2^N-1", family, SQUARE)
PSEUDO_DIRECT = fixed(
    "dm-minus-1", "product and remainder modulo 2^N-1 in a cycle", family, "direct"
)
ALONE_DIRECT = fixed(
    "dm-1", "product and remainder modulo 2^n+k in a cycle", family_alone, "direct"
)
ALONE_DIRECT_TWO = fixed(
    "dm-2", "product and remainder modulo 2^n+k, a register between them", family_alone, "direct-2"
)
MULTIPLIERS = (
    PSEUDO_TREE,
    ALONE_TREE,
    LATE_TREE,
    PSEUDO_DIRECT,
    ALONE_DIRECT,
    ALONE_DIRECT_TWO,
)


def measured_key(nbits: int) -> RsaKey:
    """Return the key that the family is measured with; exponents and messages as other designs'.

    Its modulus is the family's, which is a product of two primes at few widths only: the key of
    document 000 there, elsewhere the exponents of the workloads' own key.
    """
    if nbits in PSEUDO_WIDTHS:
        return pseudo_key(nbits)
    m = family(nbits).m
    return replace(key_for(nbits), name=f"family-{nbits}", source=SOURCE, n=m, p=m, q=1)


FAMILY = Moduli("(2^N-1)/3 only, N = n or n - 1, even", measured_key, lambda n: family(n).m)
UNITS = {1: "one multiplier", 2: "two multipliers"}
# What products are made by; the widest that default tests simulate.
KINDS = {
    "cm-pseudo": (PSEUDO_TREE, TESTED_TO),
    "cm-modulus": (ALONE_TREE, 10),
    "cm-late": (LATE_TREE, 10),
    "dm-pseudo": (PSEUDO_DIRECT, WIDTHS[1]),
    "dm-modulus": (ALONE_DIRECT, WIDTHS[1]),
}


def exponentiator(kind: str, units: int) -> Design:
    """Describe a bit per cycle by two multipliers; by one, a cycle more per 1 of the exponent."""
    multiplier, tested_to = KINDS[kind]
    unit = unit_of(multiplier, WIDTHS[0])

    def of_modulus(nbits: int, modulus: int) -> Organised:
        return fixed_exponentiator(FixedMul(nbits, FixedModulus(modulus), unit.kind), units)

    return Design(
        name=f"{kind}-{units}",
        title=f"{UNITS[units]}: {multiplier.title}",
        source=SOURCE,
        family="pseudo-modulus",
        multiplier=multiplier,
        make=lambda nbits: fixed_exponentiator(unit_of(multiplier, nbits), units),
        domain="plain, modulo 2^N-1" if kind.endswith("pseudo") else "plain",
        moduli=FAMILY,
        widths=WIDTHS,
        tested_to=tested_to,
        of_modulus=of_modulus if unit.modulus.c == 1 else None,
    )


MM_000 = next(design for design in MONTGOMERY if design.name == "mm-000")
PRINTED = Organisation(converts=True)  # R^2 is given in the place of the way to it


def with_squarer() -> Design:
    """Describe cm-pseudo-2 with a squaring tree in the place of the multiplier that squares."""
    return replace(
        exponentiator("cm-pseudo", 2),
        name="cm-square-2",
        title="a multiplier and a squarer: compression trees modulo 2^N-1",
        source="this project; document 000, section 5.2, has such squarers, but uses none",
        make=lambda nbits: fixed_exponentiator(
            unit_of(PSEUDO_TREE, nbits), 2, squarer=unit_of(PSEUDO_SQUARE, nbits)
        ),
        tested_to=10,
    )


def printed_montgomery(nbits: int, mod: int) -> Organised:
    """Make document 000's figure 18: R^2 is given, 1 and the base are converted side by side, the
    result at the end."""
    return given_r_squared(MM_000.multiplier.at(nbits), PRINTED, mod)


def as_printed() -> Design:
    """Describe document 000's figure 18 for its family."""
    return replace(
        MM_000,
        spelled="",
        name="mm-printed-2",
        title="mm-000 as printed: R^2 given, 1 converted beside the base, the result at the end",
        source="document 000, figure 18",
        family="pseudo-modulus",
        make=lambda nbits: printed_montgomery(nbits, family(nbits).m),
        domain="Montgomery, R = 2^(n+2), values below 2m",
        moduli=FAMILY,
    )


def as_printed_by_multiple() -> Design:
    """Describe document 000's figure 19: the same modulo 2^N - 1, with a correction."""

    def make(nbits: int) -> ModuloMultiple:
        modulus = family(nbits)
        return modulo_multiple(printed_montgomery(nbits, modulus.worked), modulus)

    return replace(
        as_printed(),
        name="mm-printed-pseudo-2",
        title="mm-printed-2 modulo 2^N-1, corrected at the end",
        source="document 000, figure 19",
        make=make,
    )


def montgomery_by_multiple() -> Design:
    """Describe mm-000 modulo 2^N - 1; mm-000 itself is document 000's MM without that."""
    inner = MM_000
    return replace(
        inner,
        spelled="",
        name="mm-pseudo-2",
        title="mm-000 modulo 2^N-1, for (2^N-1)/3",
        source="this project, after document 000, figure 19",
        family="pseudo-modulus",
        make=lambda nbits: modulo_multiple(inner.at(nbits), family(nbits)),
        moduli=FAMILY,
    )


DESIGNS = (exponentiator("cm-pseudo", 2), exponentiator("cm-pseudo", 1))
VARIANTS = (
    *(exponentiator(kind, units) for kind in KINDS for units in UNITS if kind != "cm-pseudo"),
    with_squarer(),
    montgomery_by_multiple(),
    as_printed(),
    as_printed_by_multiple(),
)
