"""What makes d of two primes, part by part: a d that is too short comes once in 2^HALF_BITS keys,
so that no key that is made tells whether it is refused."""

from functools import cache
from math import gcd, lcm
from pathlib import Path
from random import Random

import pytest

from fl.xcel import from_words, to_words
from proc.manager import Manager
from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from tests.proc.test_rsa_make import at_fl

JUDGE = Path(__file__).with_name("c") / "judge_make.c"
SHORT, INVERT, LIMITS = range(3)
WIDTHS = (8, 32, 33, 100, 129)


@cache
def image(half_bits: int):
    """The program that answers for the parts."""
    sources = [JUDGE, *(APP / name for name in ("primes.c", "chacha.c", "words.c", "xcel.c"))]
    return load_elf(build(sources, {"HALF_BITS": half_bits}))


def prime_words(half_bits: int) -> int:
    """Words of a prime: of a number of bits that is a multiple of 128."""
    return -(-half_bits // 128) * 4


def ask(half_bits: int, asked: list[int], count: int) -> list[int]:
    """So many words of answers."""
    manager = Manager(asked, words=count)
    at_fl(half_bits).run(image(half_bits), manager)
    return manager.outputs


@pytest.mark.parametrize("half_bits", WIDTHS)
def test_a_d_of_no_more_bits_than_a_prime_is_short(half_bits: int):
    """d <= 2^HALF_BITS."""
    n_bits, bound = 64 * prime_words(half_bits), 1 << half_bits
    short = [1, bound >> 1, bound - 1, bound]
    enough = [bound + 1, bound + (1 << 31), 2 * bound, 3 * bound, bound * bound - 1, bound << 9]
    asked = []
    for d in (*short, *enough):
        asked += [SHORT, *to_words(d, n_bits)]
    assert ask(half_bits, asked, 10) == [1] * len(short) + [0] * len(enough)


@pytest.mark.parametrize("half_bits", WIDTHS)
def test_the_inverse_modulo_the_least_common_multiple(half_bits: int):
    """Of numbers whose predecessors share powers of 2, odd divisors, or one divides the other."""
    rng, most = Random(half_bits), (1 << half_bits) - 1
    pairs = [(7, 11), (11, 7), (7, 13), (13, 5), (5, 17), (17, 5), (31, 61), (61, 31)]
    pairs += [(193, 97), (97, 193), (3, 5), (most, most - 2)]
    pairs += [(rng.getrandbits(half_bits) | 5, rng.getrandbits(half_bits) | 3) for _ in range(6)]
    words, asked, wanted = prime_words(half_bits), [], []
    for p, q in pairs:
        multiple = lcm(p - 1, q - 1)
        e = next(e for e in (65537, 257, 17, 7, 5, 11, 13, 19) if gcd(e, multiple) == 1)
        asked += [INVERT, e, *to_words(p, 32 * words), *to_words(q, 32 * words)]
        wanted.append((multiple, pow(e, -1, multiple)))
    found = iter(ask(half_bits, asked, len(pairs) * 4 * words))
    for pair, (multiple, d) in zip(pairs, wanted, strict=True):
        numbers = [from_words([next(found) for _ in range(2 * words)]) for _ in range(2)]
        assert numbers == [multiple, d], pair


@pytest.mark.parametrize("half_bits", [8, 512])
def test_how_many_candidates_are_tried(half_bits: int):
    """FIPS 186-5, A.1.3: 5 nlen for p and 10 nlen for q; and a hundred pairs."""
    assert ask(half_bits, [LIMITS], 3) == [10 * half_bits, 20 * half_bits, 100]
