"""Montgomery's reduction, its steps and their ranges; products of it are in test_mont_mul.py."""

import pytest

from fl.redc import mm_red, reduction

pytestmark = pytest.mark.quick


def test_its_steps_by_hand():
    """R = 16, m = 11: 11 * 13 = 143 = -1 mod 16; z = 100: U = 100 * 13 mod 16 = 4, t = 144 / 16."""
    assert reduction(100, 11, 4) == (13, 4, 9, 9)
    assert 9 * 16 % 11 == 100 % 11


def test_t_is_reduced_from_m_on():
    """m = 15, R = 16, z = 15 * 15: m' = 1, U = 225 mod 16 = 1, and t = (225 + 15) / 16 is m."""
    assert reduction(15 * 15, 15, 4) == (1, 1, 15, 0)
    assert reduction(15 * 15, 15, 4).result == mm_red(15 * 15, 15, 4) == 0
    for z in range(15 * 16):
        step = reduction(z, 15, 4)
        assert step.t < 2 * 15
        assert step.result == step.t - 15 * (step.t >= 15)
