"""Deliberate faults in the structure and in the wiring; a few hundred products must show them."""

import pytest
from pymtl3 import Component, DefaultPassGroup

import fl.compression
import fl.folded_matrix
import fl.modular_sum
import fl.modulus
import fl.tree_mul
import rtl.mul.tree_mul
from fl.compression import LATE
from fl.modulus import Modulus, third
from fl.tree_mul import Tree
from rtl.mul.tree_mul import TreeMul
from tests.faults import plant

N = 4
OFFSETS = (-1, 1, 3, -3, third(N))


def structure_is_right(mk_modulus=Modulus) -> bool:
    """Whether the structures of all forms multiply rightly; an error while building is wrong."""
    for offset in OFFSETS:
        modulus = mk_modulus(N, offset)
        m = modulus.value
        for order in ("document", LATE):
            try:
                tree = Tree(modulus, order)
                if any(tree.value(a, b) != a * b % m for a in range(m) for b in range(0, m, 3)):
                    return False
            except (ValueError, IndexError):
                return False
    return True


def hardware_is_right(mk_tree: type[Component] = TreeMul) -> bool:
    """Whether the components of all forms do, in PyMTL3's simulator."""
    for offset in OFFSETS:
        modulus = Modulus(N, offset)
        m = modulus.value
        component = mk_tree(modulus)
        component.elaborate()
        component.apply(DefaultPassGroup())
        for a in range(m):
            for b in range(m):
                component.a @= a
                component.b @= b
                component.sim_eval_combinational()
                if component.r != a * b % m:
                    return False
    return True


def test_the_sound_ones_pass():
    assert structure_is_right()
    assert hardware_is_right()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("pow(2, weight, modulus.value)", "pow(2, weight - 1, modulus.value)"),
        ("Digit(c, negative)", "Digit(c)"),
    ],
    ids=["a weight folded as the one below", "the sign of a fold lost"],
)
def test_a_wrong_fold(tmp_path, sound, faulty):
    assert not structure_is_right(plant(tmp_path, fl.modulus, sound, faulty).Modulus)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("builder.add(j + 1, j, CARRY, put.sums)", "builder.add(j, j, CARRY, put.sums)"),
        (
            "builder.add(j + 2, j, CARRY_2, put.five_three)",
            "builder.add(j + 1, j, CARRY_2, put.five_three)",
        ),
        ("before.limit, before.constant, self.folds", "before.limit, 0, self.folds"),
    ],
    ids=["a carry into its own column", "a 5:3 carry a column too low", "the constant dropped"],
)
def test_a_wrong_stage(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, fl.compression, sound, faulty)
    monkeypatch.setattr(fl.tree_mul, "compress", broken.compress)
    assert not structure_is_right()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("self.constant += count * digit.value", "self.constant += digit.value"),
        ("weight >= self.limit.bit_length()", "weight >= self.limit.bit_length() - 1"),
        ("pairs = ((n, j), (j, n))", "pairs = ((n, j),)"),
        ("free = (modulus.offset - 1).bit_length()  #", "free = 0  #"),
    ],
    ids=["one correction for many dots", "a dot too many left out", "a product lost", "exclusion"],
)
def test_a_wrong_matrix(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, fl.folded_matrix, sound, faulty)
    monkeypatch.setattr(fl.tree_mul, "folded", broken.folded)
    monkeypatch.setattr(fl.tree_mul, "product_diagonals", broken.product_diagonals)
    monkeypatch.setattr(fl.compression, "MatrixBuilder", broken.MatrixBuilder)
    assert not structure_is_right()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("(self.constant - 2) %", "(self.constant - 1) %"),
        ("(self.constant + self.limit) // m + 1", "(self.constant + self.limit) // m"),
        ("return INVERTED\n", "return AROUND\n"),
    ],
    ids=["the row of another constant", "a multiple too few", "the carry not inverted"],
)
def test_a_wrong_sum(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, fl.modular_sum, sound, faulty)
    monkeypatch.setattr(fl.tree_mul, "ModularSum", broken.ModularSum)
    assert not structure_is_right()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("(inverted if run.inverted else made)[key]", "made[key]"),
        ("dots[1] if height > 1 else 0", "dots[0] if height > 1 else 0"),
        ("(s.c & s.d) != 0", "s.c == s.d"),
        ("connect(row.d[k], s.b[j])", "connect(row.d[k], s.b[0])"),
        ("(CARRY, j): unit.carry,", "(CARRY, j): unit.stay[0 : put.sums],"),
    ],
    ids=["not inverted", "a row twice", "wrong or", "wrong operand bit", "sums as carries"],
)
def test_a_wrong_wire(tmp_path, sound, faulty):
    assert not hardware_is_right(plant(tmp_path, rtl.mul.tree_mul, sound, faulty).TreeMul)
