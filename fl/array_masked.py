"""The row of elements as a Montgomery ladder whose exponent is two random shares.

At every bit, from the highest, the table's only entry becomes its product with x, and then x its
own square. Before that the two change places if bit i differs from bit i+1: by share 0 of their sum
mod 2, and then by share 1. At the end bit 0 alone decides.
"""

from dataclasses import replace

from fl.array_blinded import (
    SWAP_0,
    SWAP_1,
    BlindedProgram,
    base_of,
    blinded_shape,
    finding,
    leave,
)
from fl.array_program import LITERAL, RESULT, TABLE, Operation, X

BYTE = 8  # bits that are random in a cycle


def masked(nbits: int, digit_bits: int, word_bits: int, random_bits: int) -> BlindedProgram:
    """List what an exponentiation by the ladder does; x begins as 1, its partner as the base."""
    shape = blinded_shape(nbits, digit_bits, word_bits, random_bits)
    steps = shape.steps
    swaps = Operation("swap by share 0", 1, SWAP_0), Operation("swap by share 1", 1, SWAP_1)
    multiply = Operation("multiply", steps, TABLE, entry=0, to_table=0)
    enter = (
        *base_of(shape, random_bits, 0),
        *finding(shape, random_bits),
        replace(multiply, name="power 1"),
        Operation("power 0", steps, LITERAL, 1, x=RESULT),
    )
    return BlindedProgram(
        shape,
        powers=1,
        enter=enter,
        leave=(*swaps, *leave(shape, random_bits)),
        nbits=nbits,
        random_bits=random_bits,
        loop=(
            *swaps,
            Operation("both stand", 1),
            multiply,
            Operation("square", steps, X, x=RESULT),
        ),
        decides=(4,),
    )
