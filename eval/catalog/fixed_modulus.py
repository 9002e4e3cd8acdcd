"""Multipliers for one modulus, fixed when they are built, and exponentiators around them.

Document 000's CM and DM. At each width the modulus is that of the document's family (fl/fixed_exp),
worked with as it is or modulo its pseudo-modulus.
"""

from collections.abc import Callable
from dataclasses import replace

from eval.catalog.design import Design, Moduli, Multiplier
from eval.catalog.montgomery import DESIGNS as MONTGOMERY
from eval.catalog.workloads import key_for
from fl.fixed_exp import FixedModulus, family, family_alone
from fl.near_power import PSEUDO_WIDTHS, pseudo_key
from fl.rsa_keys import RsaKey
from rtl.exp.fixed_exp import fixed_exponentiator
from rtl.exp.modulo_multiple import modulo_multiple
from rtl.mul.fixed_mul import FixedMul

SOURCE = "document 000, figures 16, 17, 37 and 38"
WIDTHS = (8, 128)  # trees grow with the square, and take long to translate and map
TESTED_TO = 33

At = Callable[[int], FixedModulus]


def fixed(name: str, title: str, modulus: At, kind: str) -> Multiplier:
    """Describe a multiplier of a kind for modulus(nbits)."""
    return Multiplier(name, title, lambda nbits: FixedMul(nbits, modulus(nbits), kind), 16)


PSEUDO_TREE = fixed("cm-minus-1", "compression tree modulo 2^N-1", family, "tree")
ALONE_TREE = fixed("cm-plus-k", "compression tree modulo 2^n+k = (2^N-1)/3", family_alone, "tree")
LATE_TREE = fixed(
    "cm-late", "tree modulo 2^n+k = (2^N-1)/3, folded at its end", family_alone, "late-tree"
)
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
    "dm-pseudo": (PSEUDO_DIRECT, TESTED_TO),
    "dm-modulus": (ALONE_DIRECT, TESTED_TO),
}


def exponentiator(kind: str, units: int) -> Design:
    """Describe a bit per cycle by two multipliers; by one, a cycle more per 1 of the exponent."""
    multiplier, tested_to = KINDS[kind]
    return Design(
        name=f"{kind}-{units}",
        title=f"{UNITS[units]}: {multiplier.title}",
        source=SOURCE,
        family="pseudo-modulus",
        multiplier=multiplier,
        make=lambda nbits: fixed_exponentiator(multiplier.at(nbits), units),
        domain="plain, modulo 2^N-1" if kind.endswith("pseudo") else "plain",
        moduli=FAMILY,
        widths=WIDTHS,
        tested_to=tested_to,
    )


def montgomery_by_multiple() -> Design:
    """Describe mm-000 modulo 2^N - 1; mm-000 itself is document 000's MM without that."""
    inner = next(design for design in MONTGOMERY if design.name == "mm-000")
    return replace(
        inner,
        spelled="",
        name="mm-pseudo-2",
        title="mm-000 modulo 2^N-1, for (2^N-1)/3",
        source="document 000, figure 19",
        family="pseudo-modulus",
        make=lambda nbits: modulo_multiple(inner.at(nbits), family(nbits)),
        moduli=FAMILY,
        published=(),
    )


DESIGNS = (exponentiator("cm-pseudo", 2), exponentiator("cm-pseudo", 1))
VARIANTS = (
    *(exponentiator(kind, units) for kind in KINDS for units in UNITS if kind != "cm-pseudo"),
    montgomery_by_multiple(),
)
