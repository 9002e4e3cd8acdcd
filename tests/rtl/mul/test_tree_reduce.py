"""Reductions of one number, as trees and by a remainder, against Python's %."""

from random import Random

import pytest
from pymtl3 import Component, DefaultPassGroup, InPort, OutPort, connect

import fl.tree_reduce
import rtl.mul.tree_mul
import rtl.mul.tree_reduce
from fl.compression import LATE, ORDER_NAMES
from fl.modulus import Modulus, third
from fl.tree_reduce import ReductionTree
from rtl.mul.product_remainder import DirectRemainder
from rtl.mul.tree_reduce import TreeReduce
from tests.cases.moduli import moduli_at
from tests.faults import faults, plant
from tests.sweep import sweep

ORDERS = ("document", LATE)


class SideBySide(Component):
    """tree_i, late_i and direct_i = value mod modulus i."""

    def construct(s, moduli: tuple[Modulus, ...], bits: int):
        s.value = InPort(bits)
        for i, modulus in enumerate(moduli):
            ways = {
                f"tree_{i}": TreeReduce(modulus, bits),
                f"late_{i}": TreeReduce(modulus, bits, LATE),
                f"direct_{i}": DirectRemainder(modulus.value, bits),
            }
            for name, unit in ways.items():
                out = OutPort(modulus.width)
                setattr(s, f"unit_{name}", unit)
                setattr(s, name, out)
                connect(unit.value, s.value)
                connect(out, unit.r)


def wrong(moduli: tuple[Modulus, ...], bits: int, values: list[int]) -> list[str]:
    """What the hardware answers wrongly."""
    found = sweep(SideBySide(moduli, bits), {"value": values})
    return [
        f"{name} of {moduli[int(name.rpartition('_')[2])].text}: {value}: {r}"
        for name, rs in found.items()
        for value, r in zip(values, rs, strict=True)
        if r != value % moduli[int(name.rpartition("_")[2])].value
    ]


def tree_is_right(tree: ReductionTree) -> bool:
    """Whether the structure reduces every value."""
    m, values = tree.modulus, range(1 << tree.value_bits)

    def lanes(numbers: list[int], bits: int) -> list[int]:
        return [sum((v >> i & 1) << case for case, v in enumerate(numbers)) for i in range(bits)]

    operand = lanes(list(values), tree.value_bits)
    found = tree.evaluate(operand, operand, (1 << len(values)) - 1)
    return found == lanes([v % m.value for v in values], m.width)


@pytest.mark.quick
def test_every_value_of_every_modulus_of_2_to_4_bits() -> None:
    for n in (2, 3, 4):
        for offset in range(1 - (1 << n - 1), 1 << n):
            modulus = Modulus(n, offset)
            for bits in range(modulus.width, 9):
                for order in ORDERS:
                    assert tree_is_right(ReductionTree(modulus, order, value_bits=bits))


@pytest.mark.quick
@pytest.mark.parametrize("order", ORDER_NAMES)
def test_values_of_32_bits(order: str) -> None:
    """Document 000's tests 2 to 16: 2^n+k and 2^(n+2)-1, for n = 2 to 30."""
    rng = Random(order)
    for n in range(2, 31, 4):
        for modulus in (Modulus(n, third(n)), Modulus(n + 2, -1)):
            tree, m = ReductionTree(modulus, order), modulus.value
            edges = (0, m - 1, m, (1 << 32) // m * m, (1 << 32) // m * m - 1, (1 << 32) - 1)
            for value in {v for v in edges if v < 1 << 32} | {rng.randrange(1 << 32)}:
                assert tree.reduce(value) == value % m


@pytest.mark.parametrize("bits", [6, 9, pytest.param(11, marks=pytest.mark.long)])
def test_every_value_at_rtl(bits: int) -> None:
    moduli = tuple(m for n in (2, 4, 5) for m in moduli_at(n))
    assert wrong(moduli, bits, list(range(1 << bits))) == []


def test_values_of_32_bits_at_rtl() -> None:
    moduli = tuple(m for n in (4, 12, 22, 30) for m in (Modulus(n, third(n)), Modulus(n + 2, -1)))
    rng = Random(0)
    edges = [k * m.value + j for m in moduli for k in (0, 1, 2) for j in (-1, 0, 1)]
    tops = [(1 << 32) // m.value * m.value + j for m in moduli for j in (-1, 0)]
    values = [v for v in [*edges, *tops, (1 << 32) - 1] if 0 <= v < 1 << 32]
    assert wrong(moduli, 32, values + [rng.randrange(1 << 32) for _ in range(2000)]) == []


@pytest.mark.quick
@pytest.mark.parametrize("make", [TreeReduce, lambda m, bits: DirectRemainder(m.value, bits)])
def test_python_simulation(make) -> None:
    for modulus in moduli_at(3):
        component = make(modulus, 6)
        component.elaborate()
        component.apply(DefaultPassGroup())
        for value in range(64):
            component.value @= value
            component.sim_eval_combinational()
            assert component.r == value % modulus.value
        assert str(component.r) in component.line_trace()


@pytest.mark.quick
def test_a_value_shorter_than_a_residue_is_refused() -> None:
    with pytest.raises(ValueError, match="value_bits must be at least 9, a residue's bits"):
        ReductionTree(Modulus(8, 85), value_bits=8)


@pytest.mark.quick
@faults(
    {
        "all ones thought to be excluded": ("return False", "return self.modulus.offset == -1"),
        "a bit lost": ("for i in range(self.value_bits))", "for i in range(self.value_bits - 1))"),
        "a weight too low": ("Diagonal(i, 2 * i, i, 1)", "Diagonal(max(i - 1, 0), 2 * i, i, 1)"),
    }
)
def test_a_wrong_structure(tmp_path, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, fl.tree_reduce, sound, faulty).ReductionTree
    assert not all(tree_is_right(broken(m, value_bits=8)) for m in moduli_at(4))


@pytest.mark.quick
@faults(
    {
        "the other operand of a bit": (
            "connect(row.b, s.b_reversed[turned + first : turned + last])",
            "connect(row.b, s.b_reversed[first:last])",
        ),
        "a row twice": ("dots[1] if height > 1 else 0", "dots[0] if height > 1 else 0"),
    }
)
def test_a_wrong_wire(tmp_path, monkeypatch, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, rtl.mul.tree_mul, sound, faulty)
    monkeypatch.setattr(rtl.mul.tree_reduce, "TreeDatapath", broken.TreeDatapath)
    component = TreeReduce(Modulus(4, 5), 7)
    component.elaborate()
    component.apply(DefaultPassGroup())
    found = []
    for value in range(128):
        component.value @= value
        component.sim_eval_combinational()
        found.append(int(component.r) == value % 21)
    assert not all(found)
