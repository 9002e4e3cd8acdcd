"""Document 002's array of elements, a word of 2^k each, and its exponentiator.

In its exponentiator one array makes every product, left to right, at all bits of the exponent; an
answer is kept for a cycle before it is an operand, so that a product takes the printed 3s + 2.
"""

from functools import partial

from cl.organisation import Organisation
from eval.catalog.design import ODD_MODULUS, Design, Moduli, Multiplier
from eval.catalog.workloads import key_for
from fl.rsa_keys import RsaKey
from fl.schedule import LEFT_TO_RIGHT_ALWAYS
from fl.systolic import printed_words, sound_words, widest_modulus
from rtl.exp.judge import ShortOddModulus
from rtl.exp.organised import Organised, organised
from rtl.mul.systolic import Systolic

DIGIT = 16  # bits of a word, as printed
DIGITS = (4, 8, 32)  # those of the variants
ELEMENTS_TESTED = 32  # more take long to compile
TESTED_TO = 1024  # an exponentiation of 2048 bits takes 1.6 million cycles, whatever the exponent
ALWAYS = Organisation(LEFT_TO_RIGHT_ALWAYS, units=1, forward=False)


def array(digit: int) -> Multiplier:
    """Describe an array with as many words as every modulus of a width asks for."""
    return Multiplier(
        f"systolic-{digit}",
        f"systolic array, an element per word of {digit} bits",
        lambda nbits: Systolic(nbits, digit, sound_words(nbits, digit)),
        tested_to=ELEMENTS_TESTED * digit,
    )


def systolic(digit: int) -> Design:
    """Describe document 002's exponentiator, for every modulus of its width."""
    multiplier = array(digit)
    return Design(
        name=f"systolic-{digit}",
        title=f"one systolic array of radix 2^{digit}, left to right, constant time",
        source="document 002, figures 1 to 6",
        family="Montgomery",
        multiplier=multiplier,
        make=lambda nbits: organised(multiplier.at(nbits), ALWAYS),
        domain="Montgomery, R >= 2^(n+2), values below 2m",
        moduli=ODD_MODULUS,
        tested_to=TESTED_TO,
    )


def _printed_array(nbits: int) -> Systolic:
    return Systolic(nbits, DIGIT, printed_words(nbits, DIGIT))


def _printed(nbits: int) -> Organised:
    unit = _printed_array(nbits)
    most_bits = widest_modulus(nbits, DIGIT, unit.words)
    if most_bits == nbits:
        return organised(unit, ALWAYS)
    # A base may be R or more by half: only times an R^2 of at most m it is below 2m.
    organisation = Organisation(LEFT_TO_RIGHT_ALWAYS, units=1, forward=False, squarings=0)
    judge = partial(ShortOddModulus, nbits, most_bits)
    return organised(unit, organisation, takes=unit.takes, judge=judge)


def printed_key(nbits: int) -> RsaKey:
    """Return a key of as many bits as the printed array takes."""
    return key_for(widest_modulus(nbits, DIGIT, printed_words(nbits, DIGIT)))


PRINTED = Design(
    name="systolic-printed",
    title="systolic-16 of n/16 words, as printed: for moduli of at most n - 2 bits",
    source="document 002, figures 1 to 6",
    family="Montgomery",
    multiplier=Multiplier(
        "systolic-printed", "systolic array of n/16 words of 16 bits", _printed_array
    ),
    make=_printed,
    domain="Montgomery, R = 2^n, values below 2m",
    moduli=Moduli("odd, of at most n - 2 bits", printed_key),
    tested_to=TESTED_TO,
)

DESIGNS = (systolic(DIGIT),)
MULTIPLIERS = (array(DIGIT), array(4))  # 4: several words at the few bits of most tests
VARIANTS = (*(systolic(digit) for digit in DIGITS), PRINTED)
