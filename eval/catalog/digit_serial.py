"""The digit-serial processor of document 003: additions of long numbers a word per cycle."""

from functools import partial

from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from eval.catalog.family import Family, Parameter, flag
from rtl.exp.digit_serial import SerialExponentiator
from rtl.mul.digit_serial import DigitSerial

WORD = 8  # bits of the designs in the catalog
WORDS = (8, 16, 32, 64, 128, 256)  # with those of the variants
TESTED_TO = 64  # a product of n bits takes n * n / 8 cycles, and cl counts them one by one


def odd_modulus(mod: int) -> bool:
    """Return whether mod is odd."""
    return mod % 2 == 1


def digit_serial(word: int, z: bool) -> Design:
    """Describe document 003's processor in words of so many bits, with the Z-processor or not."""
    multiplier = Multiplier(
        f"serial-{word}",
        f"Montgomery, a bit per addition in words of {word} bits",
        partial(DigitSerial, word_bits=word),
        tested_to=TESTED_TO,
    )
    name, processors = ("serial-pz", "P and Z") if z else ("serial-p", "P")
    return Design(
        name=f"{name}-{word}",
        title=f"digit-serial, {processors}-processor, words of {word} bits",
        source="document 003",
        family="Montgomery",
        multiplier=multiplier,
        make=partial(SerialExponentiator, takes=odd_modulus, word_bits=word, with_z=z),
        domain="Montgomery, R = 2^(n+2), values below 2m",
        moduli=ODD_MODULUS,
        tested_to=TESTED_TO,
    )


SERIAL = Family(
    "serial",
    "document 003's processor, a word of a long number per cycle",
    (
        Parameter("word", WORD, WORDS, "bits of a word", within_width=True),
        flag("z", "with the Z-processor, which squares beside the P-processor", True),
    ),
    digit_serial,
)
FAMILIES = (SERIAL,)
ALL = tuple(SERIAL.line(word=bits, z=z) for z in (True, False) for bits in WORDS)
DESIGNS = tuple(design for design in ALL if design.name.endswith(f"-{WORD}"))
VARIANTS = tuple(design for design in ALL if design not in DESIGNS)
MULTIPLIERS = (DESIGNS[0].multiplier,)
