"""Near-power moduli and their keys, against what trial division finds."""

from math import gcd

import pytest

from fl.near_power import is_near_power, k_bits, near_power_key, small_key

pytestmark = pytest.mark.quick


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


@pytest.mark.parametrize(("nbits", "bits"), [(8, 4), (16, 12), (25, 21), (26, 22), (64, 41)])
def test_how_far_below_a_power_of_two_a_modulus_may_be(nbits: int, bits: int) -> None:
    """By 1 at least and by 2^bits at most, both included."""
    assert k_bits(nbits) == bits
    for k, near in ((0, False), (1, True), (2**bits, True), (2**bits + 1, False)):
        assert is_near_power(nbits, 2**nbits - k) == near


@pytest.mark.parametrize("nbits", [16, 18, 20, 24, 32])
def test_a_key_has_the_prime_next_below_what_the_other_leaves(nbits: int) -> None:
    """Whether that limit is even or odd, or itself the prime."""
    limits = set()
    for seed in range(12):
        key = near_power_key(nbits, seed)
        assert key == near_power_key(nbits, seed)
        assert key.n == key.p * key.q
        assert key.p > key.q
        assert is_near_power(nbits, key.n)
        order = (key.p - 1) * (key.q - 1)
        assert gcd(key.e, order) == 1 == key.e * key.d % order
        drawn = [one for one in (key.p, key.q) if one.bit_length() == nbits // 2]
        limit = {one: (2**nbits - 1) // one for one in drawn}
        found = {
            one: next(q for q in range(top, 1, -1) if is_prime(q)) for one, top in limit.items()
        }
        assert any(found[one] * one == key.n for one in drawn)
        assert is_prime(key.p)
        assert is_prime(key.q)
        limits |= {top % 2 for top in limit.values()}
    assert limits == {0, 1}


@pytest.mark.parametrize("nbits", range(8, 16))
def test_keys_by_hand_below_16_bits(nbits: int) -> None:
    key = small_key(nbits)
    assert is_near_power(nbits, key.n)
    assert is_prime(key.p)
    assert is_prime(key.q)
    assert key.e * key.d % ((key.p - 1) * (key.q - 1)) == 1
