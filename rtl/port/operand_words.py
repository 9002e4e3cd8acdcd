"""An operand of the accelerator, which comes in words, least significant first."""

from pymtl3 import Component, InPort, OutPort, Wire, concat, connect, mk_bits, update, update_ff

from fl.xcel import WORD_BITS, to_words, words
from rtl.leaf.register import Register


class WordShifter(Component):
    """Keeps n bits, filled from the top, a word at a time."""

    def construct(s, nbits: int):
        total = WORD_BITS * words(nbits)
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.value = OutPort(nbits)
        s.register = Register(total)
        s.value //= s.register[0:nbits]

        if total == WORD_BITS:

            @update_ff
            def shift_word():
                if s.push:
                    s.register <<= s.word

        else:

            @update_ff
            def shift_words():
                if s.push:
                    s.register <<= concat(s.word, s.register[WORD_BITS:total])

    def line_trace(s) -> str:
        return f"{s.value}"


class SecretWords(Component):
    """Keeps n bits as WordShifter, until a reset."""

    def construct(s, nbits: int):
        total = WORD_BITS * words(nbits)
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.value = OutPort(nbits)
        s.register = Register(total)
        s.pushed = Wire(total)
        s.value //= s.register[0:nbits]

        if total == WORD_BITS:
            s.pushed //= s.word

        else:

            @update
            def shift():
                s.pushed @= concat(s.word, s.register[WORD_BITS:total])

        @update_ff
        def keep():
            if s.reset:
                s.register <<= 0
            elif s.push:
                s.register <<= s.pushed

    def line_trace(s) -> str:
        return f"{s.value}"


class PassedWords(Component):
    """Passes words on to who keeps them, and has the value 0."""

    def construct(s, nbits: int):
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.value = OutPort(nbits)
        s.passes = OutPort()
        s.passed = OutPort(WORD_BITS)
        s.value //= 0
        s.passes //= s.push
        s.passed //= s.word

    def line_trace(s) -> str:
        return f"{s.word}" if s.push else "."


class TwoExponents(Component):
    """Keeps an exponent of n bits, or two of n / 2 in its place, until a reset; each is filled from
    its top."""

    def construct(s, nbits: int):
        half_bits = -(-nbits // 2)
        total = WORD_BITS * words(half_bits)
        unused = 2 * total - WORD_BITS * words(nbits)  # bits that no exponent of n bits fills
        s.push = InPort()
        s.push_low = InPort()
        s.push_high = InPort()
        s.word = InPort(WORD_BITS)
        s.value = OutPort(nbits)
        s.low = OutPort(half_bits)
        s.high = OutPort(half_bits)
        s.both = Wire(2 * total)
        s.low_words = SecretWords(total)
        s.high_words = SecretWords(total)
        s.low //= s.low_words.value[0:half_bits]
        s.high //= s.high_words.value[0:half_bits]
        s.value //= s.both[unused : unused + nbits]
        s.high_words.word //= s.word

        @update
        def put_together():
            s.both @= concat(s.high_words.value, s.low_words.value)
            s.high_words.push @= s.push | s.push_high
            s.low_words.push @= s.push | s.push_low
            s.low_words.word @= s.word
            if s.push:
                s.low_words.word @= s.high_words.value[0:WORD_BITS]

    def line_trace(s) -> str:
        return f"{s.both}"


class NotPushed(Component):
    """yes = (no word came since the last `go`)."""

    def construct(s):
        s.push = InPort()
        s.go = InPort()
        s.yes = OutPort()

        @update_ff
        def follow():
            if s.push:
                s.yes <<= 0
            elif s.go:
                s.yes <<= 1

    def line_trace(s) -> str:
        return "=" if s.yes else "."


class IsWord(Component):
    """yes = (the low bits of the word are those of the constant)."""

    def construct(s, nbits: int, constant: int):
        wanted = mk_bits(nbits)(constant)
        s.word = InPort(nbits)
        s.yes = OutPort()

        @update
        def compare():
            s.yes @= s.word == wanted

    def line_trace(s) -> str:
        return "=" if s.yes else "."


class OnlyValue(Component):
    """Gives WordShifter's value where that is the only one that counts, otherwise 0.

    The words are compared as they come: a bit for each of them takes the place of the register.
    """

    def construct(s, nbits: int, only: int):
        count = words(nbits)
        last = count - 1
        constant = mk_bits(nbits)(only)
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.value = OutPort(nbits)
        s.fits = Wire(count)  # bit i: the arriving word is the value's word i
        s.matched = Register(count)  # bit i: the last words are the value's words 0 to i
        for i, word in enumerate(to_words(only, nbits)):
            bits = min(WORD_BITS, nbits - WORD_BITS * i)
            compare = IsWord(bits, word)
            setattr(s, f"compare_{i}", compare)
            connect(compare.word, s.word[0:bits])
            connect(compare.yes, s.fits[i])

        @update
        def whole():
            s.value @= 0
            if s.matched[last]:
                s.value @= constant

        @update_ff
        def follow():
            if s.push:
                s.matched <<= s.fits & ((s.matched << 1) | 1)

    def line_trace(s) -> str:
        return f"{s.matched}"
