"""How often chance passes a threshold of |t| somewhere in a trace, and how many traces an effect
takes.

4.5 is a threshold of one cycle: noise passes it in 6.8 of a million. Of a trace of many cycles, the
threshold is that which all of them together pass with a small probability alpha: each may pass it
with 1 - (1 - alpha)^(1/cycles) (Sidak). Zhang, Ding, Durvaux, Standaert and Fei, "Towards Sound and
Optimal Leakage Detection Procedure" (CARDIS 2017), take it so. In two runs, a cycle must pass it
with the same sign in both.

t is taken as normal: at 100 traces of a group, the tails of Student's t are longer. Cycles are
taken as independent: where they are not, chance passes less often.
"""

from math import erfc, expm1, inf, log1p, sqrt
from statistics import NormalDist

ALPHA = 1e-5  # of all cycles together
POWER = 0.99  # with which an effect is to be seen
NORMAL = NormalDist()


def tail(threshold: float) -> float:
    """Return with what probability t is above a threshold by chance."""
    return erfc(threshold / sqrt(2)) / 2


def by_chance(threshold: float, runs: int = 2) -> float:
    """Return with what probability one cycle passes the threshold in all runs, with one sign."""
    return min(1.0, 2 * tail(threshold) ** runs)


def in_any(threshold: float, cycles: int, runs: int = 2) -> float:
    """Return with what probability at least one of so many cycles does."""
    one = by_chance(threshold, runs)
    return 1.0 if one >= 1 else -expm1(cycles * log1p(-one))


def threshold_of(cycles: int, runs: int = 2, alpha: float = ALPHA) -> float:
    """Return the threshold that one of so many cycles passes with probability alpha."""
    if cycles < 1:
        return inf
    one = -expm1(log1p(-alpha) / cycles)
    return -NORMAL.inv_cdf((one / 2) ** (1 / runs))


def spread(threshold: float, runs: int = 2, power: float = POWER) -> float:
    """Return the mean of |t| with which it passes the threshold in all runs as often as power."""
    return threshold + NORMAL.inv_cdf(power ** (1 / runs))


def least_effect(traces: int, threshold: float, runs: int = 2, power: float = POWER) -> float:
    """Return the least effect that so many traces of a run see, half of them in either group.

    An effect is the difference of the groups' means by their standard deviation (Cohen's d).
    """
    return spread(threshold, runs, power) * 2 / sqrt(traces)


def traces_for(effect: float, threshold: float, runs: int = 2, power: float = POWER) -> float:
    """Return how many traces of a run see an effect."""
    return (2 * spread(threshold, runs, power) / effect) ** 2
