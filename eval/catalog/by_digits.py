"""Multipliers that take a digit of an operand per cycle: the sound pseudo-moduli, and Montgomery's.

Near-power moduli, multiples c*m of any modulus, and beside them Montgomery's product in document
002's radix, with a loop for its array.
"""

from dataclasses import replace
from functools import cache, partial

from cl.organisation import Organisation
from eval.catalog.design import ANY_MODULUS, ODD_MODULUS, Design, Moduli, Multiplier
from eval.catalog.family import Family, Parameter
from eval.catalog.loops import (
    LOOPS,
    ONE_BY_ONE,
    RANDOM,
    RANDOM_FOR_SHARES,
    exponentiator,
    multiple_text,
)
from eval.catalog.workloads import key_for
from fl.masked_ladder import MASKED_LADDER
from fl.near_power import is_near_power, near_power_key, small_key
from fl.rsa_keys import MIN_BITS, RsaKey
from fl.schedule import RIGHT_TO_LEFT
from rtl.exp.organised import organised
from rtl.mul.fold_mul import FoldMul, NearPower
from rtl.mul.mont_digit import EarlyMontDigit, MontDigit
from rtl.mul.scaled import ScaledHigh, ScaledLow

DIGIT = 4  # bits per cycle of the designs in the catalog
DIGITS = (1, 4, 8, 16)  # with those of the variants
KEPT, EARLY = "kept", "early"  # answers: from a register, or with the last digit

COUNTED_TO = 64  # bits; beyond these a key with the same counts takes long to find
SEEDS_TRIED = 1000  # of few primes none may have them


@cache
def measured_key(nbits: int) -> RsaKey:
    """Return the key that designs for near-power moduli are measured with.

    Up to 64 bits it is the first whose exponents have as many bits and ones as those of the
    workloads' own key, so that the cycles of designs compare; else, or if none is found, the first.
    """
    if nbits < MIN_BITS:
        return small_key(nbits)
    first, wanted = near_power_key(nbits, 1), _counts(key_for(nbits))
    seeds = range(1, SEEDS_TRIED) if nbits <= COUNTED_TO else ()
    keys = (near_power_key(nbits, seed) for seed in seeds)
    return next((key for key in keys if _counts(key) == wanted), first)


def _counts(key: RsaKey) -> tuple[int, int, int]:
    return key.e, key.d.bit_length(), key.d.bit_count()


NEAR_POWER = Moduli("2^n - k, k up to about n/2 + 9 bits", measured_key)
SOURCE = "this project, after document 000's pseudo-modulus"
FOLDING = {1: "one folding unit", 2: "two folding units"}
COUNTS = {1: "one unit", 2: "two units"}


def as_it_is(units: int) -> Organisation:
    """Choose so many units, and take the base as it is."""
    return Organisation(units=units, entry="as-it-is")


def by_loop(loop: str, units: int) -> Organisation:
    """Choose units and their loop; one by shares keeps answers before they are operands."""
    return Organisation(LOOPS[loop], units, forward=loop != MASKED_LADDER.name)


def near_power(digit: int, units: int = 2) -> Design:
    """Describe folding units, for moduli of their form."""
    multiplier = Multiplier(
        f"fold-{digit}",
        f"digits of {digit} bits, folded at 2^n times k",
        partial(FoldMul, digit_bits=digit),
    )
    return Design(
        name=f"near-power-{digit}",
        title=f"{FOLDING[units]} for moduli 2^n - k, up to {digit} bits per cycle",
        source=SOURCE,
        family="pseudo-modulus",
        multiplier=multiplier,
        make=lambda nbits: organised(
            multiplier.at(nbits),
            as_it_is(units),
            takes=partial(is_near_power, nbits),
            judge=partial(NearPower, nbits),
        ),
        moduli=NEAR_POWER,
    )


def scaled_low(
    digit: int, units: int = 2, loop: str = RIGHT_TO_LEFT.name, random: int = 0
) -> Design:
    """Describe units that scale the modulus so that the lowest digit is the quotient digit."""
    organisation = by_loop(loop, units)
    order = "" if loop == RIGHT_TO_LEFT.name else f", {LOOPS[loop].text.rstrip(',')}"
    multiplier = Multiplier(
        f"scaled-low-{digit}",
        f"digits of {digit} bits, modulo c*m = -1 mod 2^{digit}",
        partial(ScaledLow, digit_bits=digit),
    )
    return Design(
        name=f"scaled-low-{digit}",
        title=f"{COUNTS[units]} modulo c*m = -1 mod 2^{digit}, {digit} bits per cycle{order}"
        f"{multiple_text(random)}",
        source=SOURCE,
        family="pseudo-modulus",
        multiplier=multiplier,
        make=lambda nbits: exponentiator(multiplier.at, organisation, nbits, random),
        domain=f"{'' if organisation.stays_in_domain else 'base only, '}Montgomery modulo c*m",
        moduli=ODD_MODULUS,
    )


