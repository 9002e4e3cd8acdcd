"""In which order a row makes the products of its loop: what follows on a product, bit by bit.

`advance` comes in the cycle in which a product ends; in it and in the cycle before, `next` is the
next one. The first one ends what comes before the loop.
"""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from fl.exponent_bits import FEWEST_TURNS, turns_to_end
from rtl.exp.exponent_bits import ExponentBits
from rtl.leaf.register import Register

SQUARE, MULTIPLY, LEAVE = range(3)


class OrderPorts(Component):
    """Has the ports of all orders, and the exponent, from the top so many bits at a time.

    exp comes with `load`, held from the cycle after that on. entry: of the table, by which the next
    product multiplies.
    """

    def construct(s, nbits: int, entry_bits: int, skips: bool = False):
        turns = turns_to_end(nbits) if skips else FEWEST_TURNS
        s.load = InPort()
        s.exp = InPort(nbits)
        s.held = InPort(nbits)
        s.exponent = ExponentBits(nbits, entry_bits, turns, from_top=True, skips=skips)
        s.exponent.load //= s.load
        s.exponent.exp //= s.exp
        s.exponent.held //= s.held
        s.advance = InPort()
        s.next = OutPort(2)
        s.entry = OutPort(entry_bits)


class BinaryOrder(OrderPorts):
    """Squares for each bit after the highest 1, and multiplies by the base where it is 1.

    The result begins as the base, for exp >= 1. From the cycle after `load` on a leading zero
    leaves per cycle, or if it skips a word of them; there are enough before the first `advance`.
    """

    def construct(s, nbits: int, skips: bool):
        Count = mk_bits(clog2(nbits + 1))
        super().construct(nbits, 1, skips)
        s.bits_left = Register(Count)  # with that at the top
        s.skipping = Register()
        s.squared = Register()
        s.top = Wire()
        s.next_bit = Wire()
        s.leaves = Wire()  # the bit at the top
        s.top //= s.exponent.bits
        s.exponent.advance //= s.leaves
        s.entry //= 0

        @update
        def follow():
            s.next_bit @= s.advance & ~(s.squared & s.top)
            s.leaves @= s.next_bit | (s.skipping & ~s.top)
            if s.squared & s.top:
                s.next @= MULTIPLY
            elif s.bits_left == 1:
                s.next @= LEAVE
            else:
                s.next @= SQUARE

        if skips:
            word_bits = Count(s.exponent.word_bits)
            s.exponent.skip //= s.skipping

            @update_ff
            def bits_or_words():
                if s.load:
                    s.bits_left <<= Count(nbits)
                elif s.exponent.passes:
                    s.bits_left <<= s.bits_left - word_bits
                elif s.leaves:
                    s.bits_left <<= s.bits_left - 1

        else:

            @update_ff
            def bits():
                if s.load:
                    s.bits_left <<= Count(nbits)
                elif s.leaves:
                    s.bits_left <<= s.bits_left - 1

        @update_ff
        def state():
            if s.load:
                s.skipping <<= 1
                s.squared <<= 0
            elif s.advance:
                s.skipping <<= 0
                s.squared <<= s.next == SQUARE

    def line_trace(s) -> str:
        return s.exponent.line_trace()


class WindowOrder(OrderPorts):
    """Multiplies by a power of the base per window of the exponent, after a square per bit."""

    def construct(s, nbits: int, window_bits: int):
        count = -(-nbits // window_bits)
        Count = mk_bits(clog2(count + 1))
        Squares = mk_bits(clog2(window_bits + 1))
        super().construct(nbits, window_bits)
        s.windows_left = Register(Count)  # with that at the top
        s.squares_left = Register(Squares)
        s.multiplied = Register()
        s.leaves = Wire()  # the window at the top
        s.entry //= s.exponent.bits
        s.exponent.advance //= s.leaves

        @update
        def follow():
            s.leaves @= s.advance & s.multiplied
            if s.multiplied & (s.windows_left == 1):
                s.next @= LEAVE
            elif s.multiplied | (s.squares_left != 0):
                s.next @= SQUARE
            else:
                s.next @= MULTIPLY

        @update_ff
        def windows():
            if s.load:
                s.windows_left <<= Count(count)
            elif s.leaves:
                s.windows_left <<= s.windows_left - 1

        @update_ff
        def state():
            if s.load:
                s.multiplied <<= 0
                s.squares_left <<= 0
            elif s.advance:
                s.multiplied <<= s.next == MULTIPLY
                if s.multiplied:
                    s.squares_left <<= Squares(window_bits - 1)
                elif s.squares_left != 0:
                    s.squares_left <<= s.squares_left - 1

    def line_trace(s) -> str:
        return s.exponent.line_trace()
