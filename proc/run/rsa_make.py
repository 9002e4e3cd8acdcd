"""The host's side of proc/app/keygen.c: an RSA key from a seed, and what its making took."""

from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import isqrt

from fl.xcel import from_words, to_words, words
from proc.manager import Manager
from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from proc.programs.image import Image
from proc.run.levels import System
from proc.run.system_run import DEFAULT_LIMIT
from proc.run.timing import FAST, Timing

SEED_BITS = 256
WORDS_AT_ONCE = 4
SMALL_BELOW = 256  # candidates are divided by the odd primes below
FOUND, NONE, REFUSED = range(3)  # proc/app/primes.h
SOURCES = ("keygen.c", "rsa_make.c", "primes.c", "chacha.c", "words.c", "xcel.c")


@dataclass(frozen=True)
class Counts:
    """Counts the draws of both primes by what became of them, rounds, powers, and pairs of primes:
    more than one if d was too short."""

    drawn: int
    below: int
    near: int
    divided: int
    shared: int
    composite: int
    rounds: int
    powers: int
    pairs: int


@dataclass(frozen=True)
class Cycles:
    """Holds the cycles in all, those in rounds, those from pushing a power to its result, which are
    among them, and those that found d."""

    total: int
    rounds: int
    powers: int
    inverse: int


@dataclass(frozen=True)
class Made:
    """What the program answers; the numbers are of no use unless its status is FOUND."""

    status: int
    p: int
    q: int
    n: int
    d: int
    counts: Counts
    cycles: Cycles


def least_prime(half_bits: int) -> int:
    """Return the even number above which the odd ones are those of so many bits whose square has
    twice as many."""
    return isqrt((1 << 2 * half_bits - 1) - 1) + 1 & ~1


@cache
def make_image(half_bits: int) -> Image:
    """Compile the program for primes, and an accelerator, of so many bits."""
    return load_elf(build([APP / source for source in SOURCES], {"HALF_BITS": half_bits}))


def make_key(
    system: System, half_bits: int, seed: int, e: int, rounds: int, timing: Timing = FAST
) -> Made:
    """Have a key made on a system whose accelerator has half_bits, by words from a seed of 256
    bits."""
    inputs = [
        *to_words(seed, SEED_BITS),
        *(e, rounds),
        *to_words(least_prime(half_bits), half_bits),
    ]
    prime_words = -(-words(half_bits) // WORDS_AT_ONCE) * WORDS_AT_ONCE
    lengths = (1, prime_words, prime_words, 2 * prime_words, 2 * prime_words)
    counts, doubles = len(Counts.__annotations__), len(Cycles.__annotations__)
    manager = Manager(inputs, words=sum(lengths) + counts + 2 * doubles)
    system.run(make_image(half_bits), manager, timing, 100 * DEFAULT_LIMIT)
    outputs = iter(manager.outputs)
    status, p, q, n, d = (from_words(list(islice(outputs, length))) for length in lengths)
    made = Counts(*islice(outputs, counts))
    taken = Cycles(*(from_words(list(islice(outputs, 2))) for _ in range(doubles)))
    return Made(status, p, q, n, d, made, taken)
