"""An exponent as it splits, cycle by cycle: each byte counts, and the shares move in turn."""

from itertools import pairwise

import pytest
from pymtl3 import Component

import rtl.exp.exponent_shares
from tests.rtl.exp.test_exponent_shares import prepared

pytestmark = pytest.mark.quick


def passed(unit: Component, random: list[int]) -> list[tuple[int, int]]:
    """Both shares after each cycle, of which the first one asks for the split."""
    found = []
    for cycle, byte in enumerate(random):
        unit.split @= cycle == 0
        unit.random @= byte
        unit.sim_tick()
        found.append((int(unit.share_0.share), int(unit.share_1.share)))
    return found


def test_sixteen_bits() -> None:
    """Bytes B5 and 3A fill both; 1 enters at the bottom, and changes the bit that moves to the top:
    share 1 first, then share 0, to which the exponent is added."""
    unit = prepared(rtl.exp.exponent_shares, 16)
    unit.exp @= 0x8001
    found = passed(unit, [0xFF, 0xB5, 0x3A, 0x01, 0x00, 0x00, 0x00])
    moved = 0b1110_1010_0111_0101  # of B53A: 0 on the way to the top became 1
    assert moved == (0xB53A << 1 & 0xFFFF | 1) ^ 0x8000
    both = 0xB53A
    assert found[:4] == [(0, 0), (0xB5, 0xB5), (both, both), (both, both)]
    assert found[4:] == [(both, moved), (moved ^ 0x8001, moved), (moved ^ 0x8001, moved)]


@pytest.mark.parametrize(("nbits", "count"), [(8, 1), (9, 2), (20, 3), (33, 5)])
def test_every_bit_is_random_and_one_share_moves_in_a_cycle(nbits: int, count: int) -> None:
    """All bytes FF, then all 0: each bit counts; then one share changes at a time."""
    masks = []
    for byte in (0xFF, 0x00):
        unit = prepared(rtl.exp.exponent_shares, nbits)
        unit.exp @= 0
        found = passed(unit, [byte] * (count + 5))
        masks.append(found[-1][0])
        assert found[-1][0] == found[-1][1]
        later = found[count:]
        moves = [tuple(a != b for a, b in zip(*two, strict=True)) for two in pairwise(later)]
        assert (True, True) not in moves
    full = (1 << nbits) - 1
    assert masks == [full ^ 1 << nbits - 1, 0]  # the top bit of all ones, added to a fresh one


def test_each_bit_that_is_served_takes_another_fresh_one() -> None:
    """As a share moves, the bit of the cycle before enters both at the bottom."""
    unit = prepared(rtl.exp.exponent_shares, 8)
    unit.exp @= 0
    passed(unit, [0x00] * 6)
    entered = []
    for bit in (1, 0, 0, 1, 1, 0, 1, 0):
        for share in (0, 1):  # share 0 first, and with share 1 the next fresh bit comes
            unit.next_0 @= share == 0
            unit.next_1 @= share == 1
            unit.random @= bit
            unit.sim_tick()
        unit.next_1 @= 0
        assert int(unit.share_0.share) == int(unit.share_1.share)
        entered.append(int(unit.share_0.share) & 1)
    assert entered == [0, 1, 0, 0, 1, 1, 0, 1]
