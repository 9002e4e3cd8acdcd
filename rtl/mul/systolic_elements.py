"""The elements of document 002's array, which stand in a line; element j holds y_j and m_j.

For each word x_i an element needs three cycles, of which the third is the next word's first:

    1  enable: x_i is taken from the left
    2  acc = x_i * y_j
    3  acc = acc + a_j + carry + u_i * m_j, by the same multiplier

An element is a cycle later than its neighbour on the left, whose carry and u_i it finds in cycle 3,
formed in the cycle before; so it finds a_j, the low word that its neighbour on the right has for
x_(i-1). Both are read from acc, in the one cycle before x_(i+1)'s product takes its place: the
document keeps them in a register of their own.
"""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff, zext

from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register


class MultiplyAdd(Flattened):
    """sum = acc + a + carry + u*m if `adds`, else x*y; for acc of a product and carry <= 2^(k+1)-2.

    All stays below 2^(2k+1), and what of it is above 2^k is such a carry again.
    """

    def construct(s, digit_bits: int):
        sum_bits = 2 * digit_bits + 1
        s.adds = InPort()
        s.x = InPort(digit_bits)
        s.y = InPort(digit_bits)
        s.u = InPort(digit_bits)
        s.m = InPort(digit_bits)
        s.acc = InPort(sum_bits)
        s.a = InPort(digit_bits)
        s.carry = InPort(digit_bits + 1)
        s.sum = OutPort(sum_bits)
        s.left = Wire(digit_bits)
        s.right = Wire(digit_bits)
        s.added = Wire(sum_bits)

        @update
        def choose():
            s.left @= s.x
            s.right @= s.y
            s.added @= 0
            if s.adds:
                s.left @= s.u
                s.right @= s.m
                s.added @= s.acc + zext(s.a, sum_bits) + zext(s.carry, sum_bits)

        @update
        def multiply_add():
            s.sum @= s.added + zext(s.left, sum_bits) * zext(s.right, sum_bits)


class Element(Component):
    """Has what all elements share: words of y and m, taken at `load`, one of x, and acc."""

    def construct(s, digit_bits: int):
        sum_bits = 2 * digit_bits + 1
        s.load = InPort()
        s.y = InPort(digit_bits)
        s.m = InPort(digit_bits)
        s.enable = InPort()
        s.x = InPort(digit_bits)
        s.u = InPort(digit_bits)
        s.x_word = OutPort(digit_bits)
        s.y_word = Register(digit_bits)
        s.m_word = Register(digit_bits)
        s.multiplies = OutPort()  # the second of the three cycles
        s.adds = Register()  # the third
        s.acc = Register(sum_bits)
        s.step = MultiplyAdd(digit_bits)
        s.step.adds //= s.adds
        s.step.x //= s.x_word
        s.step.y //= s.y_word
        s.step.u //= s.u
        s.step.m //= s.m_word
        s.step.acc //= s.acc

        @update_ff
        def order():
            if s.reset | s.load:
                s.multiplies <<= 0
                s.adds <<= 0
            else:
                s.multiplies <<= s.enable
                s.adds <<= s.multiplies

        @update_ff
        def operands():
            if s.load:
                s.y_word <<= s.y
                s.m_word <<= s.m
            if s.enable:
                s.x_word <<= s.x

        @update_ff
        def accumulator():
            if s.load:
                s.acc <<= 0
            elif s.multiplies | s.adds:
                s.acc <<= s.step.sum

    def line_trace(s) -> str:
        return "*" if s.multiplies else "+" if s.adds else "."


class PassingElement(Element):
    """Passes u_i and the carry to the element on its right, as x_word and `multiplies` go there."""

    def construct(s, digit_bits: int):
        super().construct(digit_bits)
        s.a = InPort(digit_bits)
        s.u_out = OutPort(digit_bits)
        s.carry_out = OutPort(digit_bits + 1)
        s.step.a //= s.a
        s.carry_out //= s.acc[digit_bits : 2 * digit_bits + 1]

        @update_ff
        def pass_u():
            if s.adds:
                s.u_out <<= s.u


class FirstElement(PassingElement):
    """IPE (figure 2): no carry comes in, and u_i is such that the low word becomes 0.

    product: x_i * y_0 modulo 2^k in the third cycle, in which u_i is made of it.
    """

    def construct(s, digit_bits: int):
        super().construct(digit_bits)
        s.product = OutPort(digit_bits)
        s.step.carry //= 0
        s.product //= s.acc[0:digit_bits]


class MiddleElement(PassingElement):
    """GPE (figure 3): the low word goes to the left as a_(j-1), the rest to the right as carry."""

    def construct(s, digit_bits: int):
        super().construct(digit_bits)
        s.carry = InPort(digit_bits + 1)
        s.low = OutPort(digit_bits)
        s.step.carry //= s.carry
        s.low //= s.acc[0:digit_bits]


class LastElement(Element):
    """FPE (figure 4): the low word is a_(s-2), and the next one a_(s-1), its own; no carry is left.

    That is so for R > 4m, where all of a is below 3m.
    """

    def construct(s, digit_bits: int):
        super().construct(digit_bits)
        s.carry = InPort(digit_bits + 1)
        s.low = OutPort(digit_bits)
        s.high = OutPort(digit_bits)
        s.step.carry //= s.carry
        s.step.a //= s.high
        s.low //= s.acc[0:digit_bits]

        @update_ff
        def highest_word():
            if s.load:
                s.high <<= 0
            elif s.adds:
                s.high <<= s.step.sum[digit_bits : 2 * digit_bits]


class QuotientDigit(Component):
    """CU (figure 5): u = ((a_0 + x_i * y_0) mod 2^k) * m' mod 2^k.

    x_i * y_0 is the first element's product, where the document has a multiplier for it.
    """

    def construct(s, digit_bits: int):
        s.a = InPort(digit_bits)
        s.product = InPort(digit_bits)
        s.minus_inverse = InPort(digit_bits)
        s.u = OutPort(digit_bits)

        @update
        def digit():
            s.u @= (s.a + s.product) * s.minus_inverse

    def line_trace(s) -> str:
        return f"{s.u}"
