"""The iterated schedule: one chain of AddRed steps, used again every cycle."""

from pymtl3 import Component, InPort, OutPort, update_ff, zext

from rtl.leaf.add_red import AddRedChain
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import Accept, Offer, join
from rtl.leaf.register import Register


class AddRedLoop(Component):
    """sum = first_sum after cycles * steps AddRed steps over the bits of x; x is shifted out.

    Time as of rtl/leaf/digit_loop.py; y + m is formed on the way into its register.
    """

    def construct(s, nbits: int, steps: int, cycles: int, order: str):
        sum_bits, x_bits = nbits + 1, max(nbits, steps)
        s.recv = Accept()
        s.first_sum = InPort(sum_bits)
        s.x = InPort(nbits)
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.send = Offer()
        s.sum = OutPort(sum_bits)
        s.held_m = OutPort(nbits)

        s.sum_register = Register(sum_bits)
        s.x_register = Register(x_bits)
        s.y_register = Register(nbits)
        s.m_register = Register(nbits)
        s.y_plus_m = Register(sum_bits)

        s.loop = DigitLoop(cycles)
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.chain = AddRedChain(nbits, steps, order)
        s.chain.s //= s.sum_register
        s.chain.x //= s.x_register[0:steps]
        s.chain.y //= s.y_register
        s.chain.m //= s.m_register
        s.chain.y_plus_m //= s.y_plus_m
        s.sum //= s.sum_register
        s.held_m //= s.m_register

        @update_ff
        def registers():
            if s.loop.load:
                s.sum_register <<= s.first_sum
                s.x_register <<= zext(s.x, x_bits)
                s.y_register <<= s.y
                s.m_register <<= s.m
                s.y_plus_m <<= zext(s.y, sum_bits) + zext(s.m, sum_bits)
            elif s.loop.step:
                s.sum_register <<= s.chain.next
                s.x_register <<= s.x_register >> steps

    def line_trace(s) -> str:
        return s.loop.line_trace()
