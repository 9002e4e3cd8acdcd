"""An exponent as two shares, each random: their sum mod 2, bit by bit, is the exponent.

No register holds the exponent itself: a random word is added to each of its words as it comes.

    cycle 0     a word is pushed: share 0 takes it, with a random word added
    cycle 1     share 1 takes that random word
    from then   delta: whether the top bit and the one before it differ, of either share

A share moves by a bit with `next`, never both in one cycle. Its bits go around, with a share of 0
between the last one and the first: after a move for each of them, and one, all stand as before, for
the next request. A fresh random bit is added to both shares of a bit on its way to the top, so that
it has a new mask each time it is used. Nothing in a share's registers and delta comes from the
other share.
"""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.xcel import WORD_BITS, words
from rtl.leaf.register import Register
from rtl.port.operand_words import IsWord


class Share(Component):
    """Keeps one share, whose words are pushed in at the top, the lowest first.

    public_bits: with `short`, only so many bits go around; those above do so by themselves.
    """

    def construct(s, nbits: int, public_bits: int):
        total = WORD_BITS * words(nbits)
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.next = InPort()
        s.fresh = InPort()
        s.delta = OutPort()
        s.share = Register(total)
        s.served = Register()  # the bit before; of 0 before the first one
        s.top = Wire()
        s.changes = Wire(nbits)  # bits that are not as those one place below
        s.turned = Wire(nbits)
        s.moved = Wire(total)

        if public_bits:
            s.short = InPort()
            s.short_fresh = Wire()
            s.exchanged = Wire()  # the tops of both parts differ, and go where the other would

            @update
            def turn_short_or_all():
                s.top @= s.share[nbits - 1]
                s.exchanged @= 0
                s.short_fresh @= 0
                if s.short:
                    s.top @= s.share[public_bits - 1]
                    s.exchanged @= s.share[nbits - 1] ^ s.share[public_bits - 1]
                    s.short_fresh @= s.fresh

            @update
            def change_short_or_all():
                s.changes @= (
                    (zext(s.fresh, nbits) << (nbits - 1))
                    ^ (zext(s.short_fresh, nbits) << (public_bits - 1))
                    ^ (zext(s.exchanged, nbits) << public_bits)
                )

        else:
            s.top //= s.share[nbits - 1]

            @update
            def change():
                s.changes @= zext(s.fresh, nbits) << (nbits - 1)

        @update
        def turn():
            s.turned @= concat(s.share[0 : nbits - 1], s.served) ^ s.changes

        if total > nbits:

            @update
            def leave_others():
                s.moved @= concat(s.share[nbits:total], s.turned)

        else:
            s.moved //= s.turned

        @update
        def see():
            s.delta @= s.top ^ s.served

        if total > WORD_BITS:

            @update_ff
            def hold_words():
                if s.reset:
                    s.share <<= 0
                elif s.push:
                    s.share <<= concat(s.word, s.share[WORD_BITS:total])
                elif s.next:
                    s.share <<= s.moved

        else:

            @update_ff
            def hold_word():
                if s.reset:
                    s.share <<= 0
                elif s.push:
                    s.share <<= s.word
                elif s.next:
                    s.share <<= s.moved

        @update_ff
        def hold_bit():
            if s.reset:
                s.served <<= 0
            elif s.next:
                s.served <<= s.top

    def line_trace(s) -> str:
        return f"{s.share}"


class ShortExponent(Component):
    """yes = (the exponent whose words are pushed, the lowest first, has at most so many bits)."""

    def construct(s, nbits: int, public_bits: int):
        first, low = divmod(public_bits, WORD_BITS)  # the word whose bits from `low` on must be 0
        count = words(nbits) - first
        Count = mk_bits(count)
        valid = nbits - WORD_BITS * (words(nbits) - 1)  # bits of the last word
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.yes = OutPort()
        s.fits = Wire(count)  # bit i: the arriving word may be the exponent's word `first` + i
        s.matched = Register(count)  # bit i: the last words may be those up to `first` + i
        s.yes //= s.matched[count - 1]
        for i in range(count):
            begin, end = low if i == 0 else 0, valid if i == count - 1 else WORD_BITS
            is_zero = IsWord(end - begin, 0)
            setattr(s, f"is_zero_{i}", is_zero)
            connect(is_zero.word, s.word[begin:end])
            connect(is_zero.yes, s.fits[i])

        @update_ff
        def follow():
            if s.reset:
                s.matched <<= Count((1 << count) - 1)
            elif s.push:
                s.matched <<= s.fits & ((s.matched << 1) | 1)

    def line_trace(s) -> str:
        return "s" if s.yes else "."


class ExponentShares(Component):
    """Splits the exponent whose words are pushed, each by a random word that comes with it.

    public_bits: `short` says that the last one has at most so many bits, which alone are served.
    """

    def construct(s, nbits: int, public_bits: int = 0):
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.random = InPort(WORD_BITS)
        s.next_0 = InPort()
        s.next_1 = InPort()
        s.delta_0 = OutPort()
        s.delta_1 = OutPort()
        s.added = Register(WORD_BITS)  # to the word that came in the cycle before
        s.enters = Register()  # it is to enter share 1
        s.fresh = Register()
        s.share_0 = Share(nbits, public_bits)
        s.share_1 = Share(nbits, public_bits)
        s.delta_0 //= s.share_0.delta
        s.delta_1 //= s.share_1.delta
        s.share_0.push //= s.push
        s.share_1.push //= s.enters
        s.share_1.word //= s.added
        s.share_0.next //= s.next_0
        s.share_1.next //= s.next_1
        s.share_0.fresh //= s.fresh
        s.share_1.fresh //= s.fresh
        if public_bits:
            s.short = OutPort()
            s.judge = ShortExponent(nbits, public_bits)
            s.judge.push //= s.push
            s.judge.word //= s.word
            s.short //= s.judge.yes
            s.share_0.short //= s.judge.yes
            s.share_1.short //= s.judge.yes

        @update
        def add_random_word():
            s.share_0.word @= s.word ^ s.random

        @update_ff
        def follow_push():
            if s.reset:
                s.enters <<= 0
                s.added <<= 0
            else:
                s.enters <<= s.push
                if s.push:
                    s.added <<= s.random

        @update_ff
        def take_fresh_bit():
            if s.reset:
                s.fresh <<= 0
            elif s.enters | s.next_1:
                s.fresh <<= s.random[0]

    def line_trace(s) -> str:
        return f"{s.share_0.line_trace()} {s.share_1.line_trace()}"
