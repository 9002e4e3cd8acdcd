"""Document 001's divider (figure 2): the divisor moves up to the dividend, and down again.

The divisor and a bit, which begins as 1, are shifted up together, a place per cycle, while the
divisor's next place still fits the dividend; then down again. On the way down, from the highest
place on, the divisor is subtracted where it fits, and the bit is added to the quotient: k places
up and k + 1 subtractions, in 2k + 1 cycles. rtl/mul/div_rem.py is ours.
"""

from pymtl3 import Component, Wire, concat, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import mk_div_msgs
from rtl.leaf.register import Register

IDLE, UP, DOWN, DONE = range(4)


class DivRem001RTL(Component):
    """quotient, remainder = a // b, a % b, for b >= 1; time as in cl/div_rem.py.

    b = 0 answers as RISC-V does where dividend_bits = divisor_bits; a wider dividend gets a
    meaningless remainder, in bounded time.
    """

    def construct(s, dividend_bits: int, divisor_bits: int):
        if divisor_bits > dividend_bits:
            raise ValueError(
                f"divisor_bits ({divisor_bits}) must not exceed dividend_bits ({dividend_bits})"
            )
        Request, Response = mk_div_msgs(dividend_bits, divisor_bits)
        top = dividend_bits - 1
        wide = dividend_bits + 1
        One = mk_bits(1)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.dividend = Register(dividend_bits)  # in the end the remainder
        s.divisor = Register(dividend_bits)
        s.place = Register(dividend_bits)  # the quotient's bit of the divisor's place
        s.quotient = Register(dividend_bits)
        s.at_work = Wire()
        s.more = Wire()
        s.fits = Wire()
        s.difference = Wire(wide)

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.quotient @= s.quotient
            s.send.msg.remainder @= s.dividend[0:divisor_bits]

        @update
        def compare():
            s.difference @= zext(s.dividend, wide) - zext(s.divisor, wide)
            s.fits @= ~s.difference[dividend_bits]
            # 2 * divisor <= dividend; a divisor of 0 stops at the top, too.
            s.more @= (
                (s.state == UP)
                & ~s.place[top]
                & (concat(s.divisor, One(0)) <= zext(s.dividend, wide))
            )
            s.at_work @= (s.state == UP) | (s.state == DOWN)

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    s.state <<= UP
            elif s.state == DONE:
                if s.send.rdy:
                    s.state <<= IDLE
            elif ~s.more:
                if s.place[0]:
                    s.state <<= DONE
                else:
                    s.state <<= DOWN

        @update_ff
        def datapath():
            if s.state == IDLE:
                s.dividend <<= s.recv.msg.a
                s.divisor <<= zext(s.recv.msg.b, dividend_bits)
                s.place <<= 1
                s.quotient <<= 0
            elif s.more:
                s.divisor <<= s.divisor << 1
                s.place <<= s.place << 1
            elif s.at_work:
                s.divisor <<= s.divisor >> 1
                s.place <<= s.place >> 1
                if s.fits:
                    s.dividend <<= s.difference[0:dividend_bits]
                    s.quotient <<= s.quotient + s.place

    def line_trace(s) -> str:
        """Show I idle, U the divisor goes up, S down with subtractions, D done."""
        return f"{s.recv}({'IUSD'[int(s.state)]}){s.send}"
