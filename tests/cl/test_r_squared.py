"""The way to R^2 mod m takes as many squarings as make it the shortest."""

import pytest

from cl.r_squared import best_squarings, doubling_cycles, product_cycles, remainder_cycles
from cl.unit import Unit

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("product", [1, 2, 5, 9, 34, 130, 1026])
@pytest.mark.parametrize("radix", [8, 9, 31, 32, 33, 34, 127, 1024, 1026])
def test_no_other_number_of_squarings_is_faster(radix: int, product: int):
    mod = (1 << radix) - 1
    cycles = [
        doubling_cycles(radix, mod, radix, squarings, product, True)
        for squarings in range(radix.bit_length() + 1)
    ]
    best = best_squarings(radix, product)
    assert 0 <= best < radix.bit_length()
    assert cycles[best] == min(cycles)


def test_figures_by_hand():
    """32 doublings, then 32 more, or squarings of 3 cycles and one to ask, of 2^(32 + 1)."""
    top, short = (1 << 32) - 5, (1 << 31) - 1
    assert doubling_cycles(32, short, 32, 0, 3, True) == 64
    assert doubling_cycles(32, short, 32, 5, 3, True) == 32 + 1 + 5 * 4
    assert [doubling_cycles(32, short, 32, q, 3, True) for q in (1, 2, 3, 4)] == [52, 48, 48, 50]
    assert best_squarings(32, 3) == 2
    assert doubling_cycles(32, top, 32, 5, 3, False) == 1 + 1 + 5 * 4  # from 2^31 on
    assert doubling_cycles(32, short, 32, 5, 3, False) == 32 + 1 + 5 * 4
    # 34 = 0b100010: a doubling follows the squaring of 2^(34 >> 1), and of no other one
    assert doubling_cycles(32, short, 34, 5, 3, True) == 34 + 1 + 5 * 4 + 1
    assert remainder_cycles(32) == 65


class Plain(Unit):
    """Takes ten cycles, and one more for each bit of its first operand."""

    def latency(self, a: int, b: int, m: int) -> int:
        return 10 + a.bit_length()


@pytest.mark.parametrize(
    ("mod", "cycles"),
    [
        (255, 1 + 10 + 1),  # 256 - 255 = 1
        (128, 1 + 10 + 8),
        (127, (1 + 10 + 8) + (1 + 10 + 2)),  # 129, then 2
        (1, (1 + 10 + 8) + (1 + 10 + 0)),  # 255, then 0
    ],
)
def test_products_by_hand(mod: int, cycles: int):
    assert product_cycles(Plain(8), mod) == cycles
