"""An exponent's shares, cycle by cycle: as a word comes, and as its bits go around."""

from itertools import pairwise
from random import Random

import pytest
from pymtl3 import Component

import rtl.exp.exponent_shares
from tests.rtl.exp.test_exponent_shares import prepared, push, swaps

pytestmark = pytest.mark.quick


def shares(unit: Component) -> tuple[int, int]:
    """What both hold."""
    return int(unit.share_0.share), int(unit.share_1.share)


def moved(unit: Component, share: int, random: int) -> tuple[int, int]:
    """Both after a cycle in which one of them moves."""
    unit.next_0 @= share == 0
    unit.next_1 @= share == 1
    unit.random @= random
    unit.sim_tick()
    unit.next_0 @= 0
    unit.next_1 @= 0
    return shares(unit)


def test_two_words() -> None:
    """Share 0 has each word with the random one added, share 1 a cycle later that one."""
    unit = prepared(rtl.exp.exponent_shares, 64)
    found = []
    for is_push, word, random in (
        (1, 0x0000_00FF, 0x1111_1111),
        (1, 0xAAAA_0000, 0x2222_2222),
        (0, 0xFFFF_FFFF, 0x3333_3333),
        (0, 0xFFFF_FFFF, 0x4444_4444),
    ):
        unit.push @= is_push
        unit.word @= word
        unit.random @= random
        unit.sim_tick()
        found.append(shares(unit))
    both = 0x8888_2222_1111_11EE
    assert found == [
        (0x1111_11EE_0000_0000, 0),
        (both, 0x1111_1111_0000_0000),
        (both, 0x2222_2222_1111_1111),
        (both, 0x2222_2222_1111_1111),
    ]


def test_a_bit_goes_around() -> None:
    """Of 4 bits: 1001 and 1010 make 0011; the next to the top is masked on its way up, by the bit
    that was fresh as share 1 moved last, and what was served before enters below."""
    unit = prepared(rtl.exp.exponent_shares, 4)
    unit.push @= 1
    unit.word @= 0b0011
    unit.random @= 0b1010
    unit.sim_tick()
    unit.push @= 0
    unit.random @= 1  # the first fresh bit
    unit.sim_tick()
    assert [share & 0xF for share in shares(unit)] == [0b1001, 0b1010]
    found = []
    for random in (0, 1, 1):  # the fresh bits that follow
        for share in range(2):
            found.append([one & 0xF for one in moved(unit, share, random)])
    # 1001 -> (0+1) 01 0 = 1010; 1010 -> (0+1) 10 0 = 1100: what was served before is 0
    assert found[:2] == [[0b1010, 0b1010], [0b1010, 0b1100]]
    # fresh 0; 1010 -> 0 10 1 = 0101; 1100 -> 1 00 1 = 1001
    assert found[2:4] == [[0b0101, 0b1100], [0b0101, 0b1001]]
    # fresh 1; 0101 -> (1+1) 01 1 = 0011; 1001 -> (0+1) 01 1 = 1011
    assert found[4:] == [[0b0011, 0b1001], [0b0011, 0b1011]]


@pytest.mark.parametrize(
    ("nbits", "public_bits"), [(8, 3), (33, 1), (70, 17), (70, 32), (96, 40), (96, 64)]
)
def test_a_reset_leaves_a_short_exponent(nbits: int, public_bits: int) -> None:
    """0, of which the words that are not pushed stay."""
    rng, top = Random(nbits), 1 << (nbits - 1) % 32
    unit = prepared(rtl.exp.exponent_shares, nbits, public_bits)
    assert unit.short
    for _ in range(2):
        push(unit, [0], rng)
        assert unit.short
        assert all(a == b for a, b in swaps(unit, public_bits + 1, rng))
        push(unit, [top], rng)
        assert not unit.short
        unit.sim_reset()
        assert unit.short
        assert shares(unit) == (0, 0)


@pytest.mark.parametrize(("nbits", "public_bits"), [(8, 0), (33, 0), (9, 3), (40, 39)])
def test_after_a_request_all_bits_stand_as_before(nbits: int, public_bits: int) -> None:
    """Each bit that is served is masked anew, and one share moves in a cycle."""
    rng = Random(nbits)
    unit = prepared(rtl.exp.exponent_shares, nbits, public_bits)
    ones = (1 << nbits) - 1
    exponent = 0b101
    push(unit, [exponent] + [0] * ((nbits - 1) // 32), rng)
    moves = (public_bits or nbits) + 1
    served = range(moves - 1)
    masks: list[set[int]] = [set() for _ in served]
    for _ in range(10):
        seen = [shares(unit)]
        for _ in swaps(unit, moves, rng):
            seen.append(shares(unit))
        one, other = seen[-1]
        assert (one ^ other) & ones == exponent
        assert int(unit.share_0.served) == int(unit.share_1.served)
        for bit in served:
            masks[bit].add(other >> bit & 1)
        assert all(a != b for a, b in pairwise(seen))
    assert masks == [{0, 1} for _ in served]
