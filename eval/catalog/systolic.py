"""Document 002's array of elements, one per word of an operand, and exponentiators around it.

In the document's, one array makes every product, left to right, at all bits of the exponent; an
answer is kept for a cycle before it is an operand, so that a product takes the printed 3s + 2.
"""

from dataclasses import replace
from functools import partial

from cl.organisation import Organisation
from eval.catalog.design import ODD_MODULUS, Design, Moduli, Multiplier
from eval.catalog.family import Family, Parameter
from eval.catalog.workloads import key_for
from fl.mont_mul import minus_inverse
from fl.rsa_keys import RsaKey
from fl.schedule import LEFT_TO_RIGHT_ALWAYS, RIGHT_TO_LEFT_ALWAYS
from fl.systolic import printed_words, sound_words, widest_modulus
from rtl.exp.enter import ConvertAny
from rtl.exp.given import given
from rtl.exp.judge import ShortOddModulus
from rtl.exp.organised import Organised, organised
from rtl.mul.systolic import Systolic
from rtl.mul.systolic_late import LateSystolic, ScaledSystolic
from rtl.mul.systolic_twin import TwinSystolic

DIGIT = 16  # bits of a word, as printed
DIGITS = (4, 8, 32)  # those of the variants
ELEMENTS_TESTED = 32  # more take long to compile
TESTED_TO = 1024  # an exponentiation of 2048 bits takes 1.6 million cycles, whatever the exponent
PRINTED = Organisation(LEFT_TO_RIGHT_ALWAYS, units=1, forward=False)
TWO_AT_ONCE = Organisation(RIGHT_TO_LEFT_ALWAYS, units=1)
PRINTED_SOURCE = "document 002, figures 1 to 6"
OUR_SOURCE = "this project, after document 002"


def array(digit: int, kind: type[Systolic] = Systolic, name: str = "systolic") -> Multiplier:
    """Describe an array with as many words as every modulus of a width asks for."""
    return Multiplier(
        f"{name}-{digit}",
        f"{name} array, an element per word of {digit} bits".replace("-", ", "),
        lambda nbits: kind(nbits, digit, sound_words(nbits, digit)),
        tested_to=ELEMENTS_TESTED * digit,
    )


def around(
    multiplier: Multiplier,
    title: str,
    source: str = OUR_SOURCE,
    organisation: Organisation = PRINTED,
    domain: str = "Montgomery, R >= 2^(n+2), values below 2m",
) -> Design:
    """Describe an exponentiator with that one array, in constant time for every odd modulus."""
    return Design(
        name=multiplier.name,
        title=title,
        source=source,
        family="Montgomery",
        multiplier=multiplier,
        make=lambda nbits: organised(multiplier.at(nbits), organisation),
        domain=domain,
        moduli=ODD_MODULUS,
        tested_to=TESTED_TO,
    )


def systolic(digit: int, kind: str) -> Design:
    """Describe document 002's exponentiator, with a word more where moduli of all bits need it; or
    another kind of array."""
    if kind == "late":
        title = f"systolic-{digit} with quotient digits formed a cycle ahead"
        return around(array(digit, LateSystolic, "systolic-late"), title)
    if kind == "scaled":
        return scaled(digit)
    if kind == "twin":
        return around(
            array(digit, TwinSystolic, "systolic-twin"),
            f"systolic-{digit} with two products in the array, right to left",
            organisation=TWO_AT_ONCE,
            domain="base only, R >= 2^(n+2), values below 2m",
        )
    title = f"one systolic array of radix 2^{digit}, left to right, constant time"
    return around(array(digit), title, PRINTED_SOURCE)


def scaled(digit: int) -> Design:
    """Describe an array modulo c*m, whose lowest word is the quotient digit."""
    return around(
        Multiplier(
            f"systolic-scaled-{digit}",
            f"systolic array modulo c*m = -1 mod 2^{digit}, an element per word of {digit} bits",
            partial(ScaledSystolic, digit_bits=digit),
        ),
        f"one systolic array modulo c*m = -1 mod 2^{digit}, right to left, constant time",
        organisation=TWO_AT_ONCE,
        domain="base only, Montgomery modulo c*m",
    )


KINDS = ("plain", "late", "scaled", "twin")
BY_DIGITS = Family(
    "systolic",
    "document 002's array of elements, with a word more where moduli of all bits need it",
    (
        Parameter("digit", DIGIT, tuple(sorted((*DIGITS, DIGIT))), "bits of a word", True),
        Parameter("kind", KINDS[0], KINDS, "how quotient digits are formed; twin: two products"),
    ),
    systolic,
)
FAMILIES = (BY_DIGITS,)
SYSTOLIC = BY_DIGITS.line()


def _printed_array(nbits: int) -> Systolic:
    return Systolic(nbits, DIGIT, printed_words(nbits, DIGIT))


def _printed(nbits: int) -> Organised:
    unit = _printed_array(nbits)
    most_bits = widest_modulus(nbits, DIGIT, unit.words)
    if most_bits == nbits:
        return organised(unit, PRINTED)
    return organised(
        unit,
        PRINTED,
        takes=unit.takes,
        judge=partial(ShortOddModulus, nbits, most_bits),
        enter=partial(ConvertAny, nbits),
    )


def _printed_key(nbits: int) -> RsaKey:
    return key_for(widest_modulus(nbits, DIGIT, printed_words(nbits, DIGIT)))


AS_PRINTED = replace(
    SYSTOLIC,
    spelled="",
    name="systolic-printed",
    title="systolic-16 of n/16 words, as printed: for moduli of at most n - 2 bits",
    multiplier=Multiplier("systolic-printed", "systolic array of n/16 words", _printed_array),
    make=_printed,
    domain="Montgomery, R = 2^n, values below 2m",
    moduli=Moduli("odd, of at most n - 2 bits", _printed_key),
)


def _given(nbits: int) -> Organised:
    mod = key_for(nbits).n
    return given(SYSTOLIC.multiplier.at(nbits), PRINTED, mod, minus_inverse(mod, DIGIT), DIGIT)


GIVEN = replace(
    SYSTOLIC,
    spelled="",
    name="systolic-given",
    title="systolic-16 for one modulus, whose R, R^2 and m' it is given",
    make=_given,
    moduli=Moduli("that of the workloads only", key_for, lambda nbits: key_for(nbits).n),
)

LATE, SCALED, TWIN = (BY_DIGITS.line(kind=kind) for kind in KINDS[1:])

DESIGNS = (SYSTOLIC,)
MULTIPLIERS = (SYSTOLIC.multiplier, array(4))  # 4: several words at the few bits of most tests
VARIANTS = (
    *(BY_DIGITS.line(digit=digit) for digit in DIGITS),
    AS_PRINTED,
    GIVEN,
    LATE,
    SCALED,
    TWIN,
)
