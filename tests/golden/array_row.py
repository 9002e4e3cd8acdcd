"""A row of elements that exponentiates, as integers: what the operations of its program make."""

from fl.array_program import (
    BASE,
    CHOSEN,
    FITS,
    KEEP,
    LITERAL,
    LOW,
    NOT_M,
    NOTHING,
    RESULT,
    SCALE,
    SHIFT,
    TABLE,
    M,
    Operation,
    Program,
    X,
)
from fl.schedule import RESULT as LOOP_RESULT
from fl.schedule import Schedule


class Row:
    """Carries out operations as integers."""

    def __init__(self, program: Program, base: int, m: int) -> None:
        """Begin with the operands as a request brings them."""
        self.program, self.shape, self.m = program, program.shape, m
        self.c = -pow(m, -1, 1 << self.shape.low_bits) % (1 << self.shape.low_bits)
        self.x = self.mod = self.result = self.doubles = 0
        self.table = [0] * program.entries
        self.take(base)
        self.is_new = False  # x or M', in an operation's first step
        self.shift_left = self.shape.value_bits - m.bit_length()

    def take(self, base: int) -> None:
        """Take the base of a request."""
        self.base = base
        if self.program.base is not None:
            self.table[self.program.base] = base

    def power(self, schedule: Schedule, exp: int, again: bool = False) -> int:
        """Return the base's power mod m; again: as the request before had the same modulus."""
        for operation in self.program.enter[self.program.again if again else 0 :]:
            self.run(operation)
        for products in schedule.rounds(exp, self.shape.nbits):
            for product in products:
                if product.into == LOOP_RESULT and product.squares:
                    self.run(self.program.square)
                elif product.into == LOOP_RESULT:
                    self.run(self.program.multiply, schedule.entry(product.b))
        for operation in self.program.leave:
            self.run(operation)
        return self.x

    def run(self, operation: Operation, chosen: int = 0) -> None:
        """Carry one out; chosen: the entry that the exponent chooses."""
        for _ in range(operation.times):
            self._run(operation, chosen)

    def _run(self, operation: Operation, chosen: int) -> None:
        w, waiting = self.shape.digit_bits, self.shape.digit_bits * self.shape.delay
        digits = self._digits(operation, chosen)
        plus_mod = not digits if operation.digits == FITS else operation.plus_mod
        if plus_mod and digits & 1 and self.is_new:
            raise ValueError(f"{operation.name}: x + M' is not there yet")
        s = 0
        for i in range(operation.steps):
            first = i == 0
            q = s % (1 << w) | (first and plus_mod)
            added = q * self.mod + (digits >> i * w) % (1 << w) * self.x
            added += first and operation.plus_one
            s = (s >> w) + (added << waiting)
            if s >> waiting + self.shape.value_bits + w + 1:
                raise ValueError(f"{operation.name}: a sum of {s.bit_length()} bits")
        if operation.digits == SHIFT and self.shape.low_bits == 1:
            s <<= self.doubles
        self._take(operation, s)

    def _digits(self, operation: Operation, chosen: int) -> int:
        if operation.digits == SHIFT:
            bits = min(self.shift_left, self.shape.shift_bits)
            self.shift_left -= bits
            self.doubles = bits
            return 1 << bits if self.shape.low_bits > 1 else 1
        return {
            NOTHING: 0,
            LITERAL: operation.literal,
            SCALE: self.c,
            FITS: self.result >> self.shape.value_bits & 1,
            LOW: self.result % (1 << self.shape.low_bits),
            X: self.x,
            TABLE: self.table[operation.entry],
            CHOSEN: self.table[chosen],
        }[operation.digits]

    def _take(self, operation: Operation, s: int) -> None:
        top = 1 << self.shape.value_bits
        if operation.digits != NOTHING or operation.x != KEEP:
            self.result = s
        self.x = {
            KEEP: self.x,
            RESULT: s % top,
            M: self.m,
            NOT_M: top - 1 - self.m,
            BASE: self.base,
        }[operation.x]
        self.is_new = operation.to_mod or operation.x != KEEP
        if operation.to_mod:
            self.mod = s % top
        if operation.to_table is not None:
            self.table[operation.to_table] = s % top


def row_power(program: Program, schedule: Schedule, base: int, exp: int, m: int) -> int:
    """Return base^exp mod m as the row finds it, for odd m; exp >= 1 unless there are windows."""
    return Row(program, base, m).power(schedule, exp)
