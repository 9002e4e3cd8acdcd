"""Welch's t-test of two groups of traces in every cycle, of the first and the second order.

The first order compares the means, the second the variances: the means of the squares of what is
left when a group's mean is taken away. Sums of powers are kept, so that traces need not be.
"""

from dataclasses import dataclass, field

import numpy as np

THRESHOLD = 4.5  # of |t|, as usual: chance passes it once in 150 000 cycles
SURE = 1e4  # stands for larger values of |t|, also where groups never vary
ORDERS = (1, 2)
ROUNDING = 1e-9  # relative, of a variance that is none


@dataclass
class Moments:
    """Counts traces of a group, and sums the first four powers of their values less `shift`."""

    shift: np.ndarray
    count: int = 0
    sums: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.sums = np.zeros((4, len(self.shift)))

    def add(self, rows: np.ndarray) -> None:
        """Add traces, a row each."""
        power = away = rows - self.shift
        self.count += len(rows)
        for order in range(4):
            self.sums[order] += power.sum(axis=0)
            power = power * away

    def __add__(self, other: "Moments") -> "Moments":
        both = Moments(self.shift, self.count + other.count)
        both.sums = self.sums + other.sums
        return both

    @property
    def mean(self) -> np.ndarray:
        """Return the mean trace."""
        return self.shift + self.sums[0] / max(self.count, 1)

    def sample(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and variance of what an order compares."""
        m1, m2, m3, m4 = self.sums / max(self.count, 1)
        variance = np.maximum(m2 - m1**2, 0)
        variance[variance < ROUNDING * (1 + self.shift**2)] = 0
        if order == 1:
            return self.shift + m1, variance
        fourth = m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4
        return variance, np.maximum(fourth - variance**2, 0)


def welch(first: Moments, second: Moments, order: int = 1) -> np.ndarray:
    """Return t in every cycle, 0 where nothing varies and nothing differs."""
    (mean_a, var_a), (mean_b, var_b) = first.sample(order), second.sample(order)
    return t_of(mean_a - mean_b, var_a / max(first.count, 1) + var_b / max(second.count, 1))


def t_of(apart: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Divide differences of means by their standard errors, the squares of which are given."""
    apart = np.where(np.abs(apart) < ROUNDING, 0, apart)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(apart == 0, 0, apart / np.sqrt(error))
    return np.clip(np.nan_to_num(t, posinf=SURE, neginf=-SURE), -SURE, SURE)


class TTest:
    """Collects the traces of two groups, in two halves: a cycle leaks if |t| passes the threshold
    in both, with the same sign; none does before `begin`."""

    def __init__(self, cycles: int, begin: int = 0) -> None:
        self.counts = np.arange(cycles) >= begin
        self.halves: list[tuple[Moments, Moments]] = []
        self.history: list[tuple[int, tuple[np.ndarray, ...]]] = []
        self.count = 0

    def add(self, rows: np.ndarray, groups: np.ndarray) -> None:
        """Add traces, each of group 0 or 1."""
        if not self.halves:
            shift = rows.mean(axis=0)
            self.halves = [(Moments(shift), Moments(shift)) for _ in range(2)]
        half = (np.arange(len(rows)) + self.count) % 2
        for h, pair in enumerate(self.halves):
            for g, moments in enumerate(pair):
                moments.add(rows[(half == h) & (groups == g)])
        self.count += len(rows)
        self.history.append((self.count, tuple(self.t(order) for order in ORDERS)))

    def groups(self) -> tuple[Moments, Moments]:
        """Return both groups, whole."""
        (a0, a1), (b0, b1) = self.halves
        return a0 + b0, a1 + b1

    def t(self, order: int = 1) -> np.ndarray:
        """Return t of all traces."""
        return welch(*self.groups(), order)

    def leaks(self, order: int = 1) -> np.ndarray:
        """Return in which cycles there is a leak."""
        first, second = (welch(*half, order) for half in self.halves)
        passed = (np.abs(first) > THRESHOLD) & (np.abs(second) > THRESHOLD)
        return passed & (np.sign(first) == np.sign(second)) & self.counts

    def seen(self, order: int = 1) -> int | None:
        """Return after how many traces, of those at which something was added, a leak is seen."""
        leaks = self.leaks(order)
        for count, ts in self.history:
            if (np.abs(ts[order - 1][leaks]) > THRESHOLD).any():
                return count
        return None

    def hiding(self) -> float | None:
        """Return the standard deviation of noise, the same in every cycle, that as many traces see
        nothing through; None if there is nothing to see."""
        first, second = self.groups()
        (mean_a, var_a), (mean_b, var_b) = first.sample(1), second.sample(1)
        own = var_a / first.count + var_b / second.count
        left = ((mean_a - mean_b) / THRESHOLD) ** 2 - own
        left = left[self.leaks()]
        if not len(left) or left.max() <= 0:
            return None
        return float(np.sqrt(left.max() / (1 / first.count + 1 / second.count)))
