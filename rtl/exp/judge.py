"""Which moduli an exponentiator takes: `takes` says whether it takes mod, as a request arrives."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update


class AnyModulus(Component):
    """takes = (mod >= 1)."""

    def construct(s, nbits: int):
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod != 0

    def line_trace(s) -> str:
        return "." if s.takes else "!"


class OddModulus(Component):
    """takes = (mod is odd)."""

    def construct(s, nbits: int):
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod[0]

    def line_trace(s) -> str:
        return "." if s.takes else "!"


class ShortOddModulus(Component):
    """takes = (mod is odd and of at most most_bits), for most_bits < nbits."""

    def construct(s, nbits: int, most_bits: int):
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod[0] & (s.mod[most_bits:nbits] == 0)

    def line_trace(s) -> str:
        return "." if s.takes else "!"


class OnlyModulus(Component):
    """takes = (mod = only)."""

    def construct(s, nbits: int, only: int):
        constant = mk_bits(nbits)(only)
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod == constant

    def line_trace(s) -> str:
        return "." if s.takes else "!"
