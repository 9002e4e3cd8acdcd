"""A template attack of the second order, by products of what two cycles are off their means.

A mask that hides a value from every mean does not hide that the value is used twice in a trace.
Cycles of a round and of the one before it are taken in pairs. All rounds are alike, so that they
learn together: the products whose means differ, by keys that are known, are summed with weights.
"""

import numpy as np

from eval.tasks.attack.rounds import Rounds
from eval.tasks.attack.template import likeliest
from eval.tasks.leakage.chance import threshold_of

AT_ONCE = 512  # traces


class Pairs:
    """Knows which products of cycles tell a bit, or whether it differs from the one before."""

    def __init__(self, rows: np.ndarray, exponents: list[int], rounds: Rounds) -> None:
        self.rounds = rounds
        self.mean = rounds.of(rows.mean(axis=0))
        size = 2 * rounds.cycles
        sums = np.zeros((2, 2, size, size))  # of products, by which label and its value
        squares, counts = np.zeros((size, size)), np.zeros((2, 2))
        bits = np.array([rounds.bits(one) for one in exponents])
        labels = (bits[:, 1:], bits[:, 1:] ^ bits[:, :-1])
        for at in range(0, len(rows), AT_ONCE):
            pairs = self._of(rows[at : at + AT_ONCE])
            squares += np.einsum("qra,qrb->ab", pairs**2, pairs**2, optimize=True)
            for kind, label in enumerate(labels):
                for value in (0, 1):
                    own = pairs[label[at : at + AT_ONCE] == value]
                    sums[kind, value] += own.T @ own
                    counts[kind, value] += len(own)
        total = counts[0].sum()
        mean = sums[0].sum(axis=0) / total
        variance = squares / total - mean**2 + 1e-9
        self.parts = []
        best = 0.0
        self.most: tuple[int, int] | None = None  # cycles after the beginning of a round
        triangle = np.triu(np.ones((size, size), bool))
        for kind in range(2):
            means = sums[kind] / np.maximum(counts[kind], 1)[:, None, None]
            apart = means[1] - means[0]
            t = np.abs(apart) / np.sqrt(variance * (1 / np.maximum(counts[kind], 1)).sum())
            passed = triangle & (t > threshold_of(int(triangle.sum()), 1, 0.01))
            weights = np.where(passed, apart / variance, 0)
            told = np.where(passed, t, 0)
            if told.max() > best:
                best = float(told.max())
                one, other = np.unravel_index(told.argmax(), told.shape)
                self.most = int(one) - rounds.cycles, int(other) - rounds.cycles
            self.parts.append((weights, float((weights * (means[0] + means[1]) / 2).sum())))

    @property
    def chosen(self) -> tuple[int, ...]:
        """Count the pairs that tell a bit, and those that tell whether it differs."""
        return tuple(int((weights != 0).sum()) for weights, _ in self.parts)

    def _of(self, rows: np.ndarray) -> np.ndarray:
        """Return what each round but the first is off its mean, after the round before it."""
        away = self.rounds.of(rows) - self.mean
        return np.concatenate([away[:, :-1], away[:, 1:]], axis=2)

    def guess(self, rows: np.ndarray) -> int:
        """Return the likeliest exponent of traces that have the same one."""
        found = np.zeros((2, self.rounds.count - 1))
        for at in range(0, len(rows), AT_ONCE):
            pairs = self._of(rows[at : at + AT_ONCE])
            for kind, (weights, middle) in enumerate(self.parts):
                products = ((pairs @ weights) * pairs).sum(axis=2)
                found[kind] += (products - middle).sum(axis=0)
        bits, differ = found
        bits = np.concatenate([[0.0], bits])
        if self.rounds.from_top:
            bits, differ = bits[::-1], differ[::-1]
        return likeliest(bits, differ)
