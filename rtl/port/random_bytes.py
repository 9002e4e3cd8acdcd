"""The stand-in for a source of random bytes of fl/random_bytes.py, in hardware."""

from pymtl3 import (
    Bits5,
    Bits13,
    Bits17,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    update,
    update_ff,
)

from fl.random_bytes import FIRST
from rtl.leaf.register import Register


class RandomBytesRTL(Component):
    """Offers a byte in every cycle, the next one in the cycle after it was taken.

    word: it, and the bits that follow it in the stand-in's state.
    """

    def construct(s):
        s.valid = OutPort()
        s.ready = InPort()
        s.random = OutPort(8)
        s.word = OutPort(32)
        s.state = Register(32)
        s.left = Wire(32)
        s.right = Wire(32)
        s.random //= s.state[0:8]
        s.word //= s.state
        s.valid //= 1

        @update
        def shift():
            s.left @= s.state ^ concat(s.state[0:19], Bits13(0))
            s.right @= s.left ^ concat(Bits17(0), s.left[17:32])

        @update_ff
        def follow():
            if s.reset:
                s.state <<= FIRST
            elif s.ready:
                s.state <<= s.right ^ concat(s.right[0:27], Bits5(0))
