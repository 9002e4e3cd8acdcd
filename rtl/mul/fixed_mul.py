"""Fixed-modulus multipliers behind val/rdy ports: a register for the request, then the product.

The product is made by a combinational unit with ports a, b and r of residue_bits(m) bits: r =
a * b mod m for every a and b below m. TreeMul (tree_mul.py, document 000's CM) is a compression
tree; DirectMul (product_remainder.py, its DM) a product and a remainder, also with a register
between them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.unit import Part, Unit
from fl.compression import LATE
from fl.fixed_exp import FixedModulus, correction_steps
from fl.messages import mk_mul_msgs
from fl.modulus import Modulus, residue_bits
from rtl.leaf.register import Register
from rtl.mul.fixed_reduce import Correct
from rtl.mul.product_remainder import DirectMul, DirectProduct, DirectReduce
from rtl.mul.tree_mul import TreeMul, TreeSquare

SQUARE = "square-tree"


class FixedMulRTL(Component):
    """r = a * b mod modulus a cycle later, for a and b below it; the request's m is not looked at.

    guard_bits: of a, b and r beyond nbits, where residues need them.
    """

    def construct(
        s, nbits: int, modulus: int, mk_unit: Callable[[], Component], guard_bits: int = 0
    ):
        width, response_bits = residue_bits(modulus), nbits + guard_bits
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.full = Register()
        s.a = Register(width)
        s.b = Register(width)
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
        """Show F while it holds an answer."""
        return f"{s.recv}({'F' if s.full else ' '}){s.send}"


class SquareOf(Component):
    """r = a * a; b is not looked at, and synthesis leaves out what holds it."""

    def construct(s, modulus: Modulus):
        s.a = InPort(modulus.width)
        s.b = InPort(modulus.width)
        s.r = OutPort(modulus.width)
        s.square = TreeSquare(modulus)
        s.square.a //= s.a
        s.square.r //= s.r

    def line_trace(s) -> str:
        return s.square.line_trace()


class DirectMulTwoRTL(Component):
    """r = a * b mod modulus two cycles later, a request per cycle: DM, its product registered."""

    def construct(s, nbits: int, modulus: int):
        width = residue_bits(modulus)
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.full = Register()
        s.product_full = Register()
        s.moves = Wire()
        s.product = Register(2 * width)
        s.multiply = DirectProduct(width)
        s.reduce = DirectReduce(modulus)
        s.a = Register(width)
        s.b = Register(width)
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
        """Show a * for a stage that is full, a . for one that is empty."""
        stages = "".join("*" if full else "." for full in (s.full, s.product_full))
        return f"{s.recv}({stages}){s.send}"


@dataclass(frozen=True)
class FixedMul(Unit):
    """r = a * b mod c*m, for the m and c of a FixedModulus; a request per cycle.

    kind: how the product is made, one of KINDS.
    """

    modulus: FixedModulus
    kind: str

    refills = True

    @property
    def guard_bits(self) -> int:
        """Return by how many bits residues are wider than nbits."""
        return max(0, residue_bits(self.modulus.worked) - self.nbits)

    @property
    def only_modulus(self) -> int:
        """Return what products are taken modulo."""
        return self.modulus.worked

    @property
    def reduction(self) -> Part | None:
        """Return what reduces modulo m at the end: two bits of the quotient per cycle."""
        if self.modulus.c == 1:
            return None
        width = self.nbits + self.guard_bits
        make = partial(Correct, self.nbits, width, self.modulus)
        return Part(make, correction_steps(self.modulus.c))

    @property
    def capacity(self) -> int:
        """Return how many registers are on the way."""
        return 2 if self.kind == "direct-2" else 1

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for residues of the only modulus, equal for a squarer."""
        return m == self.only_modulus and a < m and b < m and (self.kind != SQUARE or a == b)

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product; m is not looked at."""
        return a * b % self.only_modulus

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response: one per register."""
        return self.capacity

    def interval(self, a: int, b: int, m: int) -> int:
        """Count cycles to the next request."""
        return 1

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        if self.kind == "direct-2":
            return DirectMulTwoRTL(self.nbits, self.only_modulus)
        make = partial(KINDS[self.kind], self.only_modulus)
        return FixedMulRTL(self.nbits, self.only_modulus, make, self.guard_bits)


KINDS: dict[str, Callable[[int], Component]] = {
    "tree": lambda m: TreeMul(Modulus.of(m)),
    SQUARE: lambda m: SquareOf(Modulus.of(m)),
    "late-tree": lambda m: TreeMul(Modulus.of(m), LATE),
    "direct": DirectMul,
}
