"""The time of a blinded row of elements, and of one whose ladder has shares of the exponent."""

from fl.array_blinded import BlindedProgram
from fl.schedule import windows


def ends_cycles(program: BlindedProgram) -> int:
    """Count the cycles of what comes before the loop and after it."""
    return sum(operation.cycles for operation in (*program.enter, *program.leave))


def blinded_cycles(program: BlindedProgram, window_bits: int) -> int:
    """Count the cycles of all operations by windows: products begin D + 1 cycles apart."""
    products = windows(window_bits).counts(0, program.nbits).total
    in_table = program.powers - 2  # products that are among the first operations
    return ends_cycles(program) + (products - in_table) * program.square.cycles


def masked_cycles(program: BlindedProgram, rounds: int) -> int:
    """Count the cycles of all operations by the ladder: two products a round, and two swaps."""
    return ends_cycles(program) + rounds * sum(one.cycles for one in program.loop)
