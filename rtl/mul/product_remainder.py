"""DM: a multiplier and the language's own remainder by a constant (document 000, eq. 24 to 26).

DirectRemainder is the remainder alone, of its section 5.1.

Synthesis makes an array of conditional subtractions of the `%`.
"""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext

from fl.modulus import residue_bits


class DirectProduct(Component):
    """product = a * b."""

    def construct(s, nbits: int):
        product_bits = 2 * nbits
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.product = OutPort(product_bits)

        @update
        def multiply():
            s.product @= zext(s.a, product_bits) * zext(s.b, product_bits)

    def line_trace(s) -> str:
        return f"{s.product}"


class DirectReduce(Component):
    """r = product mod modulus, for any product of two residues."""

    def construct(s, modulus: int):
        nbits = residue_bits(modulus)
        product_bits = 2 * nbits
        constant = mk_bits(product_bits)(modulus)
        s.product = InPort(product_bits)
        s.r = OutPort(nbits)
        s.remainder = Wire(product_bits)

        @update
        def divide():
            s.remainder @= s.product % constant

        @update
        def low():
            s.r @= s.remainder[0:nbits]

    def line_trace(s) -> str:
        return f"{s.r}"


class DirectRemainder(Component):
    """r = value mod modulus, for any value of so many bits, at least those of a residue."""

    def construct(s, modulus: int, value_bits: int):
        nbits = residue_bits(modulus)
        wide = max(value_bits, modulus.bit_length())
        constant = mk_bits(wide)(modulus)
        s.value = InPort(value_bits)
        s.r = OutPort(nbits)
        s.dividend = Wire(wide)
        s.remainder = Wire(wide)
        s.r //= s.remainder[0:nbits]
        if wide > value_bits:
            s.dividend[value_bits:wide] //= 0
        s.dividend[0:value_bits] //= s.value

        @update
        def divide():
            s.remainder @= s.dividend % constant

    def line_trace(s) -> str:
        return f"{s.value}={s.r}"


class DirectMul(Component):
    """r = a * b mod modulus, for a and b below the modulus."""

    def construct(s, modulus: int):
        nbits = residue_bits(modulus)
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.r = OutPort(nbits)
        s.multiply = DirectProduct(nbits)
        s.reduce = DirectReduce(modulus)
        s.multiply.a //= s.a
        s.multiply.b //= s.b
        s.multiply.product //= s.reduce.product
        s.reduce.r //= s.r

    def line_trace(s) -> str:
        return f"{s.a}*{s.b}={s.r}"
