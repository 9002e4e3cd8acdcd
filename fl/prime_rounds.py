"""How often Miller and Rabin's test must be repeated, the probability that it errs, and how long a
search for primes takes in the mean.

A composite number passes a round with a random base with probability 1/4 at most. Of random
candidates far fewer do: the bound is that of Damgard, Landrock and Pomerance, in the form in which
FIPS 186-4 gives it in appendix F.1. It is the share of composites in all that passes.
"""

from dataclasses import dataclass
from functools import cache
from math import floor, inf, isqrt, log, log2, pi, prod, sqrt

TARGET_BITS = 100  # a composite passes with probability 2^-100 at most
MOST_ROUNDS = TARGET_BITS // 2  # which the bound of a round alone asks for
LEAST_BITS = 51  # of numbers for which the other bound is taken: it rests on how dense primes are


def candidate_error_bits(nbits: int, rounds: int) -> float:
    """Return -log2 of the bound for a random odd candidate of nbits: 2 a round, or more."""
    by_round = 2.0 * rounds
    return by_round if nbits < LEAST_BITS else max(by_round, -_log2_of_bound(nbits, rounds))


@cache
def rounds_for(nbits: int) -> int:
    """Return the least rounds after which the bound for a random candidate is 2^-100."""
    return next(
        rounds
        for rounds in range(1, MOST_ROUNDS + 1)
        if candidate_error_bits(nbits, rounds) >= TARGET_BITS
    )


def _log2_of_bound(k: int, t: int) -> float:
    """Return log2 of 2.00743 ln 2 k 2^-k (2^(k-2-Mt) + 8 (pi^2 - 6) / 3 2^(k-2) S), where S sums
    2^(m - (m-1) t - j - (k-1) / j) for m from 3 to M and j from 2 to m, for the best M."""
    factor = log2(2.00743 * log(2) * k) - 2  # with 2^-k 2^(k-2)
    best, total = inf, 0.0
    for last in range(3, floor(2 * sqrt(k - 1) - 1) + 1):
        total += sum(2 ** (last - (last - 1) * t - j - (k - 1) / j) for j in range(2, last + 1))
        best = min(best, factor + log2(2.0 ** (-last * t) + 8 * (pi**2 - 6) / 3 * total))
    return best


@dataclass(frozen=True)
class Search:
    """What the search for both primes of a key takes in the mean: numbers drawn, rounds."""

    drawn: float
    rounds: float


def mean_search(nbits: int, rounds: int, e: int, divisors: int) -> Search:
    """Return the means for primes of nbits, by the density of primes, 1 / ln: candidates are odd
    and divided by the odd primes below `divisors`; those of at least 2^(nbits - 1/2) are tested,
    if candidate - 1 has no divisor in common with e. A composite passes no round."""
    candidates = (nbits + log2((1 + sqrt(0.5)) / 2)) * log(2) / 2  # odd ones for a prime
    left = prod(1 - 1 / s for s in _odd_primes(divisors))
    composites = max(0.0, candidates * left - 1)
    fit_e = prod(1 - 1 / (r - 1) for r in _divisors(e))
    drawn = candidates / fit_e / (1 - sqrt(0.5))
    return Search(2 * drawn, 2 * (composites + rounds))


def _odd_primes(below: int) -> list[int]:
    return [s for s in range(3, below, 2) if all(s % r for r in range(3, isqrt(s) + 1, 2))]


def _divisors(e: int) -> list[int]:
    """List the primes that divide an odd number of 32 bits at most."""
    found = [r for r in _odd_primes(1 << 10) if e % r == 0]
    for r in found:
        while e % r == 0:
            e //= r
    # What is left has no divisor below 2^10: one prime, or two or three that change nothing much.
    return found + [e] * (e > 1)
