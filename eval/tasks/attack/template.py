"""A template attack: what each bit of an exponent adds to a trace is learnt by known keys.

In each cycle that tells any bit, power is a mean, what the bits between the ends add, what each
adds by not being the next higher one, and noise, normal with a covariance of the cycles (the
stochastic model of Schindler, Lemke and Paar). What traces of one key add up to says how likely
each bit is; the exponent is the likeliest one with both of its ends 1.
"""

import numpy as np

from eval.tasks.leakage.chance import threshold_of

MOST_CYCLES = 200  # of a template
RIDGE = 0.01  # of a variance, which none is below


def labels_of(exponents: list[int], nbits: int) -> np.ndarray:
    """Return by exponent the bits between its ends, and whether each differs from the next."""
    bits = np.array([[e >> i & 1 for i in range(1, nbits - 1)] for e in exponents])
    return np.hstack([bits, bits[:, :-1] ^ bits[:, 1:]])


def likeliest(bits: np.ndarray, differ: np.ndarray) -> int:
    """Return the exponent of the largest sum of log likelihoods that a bit is 1 rather than 0, and
    that it differs from the next higher one rather than not; both of its ends are 1."""
    nbits = len(bits)
    best = [-np.inf, bits[0]]
    ways: list[tuple[int, int]] = []
    for i in range(1, nbits):
        by_value = []
        way = []
        for value in (0, 1):
            sums = [best[before] + (differ[i - 1] if before != value else 0) for before in (0, 1)]
            way.append(int(sums[1] > sums[0]))
            by_value.append(max(sums) + (bits[i] if value else 0))
        best = by_value
        ways.append((way[0], way[1]))
    value, exponent = 1, 1 << nbits - 1
    for i in range(nbits - 1, 0, -1):
        value = ways[i - 1][value]
        exponent |= value << i - 1
    return exponent


class Template:
    """Knows what each bit adds to the cycles of some traces, and guesses the exponent of others."""

    def __init__(self, rows: np.ndarray, exponents: list[int], nbits: int) -> None:
        self.nbits = nbits
        labels = labels_of(exponents, nbits) - 0.5
        self.mean = rows.mean(axis=0)
        away = rows - self.mean
        variance = (away**2).mean(axis=0)
        # t of a correlation of 0 is that times the root of the traces
        related = np.abs(labels.T @ away) / len(rows)
        t = 2 * np.sqrt(len(rows)) * related / np.sqrt(variance + 1e-9)
        order = np.argsort(-t.max(axis=0), kind="stable")[: min(MOST_CYCLES, len(rows) // 4)]
        self.cycles = order[t.max(axis=0)[order] > threshold_of(t.size, 1, 0.01)]
        some = away[:, self.cycles]
        centred = labels - labels.mean(axis=0)
        self.middle = labels.mean(axis=0)
        self.adds, *_ = np.linalg.lstsq(centred, some, rcond=None)
        left = some - centred @ self.adds
        among = left.T @ left / len(left)
        among += np.diag(RIDGE * np.diag(among) + RIDGE)
        solved = np.linalg.solve(among, self.adds.T)  # by cycle and label
        told = self.adds @ solved
        told += RIDGE * np.eye(len(told)) / len(rows)
        self.inverse = np.linalg.inv(told)
        self.solved = solved

    def guess(self, rows: np.ndarray) -> int:
        """Return the likeliest exponent of traces that have the same one."""
        away = rows.mean(axis=0) - self.mean
        found = self.inverse @ (self.solved.T @ away[self.cycles]) + self.middle
        likely = len(rows) * found / np.diag(self.inverse)
        bits, differ = np.split(likely, [self.nbits - 2])
        return likeliest(np.concatenate([[0], bits, [0]]), np.concatenate([[0], differ, [0]]))
