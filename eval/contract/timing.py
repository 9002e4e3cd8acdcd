"""What an exponentiator's cycles depend on, by experiment: requests that differ in one thing alone.

For each factor there are as many pairs of requests as asked for; half of the values drawn are at
the edges. The pairs' first requests are sent one after another, then their second ones, so that no
two in a row have one modulus, where there are several; for the factor `before` each request follows
itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cl.exponentiator import BASE, BEFORE, BITS, FACTORS, LENGTH, MODULUS
from eval.catalog.design import Design
from sim.errors import RunError
from sim.stream import StreamRunner
from sim.transfers import packer

MOST_DRAWN = 100  # pairs for one that the design takes
MOST_MODULI = 1024  # that are drawn from
LIMIT = 10  # times the cycles that a run should take, after which it has failed

Operands = tuple[int, int, int]  # base, exponent, modulus
Timed = tuple[int, int, int, int]  # these and the cycles
Pair = tuple[int, int]


@dataclass(frozen=True)
class Experiment:
    """Requests in the order in which they are sent, and for each factor where its pairs are."""

    requests: list[Operands]
    pairs: dict[str, list[Pair]]

    def told(self, cycles: Sequence[int]) -> dict[str, Pair | None]:
        """Find for each factor a pair whose cycles differ, None if there is none."""
        return {
            factor: next((pair for pair in pairs if cycles[pair[0]] != cycles[pair[1]]), None)
            for factor, pairs in self.pairs.items()
        }


def tell(design: Design, nbits: int, count: int) -> dict[str, list[Timed]]:
    """Find by so many requests to the Verilog what the cycles depend on: for each such factor two
    requests with their cycles. RunError if an answer is wrong."""
    drawn, name = experiment(design, nbits, count), f"{design.name}-{nbits}"
    pack = packer(design.at(nbits).messages[0])
    packed = [pack(*operands) for operands in drawn.requests]
    usual = max(design.cycles(nbits, *one) for one in drawn.requests[:: len(packed) // 20 or 1])
    with StreamRunner(design.component("rtl", nbits), "batch", name=name) as runner:
        transfers = runner.run(packed, max_cycles=LIMIT * usual * len(packed))
    for operands, transfer in zip(drawn.requests, transfers, strict=True):
        if transfer.response != pow(*operands) << 1:
            raise RunError(f"{name}: {operands} was answered {transfer.response >> 1}")
    cycles = [transfer.cycles for transfer in transfers]
    return {
        factor: [(*drawn.requests[i], cycles[i]) for i in pair]
        for factor, pair in drawn.told(cycles).items()
        if pair
    }


def experiment(design: Design, nbits: int, count: int, seed: int = 1) -> Experiment:
    """Draw about `count` requests of a design, as many for each factor."""
    draw = _Draw(design, nbits, Random(f"timing {nbits} {seed}"))
    requests: list[Operands] = []
    pairs: dict[str, list[Pair]] = {}
    each = max(count // (2 * len(FACTORS)), 1)
    for factor in FACTORS:
        drawn = draw.taken(factor, each)
        start = len(requests)
        if factor == BEFORE:
            requests += [one for pair in drawn for one in pair]
            pairs[factor] = [(start + 2 * i, start + 2 * i + 1) for i in range(len(drawn))]
        else:
            requests += [first for first, _ in drawn] + [second for _, second in drawn]
            pairs[factor] = [(start + i, start + len(drawn) + i) for i in range(len(drawn))]
    return Experiment(requests, pairs)


class _Draw:
    """Draws pairs of requests, each with other moduli than the pair before."""

    def __init__(self, design: Design, nbits: int, rng: Random) -> None:
        self.nbits, self.rng = nbits, rng
        self.accepts = design.at(nbits).accepts
        self.moduli = _moduli(design, nbits, rng)
        self.last: tuple[int, ...] = ()

    def taken(self, factor: str, count: int) -> list[tuple[Operands, Operands]]:
        """Draw pairs of requests that the design takes."""
        found: list[tuple[Operands, Operands]] = []
        for _ in range(MOST_DRAWN * count):
            if len(found) == count:
                break
            pair = self.pair(factor)
            if all(self.accepts(*one) for one in pair):
                found.append(pair)
        return found

    def pair(self, factor: str) -> tuple[Operands, Operands]:
        """Draw two requests that differ in this factor alone; for `before` they are the same."""
        base, exp, mod = self._base(), self._exponent(self._length()), self._modulus()
        others = base, exp, mod
        if factor == BASE:
            others = self._base(), exp, mod
        elif factor == LENGTH:
            others = base, self._of_ones(exp.bit_count()), mod
        elif factor == BITS:
            others = base, self._exponent(exp.bit_length()), mod
        elif factor == MODULUS:
            others = base, exp, self._modulus()
        self.last = mod, others[2]
        return (base, exp, mod), others

    def _base(self) -> int:
        ones = (1 << self.nbits) - 1
        return self.rng.choice((self.rng.getrandbits(self.nbits), self.rng.choice((0, 1, 2, ones))))

    def _length(self) -> int:
        return self.rng.choice((self.rng.randint(0, self.nbits), self.nbits))

    def _exponent(self, length: int) -> int:
        """Draw an exponent of this length, one bit or all bits set at times."""
        if length == 0:
            return 0
        top = 1 << length - 1
        return self.rng.choice((top | self.rng.getrandbits(length - 1), top, 2 * top - 1))

    def _of_ones(self, ones: int) -> int:
        """Draw an exponent of any length with so many bits set; where one is, 0 at times."""
        if ones <= 1 and self.rng.random() < 0.5:
            return 0
        length = self.rng.randint(max(ones, 1), self.nbits)
        places = self.rng.sample(range(length - 1), max(ones, 1) - 1)
        return 1 << length - 1 | sum(1 << place for place in places)

    def _modulus(self) -> int:
        """Draw a modulus; of several, none of the pair before."""
        mod = self.rng.choice(self.moduli)
        while mod in self.last and len(self.moduli) > 2:
            mod = self.rng.choice(self.moduli)
        return mod


def _moduli(design: Design, nbits: int, rng: Random) -> list[int]:
    """Draw moduli that the design takes: of any length, odd ones, some near 2^n."""
    top = 1 << nbits
    drawn = [design.moduli.only(nbits)] if design.moduli.only else [1, 3, top - 1]
    for _ in range(MOST_MODULI):
        any_length = rng.getrandbits(rng.randint(2, nbits))
        near = top - rng.getrandbits(nbits // 2 + 1)
        drawn += [rng.getrandbits(nbits) | 1, rng.getrandbits(nbits), any_length | 1, near]
    taken = dict.fromkeys(m for m in drawn if 0 < m < top and design.at(nbits).takes(m))
    return rng.sample(list(taken), min(len(taken), MOST_MODULI))
