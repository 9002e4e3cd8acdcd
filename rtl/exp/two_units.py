"""The datapath of right-to-left exponentiation with a squaring and a multiplying unit.

Both work on the same power of the base; when each is asked is the control's affair.
"""

from collections.abc import Callable

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import BAD_MODULUS, OK, mk_exp_msgs


class TwoUnitsControl(Component):
    """The ports by which a control sees and orders the datapath; who inherits drives them."""

    def construct(s):
        s.recv_val = InPort()
        s.recv_rdy = OutPort()
        s.send_val = OutPort()
        s.send_rdy = InPort()

        s.nothing_to_do = InPort()  # of the request: modulus or exponent is 0
        s.exp_bit = InPort()
        s.last = InPort()  # no exponent bits above this one

        s.square_req_val = OutPort()
        s.square_resp_val = InPort()
        s.multiply_req_val = OutPort()
        s.multiply_resp_val = InPort()

        s.load = OutPort()
        s.keep_product = OutPort()
        s.keep_square = OutPort()
        s.shift_exp = OutPort()


class TwoUnitsRTL(Component):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS.

    Who inherits connects what else its control has, and `keep_reduced`: the multiplying unit's
    answer becomes the base.
    """

    def construct(
        s, nbits: int, control: TwoUnitsControl, mk_multiplier: Callable[[int], Component]
    ):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.base = Wire(nbits)
        s.exp = Wire(nbits)
        s.mod = Wire(nbits)
        s.result = Wire(nbits)
        s.status = Wire()
        s.keep_reduced = Wire()

        s.control = control
        s.square = mk_multiplier(nbits)
        s.multiply = mk_multiplier(nbits)

        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy
        s.control.exp_bit //= s.exp[0]
        s.control.square_req_val //= s.square.recv.val
        s.control.square_resp_val //= s.square.send.val
        s.control.multiply_req_val //= s.multiply.recv.val
        s.control.multiply_resp_val //= s.multiply.send.val

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

        @update
        def answers():
            s.square.send.rdy @= s.control.keep_square
            s.multiply.send.rdy @= s.keep_reduced | s.control.keep_product

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
                if s.keep_reduced:
                    s.base <<= s.multiply.send.msg.r
                elif s.control.keep_square:
                    s.base <<= s.square.send.msg.r
                if s.control.keep_product:
                    s.result <<= s.multiply.send.msg.r
                if s.control.shift_exp:
                    s.exp <<= s.exp >> 1

    def line_trace(s) -> str:
        units = f"{s.square.line_trace()}|{s.multiply.line_trace()}"
        return f"{s.recv}({s.control.line_trace()} {s.exp} {units}){s.send}"
