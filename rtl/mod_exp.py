"""ModExp: right-to-left exponentiation with two multipliers in parallel (document 001, figure 6).

One multiplier squares the base while the other one multiplies the result; both are components
with the multiplier's ports, of any latency. The last squaring, whose value nobody needs, is
left out, and a zero modulus is answered with a status.
"""

from collections.abc import Callable

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import BAD_MODULUS, OK, mk_exp_msgs

IDLE, BITS, DONE = 0, 1, 2


class ModExpControl(Component):
    """Issues the units' requests for each exponent bit and waits for all of them."""

    def construct(s):
        s.recv_val = InPort()
        s.recv_rdy = OutPort()
        s.send_val = OutPort()
        s.send_rdy = InPort()

        s.nothing_to_do = InPort()  # of the request: modulus or exponent is 0
        s.exp_bit = InPort()  # of the exponent, and whether it is the last one
        s.last = InPort()

        s.square_req_val = OutPort()
        s.square_req_rdy = InPort()
        s.square_resp_val = InPort()
        s.multiply_req_val = OutPort()
        s.multiply_req_rdy = InPort()
        s.multiply_resp_val = InPort()

        s.load = OutPort()
        s.finish_bit = OutPort()  # every unit at work has answered: take the answers

        s.state = Wire(2)
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


class ModExpRTL(Component):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int, mk_multiplier: Callable[[int], Component]):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)

        s.base = Wire(nbits)
        s.exp = Wire(nbits)
        s.mod = Wire(nbits)
        s.result = Wire(nbits)
        s.status = Wire()

        s.control = ModExpControl()
        s.square = mk_multiplier(nbits)
        s.multiply = mk_multiplier(nbits)

        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy
        s.control.exp_bit //= s.exp[0]

        s.control.square_req_val //= s.square.recv.val
        s.control.square_req_rdy //= s.square.recv.rdy
        s.control.square_resp_val //= s.square.send.val
        s.control.multiply_req_val //= s.multiply.recv.val
        s.control.multiply_req_rdy //= s.multiply.recv.rdy
        s.control.multiply_resp_val //= s.multiply.send.val
        s.square.send.rdy //= s.control.finish_bit
        s.multiply.send.rdy //= s.control.finish_bit

        @update
        def conditions():
            s.control.nothing_to_do @= (s.recv.msg.mod == 0) | (s.recv.msg.exp == 0)
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
            elif s.control.finish_bit:
                s.exp <<= s.exp >> 1
                if ~s.control.last:
                    s.base <<= s.square.send.msg.r
                if s.exp[0]:
                    s.result <<= s.multiply.send.msg.r

    def line_trace(s) -> str:
        state = {IDLE: "I", BITS: "B", DONE: "D"}[int(s.control.state)]
        units = f"{s.square.line_trace()}|{s.multiply.line_trace()}"
        return f"{s.recv}({state} {s.exp} {units}){s.send}"
