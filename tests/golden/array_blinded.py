"""A blinded row as integers, and one whose ladder has shares of the exponent."""

from dataclasses import replace
from random import Random

from fl.array_blinded import HERE, LOAD, RANDOM, THERE, BlindedProgram
from fl.array_program import Operation
from fl.schedule import RESULT as LOOP_RESULT
from fl.schedule import windows
from tests.golden.array_row import Row


class BlindedRow(Row):
    """Carries out operations, with random numbers of a source of its own."""

    def __init__(
        self,
        program: BlindedProgram,
        base: int,
        exp: int,
        m: int,
        rng: Random,
        public_bits: int = 0,
    ) -> None:
        """Begin with the operands as a request brings them; the top bit is served first, that of
        so many bits if these are all that an exponent has."""
        super().__init__(program, base, m)
        self.loop, self.nbits = program.loop, program.nbits
        self.exp, self.rng = exp, rng
        is_short = public_bits and exp.bit_length() <= public_bits
        self.rounds = public_bits if is_short else self.nbits
        mask = rng.getrandbits(self.nbits)
        bits = [mask, mask ^ exp << self.nbits - self.rounds]
        self.shares = [[share >> i & 1 for i in range(self.nbits)] for share in bits]
        self.last = [0, 0]
        self.here = self.other = 0  # by share 0 and 1

    def _digits(self, operation: Operation, chosen: int) -> int:
        if operation.digits == RANDOM:
            return self.rng.getrandbits(8) & operation.literal
        if operation.digits == LOAD:
            return 0
        return super()._digits(operation, chosen)

    def delta(self, share: int) -> int:
        """Whether a share's next bit differs from the one before; that bit is then served."""
        bit = self.shares[share].pop() if self.shares[share] else 0
        self.last[share], before = bit, self.last[share]
        return bit ^ before

    def _take(self, operation: Operation, s: int) -> None:
        entry = operation.to_table
        if entry == HERE:
            self.here = self.delta(0)
        if entry in (HERE, THERE):
            operation = replace(operation, to_table=self.here ^ (entry == THERE))
        super()._take(operation, s)
        if operation.digits == LOAD:
            self.other = self.delta(1)
            self.x = self.table[1 - self.other]
            self.is_new = True

    def ladder(self) -> int:
        """Return the power by the ladder."""
        for operation in (*self.program.enter, *self.rounds * self.loop, *self.program.leave):
            self.run(operation, self.other)
        return self.x

    def by_windows(self, bits: int) -> int:
        """Return the power by windows."""
        square, multiply = self.loop
        for operation in self.program.enter:
            self.run(operation)
        schedule = windows(bits)
        for products in schedule.rounds(self.exp, self.nbits):
            for product in products:
                if product.into == LOOP_RESULT and product.squares:
                    self.run(square)
                elif product.into == LOOP_RESULT:
                    self.run(multiply, schedule.entry(product.b))
        for operation in self.program.leave:
            self.run(operation)
        return self.x
