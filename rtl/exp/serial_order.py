"""The order of products in document 003's exponentiation, algorithm 17.1.2.

    first   P = 1 and Z = base, each times R^2
    loop    P = P * Z where the exponent's bit is 1, Z = Z * Z; no Z after the highest bit
    final   P = P * 1

B is R^2, then each Z, at last P. With the Z-processor P and Z are made at the same time, without
it P comes before Z.
"""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from rtl.leaf.register import Register
from rtl.mul.serial_words import SerialProduct

FIRST, LOOP, FINAL = range(3)


class Order(Component):
    """Has what is the same for both: the phase, and the exponent, whose lowest bit is the loop's.

    p and z say what is made, which ends with `next`.
    """

    def construct(s, nbits: int):
        s.load = InPort()
        s.exp = InPort(nbits)
        s.next = InPort()
        s.product = OutPort(SerialProduct)
        s.p = Wire()
        s.z = Wire()
        s.phase = Register(2)
        s.exp_left = Register(nbits)
        s.looping = Wire()
        s.highest = Wire()  # the loop's bit

        @update
        def loop():
            s.looping @= s.phase == LOOP
            s.highest @= s.exp_left[1:nbits] == 0

        @update
        def outputs():
            s.product.p @= s.p
            s.product.z @= s.z
            s.product.from_one @= ~s.looping
            s.product.from_base @= s.phase == FIRST
            s.product.becomes_b @= s.z | (s.looping & s.highest)
            s.product.leaves @= s.phase == FINAL

        @update_ff
        def move():
            if s.load:
                s.phase <<= FIRST
                s.exp_left <<= s.exp
            elif s.next & s.looping & s.highest:
                s.phase <<= FINAL
            elif s.next & s.z:
                s.phase <<= LOOP
                if s.looping:
                    s.exp_left <<= s.exp_left >> 1

    def line_trace(s) -> str:
        return f"{'FLE'[int(s.phase)]}{'p' if s.p else ' '}{'z' if s.z else ' '}"


class TogetherOrder(Order):
    """Makes P and Z at the same time."""

    def construct(s, nbits: int):
        super().construct(nbits)

        @update
        def made():
            s.p @= ~s.looping | s.exp_left[0]
            s.z @= s.product.from_base | (s.looping & ~s.highest)


class InTurnOrder(Order):
    """Makes P, then Z."""

    def construct(s, nbits: int):
        super().construct(nbits)
        s.turn_of_z = Register()
        s.z //= s.turn_of_z

        @update
        def made():
            s.p @= ~s.turn_of_z

        @update_ff
        def turn():
            if s.load:
                s.turn_of_z <<= 0
            elif s.next & s.p:
                s.turn_of_z <<= ~(s.looping & s.highest)
            elif s.next & s.looping:
                s.turn_of_z <<= ~s.exp_left[1]
            elif s.next:
                s.turn_of_z <<= ~s.exp_left[0]
