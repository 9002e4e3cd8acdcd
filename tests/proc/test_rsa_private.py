"""RSA's private operation on the processor: right for every key, and never a wrong answer where the
check is on, whatever is faulty."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from math import gcd
from pathlib import Path
from random import Random

import pytest
import rsa
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from eval.catalog import find
from fl.exponentiator import mod_exp
from fl.rsa_keys import EXAMPLES, RsaKey, even_key, seeded_key
from fl.rsa_private import BY_POWERS, PrivateKey
from fl.xcel import Registers, words
from proc.programs.load import load_program
from proc.run.functional_system import FunctionalSystem
from proc.run.rsa_private import Private, private, private_image, run_private
from proc.run.skipping_system import XcelAtOnce
from proc.run.systems import make_system
from tests.faults import faults
from tests.golden.rsa_package import golden_decrypt
from tests.golden.xcel import Plain
from tests.proc.test_mont_words import planted
from tests.proc.test_rsa_make import Late

CHECKED = (*BY_POWERS, "software")
SMALL = even_key(128, 1)


def edges(key: RsaKey) -> list[int]:
    """Numbers below n, multiples of the primes among them, and a random one."""
    return [0, 1, key.n - 1, key.p, key.n - key.q, Random(key.n).randrange(key.n)]


def width(key: RsaKey, mask_bits: int = 0) -> int:
    """The accelerator's bits."""
    return max(key.p, key.q).bit_length() + mask_bits


def blinded(key: RsaKey, mask_bits: int, seed: int = 1) -> PrivateKey:
    """The key with random blinding of base and exponents."""
    rng = Random(seed)
    masks = rng.getrandbits(mask_bits), rng.getrandbits(mask_bits)
    r = next(r for r in iter(lambda: rng.randrange(2, key.n), 0) if gcd(r, key.n) == 1)
    return PrivateKey(key, r, masks)


def at_fl(nbits: int, compute=mod_exp) -> FunctionalSystem:
    """The interpreter with an accelerator that computes so."""
    return FunctionalSystem(lambda: XcelAtOnce(Registers(Plain(nbits, compute))))


def from_cryptography(nbits: int) -> RsaKey:
    """A new key of the `cryptography` package."""
    made = generate_private_key(65537, nbits).private_numbers()
    return RsaKey("cryptography", "", made.public_numbers.n, 65537, made.d, made.p, made.q)


def from_rsa(nbits: int) -> RsaKey:
    """A new key of the `rsa` package: its primes differ in length."""
    made = rsa.newkeys(nbits)[1]
    return RsaKey("rsa", "", made.n, made.e, made.d, made.p, made.q)


NEW_KEYS = {
    f"{make.__name__} {nbits}": (make, nbits)
    for make in (from_cryptography, from_rsa)
    for nbits in (512, 1024, 2048)
    if (make, nbits) != (from_cryptography, 512)  # which makes none shorter than 1024 bits
}


LONGEST = "from_rsa 2048"  # whose primes Python looks for, which may take half a minute


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n == LONGEST)) for n in NEW_KEYS]
)
def test_new_keys(name: str):
    make, nbits = NEW_KEYS[name]
    key = make(nbits)
    for c in edges(key):
        right = golden_decrypt(c, key)
        done = private(at_fl(width(key)), PrivateKey(key), c, "primes", width(key))
        assert (done.right, done.m) == (True, right)
    done = private(at_fl(width(key, 33)), blinded(key, 33), c, "primes", width(key, 33))
    assert (done.right, done.m) == (True, right)


KEYS = [even_key(16, 1), even_key(130, 1), seeded_key(256, 1), *(e.key for e in EXAMPLES)]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
@pytest.mark.parametrize("check", ["none", "software"])
@pytest.mark.parametrize("software", [False, True], ids=["accelerator", "software"])
def test_every_key_with_every_option(key: RsaKey, check: str, software: bool):
    for private_key, mask_bits in ((PrivateKey(key), 0), (blinded(key, 64), 64)):
        nbits = width(key, mask_bits)
        for c in edges(key)[:: 5 if software else 1]:
            done = private(at_fl(nbits), private_key, c, check, nbits, software)
            assert (done.right, done.m) == (True, pow(c, key.d, key.n))


