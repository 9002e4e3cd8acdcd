"""The exponentiator of document 004 (algo 6): two SSMM units, right to left, L_i + 5 cycles a bit.

Its control spends five cycles a bit beside the L_i steps, and so does ours, cycle for cycle:

    START     the exponent's bit is looked at; nothing else can begin yet
    MULTIPLY  the multiplying unit takes its operands, where the bit is 1
    SQUARE    the squaring unit takes its operands, one cycle later
    WAIT      L_i cycles of steps, and one in which the square is seen and kept
    NEXT      the exponent moves on: the document's registered `ready` flag

At the last bit only the product is waited for, which is a cycle ahead of the square and needs
no NEXT: hence the -1. The printed design also starts a last square that nobody needs, and is
right for base <= mod and exp >= 1 only. Here a base above the modulus is reduced first, by the
multiplying unit, as 1 * base; an exponent or a modulus of 0 is answered at once, and a request
that comes while the unit is busy waits.
"""

from pymtl3 import InPort, OutPort, Wire, update, update_ff

from rtl.exp.two_units import TwoUnitsControl, TwoUnitsRTL
from rtl.mul.ssmm import SsmmRTL

IDLE, REDUCE, REDUCING, START, MULTIPLY, SQUARE, WAIT, NEXT, DONE = range(9)


class Ssmm004Control(TwoUnitsControl):
    """The states above, before them REDUCE and REDUCING where the base is above the modulus."""

    def construct(s):
        super().construct()
        s.above = InPort()  # of the request: the base is above the modulus
        s.keep_reduced = OutPort()  # the base becomes what the multiplying unit answers

        s.state = Wire(4)
        s.at_work = Wire()

        @update
        def outputs():
            s.recv_rdy @= s.state == IDLE
            s.send_val @= s.state == DONE
            s.load @= (s.state == IDLE) & s.recv_val
            s.multiply_req_val @= (s.state == REDUCE) | ((s.state == MULTIPLY) & s.exp_bit)
            s.square_req_val @= (s.state == SQUARE) & ~s.last
            s.at_work @= (s.state == SQUARE) | (s.state == WAIT)
            s.keep_reduced @= (s.state == REDUCING) & s.multiply_resp_val
            s.keep_product @= s.at_work & s.multiply_resp_val
            s.keep_square @= s.at_work & s.square_resp_val
            s.shift_exp @= s.state == NEXT

        @update_ff
        def next_state():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                if s.nothing_to_do:
                    s.state <<= DONE
                elif s.above:
                    s.state <<= REDUCE
                else:
                    s.state <<= START
            elif s.state == REDUCE:
                s.state <<= REDUCING
            elif s.keep_reduced | (s.state == NEXT):
                s.state <<= START
            elif s.state == START:
                s.state <<= MULTIPLY
            elif s.state == MULTIPLY:
                s.state <<= SQUARE
            elif s.keep_product & s.last:
                s.state <<= DONE
            elif s.keep_square:
                s.state <<= NEXT
            elif s.state == SQUARE:
                s.state <<= WAIT
            elif (s.state == DONE) & s.send_rdy:
                s.state <<= IDLE

    def line_trace(s) -> str:
        return "IRrSMQWND"[int(s.state)]


class Ssmm004RTL(TwoUnitsRTL):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int):
        super().construct(nbits, Ssmm004Control(), lambda width: SsmmRTL(width, 1, False))
        s.keep_reduced //= s.control.keep_reduced

        @update
        def compare():
            s.control.above @= s.recv.msg.base > s.recv.msg.mod
