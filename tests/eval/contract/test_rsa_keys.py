"""RSA through every design at RTL: new keys from `rsa.newkeys`, the package as golden model."""

import random
from functools import cache

import pytest

from eval.catalog import DESIGNS
from fl.exponentiator import OK
from fl.messages import mk_exp_msgs
from fl.rsa_keys import BENCHMARK
from tests.golden.rsa_package import golden_decrypt, golden_encrypt, new_key
from tests.harness import design_runner

ANY_KEY = sorted(name for name, design in DESIGNS.items() if not design.moduli.key)


@cache
def new_keys(nbits, count):
    """The same keys for all designs of a session."""
    return [new_key(nbits) for _ in range(count)]


def answers(name, nbits, requests):
    """The results of the design's hardware; each with status OK."""
    Request, _ = mk_exp_msgs(nbits)
    transfers = design_runner(name, nbits, "batch").run(
        [Request(*request) for request in requests], max_cycles=10**9
    )
    assert {transfer.response & 1 for transfer in transfers} == {OK}
    return [transfer.response >> 1 for transfer in transfers]


def unless_slow(name, nbits, count):
    """A case; long where the design takes minutes to compile."""
    slow = nbits > DESIGNS[name].tested_to
    return pytest.param(name, nbits, count, marks=[pytest.mark.long] if slow else [])


@pytest.mark.parametrize(
    ("name", "nbits", "count"),
    [
        unless_slow(name, nbits, count)
        for name in ANY_KEY
        for nbits, count in ((32, 1000), (256, 20))
    ],
)
def test_new_keys(name, nbits, count):
    keys = new_keys(nbits, count)
    rng = random.Random(nbits)
    messages = [rng.randrange(key.n) for key in keys]
    pairs = list(zip(messages, keys, strict=True))
    ciphertexts = answers(name, nbits, [(message, key.e, key.n) for message, key in pairs])
    assert ciphertexts == [golden_encrypt(message, key) for message, key in pairs]
    pairs = list(zip(ciphertexts, keys, strict=True))
    plain = answers(name, nbits, [(ciphertext, key.d, key.n) for ciphertext, key in pairs])
    assert plain == messages
    assert plain[:2] == [golden_decrypt(ciphertext, key) for ciphertext, key in pairs[:2]]


@pytest.mark.parametrize("name", ANY_KEY)
def test_benchmark_key(name):
    key = BENCHMARK.key
    requests = [(BENCHMARK.message, key.e, key.n), (BENCHMARK.ciphertext, key.d, key.n)]
    assert answers(name, 32, requests) == [BENCHMARK.ciphertext, BENCHMARK.message]
