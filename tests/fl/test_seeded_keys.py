"""Keys of many seeds: two hundred of the narrowest meet what is rare in wide ones, such as equal
primes."""

from math import gcd

import pytest
from rsa import prime

from fl.rsa_keys import MIN_BITS, RsaKey, even_key, may_be_prime, public_exponent, seeded_key

pytestmark = pytest.mark.quick


def is_key(key: RsaKey, nbits: int) -> bool:
    """Whether the equations of RsaKey hold, and d is the least that there is."""
    phi = (key.p - 1) * (key.q - 1)
    return (
        key.n == key.p * key.q
        and key.n.bit_length() == nbits
        and key.p > key.q > 1
        and prime.is_prime(key.p)
        and prime.is_prime(key.q)
        and key.e == public_exponent(nbits)
        and gcd(key.e, phi) == 1
        and 1 < key.d < phi
        and key.e * key.d % phi == 1
    )


@pytest.mark.parametrize("make", [even_key, seeded_key])
def test_keys_of_200_seeds(make):
    keys = [make(MIN_BITS, seed) for seed in range(200)]
    assert [key for key in keys if not is_key(key, MIN_BITS)] == []
    assert len({key.n for key in keys}) > 50
    assert keys == [make(MIN_BITS, seed) for seed in range(200)]
    assert keys[7].name == f"{'even' if make is even_key else 'seed'}-7-16"


@pytest.mark.parametrize("nbits", [18, 32, 34, 64, 130])
def test_primes_of_even_keys_have_one_length(nbits: int):
    for seed in range(20):
        key = even_key(nbits, seed)
        assert is_key(key, nbits)
        assert key.p.bit_length() == key.q.bit_length() == nbits // 2


def test_no_prime_is_sieved_out():
    """Of numbers that are in the sieve, and of longer ones around its bound."""
    assert all(may_be_prime(p) for p in range(3, 2000, 2))
    wide = [n for n in range((1 << 64) + 1, (1 << 64) + 2001, 2) if prime.is_prime(n)]
    assert wide
    assert all(may_be_prime(p) for p in wide)
    composites = [3 * ((1 << 64) + 13), 1999 * ((1 << 64) + 13)]
    assert not any(may_be_prime(n) for n in composites)
