"""The smallest designs: interleaved multiplication, in constant time, for any modulus."""

from functools import cache, partial

from eval.catalog.design import Design, Multiplier, any_modulus
from eval.catalog.family import Family, Parameter
from rtl.exp.interleaved import InterleavedExp
from rtl.exp.interleaved_words import InterleavedWordsExp
from rtl.leaf.shift_sub import MOST_STEPS
from rtl.mul.interleaved import Interleaved
from rtl.mul.interleaved_words import WORD_BITS, InterleavedWords

SOURCE = "this project, after Blakley (1983)"
WORD = 16  # bits of the design in the catalog
TESTED_TO = 512  # 2 million cycles per request at 1024 bits, 34 million at 4096
WORDS_TESTED_TO = 32  # 99 thousand cycles per request at 64 bits, 403 million at 1024


@cache
def interleaved(steps: int) -> Multiplier:
    """Describe the interleaved multiplier with so many steps per cycle."""
    return Multiplier(
        f"interleaved-{steps}",
        f"interleaved, from the highest bit, {steps} step{'s' * (steps > 1)} per cycle",
        partial(Interleaved, steps_per_cycle=steps),
    )


@cache
def by_words(word: int) -> Multiplier:
    """Describe the interleaved multiplier whose numbers pass an adder of so many bits."""
    return Multiplier(
        f"interleaved-words-{word}",
        f"interleaved, from the highest bit, in passes over words of {word} bit{'s' * (word > 1)}",
        partial(InterleavedWords, word_bits=word),
        tested_to=WORDS_TESTED_TO,
    )


def whole(steps: int) -> Design:
    """Describe a square and a product at every exponent bit, of whole numbers."""
    per_cycle = "a step" if steps == 1 else f"{steps} steps"
    return Design(
        name=f"interleaved-{steps}",
        title=f"interleaved, left to right at every bit, {per_cycle} per cycle, constant time",
        source=SOURCE,
        family="shift-sub",
        multiplier=interleaved(steps),
        make=partial(InterleavedExp, takes=any_modulus, steps_per_cycle=steps),
        tested_to=TESTED_TO,
    )


def in_words(word: int) -> Design:
    """Describe the same a word per cycle."""
    bits = f"{word} bit{'s' * (word > 1)}"
    return Design(
        name=f"interleaved-words-{word}",
        title=f"interleaved, left to right at every bit, words of {bits}, constant time",
        source=SOURCE,
        family="shift-sub",
        multiplier=by_words(word),
        make=partial(InterleavedWordsExp, takes=any_modulus, word_bits=word),
        tested_to=WORDS_TESTED_TO,
    )


WHOLE = Family(
    "interleaved",
    "interleaved, left to right at every bit, constant time",
    (Parameter("steps", 1, range(1, MOST_STEPS), "steps per cycle"),),
    whole,
)
WORDS = Family(
    "interleaved-words",
    "the same in passes over words",
    (Parameter("word", WORD, WORD_BITS, "bits of a word", within_width=True),),
    in_words,
)
FAMILIES = (WHOLE, WORDS)
MULTIPLIERS = (interleaved(1), by_words(WORD))
DESIGNS = (WHOLE.line(steps=1), WORDS.line(word=WORD))
