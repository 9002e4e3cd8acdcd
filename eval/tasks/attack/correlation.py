"""A correlation attack (Brier, Clavier and Olivier) whose model is the design: bases are known.

The attacker runs the design with each base and a guess of the exponent's next bits, and keeps the
guess whose power correlates best with what was measured, over all traces and the cycles in which
these bits are used. What the guess leaves open is 0. When bits are used is seen by turning each
over in runs of one's own, or for each guess, where a bit's cycles depend on those before it. The
random values of a device are not those of the model.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from eval.tasks.attack.rounds import Rounds

MOST_BITS = 6  # that are guessed at once
TRIED = 4  # bases by which it is seen when bits are used
LEAST = 0.05  # bits or fJ: less comes from rounding
Power = Callable[[Sequence[tuple[int, int]]], np.ndarray]  # of bases and exponents


def correlation(measured: np.ndarray, model: np.ndarray) -> float:
    """Correlate the power of some cycles; from three traces on, each cycle is off its mean."""
    axis = 0 if len(measured) > 2 else 1
    one, other = (rows - rows.mean(axis=axis, keepdims=True) for rows in (measured, model))
    size = np.sqrt((one**2).sum() * (other**2).sum())
    return float((one * other).sum() / size) if size else 0.0


class Correlation:
    """Guesses exponents of so many bits, whose ends are 1, by a model of the device.

    in_turn: bits are used from the top, for as many cycles as the bits themselves say.
    """

    def __init__(
        self,
        power: Power,
        nbits: int,
        begin: int,
        rounds: Rounds | None,
        in_turn: bool = False,
    ) -> None:
        self.power, self.nbits, self.begin, self.in_turn = power, nbits, begin, in_turn
        self.modelled: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}
        rng = np.random.default_rng(3)
        self.tried = 1 << nbits - 1 | 1 | int(rng.integers(0, 1 << nbits - 1))
        self.bases = [2 + int(rng.integers(0, 1 << min(nbits, 60) - 2)) for _ in range(TRIED)]
        self.runs: dict[int, np.ndarray] = {}
        self.groups = [] if in_turn else self._seen() or self._known(rounds)

    def _known(self, rounds: Rounds | None) -> list[tuple[list[int], int, int]]:
        """Take the bits one by one, in the cycles in which they are known to be used."""
        if rounds is None:
            return []
        order = [*range(self.nbits)][:: -1 if rounds.from_top else 1]
        starts = [rounds.begin + i * rounds.cycles for i in range(self.nbits)]
        return [([i], at, at + rounds.cycles) for i, at in zip(order, starts, strict=True)]

    def _parting(self, one: int, other: int) -> int:
        """Return from which cycle on the difference of two exponents' power depends on the base; as
        many as there are, if it does in none."""
        self._run([exponent for exponent in (one, other) if exponent not in self.runs])
        varies = np.ptp(self.runs[other] - self.runs[one], axis=0) > LEAST
        varies[: self.begin] = False
        return int(varies.argmax()) if varies.any() else len(varies)

    def _run(self, exponents: Sequence[int]) -> None:
        """Keep the power of some bases by exponents; the same operation stands before each."""
        if exponents:
            first = (self.bases[0], self.tried)
            asked = [[first, (base, one)] for one in exponents for base in self.bases]
            rows = self.power([one for both in asked for one in both])[1::2].astype(float)
            self.runs |= zip(exponents, rows.reshape(len(exponents), TRIED, -1), strict=True)

    def _seen(self) -> list[tuple[list[int], int, int]]:
        """Turn each bit over, and see from which cycle on the power tells it; none if it differs
        between equal operations, or if too many bits are told at once."""
        first = (self.bases[0], self.tried)
        again = self.power([first, first, first])
        if (again[1] != again[2]).any():
            return []
        turned = [self.tried ^ 1 << bit for bit in range(self.nbits)]
        self._run([self.tried, *turned])
        starts: dict[int, list[int]] = {}
        for bit, one in enumerate(turned):
            starts.setdefault(self._parting(self.tried, one), []).append(bit)
        if max(map(len, starts.values())) > MOST_BITS:
            return []
        ordered = sorted(starts)
        ends = [*ordered[1:], ordered[-1] + max([b - a for a, b in pairwise(ordered)] or [1])]
        return [(starts[a], a, b) for a, b in zip(ordered, ends, strict=True)]

    def guess(self, rows: np.ndarray, bases: Sequence[int]) -> int:
        """Return the exponent that is found group by group; 0 if it is not known when bits act."""
        exponent = 1 << self.nbits - 1 | 1
        if self.in_turn:
            for bit in range(self.nbits - 2, 0, -1):
                exponent = self._better(rows, tuple(bases), exponent, bit)
            return exponent
        if not self.groups:
            return 0
        for bits, begin, end in self.groups:
            free = [bit for bit in bits if 0 < bit < self.nbits - 1]
            scores = {}
            for number in range(1 << len(free)):
                tried = exponent
                for i, bit in enumerate(free):
                    tried |= (number >> i & 1) << bit
                model = self._modelled(tried, tuple(bases))
                scores[tried] = correlation(rows[:, begin:end], model[:, begin:end])
            exponent = max(scores, key=lambda one: scores[one])
        return exponent

    def _better(self, rows: np.ndarray, bases: tuple[int, ...], exponent: int, bit: int) -> int:
        """Return the exponent with the value of a bit that fits better, from the cycle in which the
        two part to that in which the next bit is used."""
        both = exponent, exponent | 1 << bit
        begin = self._parting(*both)
        ends = (self._parting(one, one ^ 1 << bit - 1) for one in both)
        end = max(begin + 1, min(ends))
        zero, one = (
            correlation(rows[:, begin:end], self._modelled(tried, bases)[:, begin:end])
            for tried in both
        )
        return both[one > zero]

    def _modelled(self, exponent: int, bases: tuple[int, ...]) -> np.ndarray:
        if (exponent, bases) not in self.modelled:
            asked = [(base, exponent) for base in bases]
            self.modelled[exponent, bases] = self.power(asked).astype(float)
        return self.modelled[exponent, bases]
