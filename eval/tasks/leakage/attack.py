"""Simple power analysis: an exponent read off one mean trace, bit by bit.

It is for designs that square and multiply side by side: a round is as long for either bit, but a 1
sets more of the hardware to work. Who attacks knows the design, and so the cycles of a round and
how many there are; neither the operands nor where in the trace the rounds begin.
"""

from dataclasses import dataclass

import numpy as np

from cl.exponentiator import ExponentiatorOfParts
from eval.catalog.point import Point


@dataclass(frozen=True)
class Rounds:
    """Says how many rounds there are, of how many cycles each, whether the last one is known to be
    of a 1, as where the time tells their number, and whether the highest bit comes first."""

    count: int
    cycles: int
    ends_in_1: bool = False
    from_top: bool = False


def rounds_of(point: Point, exp: int) -> Rounds | None:
    """Return the rounds of an exponentiation by exp; None where they are not side by side."""
    exponentiator = point.entry.at(point.nbits)
    if not isinstance(exponentiator, ExponentiatorOfParts):
        return None
    unit, organisation = exponentiator.parts.unit, exponentiator.parts.organisation
    if not unit.constant_time or organisation.units == 1 or organisation.schedule.in_turn:
        return None
    constant, cycles = exponentiator.constant_time, unit.latency(0, 0, 1)
    count = point.nbits if constant else exp.bit_length()
    forward, from_top = organisation.forward, organisation.schedule.from_top
    return Rounds(count, cycles + (not forward), not constant, from_top)


def read_exponent(mean: np.ndarray, rounds: Rounds) -> int:
    """Guess the exponent, bit by bit, from a mean trace that ends soon after the last round: rounds
    begin where their sums fall best into two classes, the larger one of 1s."""
    length = rounds.count * rounds.cycles
    begins = range(max(0, len(mean) - length - 2 * rounds.cycles), len(mean) - length + 1)
    found = [mean[at : at + length].reshape(rounds.count, rounds.cycles).sum(1) for at in begins]
    sums, (_, threshold) = max(((sums, split(sums)) for sums in found), key=lambda pair: pair[1][0])
    top = rounds.ends_in_1 << rounds.count - 1
    ones = sums > threshold
    return top | sum(int(bit) << i for i, bit in enumerate(ones[::-1] if rounds.from_top else ones))


def split(sums: np.ndarray) -> tuple[float, float]:
    """Return how much of the variance lies between the two classes that a threshold parts best, and
    the threshold."""
    ordered = np.sort(sums)
    best = 0.0, float(ordered[-1])
    for i in range(1, len(ordered)):
        low, high = ordered[:i], ordered[i:]
        between = i * (len(ordered) - i) * (high.mean() - low.mean()) ** 2 / len(ordered)
        share = between / max(((ordered - ordered.mean()) ** 2).sum(), 1e-12)
        best = max(best, (float(share), float((low[-1] + high[0]) / 2)))
    return best
