"""ModExp: right-to-left exponentiation with two multipliers in parallel (document 001, figure 6).

One multiplier squares the base while the other one multiplies the result; both are components
with the multiplier's ports, of any latency. The last squaring, whose value nobody needs, is
left out, and a zero modulus is answered with a status.
"""

from collections.abc import Callable

from pymtl3 import Component, InPort, Wire, update, update_ff

from rtl.exp.two_units import TwoUnitsControl, TwoUnitsRTL

IDLE, BITS, DONE = 0, 1, 2


class ModExpControl(TwoUnitsControl):
    """Issues the units' requests for each exponent bit and waits for all of them."""

    def construct(s):
        super().construct()
        s.square_req_rdy = InPort()
        s.multiply_req_rdy = InPort()

        s.state = Wire(2)
        s.finish_bit = Wire()  # every unit at work has answered: take the answers
        s.square_sent = Wire()
        s.multiply_sent = Wire()

        @update
        def outputs():
            s.recv_rdy @= s.state == IDLE
            s.send_val @= s.state == DONE
            s.load @= (s.state == IDLE) & s.recv_val
            s.square_req_val @= (s.state == BITS) & ~s.last & ~s.square_sent
            s.multiply_req_val @= (s.state == BITS) & s.exp_bit & ~s.multiply_sent
            s.finish_bit @= (
                (s.state == BITS)
                & (s.last | (s.square_sent & s.square_resp_val))
                & (~s.exp_bit | (s.multiply_sent & s.multiply_resp_val))
            )
            s.keep_product @= s.finish_bit & s.exp_bit
            s.keep_square @= s.finish_bit & ~s.last
            s.shift_exp @= s.finish_bit

        @update_ff
        def next_state():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                if s.nothing_to_do:
                    s.state <<= DONE
                else:
                    s.state <<= BITS
            elif s.finish_bit & s.last:
                s.state <<= DONE
            elif (s.state == DONE) & s.send_rdy:
                s.state <<= IDLE

        @update_ff
        def sent():
            if s.reset | s.finish_bit:
                s.square_sent <<= 0
                s.multiply_sent <<= 0
            else:
                if s.square_req_val & s.square_req_rdy:
                    s.square_sent <<= 1
                if s.multiply_req_val & s.multiply_req_rdy:
                    s.multiply_sent <<= 1

    def line_trace(s) -> str:
        return "IBD"[int(s.state)]


class ModExpRTL(TwoUnitsRTL):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int, mk_multiplier: Callable[[int], Component]):
        super().construct(nbits, ModExpControl(), mk_multiplier)
        s.control.square_req_rdy //= s.square.recv.rdy
        s.control.multiply_req_rdy //= s.multiply.recv.rdy
        s.keep_reduced //= 0
