"""What compression trees and the adders behind them cost, by hand: a full adder takes a dot away, a
5:3 compressor two, and a stage brings columns from each of 2, 3, 4, 6, 9, 13, 19 to the one before
(Dadda)."""

import pytest

from fl.modular_sum import AROUND, DROP, INVERTED, SELECT, ModularSum
from fl.modulus import Modulus
from fl.prefix import brent_kung, kogge_stone, ripple
from fl.tree_mul import Tree

pytestmark = pytest.mark.quick

STAGES = {3: 1, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 4, 10: 5, 13: 5, 14: 6, 16: 6, 19: 6}


@pytest.mark.parametrize("order", ["fa", "wallace", "dadda", "document", "document-5:3-fa"])
@pytest.mark.parametrize("n", STAGES)
def test_compressors_of_a_tree_without_an_end(order: str, n: int) -> None:
    """Modulo 2^n - 1 each of n columns has n dots at first, and two at last."""
    tree = Tree(Modulus(n, -1), order)
    full, half, five = (
        sum(stage.total(kind) for stage in tree.stages) for kind in ("full", "half", "five_three")
    )
    assert (tree.matrix.dots, tree.rows.dots) == (n * n, 2 * n)
    assert full + 2 * five == n * (n - 2)
    if order in ("fa", "wallace", "dadda"):
        assert (five, len(tree.stages)) == (0, STAGES[n])
        assert half == 0 or order == "wallace"
    else:
        assert len(tree.stages) <= STAGES[n]
        assert five > 0 or n < 5
    assert (tree.sum.kind, tree.sum.adders) == (AROUND, 1)


@pytest.mark.parametrize("n", STAGES)
def test_compressors_of_the_lower_half_of_a_product(n: int) -> None:
    """Modulo 2^n columns have 1 to n dots: Dadda's order takes the fewest adders, of both kinds."""
    stages = Tree(Modulus(n), "dadda").stages
    full, half = (sum(stage.total(kind) for stage in stages) for kind in ("full", "half"))
    assert (len(stages), full, half) == (STAGES[n], (n - 2) * (n - 3) // 2, n - 2)


@pytest.mark.parametrize("offset", [-120, -78, -22, 27, 62, 146])
def test_a_late_fold_ends_below_four_moduli(offset: int) -> None:
    tree = Tree(Modulus(8, offset), "late")
    assert tree.rows.height <= 2
    assert tree.rows.limit < 4 * tree.modulus.value


@pytest.mark.parametrize(
    ("limit", "constant", "addends", "bits"),
    [
        (18, 0, (0,), 6),  # below m = 19
        (19, 0, (0, -19), 6),
        (37, 0, (0, -19), 7),
        (38, 0, (0, -19, -38), 7),
        (18, 1, (1, -18), 6),
        (17, 1, (1,), 6),
        (18, 19, (0,), 6),  # from 19 to 37: once
        (19, 19, (0, -19), 6),
        (60, 0, (0, -19, -38, -57), 7),
        (64, 0, (0, -19, -38, -57), 8),
    ],
)
def test_an_adder_for_each_quotient(
    limit: int, constant: int, addends: tuple[int, ...], bits: int
) -> None:
    """Modulo 19: as many as there can be, in as many bits as all differences and a sign need."""
    adder = ModularSum(Modulus(4, 3), 7, limit, constant)
    assert (adder.kind, adder.adders, adder.select_bits) == (SELECT, len(addends), bits)
    assert adder.addends == tuple(addend % (1 << bits) for addend in addends)


@pytest.mark.parametrize(
    ("offset", "width", "limit", "constant", "excluded", "kind"),
    [
        (0, 8, 510, 0, False, DROP),
        (-1, 8, 509, 0, False, AROUND),  # not both all ones
        (-1, 8, 510, 0, False, SELECT),
        (-1, 8, 510, 0, True, AROUND),
        (-1, 9, 509, 0, False, SELECT),
        (-1, 8, 509, 1, False, SELECT),
        (1, 8, 510, 5, False, INVERTED),
        (1, 9, 510, 0, False, SELECT),
        (3, 8, 300, 0, False, SELECT),
    ],
)
def test_which_adder_there_is(
    offset: int, width: int, limit: int, constant: int, excluded: bool, kind: str
) -> None:
    assert ModularSum(Modulus(8, offset), width, limit, constant, excluded).kind == kind


@pytest.mark.parametrize(("constant", "row"), [(1, None), (2, 0), (0, 255), (256, 254)])
def test_the_row_of_an_inverted_carry(constant: int, row: int | None) -> None:
    """Modulo 257 it is the constant less 2; -1, which has no row, for 1."""
    assert ModularSum(Modulus(8, 1), 8, 510, constant).row == row


@pytest.mark.parametrize(
    ("nbits", "levels", "merges"), [(2, 1, 1), (4, 3, 4), (8, 5, 11), (16, 7, 26), (32, 9, 57)]
)
def test_levels_and_merges_of_carry_networks(nbits: int, levels: int, merges: int) -> None:
    """Brent and Kung: 2 log n - 1 levels, 2n - 2 - log n merges; Kogge and Stone: log n levels, and
    n log n - n + 1 merges; a ripple: n - 1 of both."""
    depth = nbits.bit_length() - 1

    def cost(network) -> tuple[int, int]:
        made = network(nbits)
        return len(made), sum(level.mask.bit_count() for level in made)

    assert cost(brent_kung) == (levels, merges) == (2 * depth - 1, 2 * nbits - 2 - depth)
    assert cost(kogge_stone) == (depth, nbits * depth - nbits + 1)
    assert cost(ripple) == (nbits - 1, nbits - 1)
