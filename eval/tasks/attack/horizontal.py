"""A horizontal attack: the rounds of one trace, or of a mean trace, fall into two classes.

Nothing is learnt, and no operand is known, but that the exponent's ends are 1. Which class is which
is not known either: who has both exponents tries both by the public key.
"""

from dataclasses import replace

import numpy as np

from eval.tasks.attack.rounds import Rounds

TURNS = 20


def two_classes(vectors: np.ndarray) -> tuple[np.ndarray, float]:
    """Part vectors into two classes by 2-means, which begins with the direction of the largest
    variance; how much of the variance lies between the classes."""
    away = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(away.T @ away)
    found = away @ directions[:, -1] > 0
    for _ in range(TURNS):
        if found.all() or not found.any():
            break
        centres = away[found].mean(axis=0), away[~found].mean(axis=0)
        nearer = [((away - centre) ** 2).sum(axis=1) for centre in centres]
        after = nearer[0] < nearer[1]
        if (after == found).all():
            break
        found = after
    if found.all() or not found.any():
        return found, 0.0
    ones, zeros = away[found], away[~found]
    between = (
        len(ones) * (ones.mean(axis=0) ** 2).sum() + len(zeros) * (zeros.mean(axis=0) ** 2).sum()
    )
    return found, float(between / max((away**2).sum(), 1e-12))


def guesses(rows: np.ndarray, rounds: Rounds) -> list[int]:
    """Return both exponents that the rounds of a mean trace stand for.

    The rounds may begin a little earlier than is known: where they fall into classes best.
    """
    mean = rows.mean(axis=0)
    earliest = rounds.begin if rounds.exact else max(0, rounds.begin - 2 * rounds.cycles)
    best: tuple[float, np.ndarray] = -1.0, np.zeros(rounds.count - 2, bool)
    for begin in range(earliest, rounds.begin + 1):
        found, share = two_classes(replace(rounds, begin=begin).of(mean)[1:-1])
        if share > best[0]:
            best = share, found
    both = []
    for classes in (best[1], ~best[1]):
        bits = classes.astype(int)
        if rounds.compares:  # each says whether a bit differs from the one before
            bits = (1 + np.cumsum(bits)) % 2
        both.append(rounds.exponent(np.concatenate([[1], bits, [1]])))
    return both
