"""Which moduli an exponentiator takes, judged as a request arrives: `takes` for mod."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update


class AnyModulus(Component):
    """Whether mod is at least 1."""

    def construct(s, nbits: int):
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod != 0

    def line_trace(s) -> str:
        return "." if s.takes else "!"


class OddModulus(Component):
    """Whether mod is odd."""

    def construct(s, nbits: int):
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod[0]

    def line_trace(s) -> str:
        return "." if s.takes else "!"


class OnlyModulus(Component):
    """Whether mod is the only one that there is."""

    def construct(s, nbits: int, only: int):
        constant = mk_bits(nbits)(only)
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= s.mod == constant

    def line_trace(s) -> str:
        return "." if s.takes else "!"
