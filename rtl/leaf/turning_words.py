"""Words that turn: a long number that passes an adder of one word, the lowest word first."""

from pymtl3 import Component, InPort, OutPort, concat, update_ff

from rtl.leaf.register import Register

WORD_BITS = (1, 2, 4, 8, 16, 32)


def check_word(word_bits: int) -> None:
    """Raise ValueError unless words may have so many bits."""
    if word_bits not in WORD_BITS:
        raise ValueError(f"word_bits must be one of {WORD_BITS}, not {word_bits}")


class TurningWords(Component):
    """Keeps words, of which the lowest is seen; a `turn` moves them down, and `high` in above."""

    def construct(s, total: int, word_bits: int):
        s.turn = InPort()
        s.high = InPort(word_bits)
        s.value = OutPort(total)
        s.kept = Register(total)
        s.value //= s.kept

        if total == word_bits:

            @update_ff
            def replace_word():
                if s.turn:
                    s.kept <<= s.high

        else:

            @update_ff
            def turn_words():
                if s.turn:
                    s.kept <<= concat(s.high, s.kept[word_bits:total])

    def line_trace(s) -> str:
        return f"{s.kept}"
