"""Carry networks in hardware, at every width up to the widest of the trees that have them."""

from collections.abc import Iterator
from random import Random

import pytest

import rtl.leaf.prefix
from eval.catalog.fixed_modulus import WIDTHS
from fl.prefix import NETWORKS
from sim.python import half_cycles
from tests.faults import plant

WIDEST = WIDTHS[1] + 2  # bits of the widest sum: of a modulus beyond a power of two
NARROW = range(2, 20)
AROUND = (31, 32, 33, 63, 64, 65, 66, 96, 127, 128, 129, WIDEST)


def pairs(nbits: int) -> Iterator[tuple[int, int]]:
    """Operands whose carries run through all of the bits, into the top one, and any."""
    rng, ones = Random(nbits), (1 << nbits) - 1
    yield from ((ones, 1), (1, ones), (ones, ones), (ones >> 1, 1), (ones ^ ones // 3, ones // 3))
    for low in range(0, nbits, max(1, nbits // 8)):
        yield ones ^ (1 << low) - 1, 1 << low
    for _ in range(6):
        yield rng.getrandbits(nbits), rng.getrandbits(nbits)


def check(module, nbits: int, network: str) -> None:
    """All carries out of a and b, and their sum, are those of Python's integers."""
    levels = NETWORKS[network](nbits)
    carries, adder = module.Carries(nbits, levels), module.PrefixAdder(nbits, levels)
    settle, _ = half_cycles(carries)
    settle_sum, _ = half_cycles(adder)
    for a, b in pairs(nbits):
        carries.g @= a & b
        carries.p @= a ^ b
        settle()
        expected = sum(
            ((a & (2 << i) - 1) + (b & (2 << i) - 1) >> i + 1) << i for i in range(nbits)
        )
        assert int(carries.group_g) == expected, (nbits, network, a, b)
        adder.a @= a
        adder.b @= b
        settle_sum()
        assert int(adder.sum) == (a + b) % (1 << nbits), (nbits, network, a, b)


@pytest.mark.parametrize("network", ["brent-kung", "kogge-stone"])
def test_carries_and_sums(network: str):
    for nbits in (*NARROW, *AROUND):
        check(rtl.leaf.prefix, nbits, network)


@pytest.mark.quick
def test_ripple():
    for nbits in (2, 9, 65):
        check(rtl.leaf.prefix, nbits, "ripple")


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [65, 96, 128])
def test_a_top_carry_that_is_not_merged_in_wide_ones(tmp_path, nbits: int):
    broken = plant(
        tmp_path,
        rtl.leaf.prefix,
        "merged = mk_bits(nbits)(mask)",
        "merged = mk_bits(nbits)(mask & ~(int(nbits > 64) << nbits - 1))",
    )
    check(broken, 64, "brent-kung")
    with pytest.raises(AssertionError):
        check(broken, nbits, "kogge-stone")
