"""Combinational modular multipliers for a modulus fixed when they are built: what they share.

Each is a component with the ports s.a and s.b (a squarer has s.a only) and s.r, all of
residue_bits(m) bits: r = a * b mod m, canonical, for every a and b below m, without a clock:

    TreeMul(modulus, order, adder)      tree_mul.py, a compression tree (modulus: fl.modulus)
    TreeSquare(modulus, order, adder)   tree_mul.py, its squarer
    DirectMul(m)                        product_remainder.py, a product and a remainder (m: an int)
"""


def residue_bits(modulus: int) -> int:
    """The width of the ports of a unit for this modulus, an integer above 2."""
    return (modulus - 1).bit_length()
