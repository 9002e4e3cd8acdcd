"""A row that splits, as integers: what the operations of a program make of key and message."""

from collections.abc import Iterable

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
    X,
)
from fl.array_split_program import (
    ANSWER,
    BOTH,
    FIRST,
    KEY,
    MINUS_1,
    SECOND,
    SplitOperation,
    SplitProgram,
)
from fl.crt import CrtKey
from fl.schedule import LEFT_TO_RIGHT, Schedule, windows
from fl.schedule import RESULT as LOOP_RESULT

HALVES = (FIRST, SECOND)


class SplitRow:
    """Carries out operations as integers; x, M' and entries of the table are those of the row, in
    which those of the halves are one after the other."""

    def __init__(self, program: SplitProgram, key: CrtKey, base: int, n: int) -> None:
        """Begin with the operands as a request brings them."""
        self.program, self.shape, self.key, self.base, self.n = program, program.shape, key, base, n
        self.table = [0] * program.entries
        self.x = self.mod = self.result = 0
        self.sums = [0]  # of the last operation, where that goes on
        self.is_new = True  # x or M', in an operation's first step
        self.shift_left = [0, 0]

    def private(self) -> int | None:
        """Return the result of a private operation, None if the check fails."""
        program = self.program
        self.run(program.enter)
        self.loop(windows(program.window_bits), (self.key.dq, self.key.dp), True)
        self.run(program.recombine + program.constants + program.join + program.leave)
        if program.checks:
            answer = self.table[ANSWER]
            self.run(program.constants + program.again)
            self.loop(LEFT_TO_RIGHT, (self.key.e,), False)
            self.run((*program.compare, *program.leave))
            if self.x:
                return None
            self.run((program.judge,))
            self.table[ANSWER] = answer  # the second time it stays
        return self.table[ANSWER]

    def power(self, exp: int) -> int:
        """Return base^exp mod n."""
        self.run(self.program.constants + self.program.base)
        self.loop(LEFT_TO_RIGHT, (exp,), False)
        self.run(self.program.leave)
        return self.x

    def loop(self, schedule: Schedule, exps: tuple[int, ...], split: bool) -> None:
        """Make the products of a loop; those of the halves differ in the entries alone."""
        square = self.program.half_square if split else self.program.square
        multiply = self.program.half_multiply if split else self.program.multiply
        nbits = self.shape.half_bits if split else self.shape.nbits
        for rounds in zip(*(schedule.rounds(exp, nbits) for exp in exps), strict=True):
            products = [one for (one,) in rounds]
            if products[0].into == LOOP_RESULT and products[0].squares:
                self.carry_out(square)
            elif products[0].into == LOOP_RESULT:
                self.carry_out(multiply, tuple(schedule.entry(one.b) for one in products))

    def run(self, operations: Iterable[SplitOperation]) -> None:
        """Carry out operations, each as often as it says."""
        for operation in operations:
            for _ in range(operation.times):
                self.carry_out(operation)

    def carry_out(self, one: SplitOperation, chosen: tuple[int, ...] = (0, 0)) -> None:
        """Carry one out; chosen: the entries that the exponents choose."""
        shape, w = self.shape.half if one.split else self.shape.joined, self.shape.digit_bits
        moduli = [self.key.q, self.key.p] if one.split else [self.n]
        if one.scans:
            self.shift_left = [shape.value_bits - m.bit_length() for m in moduli]
        if len(self.sums) != len(moduli):
            assert not any(self.sums), one.name
            self.sums = [0] * len(moduli)
        xs, mods = self._cut(self.x, one), self._cut(self.mod, one)
        sums = []
        for i, m in enumerate(moduli):
            s, digits = self.sums[i], self._digits(one, i, m, chosen)
            plus_mod = not digits if one.digits == FITS else one.plus_mod
            for step in range(one.steps + one.soft):
                a = (digits >> step * w) % (1 << w)
                q = s % (1 << w) | (step == 0 and plus_mod)
                if step == 0 and a and q and self.is_new:
                    raise ValueError(f"{one.name}: x + M' is not there yet")
                s = (s >> w) + q * mods[i] + a * xs[i] + (step == 0 and one.plus_one)
                if s >> shape.value_bits + w + 1:
                    raise ValueError(f"{one.name}: a sum of {s.bit_length()} bits")
            sums.append(s)
        self._take(one, sums, moduli, 1 << shape.value_bits)

    def _cut(self, value: int, one: SplitOperation) -> list[int]:
        """Return what the halves have of a value, or all of it in the row."""
        bits = self.shape.low_bits
        return [value % (1 << bits), value >> bits] if one.split else [value]

    def _joined(self, values: list[int]) -> int:
        return sum(value << self.shape.low_bits * i for i, value in enumerate(values))

    def _digits(self, one: SplitOperation, i: int, m: int, chosen: tuple[int, ...]) -> int:
        w = self.shape.digit_bits
        if one.digits in (X, TABLE, CHOSEN):
            entry = chosen[i] if one.digits == CHOSEN else one.entry
            value = self.x if one.digits == X else self.table[entry]
            return value if one.whole else self._cut(value, one)[i]
        if one.digits == SHIFT:
            bits = min(self.shift_left[i], w - 1)
            self.shift_left[i] -= bits
            return 1 << bits
        return {
            NOTHING: 0,
            LITERAL: one.literal,
            SCALE: -pow(m, -1, 1 << w) % (1 << w),
            FITS: self.result >> self.shape.joined.value_bits & 1,
            LOW: self.result % (1 << w),
        }[one.digits]

    def _take(self, one: SplitOperation, sums: list[int], moduli: list[int], top: int) -> None:
        if one.soft:
            assert one.x != RESULT
            assert not one.to_mod
            assert one.to_table is None
        elif one.digits != NOTHING or one.x != KEEP:
            self.result = sums[0]
        keys = [self.key.q, self.key.q_inverse] if one.split else [self.key.q]
        bases, xs, mods = (self._cut(v, one) for v in (self.base, self.x, self.mod))
        entries = [self._cut(value, one) for value in self.table]
        for i, (s, m) in enumerate(zip(sums, moduli, strict=True)):
            if one.into not in (BOTH, HALVES[i]):
                continue
            of_operand = {M: m, NOT_M: top - 1 - m, BASE: bases[i], MINUS_1: m & ~1, KEY: keys[i]}
            xs[i] = {KEEP: xs[i], RESULT: s % top, **of_operand}[one.x]
            mods[i] = s % top if one.to_mod else mods[i]
            if one.to_table is not None:
                entries[one.to_table][i] = s % top
        self.sums = sums if one.soft else [0]
        self.is_new = one.to_mod or one.x != KEEP
        self.x, self.mod = self._joined(xs), self._joined(mods)
        self.table = [self._joined(entry) for entry in entries]