def test_steps_are_counted_where_the_counter_overflows():
    """In any of them: the counter is read as one word."""
    key = KEYS[0]

    def steps(begin: int) -> tuple[int, ...]:
        system = Late(width(key), begin)
        return private(system, PrivateKey(key), 5, "primes", width(key)).steps

    plain = steps(0)
    assert min(plain) > 0
    for part in range(1, 8):
        assert steps((1 << 32) - sum(plain) * part // 8) == plain


def test_any_public_exponent_that_fits_the_accelerator_is_checked_by_the_primes():
    key = EXAMPLES[0].key
    for c in edges(key):
        done = private(at_fl(width(key)), PrivateKey(key), c, "primes", width(key))
        assert (done.right, done.m) == (True, pow(c, key.d, key.n))


class FaultyExponentiator:
    """Computes powers, one of them, the chosen, wrong by a flipped bit."""

    def __init__(self, chosen: int | None):
        self.chosen, self.asked = chosen, 0

    def __call__(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        result, status = mod_exp(base, exp, mod)
        self.asked += 1
        return (result ^ 4 if self.asked - 1 == self.chosen else result), status


def with_faulty_power(chosen: int, check: str, c: int) -> Private:
    """The operation with one wrong power."""
    system = at_fl(width(SMALL), FaultyExponentiator(chosen))
    return private(system, PrivateKey(SMALL), c, check, width(SMALL))


AGAIN = """
#include "rsa_private.h"
#define main once
#include "rsa.c"
#undef main
int main(void) {
  for (uint32_t i = 0; i < N_WORDS; i++) m[i] = UINT32_MAX;
  return once();
}
"""


@pytest.mark.parametrize("check", CHECKED)
def test_a_refused_answer_takes_the_place_of_the_one_before(tmp_path: Path, check: str):
    """No word is left of what stood where the answer would."""
    (tmp_path / "again.c").write_text(AGAIN)
    key, nbits = PrivateKey(SMALL), width(SMALL)
    defines = {"PRIME_WORDS": key.words, "XCEL_WORDS": words(nbits)}
    image = load_program(tmp_path / "again.c", defines)
    for chosen, right in ((None, True), (0, False), (1, False)):
        system = at_fl(nbits, FaultyExponentiator(chosen))
        done = run_private(system, image, key, key.inputs(check, 5))
        assert (done.right, done.m) == (right, pow(5, SMALL.d, SMALL.n) if right else 0)


@pytest.mark.parametrize("chosen", [0, 1])
def test_without_a_check_one_wrong_power_gives_the_key_away(chosen: int):
    c = 0x123456789ABCDEF
    wrong = with_faulty_power(chosen, "none", c)
    assert wrong.right
    assert gcd(pow(wrong.m, SMALL.e, SMALL.n) - c, SMALL.n) == (SMALL.q, SMALL.p)[chosen]
    for check in CHECKED:
        refused = with_faulty_power(chosen, check, c)
        assert (refused.right, refused.m) == (False, 0)


@pytest.mark.parametrize("check", BY_POWERS)
@pytest.mark.parametrize("chosen", [2, 3])
def test_a_wrong_power_of_the_check_refuses_a_right_answer(chosen: int, check: str):
    refused = with_faulty_power(chosen, check, 5)
    assert (refused.right, refused.m) == (False, 0)


@pytest.mark.parametrize(
    ("check", "powers"), [("none", 2), ("software", 2), *((check, 4) for check in BY_POWERS)]
)
def test_one_power_that_the_accelerator_refuses_refuses_the_answer(check: str, powers: int):
    """Whichever it is, also if all are right."""
    for chosen in range(powers):
        asked = count()

        def compute(base: int, exp: int, mod: int, asked=asked, chosen=chosen) -> tuple[int, int]:
            return mod_exp(base, exp, mod)[0], int(next(asked) == chosen)

        done = private(at_fl(width(SMALL), compute), PrivateKey(SMALL), 5, check, width(SMALL))
        assert next(asked) == powers
        assert (done.right, done.m) == (False, 0), chosen


def test_a_modulus_that_the_accelerator_refuses_refuses_the_answer():
    system = at_fl(width(SMALL), lambda base, exp, mod: (0, 1))
    done = private(system, PrivateKey(SMALL), 5, "none", width(SMALL))
    assert (done.right, done.m) == (False, 0)


@pytest.mark.parametrize("check", CHECKED)
@pytest.mark.parametrize("key", [PrivateKey(SMALL), blinded(SMALL, 20)], ids=["plain", "blinded"])
def test_no_flipped_bit_of_the_key_gives_a_wrong_answer(key: PrivateKey, check: str):
    """In any word of what the program reads before c: refused, or it does not matter."""
    c = SMALL.n // 3
    nbits = width(SMALL, 20)
    right, image = pow(c, SMALL.d, SMALL.n), private_image(key.words, nbits)
    sound = key.inputs(check, c)
    kept = len(sound) - 2 * key.words - 1  # the choice of the check is not the key's
    rng, refused = Random(1), 0
    for position in range(kept):
        inputs = list(sound)
        inputs[position] ^= 1 << rng.randrange(32)
        done = run_private(at_fl(nbits), image, key, inputs)
        assert (done.right, done.m) in ((True, right), (False, 0)), position
        refused += not done.right
    assert refused > kept // 4


REDUCED, POPPED = "  reduce(prime, c, operands->base);\n", "refused |= pop(v);"
FAULTS = {
    "a base wrong": (REDUCED, REDUCED + "  operands->base[0] ^= prime->leaves;\n"),
    "no factor of the base": ("if (prime->enters)", "if (0)"),
    "no factor of the power": ("if (prime->leaves)", "if (0)"),
    "a word of the other power": (POPPED, f"{POPPED} v[0] = u[0];"),
    "half a product": ("words_add_product(PRIME_WORDS, sum, u", "words_add_product(4, sum, u"),
    "n subtracted wrongly": ("sum, carry, key->n.m, found)", "sum, !carry, key->n.m, found)"),
    "a flip after the check mod p": (POPPED, f"{POPPED} sum[3] ^= 16;"),
}


@faults(FAULTS)
def test_a_fault_of_the_program_gives_no_wrong_answer(tmp_path: Path, sound: str, faulty: str):
    key = even_key(512, 1)
    image = planted(tmp_path, "rsa_private.c", sound, faulty)("rsa.c", PRIME_WORDS=8)
    plain = PrivateKey(key)

    def answers(check: str) -> Iterator[tuple[bool, bool]]:
        for c in edges(key):
            done = run_private(at_fl(width(key)), image, plain, plain.inputs(check, c))
            yield done.right, done.m == pow(c, key.d, key.n)

    assert (True, False) in answers("none")
    for check in CHECKED:
        assert (True, False) not in answers(check)


@pytest.mark.parametrize("word", [0, 7, 8, 15])
def test_every_word_of_what_is_opened_counts(tmp_path: Path, word: int) -> None:
    """What is signed differs from c in one bit of a word: both halves fit together, and all of it
    but that word is opened as c."""
    other = f"{{ uint32_t t[N_WORDS]; words_copy(N_WORDS, c, t); t[{word}] ^= 1;"
    faulty = f"  {other} reduce(prime, t, operands->base); }}\n"
    image = planted(tmp_path, "rsa_private.c", REDUCED, faulty)("rsa.c", PRIME_WORDS=8)
    key, c = even_key(512, 1), 0x123456789ABCDEF << 256
    plain = PrivateKey(key)

    def left(check: str) -> tuple[bool, int]:
        done = run_private(at_fl(width(key)), image, plain, plain.inputs(check, c))
        return done.right, done.m

    assert left("none") == (True, pow(c ^ 1 << 32 * word, key.d, key.n))
    assert [left(check) for check in CHECKED] == [(False, 0)] * len(CHECKED)


DECIDED = "  right &= !refused;\n"


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_decision_that_is_passed_over_gives_a_prime_away_unless_m_is_infected(
    tmp_path: Path, chosen: int
):
    key, c = PrivateKey(SMALL), 0x123456789ABCDEF
    words = {"PRIME_WORDS": 4, "XCEL_WORDS": width(SMALL) // 32}
    image = planted(tmp_path, "rsa_private.c", DECIDED, "  right = 1;\n")("rsa.c", **words)

    def leaves(check: str, chosen: int) -> int:
        system = at_fl(width(SMALL), FaultyExponentiator(chosen))
        done = run_private(system, image, key, key.inputs(check, c))
        assert done.right
        return done.m

    def shares(m: int) -> int:
        return gcd(pow(m, SMALL.e, SMALL.n) - c, SMALL.n)

    right = pow(c, SMALL.d, SMALL.n)
    assert shares(leaves("primes", chosen)) == (SMALL.q, SMALL.p)[chosen]
    assert shares(leaves("infective", chosen)) == 1
    assert leaves("primes", 2 + chosen) == right  # a power of the check was wrong
    by_check = leaves("infective", 2 + chosen) ^ right
    low, high = by_check % 2**128, by_check >> 128
    assert low == high > 0
    assert leaves("infective", 4) == right


@cache
def in_batch(design: str, nbits: int):
    """The compiled processor with an accelerator."""
    return make_system("batch", lambda: find(design).xcel("rtl", nbits))


@pytest.mark.parametrize("design", ["mont-best", "systolic-16"])
@pytest.mark.parametrize("check", ["none", *CHECKED])
def test_the_hardware(design: str, check: str):
    for key, mask_bits in ((PrivateKey(SMALL), 0), (blinded(SMALL, 16), 16)):
        nbits = width(SMALL, mask_bits)
        for c in edges(SMALL):
            done = private(in_batch(design, nbits), key, c, check, nbits)
            assert (done.right, done.m) == (True, pow(c, SMALL.d, SMALL.n))


@pytest.mark.parametrize("check", ["none", *BY_POWERS])
def test_it_takes_as_long_for_every_base_and_key_on_a_design_of_constant_time(check: str):
    """The check in software does not, but what it computes is public."""
    nbits = width(SMALL)
    steps = {
        private(in_batch("systolic-16", nbits), PrivateKey(key), c, check, nbits).steps
        for key in (SMALL, even_key(128, 2), even_key(128, 3))
        for c in edges(key)
    }
    assert len(steps) == 1


LONG_KEYS = [
    (from_cryptography, 1024),
    (from_cryptography, 2048),
    (from_rsa, 512),
    (from_rsa, 2048),
]


@pytest.mark.long
@pytest.mark.parametrize(("make", "nbits"), LONG_KEYS)
@pytest.mark.parametrize("design", ["mont-best", "systolic-16"])
def test_the_hardware_with_long_keys(make, nbits: int, design: str):
    key = make(nbits)
    for private_key, mask_bits in ((PrivateKey(key), 0), (blinded(key, 32), 32)):
        bits = width(key, mask_bits)
        for check in CHECKED:
            done = private(in_batch(design, bits), private_key, c := key.n // 3, check, bits)
            assert (done.right, done.m) == (True, golden_decrypt(c, key))
