"""The time of a row of elements: by itself, and as its own exponentiator uses it."""

from fl.array import low_steps, row_words
from fl.array_program import Program
from fl.array_split_program import SplitProgram
from fl.crt import E_BITS
from fl.scaled import low_guard_bits
from fl.schedule import LEFT_TO_RIGHT, Schedule, windows


def row_latency(nbits: int, digit_bits: int, word_bits: int) -> int:
    """Count cycles from the request to the answer, in which the next request may be taken.

    A cycle to load, one to feed, D steps, then the words resolve one after the other.
    """
    words = row_words(nbits + low_guard_bits(digit_bits), word_bits)
    return low_steps(nbits, digit_bits) + words + 2


def row_cycles(program: Program, schedule: Schedule, exp: int, again: bool = False) -> int:
    """Count the cycles of all operations: products of the loop begin D + 1 cycles apart.

    again: of those that follow where R^2 is kept.
    """
    enter = program.enter[program.again if again else 0 :]
    ends = sum(operation.cycles for operation in (*enter, *program.leave))
    products = schedule.counts(exp, program.shape.nbits).total
    in_table = max(program.powers - 2, 0)  # products that are among the first operations
    return ends + (products - in_table) * program.square.cycles


def split_power_cycles(program: SplitProgram, exp: int) -> int:
    """Count the cycles of a power in a row that splits, joined, for an exponent >= 1."""
    ends = sum(operation.cycles for operation in program.power)
    products = LEFT_TO_RIGHT.counts(exp, program.shape.nbits).total
    return ends + products * program.square.cycles


def split_private_cycles(program: SplitProgram, e: int) -> int:
    """Count the cycles of a private operation; e, the public exponent, counts if that checks."""
    ends = sum(operation.cycles for operation in program.private)
    products = windows(program.window_bits).counts(0, program.shape.half_bits).total
    in_table = program.entries - 2  # products that are among the first operations
    cycles = ends + (products - in_table) * program.half_square.cycles
    if program.checks:
        checked = LEFT_TO_RIGHT.counts(e, E_BITS).total
        cycles += checked * program.square.cycles
    return cycles
