"""The digit-serial processor of document 003: additions of long numbers a word per cycle."""

from functools import partial

from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from rtl.exp.digit_serial import SerialExponentiator
from rtl.mul.digit_serial import DigitSerial

WORD = 8  # bits of the designs in the catalog
WORDS = (8, 16, 32, 64, 128, 256)  # with those of the variants
TESTED_TO = 64  # a product of n bits takes n * n / 8 cycles, and cl counts them one by one


def odd_modulus(mod: int) -> bool:
    """Return whether mod is odd."""
    return mod % 2 == 1


def digit_serial(word_bits: int, with_z: bool) -> Design:
    """Describe document 003's processor in words of so many bits, with the Z-processor or not."""
    multiplier = Multiplier(
        f"serial-{word_bits}",
        f"Montgomery, a bit per addition in words of {word_bits} bits",
        partial(DigitSerial, word_bits=word_bits),
        tested_to=TESTED_TO,
    )
    name, processors = ("serial-pz", "P and Z") if with_z else ("serial-p", "P")
    return Design(
        name=f"{name}-{word_bits}",
        title=f"digit-serial, {processors}-processor, words of {word_bits} bits",
        source="document 003",
        family="Montgomery",
        multiplier=multiplier,
        make=partial(SerialExponentiator, takes=odd_modulus, word_bits=word_bits, with_z=with_z),
        domain="Montgomery, R = 2^(n+2), values below 2m",
        moduli=ODD_MODULUS,
        tested_to=TESTED_TO,
    )


ALL = tuple(digit_serial(bits, with_z) for with_z in (True, False) for bits in WORDS)
DESIGNS = tuple(design for design in ALL if design.name.endswith(f"-{WORD}"))
VARIANTS = tuple(design for design in ALL if design not in DESIGNS)
MULTIPLIERS = (DESIGNS[0].multiplier,)
