"""The time of a row of elements: by itself, and as its own exponentiator uses it."""

from fl.array import low_steps, row_words
from fl.array_program import Program
from fl.scaled import low_guard_bits
from fl.schedule import Schedule


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
