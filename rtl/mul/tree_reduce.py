"""CM's reduction of one number as a compression tree, combinational (document 000, section 5.1).

The structure comes from fl/tree_reduce.py. DM's is DirectRemainder of product_remainder.py.
"""

from pymtl3 import Component, InPort, OutPort

from fl.modulus import Modulus
from fl.tree_reduce import ReductionTree
from rtl.mul.tree_mul import TreeDatapath


class TreeReduce(Component):
    """r = value mod modulus, for any value of so many bits, at least those of a residue."""

    def construct(s, modulus: Modulus, value_bits: int, order: str = "document"):
        s.value = InPort(value_bits)
        s.r = OutPort(modulus.width)
        s.tree = TreeDatapath(ReductionTree(modulus, order, value_bits=value_bits))
        s.tree.a //= s.value
        s.tree.b //= s.value
        s.tree.r //= s.r

    def line_trace(s) -> str:
        return f"{s.value}={s.r}"
