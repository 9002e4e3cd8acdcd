"""How a last value becomes the result by a product and the unit's reduction.

The units of fl/scaled.py leave values beyond m. So does their product with 1, by which a value
leaves the Montgomery domain: it stays at the unit until it has been reduced.
"""

from pymtl3 import update

from cl.unit import Part
from rtl.exp.leave import ByProduct, Reduce


class ConvertOutReduced(ByProduct):
    """value = mul(1, operand) mod mod, by the unit's own reduction."""

    def construct(s, nbits: int, guard_bits: int, reduction: Part):
        super().construct(nbits, guard_bits)
        s.reduce = Reduce(nbits, guard_bits, reduction)
        s.reduce.taken //= s.taken
        s.reduce.mod //= s.mod
        s.reduce.operand //= s.mul.resp.msg.r
        s.done //= s.reduce.done

        @update
        def begin_reduction():
            s.reduce.active @= s.sent & s.mul.resp.val

        @update
        def choose():
            s.value @= s.operand[0:nbits]
            if s.active:
                s.value @= s.reduce.value
