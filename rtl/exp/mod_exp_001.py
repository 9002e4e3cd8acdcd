"""Document 001's naive exponentiator (figure 6): two MulRem units, right to left.

Its control, whose states the document does not print, spends four cycles per bit beside those of
the units; with them its system takes the printed cycles, 1062 and 1840:

    LOOK  whether bits of the exponent are left; the result stands if there are none
    ASK   the squaring unit takes its operands, and the multiplying one where the bit is 1
    WAIT  2k + 2 cycles, k being the larger of both units; in the last one both answers stand
    KEEP  they are written to their registers
    NEXT  the exponent moves on

The square of the last bit's power is made and waited for, too, though nobody needs it: the loop
ends when no bits are left. The operands are in registers of its own, as in the document, and a base
above the modulus needs no reduction before. A modulus of 0 is answered as bad.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from cl.mul_rem import mod_exp_001_latency
from fl.exponentiator import BAD_MODULUS, OK
from fl.messages import mk_exp_msgs
from fl.schedule import Counts
from rtl.leaf.register import Register
from rtl.mul.mul_rem import MulRem001RTL

IDLE, LOOK, ASK, WAIT, KEEP, NEXT, DONE = range(7)


class ModExp001RTL(Component):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(3)
        s.base = Register(nbits)
        s.exp = Register(nbits)
        s.mod = Register(nbits)
        s.result = Register(nbits)
        s.over = Wire()  # no product is left to be made
        s.answered = Wire()

        s.square = MulRem001RTL(nbits)
        s.multiply = MulRem001RTL(nbits)
        s.square.recv.msg.a //= s.base
        s.square.recv.msg.b //= s.base
        s.square.recv.msg.m //= s.mod
        s.multiply.recv.msg.a //= s.result
        s.multiply.recv.msg.b //= s.base
        s.multiply.recv.msg.m //= s.mod

        @update
        def conditions():
            s.over @= (s.exp == 0) | (s.mod == 0)
            s.answered @= s.square.send.val & (s.multiply.send.val | ~s.exp[0])

        @update
        def units():
            s.square.recv.val @= s.state == ASK
            s.multiply.recv.val @= (s.state == ASK) & s.exp[0]
            s.square.send.rdy @= s.state == KEEP
            s.multiply.send.rdy @= s.state == KEEP

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.result @= s.result
            if s.mod == 0:
                s.send.msg.status @= BAD_MODULUS
            else:
                s.send.msg.status @= OK

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    s.state <<= LOOK
            elif s.state == LOOK:
                if s.over:
                    s.state <<= DONE
                else:
                    s.state <<= ASK
            elif s.state == ASK:
                s.state <<= WAIT
            elif s.state == WAIT:
                if s.answered:
                    s.state <<= KEEP
            elif s.state == KEEP:
                s.state <<= NEXT
            elif s.state == NEXT:
                s.state <<= LOOK
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def registers():
            if s.state == IDLE:
                if s.recv.val:  # or else the result is still to be read
                    s.base <<= s.recv.msg.base
                    s.exp <<= s.recv.msg.exp
                    s.mod <<= s.recv.msg.mod
                    if s.recv.msg.mod <= 1:  # 1 mod 1 is 0; a bad modulus has 0, too
                        s.result <<= 0
                    else:
                        s.result <<= 1
            elif s.state == KEEP:
                s.base <<= s.square.send.msg.r
                if s.exp[0]:
                    s.result <<= s.multiply.send.msg.r
            elif s.state == NEXT:
                s.exp <<= s.exp >> 1

    def line_trace(s) -> str:
        """Show I idle, L look, A ask, W wait, K keep, N next bit, D done; the bits of the exponent
        that are left, the squaring unit|the multiplying one."""
        units = f"{s.square.line_trace()}|{s.multiply.line_trace()}"
        return f"{s.recv}({'ILAWKND'[int(s.state)]} {s.exp} {units}){s.send}"


@dataclass(frozen=True)
class ModExp001(Exponentiator):
    """Describes document 001's naive exponentiator, for any modulus."""

    result_stays = True
    schedule = "right-to-left, square and multiply in parallel"

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent: a square for every bit, the last included."""
        return Counts(exp.bit_length(), exp.bit_count())

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Count cycles to the response, by the quotients' lengths."""
        return mod_exp_001_latency(self.nbits, base, exp, mod)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return ModExp001RTL(self.nbits)
