"""Document 004's exponentiator (algo 6): two SSMM units, right to left, L_i + 5 cycles per bit.

Its control spends five cycles per bit beside the L_i steps, and so does ours, cycle for cycle:

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

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import BASE, LENGTH, MODULUS, Exponentiator
from cl.ssmm import ssmm_004_latency
from fl.exponentiator import BAD_MODULUS, OK
from fl.messages import mk_exp_msgs
from fl.schedule import RIGHT_TO_LEFT, Counts
from rtl.leaf.handshake import Accept, Offer, join
from rtl.leaf.register import Register
from rtl.mul.ssmm import SsmmRTL

IDLE, REDUCE, REDUCING, START, MULTIPLY, SQUARE, WAIT, NEXT, DONE = range(9)


class Ssmm004Control(Component):
    """Goes through the states above, by REDUCE and REDUCING where the base is above the modulus."""

    def construct(s):
        s.recv = Accept()
        s.send = Offer()

        s.nothing_to_do = InPort()  # of the request: modulus or exponent is 0
        s.above = InPort()  # of the request: the base is above the modulus
        s.exp_bit = InPort()
        s.last = InPort()  # no exponent bits above this one

        s.square_req_val = OutPort()
        s.square_resp_val = InPort()
        s.multiply_req_val = OutPort()
        s.multiply_resp_val = InPort()

        s.load = OutPort()
        s.keep_reduced = OutPort()  # the base becomes what the multiplying unit answers
        s.keep_product = OutPort()
        s.keep_square = OutPort()
        s.shift_exp = OutPort()

        s.state = Register(4)
        s.at_work = Wire()

        @update
        def outputs():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.load @= (s.state == IDLE) & s.recv.val
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
            elif (s.state == DONE) & s.send.rdy:
                s.state <<= IDLE

    def line_trace(s) -> str:
        """Show I idle, R and r the base is reduced, S start, M multiply, Q square, W wait, N next
        bit, D done."""
        return "IRrSMQWND"[int(s.state)]


class Ssmm004RTL(Component):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.base = Register(nbits)
        s.exp = Register(nbits)
        s.mod = Register(nbits)
        s.result = Register(nbits)
        s.status = Register()

        s.square = SsmmRTL(nbits, 1, False)
        s.multiply = SsmmRTL(nbits, 1, False)
        s.control = Ssmm004Control()
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.control.exp_bit //= s.exp[0]
        s.control.square_req_val //= s.square.recv.val
        s.control.square_resp_val //= s.square.send.val
        s.control.multiply_req_val //= s.multiply.recv.val
        s.control.multiply_resp_val //= s.multiply.send.val

        @update
        def conditions():
            s.control.nothing_to_do @= (s.recv.msg.mod == 0) | (s.recv.msg.exp == 0)
            s.control.above @= s.recv.msg.base > s.recv.msg.mod
            s.control.last @= s.exp[1:nbits] == 0

        @update
        def operands():
            s.square.recv.msg.a @= s.base
            s.square.recv.msg.b @= s.base
            s.square.recv.msg.m @= s.mod
            s.multiply.recv.msg.a @= s.result
            s.multiply.recv.msg.b @= s.base
            s.multiply.recv.msg.m @= s.mod
            s.send.msg.result @= s.result
            s.send.msg.status @= s.status

        @update
        def answers():
            s.square.send.rdy @= s.control.keep_square
            s.multiply.send.rdy @= s.control.keep_reduced | s.control.keep_product

        @update_ff
        def registers():
            if s.control.load:
                s.base <<= s.recv.msg.base
                s.exp <<= s.recv.msg.exp
                s.mod <<= s.recv.msg.mod
                if s.recv.msg.mod <= 1:  # 1 mod 1 is 0, and so is the result of a bad modulus
                    s.result <<= 0
                else:
                    s.result <<= 1
                if s.recv.msg.mod == 0:
                    s.status <<= BAD_MODULUS
                else:
                    s.status <<= OK
            else:
                if s.control.keep_reduced:
                    s.base <<= s.multiply.send.msg.r
                elif s.control.keep_square:
                    s.base <<= s.square.send.msg.r
                if s.control.keep_product:
                    s.result <<= s.multiply.send.msg.r
                if s.control.shift_exp:
                    s.exp <<= s.exp >> 1

    def line_trace(s) -> str:
        """Show control, the bits of the exponent that are left, the squaring unit|the multiplying
        one."""
        units = f"{s.square.line_trace()}|{s.multiply.line_trace()}"
        return f"{s.recv}({s.control.line_trace()} {s.exp} {units}){s.send}"


@dataclass(frozen=True)
class Ssmm004(Exponentiator):
    """Describes document 004's exponentiator, for any modulus."""

    result_stays = True
    schedule = "right-to-left, square and multiply in parallel"

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent >= 1."""
        return RIGHT_TO_LEFT.counts(exp, self.nbits)

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare what the cycles depend on: the product hides behind the squaring."""
        return BASE, LENGTH, MODULUS

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = T6, and more where its document has no answer."""
        return ssmm_004_latency(base, exp, mod)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return Ssmm004RTL(self.nbits)
