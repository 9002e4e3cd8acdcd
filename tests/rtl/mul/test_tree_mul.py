"""Compression trees: structure and hardware against a*b % m, exhaustively where that is quick."""

from random import Random

import pytest
from pymtl3 import DefaultPassGroup

from fl.compression import ORDER_NAMES
from fl.modulus import Digit, Modulus, third
from fl.tree_mul import Tree
from rtl.mul.tree_mul import TreeMul, TreeSquare
from tests.cases.moduli import moduli_at, one_of_each, random_pairs
from tests.sweep import wrong_products


def lanes(values: list[int], width: int) -> list[int]:
    """Bit i of every value, as one integer with a bit for each value."""
    return [int("".join(str(v >> i & 1) for v in values), 2) for i in range(width)]


def check_all_products(tree: Tree) -> None:
    """The structure evaluated on all pairs of residues (a squarer: all residues)."""
    m, width = tree.modulus.value, tree.modulus.width
    pairs = [(a, b) for a in range(m) for b in ([a] if tree.square else range(m))]
    a, b = (lanes([pair[k] for pair in pairs], width) for k in (0, 1))
    found = tree.evaluate(a, b, (1 << len(pairs)) - 1)
    assert found == lanes([x * y % m for x, y in pairs], width)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("value", "n", "offset"),
    [(3, 2, -1), (4, 2, 0), (5, 2, 1), (6, 2, 2), (7, 3, -1), (11, 3, 3), (12, 3, 4), (13, 4, -3)],
)
def test_a_value_by_the_nearest_power_of_two(value: int, n: int, offset: int):
    """The lower one of two that are as near: 6 = 4 + 2, 12 = 8 + 4."""
    assert Modulus.of(value) == Modulus(n, offset)


@pytest.mark.quick
def test_folding_keeps_the_residue():
    for n in range(2, 9):
        for modulus in moduli_at(n):
            for weight in range(2 * n + 4):
                digits = modulus.fold(weight)
                assert all(digit.column < n for digit in digits)
                assert (sum(d.value for d in digits) - (1 << weight)) % modulus.value == 0


@pytest.mark.quick
def test_the_documents_example_of_folding():
    """Document 000: under 43 = 2^5+11, 2^6 is 21 (a tie, so positive), 2^7 to 2^10 are -1 to -8."""
    modulus = Modulus(5, 11)
    assert modulus.fold(6) == (Digit(0), Digit(2), Digit(4))
    assert [modulus.fold(7 + i) for i in range(4)] == [(Digit(i, True),) for i in range(4)]


@pytest.mark.quick
@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize("order", ORDER_NAMES)
def test_every_modulus_of_2_to_4_bits(order, square):
    for n in (2, 3, 4):
        for offset in range(1 - (1 << n - 1), 1 << n):
            check_all_products(Tree(Modulus(n, offset), order, square=square))


@pytest.mark.parametrize(
    ("n", "adder"),
    [*((n, "brent-kung") for n in (5, 6, 7, 8)), (6, "ripple"), (6, "kogge-stone")],
)
def test_every_product_of_every_form(n, adder):
    for modulus in moduli_at(n):
        for square in (False, True):
            check_all_products(Tree(modulus, "document", adder, square))


@pytest.mark.parametrize("order", ORDER_NAMES)
def test_wide_trees(order):
    rng = Random(order)
    for n in (16, 33, 64):
        for modulus in one_of_each(n):
            for square in (False, True):
                tree = Tree(modulus, order, "kogge-stone", square)
                top = modulus.value - 1
                for a, b in [(top, top), (top, 1), (0, top)] + [
                    (rng.randrange(top), rng.randrange(top)) for _ in range(2)
                ]:
                    b = a if square else b
                    assert tree.value(a, b) == a * b % modulus.value


@pytest.mark.quick
def test_every_compressor_keeps_the_value():
    """Heights fall as the compressors say; the constant and the limit are kept."""
    for modulus in one_of_each(12):
        for order in ORDER_NAMES:
            tree = Tree(modulus, order)
            assert tree.rows.height <= 2
            assert [m.height for m in tree.matrices][-1] <= 2
            for stage in tree.stages:
                assert all(
                    put.taken <= height
                    for put, height in zip(stage.placements, stage.matrix.heights, strict=True)
                )


@pytest.mark.quick
def test_2n_plus_1_needs_no_more_dots_than_2n():
    """Bit n of an operand excludes the others: its products share dots, all but one."""
    for n in (4, 8, 16):
        assert Tree(Modulus(n, 1)).matrix.dots == n * n + 1
        assert Tree(Modulus(n, -1)).matrix.dots == n * n
        assert Tree(Modulus(n, -1), square=True).matrix.dots == n * (n + 1) // 2


@pytest.mark.quick
def test_late_folding_halves_the_adders_where_k_has_many_ones():
    modulus = Modulus(16, third(16))
    adders = [sum(s.total("full") for s in Tree(modulus, o).stages) for o in ("fa", "late")]
    assert adders[1] < 0.7 * adders[0]


def every_pair(moduli: list[Modulus]) -> list[tuple[int, int]]:
    """All pairs of residues of the largest modulus."""
    values = range(max(modulus.value for modulus in moduli))
    return [(a, b) for a in values for b in values]


@pytest.mark.parametrize(
    "widths",
    [(2, 3, 4, 5), *(pytest.param((n,), marks=pytest.mark.long) for n in (6, 7, 8))],
)
def test_every_product_at_rtl(widths):
    moduli = [modulus for n in widths for modulus in moduli_at(n)]
    assert wrong_products(moduli, every_pair(moduli)) == []


@pytest.mark.parametrize(
    "order",
    ["late", *(pytest.param(o, marks=pytest.mark.long) for o in ("dadda", "wallace", "fa"))],
)
def test_other_orders_at_rtl(order):
    moduli = moduli_at(4)
    assert wrong_products(moduli, every_pair(moduli), order) == []


def test_10000_products_of_16_bits_at_rtl():
    moduli = [Modulus(16, offset) for offset in (1, -5)]
    assert wrong_products(moduli, random_pairs(moduli, 10_000)) == []


@pytest.mark.long
@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("n", [16, 32, 64])
def test_10000_products_at_rtl(n, which):
    moduli = [one_of_each(n)[which]]
    assert wrong_products(moduli, random_pairs(moduli, 10_000)) == []


@pytest.mark.parametrize("unit", [TreeMul, TreeSquare])
def test_python_simulation(unit):
    """PyMTL3's own simulator computes what the translated Verilog does."""
    for modulus in one_of_each(5):
        component = unit(modulus)
        component.elaborate()
        component.apply(DefaultPassGroup())
        for a in range(0, modulus.value, 5):
            for b in range(0, modulus.value, 7):
                component.a @= a
                if unit is TreeMul:
                    component.b @= b
                component.sim_eval_combinational()
                assert component.r == a * (b if unit is TreeMul else a) % modulus.value
