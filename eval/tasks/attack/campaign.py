"""Attacks on a point's accelerator: how many traces find the exponent, and through how much noise.

Each key is a random exponent of all of the design's bits, whose ends are 1, and its traces are of
random bases. An attack finds a key if all bits are right. Noise is normal, independent in every
cycle, in the traces that are learnt from as in those of the key.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from eval.catalog.point import Point
from eval.tasks.attack.correlation import Correlation
from eval.tasks.attack.horizontal import guesses
from eval.tasks.attack.pairs import Pairs
from eval.tasks.attack.rounds import Rounds, is_in_turn, rounds_in
from eval.tasks.attack.template import Template
from eval.tasks.leakage.levels import AT_ONCE, LEVELS, RTL
from eval.tasks.leakage.operations import Operations, pushes_of
from eval.tasks.leakage.task import source_of
from eval.tasks.unit import OnStep
from flow.results.record import Record
from sim.errors import UserError

CORRELATION, TEMPLATE, PAIRS, HORIZONTAL = ATTACKS = (
    *("correlation", "template", "pairs", "horizontal"),
)
MODELLED = 100  # traces of a key at most that the correlation is taken of
BYTES = 1 << 30  # of traces
LEAST_NOISE = 1.0
MOST_NOISE = dict.fromkeys(LEVELS, 65536.0) | {RTL: 1024.0}  # fJ, register bits


@dataclass(frozen=True)
class Asked:
    """Says what is tried: so many keys, traces of each, traces to learn from; the noise; a seed;
    what traces are of."""

    keys: int = 10
    traces: int = 100
    profile: int = 2000
    noise: float = 0.0
    seed: int = 1
    level: str = RTL

    @property
    def steps(self) -> list[int]:
        """List the numbers of traces that are looked at: 1, 10 and so on, and all."""
        return [10**i for i in range(9) if 10**i < self.traces] + [self.traces]


class Found(Record):
    """Counts the keys that so many traces found, and the share of unknown bits that were right."""

    traces: int
    keys: int
    right: float


class Outcome(Record):
    """What an attack found of so many keys, by ever more traces; fails: the least noise tried
    through which all traces find no key, None if none finds one without, or MOST_NOISE did not do.
    pair: the cycles that tell most, from the beginning of a round on; those of the round before are
    below 0."""

    attack: str
    keys: int
    found: list[Found]
    fails: float | None = None
    pair: tuple[int, int] | None = None

    @property
    def first(self) -> int | None:
        """Return the least number of traces that found a key."""
        return next((one.traces for one in self.found if one.keys), None)


class Device:
    """Runs operations modulo a key's n on one model, whose random bits are never the same again."""

    def __init__(self, point: Point, level: str, say: OnStep) -> None:
        self.point, self.level, self.say = point, level, say
        operations = Operations(point)
        self.mod = operations.key.n
        self.cycles = operations.cycles("exponent")
        ones = (1 << point.nbits) - 1
        latency = point.entry.cycles(point.nbits, 2, ones, self.mod)
        self.cycles = max(self.cycles, pushes_of(point) + latency)
        self.kind = np.dtype(np.uint16 if level == RTL else np.float32)

    @cached_property
    def source(self) -> Any:
        """What measures its traces: mapped when first asked for, if it is a netlist."""
        return source_of(self.point, self.level, self.cycles, self.say, by_part=False)

    def power(self, asked: Sequence[tuple[int, int]]) -> np.ndarray:
        """Return the traces of powers of bases by exponents; answers are checked."""
        rows = []
        count = AT_ONCE[self.level]
        for at in range(0, len(asked), count):
            drawn = [(0, (b % self.mod, e, self.mod)) for b, e in asked[at : at + count]]
            rows.append(self.source.measure(drawn)[0].astype(self.kind))
        return np.concatenate(rows)


