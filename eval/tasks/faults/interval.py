"""The interval of a share by Clopper and Pearson: exact, whatever the share and however few."""

from math import exp, lgamma, log

CONFIDENCE = 0.95
TINY = 1e-300  # stands for zero in the continued fraction
STEPS, PRECISE = 10_000, 1e-15
HALVINGS = 200


def clopper_pearson(found: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return between what a share is of which so many were found, of so many drawn: below the low
    end as many or more are found with (1 - confidence) / 2, above the high end as few or fewer."""
    tail = (1 - confidence) / 2
    low = _solved(found, of - found + 1, tail) if found else 0.0
    high = _solved(found + 1, of - found, 1 - tail) if found < of else 1.0
    return low, high


def _solved(a: int, b: int, value: float) -> float:
    """Find where the regularised incomplete beta function of a and b has a value."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if incomplete_beta(a, b, middle) < value else (low, middle)
    return (low + high) / 2


def incomplete_beta(a: int, b: int, x: float) -> float:
    """Return the chance that of a + b - 1 draws, each with the chance x, a or more hit."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges below that
        return 1 - incomplete_beta(b, a, 1 - x)
    size = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)
    return exp(size) / a / _fraction(a, b, x)


def _fraction(a: int, b: int, x: float) -> float:
    """Evaluate 1 + d1 / (1 + d2 / (1 + ...)) from its beginning, by Lentz's way."""
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, STEPS):
        m, odd = divmod(step, 2)
        if odd:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        below = 1 / ((1 + d * below) or TINY)
        above = (1 + d / above) or TINY
        value *= above * below
        if abs(above * below - 1) < PRECISE:
            break
    return value
