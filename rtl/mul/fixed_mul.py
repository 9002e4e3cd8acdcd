"""Fixed-modulus multipliers behind val/rdy ports: a register for the request, then the product.

Document 000's CM and DM work in a single cycle; DM also with a register before its remainder.
"""

from collections.abc import Callable

from pymtl3 import Component, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import mk_mul_msgs
from rtl.mul.fixed_modulus import residue_bits
from rtl.mul.product_remainder import DirectProduct, DirectReduce


class FixedMulRTL(Component):
    """r = a * b mod modulus a cycle later, for a and b below it; the request's m is not looked at.

    mk_unit makes a combinational unit with ports a, b and r (fixed_modulus.py). guard_bits: of
    a, b and r beyond nbits, where residues need them.
    """

    def construct(
        s, nbits: int, modulus: int, mk_unit: Callable[[], Component], guard_bits: int = 0
    ):
        width, response_bits = residue_bits(modulus), nbits + guard_bits
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.full = Wire()
        s.a = Wire(width)
        s.b = Wire(width)
        s.unit = mk_unit()
        s.unit.a //= s.a
        s.unit.b //= s.b
        s.send.val //= s.full

        @update
        def ports():
            s.recv.rdy @= ~s.full | s.send.rdy
            s.send.msg.r @= zext(s.unit.r, response_bits)

        @update_ff
        def control():
            if s.reset:
                s.full <<= 0
            elif s.recv.rdy:
                s.full <<= s.recv.val

        @update_ff
        def operands():
            if s.recv.val & s.recv.rdy:
                s.a <<= s.recv.msg.a[0:width]
                s.b <<= s.recv.msg.b[0:width]

    def line_trace(s) -> str:
        return f"{s.recv}({'F' if s.full else ' '}){s.send}"


class DirectMulTwoRTL(Component):
    """r = a * b mod modulus two cycles later, a request a cycle: DM with its product registered."""

    def construct(s, nbits: int, modulus: int):
        width = residue_bits(modulus)
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.full = Wire()
        s.product_full = Wire()
        s.moves = Wire()
        s.product = Wire(2 * width)
        s.multiply = DirectProduct(width)
        s.reduce = DirectReduce(modulus)
        s.a = Wire(width)
        s.b = Wire(width)
        s.multiply.a //= s.a
        s.multiply.b //= s.b
        s.reduce.product //= s.product
        s.send.val //= s.product_full

        @update
        def ports():
            s.moves @= ~s.product_full | s.send.rdy
            s.recv.rdy @= ~s.full | s.moves
            s.send.msg.r @= zext(s.reduce.r, nbits)

        @update_ff
        def control():
            if s.reset:
                s.full <<= 0
                s.product_full <<= 0
            else:
                if s.recv.rdy:
                    s.full <<= s.recv.val
                if s.moves:
                    s.product_full <<= s.full

        @update_ff
        def datapath():
            if s.recv.val & s.recv.rdy:
                s.a <<= s.recv.msg.a[0:width]
                s.b <<= s.recv.msg.b[0:width]
            if s.full & s.moves:
                s.product <<= s.multiply.product

    def line_trace(s) -> str:
        stages = "".join("*" if full else "." for full in (s.full, s.product_full))
        return f"{s.recv}({stages}){s.send}"
