"""RSA keys that the processor makes, its accelerator testing the primes; each is checked by Python
before anything is told of it."""

from dataclasses import dataclass
from math import lcm
from random import Random, SystemRandom
from typing import Any

from pymtl3 import Component

from eval.catalog.inputs import shorten
from eval.catalog.keys import what_is_wrong
from eval.catalog.point import Point
from fl.prime_rounds import Search, candidate_error_bits, mean_search, rounds_for
from fl.rsa_keys import RsaKey, check_key_bits, public_exponent
from proc.run.levels import LEVELS, make_system
from proc.run.rsa_make import FOUND, NONE, SEED_BITS, SMALL_BELOW, Counts, Cycles, Made, make_key
from sim.errors import RunError, UserError

LARGEST_E = (1 << 32) - 1  # a word of the processor
NEAR_BITS = 100  # of which p and q must differ in one: FIPS 186-5, A.1.3


@dataclass(frozen=True)
class MadeKey:
    """A key, what became of the candidates, and the cycles: none at level fl."""

    key: RsaKey
    counts: Counts
    cycles: Cycles | None

    @property
    def cycles_a_round(self) -> float | None:
        """Return the cycles of a round of Miller and Rabin: base, powers, comparisons."""
        return None if self.cycles is None else self.cycles.rounds / self.counts.rounds

    @property
    def share_of_powers(self) -> float | None:
        """Return the share of the cycles from pushing a power to its result."""
        return None if self.cycles is None else self.cycles.powers / self.cycles.total


@dataclass(frozen=True)
class KeyMaking:
    """A key of nbits with primes of half as many, which an accelerator of that width tests.

    e and rounds: those that the width asks for, if they are not given.
    """

    design: str
    nbits: int
    e: int | None = None
    rounds: int | None = None
    level: str = "batch"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise UserError(f"--level: no level {self.level!r}; choose from {', '.join(LEVELS)}")
        try:
            check_key_bits(self.nbits)
        except ValueError as error:
            raise UserError(f"--{error}; give another width") from None
        object.__setattr__(self, "design", self.point.design)
        if self.level == "batch":
            self.point.check_hardware("design")
        moduli = self.point.entry.moduli
        if moduli.some:
            raise UserError(
                f"design: {self.design} does not take all candidates for primes, but "
                f"{moduli.text}; give one for any odd modulus"
            )
        if self.e is None:
            object.__setattr__(self, "e", public_exponent(self.nbits))
        if self.rounds is None:
            object.__setattr__(self, "rounds", rounds_for(self.half_bits))
        most = min(LARGEST_E, (1 << self.nbits - 1) - 1)
        if not (self.public % 2 and 3 <= self.public <= most):
            raise UserError(
                f"--exponent: {shorten(self.public)} is no odd number from 3 to {most}; "
                "give one, such as 65537"
            )

    @property
    def half_bits(self) -> int:
        """Return the bits of a prime, and of the accelerator."""
        return self.nbits // 2

    @property
    def point(self) -> Point:
        """Return the accelerator."""
        return Point(self.design, self.half_bits)

    @property
    def public(self) -> int:
        """Return e."""
        assert self.e is not None
        return self.e

    @property
    def tests(self) -> int:
        """Return the rounds that a prime passes."""
        assert self.rounds is not None
        return self.rounds

    @property
    def error_bits(self) -> float:
        """Return -log2 of the bound on the share of composites among what passes."""
        return candidate_error_bits(self.half_bits, self.tests)

    @property
    def mean(self) -> Search:
        """Return what a search takes in the mean: that of a seed may be much shorter or longer."""
        return mean_search(self.half_bits, self.tests, self.public, SMALL_BELOW)

    def mean_cycles(self, made: MadeKey) -> float | None:
        """Return the cycles of such a search, by those of a round, of a draw and its divisions, and
        of d, in a key that was made."""
        cycles, counts, mean = made.cycles, made.counts, self.mean
        if cycles is None:
            return None
        drawing = (cycles.total - cycles.rounds - cycles.inverse) / counts.drawn
        a_round = cycles.rounds / counts.rounds
        return mean.rounds * a_round + mean.drawn * drawing + cycles.inverse / counts.pairs

    def run(self, seed: int | None = None) -> MadeKey:
        """Make a key, the same one for the same seed; RunError unless it is right."""
        random = SystemRandom() if seed is None else Random(f"made key {self.nbits} {seed}")
        system: Any = make_system(self.level, self.accelerator)
        try:
            made = make_key(
                system, self.half_bits, random.getrandbits(SEED_BITS), self.public, self.tests
            )
        finally:
            system.close()
        if made.status == NONE:
            raise RunError(
                f"no two primes for e = {self.public} among as many candidates of {self.half_bits} "
                "bits as FIPS 186-5 allows; try another --seed, or another --exponent, and then "
                f"`modexplorer check {self.design}`: wrong powers look like composites"
            )
        if made.status != FOUND:
            raise RunError(f"{self.point} did not take a candidate for a prime as its modulus")
        key = self._checked(made)
        return MadeKey(key, made.counts, None if self.level == "fl" else made.cycles)

    def accelerator(self) -> Component:
        """Make the accelerator, at level cl of that level."""
        level = self.level if self.level in ("fl", "cl") else "rtl"
        return self.point.entry.xcel(level, self.half_bits)

    def _checked(self, made: Made) -> RsaKey:
        """Return the key; RunError if Python finds something wrong with it."""
        p, q = max(made.p, made.q), min(made.p, made.q)
        key = RsaKey(f"made-{self.nbits}", self.design, made.n, self.public, made.d, p, q)
        wrong = what_is_wrong(key) or self._more_that_is_wrong(key)
        if wrong:
            raise RunError(f"the key that {self.point} made is wrong: {wrong}")
        return key

    def _more_that_is_wrong(self, key: RsaKey) -> str | None:
        if key.nbits != self.nbits:
            return f"n has {key.nbits} bits, not {self.nbits}"
        if key.p - key.q <= (1 << self.half_bits >> NEAR_BITS):
            return "p and q are too near to each other"
        if not 1 << self.half_bits < key.d < lcm(key.p - 1, key.q - 1):
            return "d is not from 2^(N/2) to the least common multiple of p - 1 and q - 1"
        return None
