"""The private operation by both primes in integers: the equations that the processor's program is
made of."""

from random import Random

import pytest

from fl.rsa_keys import EXAMPLES, RsaKey, even_key, seeded_key
from fl.rsa_private import PrivateKey

pytestmark = pytest.mark.quick

KEYS = [*(even_key(nbits, 1) for nbits in (16, 32, 128, 512)), seeded_key(512, 1)]
KEYS += [example.key for example in EXAMPLES]


def edges(key: RsaKey) -> list[int]:
    """Numbers below n at which something may go wrong: among them multiples of the primes."""
    return [0, 1, 2, key.n - 1, key.n - 2, key.p, key.q, key.n - key.p, key.n - key.q, key.n // 2]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_both_primes_give_the_power_modulo_n(key):
    rng = Random(key.n)
    blinded = PrivateKey(key, r=key.n // 3 | 1, masks=(rng.getrandbits(64), 1))
    for c in [*edges(key), *(rng.randrange(key.n) for _ in range(5))]:
        right = pow(c, key.d, key.n)
        assert PrivateKey(key).operation(c) == right
        assert blinded.operation(c) == right


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_the_primes_may_be_in_either_order(key):
    turned = RsaKey(**vars(key) | {"p": key.q, "q": key.p})
    for c in edges(key):
        assert PrivateKey(turned).operation(c) == pow(c, key.d, key.n)


def test_a_blinded_exponentiation_has_other_bases_and_exponents():
    key = even_key(128, 1)
    plain, blinded = PrivateKey(key), PrivateKey(key, r=12345, masks=(7, 9))
    for c in (2, key.n // 3):
        assert plain.p.base(c) != blinded.p.base(c)
        assert plain.q.base(c) != blinded.q.base(c)
    assert blinded.p.masked == plain.p.masked + 7 * (key.p - 1)
    assert blinded.q.masked == plain.q.masked + 9 * (key.q - 1)


@pytest.mark.parametrize(("short", "long", "words"), [(100, 128, 4), (128, 129, 8), (250, 256, 8)])
def test_both_primes_have_the_words_of_the_longer_one(short, long, words):
    """Four at a time, whichever it is."""
    p, q = (1 << bits - 1 | 1 for bits in (short, long))
    for one, other in ((p, q), (q, p)):
        key = PrivateKey(RsaKey("by hand", "no primes", p * q, 3, 5, one, other))
        assert key.words == words
        assert key.operand_words == words + 4


@pytest.mark.parametrize("nbits", [16, 18, 34, 64, 130, 1024])
def test_primes_of_one_length(nbits):
    key = even_key(nbits, 1)
    assert key.p * key.q == key.n
    assert (key.nbits, key.p.bit_length(), key.q.bit_length()) == (nbits, nbits // 2, nbits // 2)
    assert key.e * key.d % ((key.p - 1) * (key.q - 1)) == 1
    assert key == even_key(nbits, 1) != even_key(nbits, 2)
