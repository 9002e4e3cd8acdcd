"""An exponent's shares: their sum is the exponent, each by itself tells nothing; planted faults."""

from collections.abc import Iterator
from random import Random
from types import ModuleType

import pytest
from pymtl3 import Component, DefaultPassGroup

import rtl.exp.exponent_shares
from fl.xcel import WORD_BITS, to_words, words
from tests.faults import faults, plant

# Of the exponent, and of those that are short, if any.
WIDTHS = ((8, 0), (9, 0), (32, 0), (33, 0), (70, 0), (2, 1), (9, 8), (33, 1), (64, 17), (70, 32))
RUNS = 250


def prepared(module: ModuleType, nbits: int, public_bits: int = 0) -> Component:
    """The unit, after a reset."""
    unit = module.ExponentShares(nbits, public_bits)
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    return unit


def push(unit: Component, pushed: list[int], rng: Random) -> None:
    """Push words, in a row, and wait until share 1 has the last one, too."""
    for word in pushed:
        unit.push @= 1
        unit.word @= word
        unit.random @= rng.getrandbits(WORD_BITS)
        unit.sim_tick()
    unit.push @= 0
    unit.word @= rng.getrandbits(WORD_BITS)
    unit.random @= rng.getrandbits(WORD_BITS)
    unit.sim_tick()


def swaps(unit: Component, moves: int, rng: Random) -> Iterator[tuple[int, ...]]:
    """Yield both shares' deltas for each bit from the top, and one bit more."""
    for _ in range(moves):
        deltas = []
        for share in range(2):
            unit.next_0 @= share == 0
            unit.next_1 @= share == 1
            unit.random @= rng.getrandbits(WORD_BITS)
            unit.sim_eval_combinational()
            deltas.append(int((unit.delta_0, unit.delta_1)[share]))
            unit.sim_tick()
        unit.next_1 @= 0
        yield tuple(deltas)


def check_sums(module: ModuleType, nbits: int, public_bits: int = 0) -> bool:
    """Whether the deltas of both shares are those of the exponent, in any number of requests, which
    may be by the same one; and whether it is short."""
    rng, value, count = Random(nbits), 0, words(nbits)
    unit = prepared(module, nbits, public_bits)
    ones, edge = (1 << nbits) - 1, 1 << public_bits
    edges = (0, 1, ones, 1 << nbits - 1, ones // 3, edge - 1, edge & ones, (edge + 1) & ones)
    asked = [*edges, *(rng.getrandbits(nbits) for _ in range(6))]
    above = rng.getrandbits(WORD_BITS) << (nbits - 1) % WORD_BITS + 1 & (1 << WORD_BITS) - 1
    for exp in rng.sample(asked, len(asked)) * 2:
        *low, last = to_words(exp, nbits)
        some = [*low, last | above][rng.choice((0, count - 1)) :]  # after the last words of before
        push(unit, some, rng)
        for word in some:
            value = (value | word << WORD_BITS * count) >> WORD_BITS
        exp = value & ones
        served = public_bits if public_bits and exp < edge else nbits
        if public_bits and unit.short != (served == public_bits):
            return False
        wanted = exp ^ exp >> 1  # bit i differs from bit i + 1
        deltas = [wanted >> i & 1 for i in reversed(range(served))] + [exp & 1]
        for _ in range(3):
            if [a ^ b for a, b in swaps(unit, served + 1, rng)] != deltas:
                return False
    return True


@pytest.mark.parametrize(("nbits", "public_bits"), WIDTHS)
def test_the_shares_add_up(nbits, public_bits):
    assert check_sums(rtl.exp.exponent_shares, nbits, public_bits)


def test_each_share_is_a_fair_coin():
    """Of any exponent, as it came and in each request after it; so are two deltas in a row of one
    share, and the same bit in two requests."""
    rng = Random(1)
    unit = prepared(rtl.exp.exponent_shares, 8)
    for exp in (0, 0xFF, 0xA5):
        counts = [[0] * 9 for _ in range(6)]
        for _ in range(RUNS):
            push(unit, [exp], rng)
            first, second = (list(swaps(unit, 9, rng)) for _ in range(2))
            for share in range(2):
                for i in range(9):
                    counts[share][i] += first[i][share]
                    counts[2 + share][i] += first[i][share] ^ second[i][share]
                    counts[4 + share][i] += first[i][share] ^ first[i - 1][share]
        deviation = (RUNS / 4) ** 0.5
        for row in counts:
            assert all(abs(ones - RUNS / 2) < 5 * deviation for ones in row[1:]), row


def held(unit: Component) -> set[int]:
    """What its registers of words hold."""
    return {int(unit.share_0.share), int(unit.share_1.share), int(unit.added)}


def seen_in_clear(module: ModuleType, nbits: int) -> set[int]:
    """Which exponents some register of words holds at some time."""
    rng, seen = Random(3), set()
    exponents = [rng.getrandbits(nbits) for _ in range(20)]
    unit = prepared(module, nbits)
    ones = (1 << nbits) - 1
    for exp in exponents:
        push(unit, to_words(exp, nbits), rng)
        seen |= held(unit)
        for _ in swaps(unit, nbits + 1, rng):
            seen |= held(unit)
    return {value & ones for value in seen} & {*exponents}


UNMASKED = ("s.share_0.word @= s.word ^ s.random", "s.share_0.word @= s.word")


def test_no_register_holds_the_exponent(tmp_path):
    assert not seen_in_clear(rtl.exp.exponent_shares, 32)
    assert seen_in_clear(plant(tmp_path, rtl.exp.exponent_shares, *UNMASKED), 32)


FAULTS = {
    "not masked": UNMASKED,
    "another mask": ("s.added <<= s.random", "s.added <<= ~s.random"),
    "no mask": ("s.enters <<= s.push", "s.enters <<= 0"),
    "no bit is fresh": ("elif s.enters | s.next_1:", "elif s.next_0:"),
    "the bit before is lost": ("s.served <<= s.top", "s.served <<= 0"),
    "bits do not go around": (
        "s.share[0 : nbits - 1], s.served)",
        "s.share[0 : nbits - 1], s.top)",
    ),
    "the top is that of all": ("s.top @= s.share[public_bits - 1]", "s.top @= s.share[nbits - 1]"),
    "those above are lost": ("s.share[nbits - 1] ^ s.share[public_bits - 1]", "s.short & 0"),
    "short whatever came first": ("(s.matched << 1) | 1", "(s.matched << 1) | s.matched"),
    "never short": ("s.matched <<= s.fits &", "s.matched <<= 0 & s.fits &"),
    "a bit too many is short": ("low if i == 0", "min(low + 1, 31) if i == 0"),
}


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.exponent_shares, sound, faulty)
    assert not check_sums(broken, 70, 17)
