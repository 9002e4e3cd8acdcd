"""RSA keys of every even size, the documents' keys, and the golden model."""

import re
from math import gcd

import pytest
from rsa import prime

from fl.rsa_keys import BENCHMARK, EXAMPLES, KEY_001, Example, RsaKey, public_exponent, seeded_key
from tests.golden.rsa_package import golden_decrypt, golden_encrypt, new_key

pytestmark = pytest.mark.quick

BAD_SIZES = [15, 17, 33, 0, 14, -16, 4097, 4098, 32.0, "32", None]


def check_key(key: RsaKey, nbits: int) -> None:
    """The equations of RsaKey, and four messages there and back."""
    phi = (key.p - 1) * (key.q - 1)
    assert key.nbits == nbits, key
    assert key.n == key.p * key.q, key
    assert key.p > key.q, key
    assert prime.is_prime(key.p), key
    assert prime.is_prime(key.q), key
    assert gcd(key.e, phi) == 1, key
    assert key.e * key.d % phi == 1, key
    assert key.e < key.n, key
    for message in (0, 1, key.n // 2, key.n - 1):
        assert golden_decrypt(golden_encrypt(message, key), key) == message, (key, message)


@pytest.mark.parametrize("nbits", [*range(16, 66, 2), 126, 128, 256])
def test_keys_of_every_size(nbits):
    for seed in range(3):
        check_key(new_key(nbits), nbits)
        check_key(seeded_key(nbits, seed), nbits)


def test_a_seed_gives_one_key_and_another_seed_another():
    assert seeded_key(64, 1) == seeded_key(64, 1)
    assert len({seeded_key(64, seed).n for seed in range(10)}) == 10
    check_key(seeded_key(1024, 1), 1024)


def test_public_exponent_fits_the_key():
    assert public_exponent(16) == 257
    assert public_exponent(17) == 65537  # of near-power keys
    assert public_exponent(18) == 65537
    assert public_exponent(4096) == 65537


@pytest.mark.parametrize("make", [new_key, lambda nbits: seeded_key(nbits, 1)])
@pytest.mark.parametrize("nbits", BAD_SIZES)
def test_bad_sizes_are_named(make, nbits):
    message = f"nbits must be an even integer from 16 to 4096, not {nbits!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make(nbits)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key.name)
def test_document_keys_are_keys_and_their_examples_hold(example):
    check_key(example.key, 128 if example.key.name == "004-example" else 32)
    assert golden_encrypt(example.message, example.key) == example.ciphertext
    assert golden_decrypt(example.ciphertext, example.key) == example.message


def test_the_benchmark_is_the_key_that_reproduces_the_cycles():
    assert Example(KEY_001, 995313404, 2050940851) == BENCHMARK
    assert KEY_001.n == 2148676643
    assert (KEY_001.d.bit_length(), KEY_001.d.bit_count()) == (30, 14)


@pytest.mark.parametrize(
    ("call", "name"), [(golden_encrypt, "message"), (golden_decrypt, "ciphertext")]
)
@pytest.mark.parametrize("value", [-1, KEY_001.n])
def test_values_that_the_key_cannot_carry_are_named(call, name, value):
    message = f"{name} must be from 0 to n-1 = 2148676642, not {value}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call(value, KEY_001)
