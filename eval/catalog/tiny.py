"""Designs that are little else than their registers, behind a port that holds no number twice."""

from dataclasses import dataclass
from functools import cache, partial

from pymtl3 import Component

from eval.catalog.design import Design, Multiplier, any_modulus
from eval.catalog.family import Family, Parameter
from eval.catalog.interleaved import SOURCE
from rtl.exp.tiny import Tiny
from rtl.leaf.turning_words import WORD_BITS
from rtl.mul.tiny import TinyMul

WORD = 8  # bits of the design in the catalog
TESTED_TO = 64  # 4 million cycles per request at 256 bits, 269 million at 1024


@dataclass(frozen=True)
class TinyDesign(Design):
    """Describes an exponentiator whose port pushes words into its own registers.

    word_bits: how wide its adder is.
    """

    word_bits: int = WORD

    def xcel(self, level: str, nbits: int) -> Component:
        """Make a new accelerator with the processor's port xcel."""
        if level != "rtl":
            return super().xcel(level, nbits)
        from rtl.port.tiny import TinyXcelRTL

        return TinyXcelRTL(nbits, self.word_bits)


@cache
def by_words(word: int) -> Multiplier:
    """Describe the multiplier whose steps reduce late, by an adder of so many bits."""
    return Multiplier(
        "tiny" if word == WORD else f"tiny-{word}",
        f"interleaved, steps that reduce late, in words of {word} bit{'s' * (word > 1)}",
        partial(TinyMul, word_bits=word),
        tested_to=2048,  # half a million cycles of a product
    )


def in_words(word: int) -> TinyDesign:
    """Describe a square and a product at every exponent bit, a word per cycle."""
    bits = f"{word} bit{'s' * (word > 1)}"
    return TinyDesign(
        name="tiny" if word == WORD else f"tiny-{word}",
        title=f"left to right at every bit, turning registers, words of {bits}, constant time",
        source=SOURCE,
        family="shift-sub",
        multiplier=by_words(word),
        make=partial(Tiny, takes=any_modulus, word_bits=word),
        tested_to=TESTED_TO,
        word_bits=word,
    )


WORDS = Family(
    "tiny",
    "turning registers and an adder of a word",
    (Parameter("word", WORD, WORD_BITS, "bits of a word", within_width=True),),
    in_words,
)
FAMILIES = (WORDS,)
MULTIPLIERS = (by_words(WORD),)
DESIGNS = (WORDS.line(word=WORD),)
