"""Orders of the same things by two figures: how alike they are, and which pairs change places."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple


def ranks(values: Sequence[float]) -> list[float]:
    """Rank values from 1 on; equal ones share the mean of their ranks."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Tell the correlation of ranks; None where all of one are equal."""
    first, second = ranks(one), ranks(other)
    mean = (len(first) + 1) / 2
    a, b = ([rank - mean for rank in found] for found in (first, second))
    norm = (sum(x * x for x in a) * sum(x * x for x in b)) ** 0.5
    return sum(x * y for x, y in zip(a, b, strict=True)) / norm if norm else None


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Tell the pairs in the same order less those in the opposite one, as part of those that are
    equal in neither (tau-b); None where all of one are equal."""
    signs = [
        (_sign(one[i] - one[j]), _sign(other[i] - other[j]))
        for i, j in combinations(range(len(one)), 2)
    ]
    norm = (sum(abs(a) for a, _ in signs) * sum(abs(b) for _, b in signs)) ** 0.5
    return sum(a * b for a, b in signs) / norm if norm else None


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


class Exchanged(NamedTuple):
    """Two things, by their places in the lists, of which the first is less by the first figure and
    more by the other; whether both differences are larger than what noise moves."""

    first: int
    second: int
    is_sure: bool


def exchanged(
    one: Sequence[float], other: Sequence[float], bands: Sequence[float]
) -> list[Exchanged]:
    """List the pairs that change places; `bands` are the parts by which noise moves each thing."""

    def apart(values: Sequence[float], less: int, more: int) -> bool:
        return values[less] * (1 + bands[less]) < values[more] * (1 - bands[more])

    found = []
    for pair in combinations(range(len(one)), 2):
        less, more = sorted(pair, key=one.__getitem__)
        if one[less] < one[more] and other[less] > other[more]:
            sure = apart(one, less, more) and apart(other, more, less)
            found.append(Exchanged(less, more, sure))
    return found
