"""An event counter of two words whose carry takes no longer than that of one word."""

from pymtl3 import Component, InPort, OutPort, update_ff

from rtl.leaf.register import Register


class Counter(Component):
    """Counts cycles with `step` since reset: {high, low}, modulo 2^(2*nbits)."""

    def construct(s, nbits: int = 32):
        before_full = (1 << nbits) - 2
        s.step = InPort()
        s.low = OutPort(nbits)
        s.high = OutPort(nbits)
        s.full = Register()  # low is all ones

        @update_ff
        def count():
            if s.reset:
                s.low <<= 0
                s.high <<= 0
                s.full <<= 0
            elif s.step:
                s.low <<= s.low + 1
                s.full <<= s.low == before_full
                if s.full:
                    s.high <<= s.high + 1
