"""An exponent's shares: their sum is the exponent, each by itself tells nothing; planted faults."""

from collections.abc import Iterator
from random import Random
from types import ModuleType

import pytest
from pymtl3 import Component, DefaultPassGroup

import rtl.exp.exponent_shares
from tests.faults import faults, plant

WIDTHS = (8, 9, 16, 33)
RUNS = 250


def swaps(unit: Component, nbits: int, exp: int, rng: Random) -> Iterator[tuple[int, ...]]:
    """Split an exponent; yield both shares' deltas for each bit from the top, and one bit more."""
    count = -(-nbits // 8)
    unit.exp @= exp
    for cycle in range(count + 4):
        unit.split @= cycle == 0
        unit.random @= rng.getrandbits(8)
        unit.sim_tick()
    for _ in range(nbits + 1):
        deltas = []
        for share in range(2):
            unit.next_0 @= share == 0
            unit.next_1 @= share == 1
            unit.random @= rng.getrandbits(8)
            unit.sim_eval_combinational()
            deltas.append(int((unit.delta_0, unit.delta_1)[share]))
            unit.sim_tick()
        unit.next_1 @= 0
        yield tuple(deltas)


def prepared(module: ModuleType, nbits: int) -> Component:
    """The unit, after a reset."""
    unit = module.ExponentShares(nbits)
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    return unit


def check_sums(module: ModuleType, nbits: int) -> bool:
    """Whether the deltas of both shares are those of the exponent, in any number of requests."""
    rng = Random(nbits)
    unit = prepared(module, nbits)
    ones = (1 << nbits) - 1
    for exp in (0, 1, ones, 1 << nbits - 1, ones // 3, *(rng.getrandbits(nbits) for _ in range(6))):
        wanted = exp ^ exp >> 1  # bit i differs from bit i + 1
        wanted = [wanted >> i & 1 for i in reversed(range(nbits))] + [exp & 1]
        found = [a ^ b for a, b in swaps(unit, nbits, exp, rng)]
        if found != wanted:
            return False
    return True


@pytest.mark.parametrize("nbits", WIDTHS)
def test_the_shares_add_up(nbits):
    assert check_sums(rtl.exp.exponent_shares, nbits)


def test_each_share_is_a_fair_coin():
    """Of any exponent; so are two deltas in a row of one share."""
    rng = Random(1)
    unit = prepared(rtl.exp.exponent_shares, 8)
    for exp in (0, 0xFF, 0xA5):
        counts = [[0] * 9, [0] * 9, [0] * 8]
        for _ in range(RUNS):
            deltas = list(swaps(unit, 8, exp, rng))
            for share in range(2):
                for i, one in enumerate(deltas):
                    counts[share][i] += one[share]
            for i in range(8):
                counts[2][i] += deltas[i][0] ^ deltas[i + 1][0]
        deviation = (RUNS / 4) ** 0.5
        for row in counts:
            assert all(abs(ones - RUNS / 2) < 5 * deviation for ones in row), row


def toggles_of_split(module: ModuleType, exp: int) -> float:
    """The mean of share 0's bits that change as the exponent is added."""
    rng, unit, total = Random(2), prepared(module, 8), 0
    for _ in range(RUNS):
        earlier = 0
        unit.exp @= exp
        for cycle in range(5):
            unit.split @= cycle == 0
            unit.random @= rng.getrandbits(8)
            unit.sim_eval_combinational()
            if unit.split_0:
                earlier = int(unit.share_0.share)
            adds = bool(unit.split_0)
            unit.sim_tick()
            if adds:
                total += (earlier ^ int(unit.share_0.share)).bit_count()
    return total / RUNS


STAYS = ("s.entered @= s.moved ^ s.exp", "s.entered @= s.share ^ s.exp")


def test_the_toggles_as_the_exponent_is_added_do_not_count_its_bits(tmp_path):
    broken = plant(tmp_path, rtl.exp.exponent_shares, *STAYS)
    for exp in (0, 0xFF):
        assert abs(toggles_of_split(rtl.exp.exponent_shares, exp) - 4) < 0.3
    assert toggles_of_split(broken, 0xFF) == 8


FAULTS = {
    "exponent not added": STAYS,
    "no bit is fresh": ("elif s.filled | s.split_0 | s.next_1:", "elif s.next_0:"),
    "the bit before is lost": ("s.served <<= s.share[nbits - 1]", "s.served <<= 0"),
    "the other bit is fresh": (
        "s.share[nbits - 2] ^ s.fresh, s.share[0 : nbits - 2], s.fresh)",
        "s.share[nbits - 2], s.share[0 : nbits - 2], s.share[nbits - 1])",
    ),
}


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.exponent_shares, sound, faulty)
    assert not check_sums(broken, 16)
