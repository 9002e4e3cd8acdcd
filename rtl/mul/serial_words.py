"""The order of words in a datapath of three stages (document 003, figure 17.2).

    cycle t        fetch: the word is read, and chosen, and stands in the adder's registers next
    cycle t + 1    add
    cycle t + 2    write: its sum goes into a memory; its lowest bit is the top of the half before
    cycle t + 3    its half goes into a register U

A pass over M words may follow the one before it at once if M is at least 4: the first word that
it takes of U, in its first cycle, is written three cycles after that word's fetch.
"""

from functools import cache

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    clog2,
    mk_bits,
    mk_bitstruct,
    update,
    update_ff,
)

from rtl.leaf.register import Register


@cache
def mk_word(words: int) -> type:
    """Make what is told of a word while it goes through the stages, and where its sum goes.

    index: which of the number's words. to_p, to_z: half of it into that product's register U.
    to_double: into 2B's memory, twice it if `twice`. to_both: into that of 2B + N. to_result:
    out. tells_sign: the number may be negative, and its last word says so.
    """
    flags = ("first", "last", "to_p", "to_z", "to_double", "twice", "to_both", "to_result")
    fields = {"index": mk_bits(clog2(words))} | dict.fromkeys((*flags, "tells_sign"), Bits1)
    return mk_bitstruct(f"SerialWord{words}", fields)


# What is done with the words fetched: U's, 0 if `fresh`, else 2B's or those that start, and V if
# `stepping`, else N's if `with_n`, go to the P-processor. N or register A is filled, A shifted.
SerialFetch = mk_bitstruct(
    "SerialFetch",
    dict.fromkeys(
        ("from_u", "from_double", "fresh", "stepping", "with_n", "subtract")
        + ("storing", "loading", "shifting"),
        Bits1,
    ),
)

# What a product makes: P, Z or both; A of P is 1, or A of Z the base, instead of what they were;
# what is made becomes B, Z's if it is made; it is the last one.
SerialProduct = mk_bitstruct(
    "SerialProduct",
    dict.fromkeys(("p", "z", "from_one", "from_base", "becomes_b", "leaves"), Bits1),
)


class Passes(Component):
    """Counts the words of passes over numbers, one after the other while `active`.

    A pass that is not `chained` to the next is followed by two cycles in which the pipeline runs
    empty. `over` comes with the last cycle of it all.
    """

    def construct(s, words: int):
        Index = mk_bits(clog2(words))
        last_index = Index(words - 1)  # yosys takes a difference of constants for a wider one
        s.active = InPort()
        s.chained = InPort()
        s.index = OutPort(Index)
        s.passing = OutPort()
        s.first = OutPort()
        s.last = OutPort()
        s.over = OutPort()
        s.emptying = Register(2)

        @update
        def outputs():
            s.passing @= s.active & (s.emptying == 0)
            s.first @= s.passing & (s.index == 0)
            s.last @= s.passing & (s.index == last_index)
            s.over @= (s.last & s.chained) | (s.emptying == 2)

        @update_ff
        def count():
            if s.reset:
                s.index <<= 0
                s.emptying <<= 0
            elif s.last:
                s.index <<= 0
                if ~s.chained:
                    s.emptying <<= 1
            elif s.passing:
                s.index <<= s.index + 1
            elif s.emptying == 1:
                s.emptying <<= 2
            else:
                s.emptying <<= 0

    def line_trace(s) -> str:
        return f"{s.index}{' .:'[int(s.emptying)]}"


class Stages(Component):
    """Follows a word: `summed` is the one whose sum stands, `halved` the one before it."""

    def construct(s, words: int):
        Word = mk_word(words)
        s.fetched = InPort(Word)
        s.summed = OutPort(Word)
        s.halved = OutPort(Word)
        s.adding = Register(Word)

        @update_ff
        def follow():
            if s.reset:
                s.adding <<= Word()
                s.summed <<= Word()
                s.halved <<= Word()
            else:
                s.adding <<= s.fetched
                s.summed <<= s.adding
                s.halved <<= s.summed

    def line_trace(s) -> str:
        return f"{s.summed.index}"