class Attacks:
    """Has the traces of keys, and tries attacks on them."""

    def __init__(self, point: Point, asked: Asked, attacks: Sequence[str], say: OnStep) -> None:
        self.point, self.asked, self.say = point, asked, say
        self.device = Device(point, asked.level, say)
        learns = {TEMPLATE, PAIRS} & set(attacks)
        profile = asked.profile if learns else 0
        wanted = profile + asked.keys * asked.traces
        most = BYTES // (self.device.kind.itemsize * self.device.cycles)
        if wanted > most:
            raise UserError(f"--traces: {wanted} traces of all keys are too many; at most {most}")
        rng = Random(f"attack {asked.seed}")
        self.exponents = [self._exponent(rng) for _ in range(profile)]
        if learns:
            say("traces to learn from")
            learnt = [(self._base(rng), one) for one in self.exponents]
            self.profile = self.device.power(learnt)
        self.keys: list[tuple[int, list[int], np.ndarray]] = []
        for number in range(asked.keys):
            say(f"traces of key {number + 1}")
            key, bases = self._exponent(rng), [self._base(rng) for _ in range(asked.traces)]
            self.keys.append((key, bases, self.device.power([(base, key) for base in bases])))
        self.rounds: Rounds | None = rounds_in(point)
        self._correlation: Correlation | None = None
        self._pair: tuple[int, int] | None = None

    def _exponent(self, rng: Random) -> int:
        nbits = self.point.nbits
        return rng.getrandbits(nbits) | 1 << nbits - 1 | 1

    def _base(self, rng: Random) -> int:
        return rng.randrange(2, self.device.mod)

    def possible(self, attack: str) -> bool:
        """Return whether an attack knows enough of the design."""
        if attack in (CORRELATION, TEMPLATE):
            return True
        return self.rounds is not None and (self.rounds.exact or attack == HORIZONTAL)

    def outcome(self, attack: str) -> Outcome:
        """Try an attack by ever more traces, and through ever more noise."""
        found = []
        for count in self.asked.steps:
            self.say(f"{attack}, {count} traces")
            found.append(Found(count, *self._tried(attack, count, self.asked.noise)))
        pair = self._pair if attack == PAIRS else None
        fails = self._hiding(attack) if found[-1].keys else None
        return Outcome(attack, len(self.keys), found, fails, pair)

    def _hiding(self, attack: str) -> float | None:
        """Return the least noise tried through which all traces find no key."""
        noise = max(LEAST_NOISE, self.asked.noise)
        while noise <= MOST_NOISE[self.asked.level]:
            self.say(f"{attack}, noise {noise:g}")
            if not self._tried(attack, self.asked.traces, noise)[0]:
                return noise
            noise *= 2
        return None

    def _tried(self, attack: str, count: int, noise: float) -> tuple[int, float]:
        """Return how many keys so many traces find, and which share of the unknown bits."""
        guess = self._prepared(attack, noise)
        found, right, unknown = 0, 0, self.point.nbits - 2
        for number, (key, bases, rows) in enumerate(self.keys):
            some = noisy(rows[:count], noise, (self.asked.seed, 1 + number))
            wrong = min((one ^ key).bit_count() for one in guess(some, bases[:count]))
            found += wrong == 0
            right += max(unknown - wrong, 0)
        return found, right / (unknown * len(self.keys))

    def _prepared(self, attack: str, noise: float) -> Callable[..., list[int]]:
        if attack == HORIZONTAL:
            assert self.rounds
            rounds = self.rounds
            return lambda rows, bases: guesses(rows, rounds)
        if attack == CORRELATION:
            self._correlation = self._correlation or Correlation(
                self.device.power,
                self.point.nbits,
                pushes_of(self.point),
                self.rounds,
                is_in_turn(self.point),
            )
            model = self._correlation
            return lambda rows, bases: [model.guess(rows[:MODELLED], bases[:MODELLED])]
        learnt = noisy(self.profile, noise, (self.asked.seed, 0))
        if attack == TEMPLATE:
            # the pushes are left out: there the host gives the exponent as it is
            begin = pushes_of(self.point)
            template = Template(learnt[:, begin:], self.exponents, self.point.nbits)
            return lambda rows, bases: [template.guess(rows[:, begin:])]
        assert self.rounds
        pairs = Pairs(learnt, self.exponents, self.rounds)
        self._pair = pairs.most
        return lambda rows, bases: [pairs.guess(rows)]

    def close(self) -> None:
        """End the simulation."""
        self.device.source.close()


def noisy(rows: np.ndarray, noise: float, seed: tuple[int, int]) -> np.ndarray:
    """Add normal noise to traces: the same again for the same seed, but for its size."""
    rows = rows.astype(float)
    if noise:
        rows += noise * np.random.default_rng(seed).standard_normal(rows.shape)
    return rows


def attack_all(point: Point, asked: Asked, attacks: Sequence[str], say: OnStep) -> list[Outcome]:
    """Try those of the attacks that know enough of the design."""
    tried = Attacks(point, asked, attacks, say)
    try:
        return [tried.outcome(one) for one in attacks if tried.possible(one)]
    finally:
        tried.close()
