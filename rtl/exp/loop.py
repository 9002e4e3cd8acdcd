"""What loops have in common: all their ports, some a square and a product side by side."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs
from rtl.leaf.register import Register


class LoopPorts(Component):
    """Has the ports of every loop (right_to_left.py, left_to_right*.py, ladder.py, windows.py).

    It takes an exponent with `load` and the first power with `start`; has `done` for a cycle.
    held: the exponent, from the cycle after `load` on. first_bit comes with `load`: the plain
    result that products begin with. one comes with `start`: that of a domain.
    """

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        s.load = InPort()
        s.exp = InPort(nbits)
        s.held = InPort(nbits)
        s.first_bit = InPort()
        s.start = InPort()
        s.power = InPort(width)
        s.one = InPort(width)
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.result = OutPort(width)


class SideBySide(LoopPorts):
    """Asks for a square and a product at every bit, each by a port of its own.

    The loop says when an answer comes, and is taken; when the bit is finished and done; and whether
    it goes ahead: then the requests of the cycle in which a bit is finished are the next bit's.
    """

    def construct(s, nbits: int, guard_bits: int):
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        super().construct(nbits, guard_bits)
        s.square = MasterIfcRTL(Request, Response)
        s.multiply = MasterIfcRTL(Request, Response)
        s.active = Register()
        s.square_sent = Register()
        s.square_got = Register()
        s.multiply_sent = Register()
        s.multiply_got = Register()
        s.square_comes = Wire()
        s.multiply_comes = Wire()
        s.finish_bit = Wire()
        s.last = Wire()
        s.ahead = Wire()

        @update
        def take():
            s.square.resp.rdy @= s.square_comes
            s.multiply.resp.rdy @= s.multiply_comes
            s.done @= s.finish_bit & s.last

        @update_ff
        def control():
            if s.reset | s.start | s.done:
                s.active <<= s.start & ~s.reset
                s.square_sent <<= 0
                s.multiply_sent <<= 0
                s.square_got <<= 0
                s.multiply_got <<= 0
            elif s.finish_bit:
                s.square_sent <<= s.ahead & s.square.req.val & s.square.req.rdy
                s.multiply_sent <<= s.ahead & s.multiply.req.val & s.multiply.req.rdy
                s.square_got <<= 0
                s.multiply_got <<= 0
            else:
                if s.square.req.val & s.square.req.rdy:
                    s.square_sent <<= 1
                if s.multiply.req.val & s.multiply.req.rdy:
                    s.multiply_sent <<= 1
                s.square_got <<= s.square_got | s.square_comes
                s.multiply_got <<= s.multiply_got | s.multiply_comes

    def products(s) -> list[MasterIfcRTL]:
        """Return the ports that ask for products, the squaring's first."""
        return [s.square, s.multiply]