def scaled_high(digit: int, units: int = 2) -> Design:
    """Describe units that scale the modulus so that it is just below a power of two."""
    multiplier = Multiplier(
        f"scaled-high-{digit}",
        f"digits of {digit} bits, modulo c*m just below 2^(n+{digit + 3})",
        partial(ScaledHigh, digit_bits=digit),
    )
    return Design(
        name=f"scaled-high-{digit}",
        title=f"{COUNTS[units]} modulo c*m just below 2^(n+{digit + 3}), {digit} bits per cycle",
        source=SOURCE,
        family="pseudo-modulus",
        multiplier=multiplier,
        make=lambda nbits: organised(multiplier.at(nbits), as_it_is(units)),
        domain="plain, modulo c*m",
        moduli=ANY_MODULUS,
    )


def mont_digit_unit(digit: int, answer: str) -> Multiplier:
    """Describe a Montgomery unit of that digit."""
    by_digits = f"Montgomery, digits of {digit} bits, quotients by -m^-1 mod 2^{digit}"
    if answer == EARLY:
        make = partial(EarlyMontDigit, digit_bits=digit)
        return Multiplier(f"mont-digit-{digit}-early", f"{by_digits}, early answer", make)
    return Multiplier(f"mont-digit-{digit}", by_digits, partial(MontDigit, digit_bits=digit))


def mont_digit(
    digit: int,
    units: int = 2,
    loop: str = RIGHT_TO_LEFT.name,
    answer: str = KEPT,
    random: int = 0,
) -> Design:
    """Describe Montgomery units of that digit; the two right to left are document 002's radix."""
    multiplier = mont_digit_unit(digit, answer)
    organisation = by_loop(loop, units)
    plain = units == 2 and loop == RIGHT_TO_LEFT.name
    radix = f"Montgomery unit{'s' * (units > 1)} of radix 2^{digit}"
    order = f"{digit} bits per cycle" if plain else LOOPS[loop].text.rstrip(",")
    early = ", early answers" if answer == EARLY else ""
    return Design(
        name=multiplier.name,
        title=f"{'two' if units > 1 else 'one'} {radix}, {order}{early}{multiple_text(random)}",
        source="this project; document 002's radix, iterated" if plain else "this project",
        family="Montgomery",
        multiplier=multiplier,
        make=lambda nbits: exponentiator(multiplier.at, organisation, nbits, random),
        domain=f"{'Montgomery' if organisation.stays_in_domain else 'base only'}, "
        "R >= 2^(n+2), values below 2m",
        moduli=ODD_MODULUS,
    )


def mont_window(digit: int, window_bits: int) -> Design:
    """Describe one such unit that takes the exponent by windows."""
    return replace(
        MONT_DIGIT.line(digit=digit, units=1, loop=f"windows-{window_bits}"),
        name=f"mont-digit-{digit}-window-{window_bits}",
        title=f"one Montgomery unit of radix 2^{digit}, windows of {window_bits} bits",
    )


def digits_from(least: int) -> Parameter:
    """Leave the digit open."""
    choices = range(least, 33)
    return Parameter("digit", DIGIT, choices, "bits of an operand per cycle", within_width=True)


BITS = digits_from(1)
TWO = Parameter("units", 2, (1, 2), "1 for all products in turn")
NEAR_POWERS = Family("near-power", "folding units, for moduli 2^n - k", (BITS, TWO), near_power)
LOOP = Parameter("loop", RIGHT_TO_LEFT.name, tuple(LOOPS), "order of the products")
SCALED_LOW = Family(
    "scaled-low",
    "units modulo c*m = -1 mod 2^digit",
    (BITS, TWO, LOOP, RANDOM),
    scaled_low,
    constraints=(ONE_BY_ONE, RANDOM_FOR_SHARES),
)
SCALED_HIGH = Family(
    "scaled-high", "units modulo c*m just below a power of two", (BITS, TWO), scaled_high
)
MONT_DIGIT = Family(
    "mont-digit",
    "Montgomery units that take a digit per cycle, quotients by a product",
    (
        digits_from(2),  # of 1 bit it is mm-000's unit
        TWO,
        LOOP,
        Parameter("answer", KEPT, (KEPT, EARLY), "early: leaves with the last digit"),
        RANDOM,
    ),
    mont_digit,
    constraints=(ONE_BY_ONE, RANDOM_FOR_SHARES),
)
FAMILIES = (NEAR_POWERS, SCALED_LOW, SCALED_HIGH, MONT_DIGIT)
DESIGNS = tuple(family.line(digit=DIGIT) for family in FAMILIES)
MULTIPLIERS = tuple(design.multiplier for design in DESIGNS)
OTHER_DIGITS = tuple(
    family.line(digit=digit)
    for family in FAMILIES
    for digit in DIGITS
    if digit != DIGIT and digit in family.parameters[0].choices
)
# The narrowest digits that are three at 32 bits, and two.
FAST = tuple(MONT_DIGIT.line(digit=digit, answer=EARLY) for digit in (12, 17))
VARIANTS = (*OTHER_DIGITS, mont_window(DIGIT, 5), *FAST)
