"""The row of elements as a Montgomery ladder whose exponent is two random shares.

At every bit, from the highest, one of two values is squared, and the other becomes the product of
both. The last product is squared if bit i differs from bit i+1, otherwise the last square is; at
the end bit 0 says which is the result. Both stand in a table of two entries. Share 0 of the sum mod
2 of these bits says which entry took the product, and share 1 which entry x takes: where share 0
wrote a 0, entry 1 has the square. So neither says by itself which value is taken, all values move
alike, and no two shares are used at once.

An exponent of so few bits that it can only be a public one may take a round for each of these, in
place of a round for each bit of a request.
"""

from fl.array_blinded import (
    HERE,
    LOAD,
    THERE,
    BlindedProgram,
    base_of,
    blinded_shape,
    finding,
    leave,
)
from fl.array_program import CHOSEN, LITERAL, TABLE, Operation, X

BYTE = 8  # bits that are random in a cycle


def rounds_of(exp: int, nbits: int, public_bits: int) -> int:
    """Count the ladder's rounds: fewer if the exponent has at most so many bits."""
    return public_bits if public_bits and exp < 1 << public_bits else nbits


def masked(nbits: int, digit_bits: int, word_bits: int, random_bits: int) -> BlindedProgram:
    """List what an exponentiation does by the ladder, which begins with 1 and the base."""
    shape = blinded_shape(nbits, digit_bits, word_bits, random_bits)
    steps = shape.steps
    load = Operation("x", 1, LOAD)
    enter = (
        *base_of(shape, random_bits, 0),
        *finding(shape, random_bits),
        Operation("power 1", steps, TABLE, entry=0, to_table=HERE),
        Operation("power 0", steps, LITERAL, 1, to_table=THERE),
    )
    return BlindedProgram(
        shape,
        powers=2,
        enter=enter,
        leave=(load, *leave(shape, random_bits)),
        nbits=nbits,
        random_bits=random_bits,
        loop=(
            load,
            Operation("multiply", steps, CHOSEN, to_table=HERE),
            Operation("square", steps, X, to_table=THERE),
        ),
        decides=(2,),
    )
