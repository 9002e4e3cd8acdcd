"""Compressors, adders and whole multipliers are proven, and the proof finds planted faults."""

import pytest

import rtl.leaf.compression
import rtl.leaf.modular_sum
from fl.modular_sum import ModularSum
from fl.modulus import Modulus
from fl.prefix import NETWORKS
from rtl.leaf.compression import FiveThree, FullAdders, HalfAdders
from rtl.leaf.modular_sum import modular_sum
from rtl.leaf.prefix import PrefixAdder
from rtl.mul.tree_mul import TreeMul, TreeSquare
from tests.cases.moduli import one_of_each
from tests.faults import plant
from tests.prove import prove

FIVE = "({2'd0, v} + w + x + y + z)"
FIVE_THREE = {"sum": f"{FIVE} & 1", "carry": f"({FIVE} >> 1) & 1", "carry_2": f"{FIVE} >> 2"}
THREE = "({1'd0, x} + y + z)"
TWO = "({1'd0, x} + y)"


@pytest.mark.parametrize(
    ("unit", "spec"),
    [
        (
            FiveThree,
            {"sum": f"{FIVE} & 1", "carry": f"({FIVE} >> 1) & 1", "carry_2": f"{FIVE} >> 2"},
        ),
        (FullAdders, {"sum": f"{THREE} & 1", "carry": f"{THREE} >> 1"}),
        (HalfAdders, {"sum": f"{TWO} & 1", "carry": f"{TWO} >> 1"}),
    ],
)
def test_compressors_count(tmp_path, unit, spec):
    assert prove(tmp_path, unit(1), "1'b1", spec) == "proven"


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("nbits", [8, 16, 33])
def test_prefix_adders_add(tmp_path, name, nbits):
    adder = PrefixAdder(nbits, NETWORKS[name](nbits))
    assert prove(tmp_path, adder, "1'b1", {"sum": "a + b"}) == "proven"


def plans(n: int) -> list[ModularSum]:
    """Every kind of modular adder; the general one with rows longer than n, too."""
    most, m = 2 * (1 << n) - 2, (1 << n) - 3
    return [
        ModularSum(Modulus(n), n, most),
        ModularSum(Modulus(n, -1), n, most, all_ones_excluded=True),
        ModularSum(Modulus(n, 1), n, most, constant=5),
        ModularSum(Modulus(n, 1), n, most, constant=1),
        ModularSum(Modulus(n, -3), n, most, constant=m - 1, adder="kogge-stone"),
        ModularSum(Modulus(n, 11), n, most, constant=20, adder="ripple"),
        ModularSum(Modulus(n, -3), n + 1, 3 << n, constant=7),
    ]


def modular_claim(plan: ModularSum) -> tuple[str, dict[str, str]]:
    """What a modular adder asks of a and b, and what it answers."""
    wide = plan.width + 3
    total = f"({wide}'d0 + a + b + {plan.constant})"
    asked = f"({wide}'d0 + a + b) <= {plan.limit}"
    if plan.all_ones_excluded:
        asked += " && !(&a && &b)"
    return asked, {"r": f"{total} % {plan.modulus.value}"}


@pytest.mark.parametrize("which", range(len(plans(8))))
@pytest.mark.parametrize("nbits", [8, 16])
def test_modular_adders_reduce(tmp_path, nbits, which):
    plan = plans(nbits)[which]
    assert prove(tmp_path, modular_sum(plan), *modular_claim(plan)) == "proven"


def product_claim(modulus: Modulus, other: str) -> tuple[str, dict[str, str]]:
    """r = a * other mod modulus for residues."""
    m, wide = modulus.value, 2 * modulus.width
    return f"a < {m} && {other} < {m}", {"r": f"({wide}'d0 + a) * {other} % {m}"}


@pytest.mark.parametrize("modulus", one_of_each(4), ids=lambda m: m.name)
def test_multipliers_of_4_bits(tmp_path, modulus):
    assert prove(tmp_path, TreeMul(modulus), *product_claim(modulus, "b")) == "proven"


@pytest.mark.parametrize("modulus", one_of_each(5), ids=lambda m: m.name)
def test_squarers_of_5_bits(tmp_path, modulus):
    assert prove(tmp_path, TreeSquare(modulus), *product_claim(modulus, "a")) == "proven"


@pytest.mark.long
@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize("which", range(5))
def test_multipliers_of_6_bits(tmp_path, n, which):
    modulus = one_of_each(n)[which]
    assert prove(tmp_path, TreeMul(modulus), *product_claim(modulus, "b")) == "proven"


@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("s.first.z //= s.x", "s.first.z //= s.w"),
        ("s.carries.y //= s.second.carry", "s.carries.y //= s.second.sum"),
    ],
)
def test_a_wrong_compressor_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.compression, sound, faulty).FiveThree(1)
    assert "model found: FAIL" in prove(tmp_path, broken, "1'b1", FIVE_THREE)


@pytest.mark.parametrize(
    ("which", "sound", "faulty"),
    [
        (1, "s.carries.group_g[n - 1] | s.carries.group_p[n - 1]", "s.carries.group_g[n - 1]"),
        (
            2,
            "s.adder.back @= ~s.carries.group_g[n - 1]",
            "s.adder.back @= s.carries.group_g[n - 1]",
        ),
        (2, "s.r[n] //= s.carries.group_p[n - 1]", "s.r[n] //= s.carries.group_g[n - 1]"),
        (4, "if s.lower[nbits - 1]:", "if s.upper[nbits - 1]:"),
        (4, "(constant & (s.a | s.b))", "(constant & s.b)"),
    ],
)
def test_a_wrong_modular_adder_is_not_proven(tmp_path, which, sound, faulty):
    plan = plans(8)[which]
    broken = plant(tmp_path, rtl.leaf.modular_sum, sound, faulty).modular_sum(plan)
    assert "model found: FAIL" in prove(tmp_path, broken, *modular_claim(plan))


def test_all_ones_do_show_without_the_exclusion(tmp_path):
    """The end-around carry is not canonical where both operands are 2^n-1: the proof sees it."""
    plan = plans(8)[1]
    answer = prove(tmp_path, modular_sum(plan), "1'b1", modular_claim(plan)[1])
    assert "model found: FAIL" in answer
