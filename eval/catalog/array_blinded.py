"""Rows of elements that keep their key: blinded, and with the exponent as two random shares."""

from functools import partial

from eval.catalog.array import COMPILED_TO, SOURCE, odd_modulus, row
from eval.catalog.design import ODD_MODULUS, Design
from eval.catalog.family import Family, Parameter
from fl.array import WORD_BITS
from fl.array_blinded import MOST_RANDOM_BITS
from fl.crt import E_BITS
from fl.schedule import LADDER, windows
from rtl.exp.array_blinded import BlindedExponentiator

DIGITS = (2, 4, 8)  # bits; a random byte has as many
DIGIT, RANDOM, WINDOW = 4, 32, 4
PUBLIC = (65537).bit_length()  # the public exponent of almost all keys


def _made(name: str, title: str, digit: int, random: int, loop: str, public: int = 0) -> Design:
    order = LADDER if loop == LADDER.name else windows(int(loop.rpartition("-")[2]))
    bits = f", {random} random bits"
    time = f"constant time for exponents of more than {public} bits" if public else "constant time"
    return Design(
        name=name,
        title=f"one row of elements, {digit} bits per cycle, {title}{bits}, {time}",
        source=SOURCE,
        family="Montgomery",
        multiplier=row(digit),
        make=partial(
            BlindedExponentiator,
            takes=odd_modulus,
            digit_bits=digit,
            word_bits=WORD_BITS[digit],
            random_bits=random,
            order=order,
            public_bits=public,
        ),
        domain=f"Montgomery modulo a random c*m = -1 mod 2^{digit}",
        moduli=ODD_MODULUS,
        tested_to=COMPILED_TO,
    )


def blinded(digit: int, window: int, random: int) -> Design:
    """Describe a row that works modulo a random multiple of m, by windows."""
    how = f"windows of {window} bit{'s' * (window > 1)}, base and modulus blinded"
    return _made(f"array-{digit}-blinded", how, digit, random, windows(window).name)


def masked(digit: int, random: int, public: int) -> Design:
    """Describe a row that has the exponent as two shares, too."""
    how = "ladder by two shares of the exponent, base and modulus blinded"
    name = f"array-{digit}-masked{'-public' * (public > 0)}"
    return _made(name, how, digit, random, LADDER.name, public)


RANDOM_BITS = Parameter(
    "random", RANDOM, range(MOST_RANDOM_BITS + 1), "random bits of the multiples of m"
)
BLINDED = Family(
    "array-blinded",
    "one row of elements modulo a random multiple of m",
    (
        Parameter("digit", DIGIT, DIGITS, "bits of an operand per cycle", within_width=True),
        Parameter("window", WINDOW, range(1, 7), "bits of the exponent per product"),
        RANDOM_BITS,
    ),
    blinded,
)
MASKED = Family(
    "array-masked",
    "one row of elements modulo a random multiple of m, with shares of the exponent",
    (
        Parameter("digit", DIGIT, DIGITS, "bits of an operand per cycle", within_width=True),
        RANDOM_BITS,
        Parameter("public", 0, range(E_BITS + 1), "bits of exponents that take less; 0: none"),
    ),
    masked,
)
FAMILIES = (BLINDED, MASKED)
DESIGNS = ()
VARIANTS = (*(family.line() for family in FAMILIES), MASKED.line(public=PUBLIC))
MULTIPLIERS = ()
