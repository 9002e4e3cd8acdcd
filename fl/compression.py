"""Compression of a matrix to two rows, stage by stage, with 5:3 compressors, full and half adders.

Document 000, section 2.2.1: 5:3 compressors first, then full adders, then half adders, column by
column from the least significant one; what leaves column n is folded back at every stage. Also
the orders of Wallace and of Dadda. The document does not ask whether that ever ends: under
2^n+-k a carry comes back as several dots. Full adders alone always end: they never increase
the sum of 2^column over all dots, and either decrease it or the number of dots. So a stage with
other compressors is taken only if it lowers the height to a new least one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fl.folded_matrix import CARRY, CARRY_2, STAY, Matrix, MatrixBuilder

ROWS = 2
MULTIPLES = 4


@dataclass(frozen=True)
class Placement:
    """Counts the compressors of one column in one stage; they take its dots in this order."""

    five_three: int = 0
    full: int = 0
    half: int = 0

    @property
    def taken(self) -> int:
        """Return how many dots go into them."""
        return 5 * self.five_three + 3 * self.full + 2 * self.half

    @property
    def sums(self) -> int:
        """Return how many dots they leave in the column, and as many carries in the next one."""
        return self.five_three + self.full + self.half


@dataclass(frozen=True)
class Stage:
    """Puts compressors on the columns of a matrix."""

    matrix: Matrix
    placements: tuple[Placement, ...]
    folds: bool = True

    def total(self, kind: str) -> int:
        """Return how many compressors of a kind (five_three, full, half) the stage has."""
        return sum(getattr(placement, kind) for placement in self.placements)

    def after(self) -> Matrix:
        """Return the matrix that the stage makes: dots not taken, sums, then carries."""
        before = self.matrix
        builder = MatrixBuilder(before.modulus, before.limit, before.constant, self.folds)
        for j, (height, put) in enumerate(zip(before.heights, self.placements, strict=True)):
            builder.add(j, j, STAY, height - put.taken + put.sums)
        for j, put in enumerate(self.placements):
            builder.add(j + 1, j, CARRY, put.sums)
            builder.add(j + 2, j, CARRY_2, put.five_three)
        return builder.matrix()


Placements = tuple[Placement, ...]


def greedy(five_three: bool, half: bool) -> Callable[[Matrix], Placements]:
    """Place as many 5:3 compressors as fit, then full adders, then half adders."""

    def place(matrix: Matrix) -> Placements:
        made = []
        for height in matrix.heights:
            fives, rest = divmod(height, 5) if five_three else (0, height)
            fulls, rest = divmod(rest, 3)
            made.append(Placement(fives, fulls, rest // 2 if half else 0))
        return tuple(made)

    return place


def dadda(matrix: Matrix) -> Placements:
    """Place the fewest full and half adders that bring columns to the next of 2, 3, 4, 6, 9, ...

    Carries that are folded back are counted in by repeating the sweep with those of the last one.
    """
    target = ROWS
    while target * 3 // 2 < matrix.height:
        target = target * 3 // 2
    wrapped = [0] * len(matrix.heights)
    for _ in range(len(matrix.heights)):
        made = _sweep(matrix.heights, target, wrapped)
        carries = _wrapped(matrix, made)
        if carries == wrapped:
            break
        wrapped = carries
    return made


def _sweep(heights: Sequence[int], target: int, wrapped: Sequence[int]) -> Placements:
    """Bring each column to the target, with the carries of the one below it and those wrapped."""
    made, carries = [], 0
    for height, extra in zip(heights, wrapped, strict=True):
        above = max(0, height + carries + extra - target)
        full = min(above // 2, height // 3)
        half = 1 if above > 2 * full and height - 3 * full >= 2 else 0
        made.append(Placement(0, full, half))
        carries = full + half
    return tuple(made)


def _wrapped(matrix: Matrix, made: Placements) -> list[int]:
    """Count the dots that the stage folds back into each column."""
    counts = [0] * len(made)
    for digit in matrix.modulus.fold(len(made)):
        counts[digit.column] += made[-1].sums
    return counts


FULL_ONLY = greedy(five_three=False, half=False)
WITH_HALF = greedy(five_three=False, half=True)

ORDERS: dict[str, Callable[[Matrix], Placements]] = {
    "document": greedy(five_three=True, half=True),
    "document-5:3-fa": greedy(five_three=True, half=False),
    "fa": FULL_ONLY,
    "wallace": WITH_HALF,
    "dadda": dadda,
}
LATE = "late"
ORDER_NAMES = (*ORDERS, LATE)


def compress(matrix: Matrix, order: str = "document") -> tuple[tuple[Stage, ...], Matrix]:
    """Return the stages that compress the matrix, and the matrix of at most two rows after them.

    Where a carry comes back as several dots, the last stage leaves it in a column n for the
    modular adder: folding it would start the compression again.
    """
    if order == LATE:
        return compress_late(matrix)
    place = ORDERS[order]
    several = len(matrix.modulus.fold(matrix.modulus.n)) > 1
    stages, least = [], matrix.height
    while matrix.height > ROWS:
        if several and matrix.height == ROWS + 1:
            stage = Stage(matrix, WITH_HALF(matrix), folds=False)
        else:
            stage = Stage(matrix, place(matrix))
        if stage.after().height >= least:
            stage = Stage(matrix, FULL_ONLY(matrix))
        stages.append(stage)
        matrix = stage.after()
        least = min(least, matrix.height)
    return tuple(stages), matrix


def compress_late(matrix: Matrix) -> tuple[tuple[Stage, ...], Matrix]:
    """Compress to two rows of any length, fold what is above column n, and again.

    Until folding no longer makes the sum smaller, or the sum is below MULTIPLES moduli.
    """
    stages = []
    while True:
        while matrix.height > ROWS:
            stages.append(Stage(matrix, WITH_HALF(matrix), folds=False))
            matrix = stages[-1].after()
        fold = Stage(matrix, (Placement(),) * len(matrix.columns))
        small = matrix.limit < MULTIPLES * matrix.modulus.value
        if small or fold.after().limit >= matrix.limit:
            return tuple(stages), matrix
        stages.append(fold)
        matrix = fold.after()
