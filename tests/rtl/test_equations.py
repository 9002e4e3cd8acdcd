"""Every leaf is proven to compute what tests/rtl/equations.py says; faulty ones are not.

A leaf is what stands in rtl/leaf, and what has no register nor holds a component that has one.
"""

import ast
import inspect
import textwrap
from functools import cache
from importlib import import_module

import pytest
from pymtl3 import Component

from rtl.leaf.modular_sum import SumAround
from rtl.leaf.shift_sub import ModAddIf, ModDouble
from rtl.mul.tree_mul import TreeMul
from tests.faults import plant
from tests.places import ROOT
from tests.prove import prove_all
from tests.rtl import equations
from tests.rtl.equations import ABSTRACT, EQUATIONS

MODULES = sorted({row.unit.__module__ for row in EQUATIONS.values()})


@pytest.mark.parametrize("module", MODULES)
def test_the_leaves_of_a_file_are_proven(tmp_path, module):
    claims = {
        f"{name} at {width}": row.claim(row.unit, width)
        for name, row in EQUATIONS.items()
        for width in row.widths
        if row.unit.__module__ == module
    }
    assert prove_all(tmp_path, claims) == "proven"


@pytest.mark.long
@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize("form", range(len(equations.FORMS)))
def test_trees_of_6_bits(tmp_path, n, form):
    assert prove_all(tmp_path, {"tree": equations.tree_mul(form)(TreeMul, n)}) == "proven"


# Rows, and what is changed in the file of their unit.
FAULTS = [
    ("AddThenReduce", "if s.added[0]:", "if s.s[0]:"),
    ("AddThenReduce", "s.added + zext(s.m, wide)", "s.added + zext(s.m, wide) + 1"),
    ("AddThenReduce", "            if s.x:\n", "            if s.x & ~s.s[nbits]:\n"),
    ("KocAddRed", "s.s[0] ^ (s.x & s.y[0])", "s.s[0] ^ s.y[0]"),
    ("KocAddRed", "s.addend @= s.y_plus_m", "s.addend @= zext(s.y, sum_bits)"),
    ("KocAddRed", "zext(s.s, wide) + zext(s.addend, wide)", "zext(s.s + s.addend, wide)"),
    ("AddRedChain, koc", "step.x //= s.x[i]", "step.x //= s.x[0]"),
    ("AddRedChain, add then reduce", "            steps_s = step.next\n", ""),
    ("ModDouble", "zext(s.value, wide) << 1", "zext(s.value << 1, wide)"),
    (
        "ModDouble",
        "s.subtract.m //= s.modulus\n        s.subtract.result //= s.next\n\n        @update\n"
        "        def double",
        "s.subtract.m //= 1\n        s.subtract.result //= s.next\n\n        @update\n"
        "        def double",
    ),
    (
        "ModAddIf",
        "zext(s.product, wide) + s.added",
        "zext(s.product + s.added[0:nbits], wide)",
    ),
    ("ModAddIf", "if s.enable:", "if ~s.enable:"),
    ("ModDoubles, by steps", "connect(s.next, value)", "connect(s.next, s.value)"),
    ("ModAddIfs, by steps", "s.bits[i]", "s.bits[0]"),
    ("InterleavedSteps, by steps", "reversed(range(steps))", "range(steps)"),
    ("BitAt", "s.places[s.place]", "s.places[s.place] | s.value[0]"),
    ("BitsAt, by steps", "s.value[low:high]", "s.value[0 : high - low]"),
    ("BitsAt, by steps", "s.groups[s.place]", "s.groups[s.place] | s.groups[0]"),
    ("LowWord, by its bits", "s.choose.place //= s.index", "s.choose.place //= 0"),
    ("DivRemStep", "concat(s.remainder, s.bit_in)", "concat(s.bit_in, s.remainder)"),
    ("ShiftRemainder, by steps", "Count(steps)", "Count(steps - 1)"),
    ("ShiftRemainder of any size", "Count(most_steps)", "Count(steps)"),
    ("ReduceOut, by steps", "s.active & ~s.started", "s.active"),
    ("ReduceConstant", "range(1, most + 1)", "range(1, most)"),
    ("SubtractMultiple", "if s.difference[value_bits]:", "if s.difference == 0:"),
    ("HalfAdders", "s.carry @= s.x & s.y\n\n\nclass Full", "s.carry @= s.x | s.y\n\n\nclass Full"),
    ("FullAdders", "(s.x & s.y) | (s.half & s.z)", "(s.x & s.y) | s.z"),
    ("FiveThree", "s.first.z //= s.x", "s.first.z //= s.w"),
    ("FiveThree", "s.carries.y //= s.second.carry", "s.carries.y //= s.second.sum"),
    ("CompressColumn, by height", "                at += count\n", ""),
    ("PrefixLevel", "(s.p << distance) | kept", "s.p << distance"),
    ("Carries, brent-kung", "g, p = unit.group_g, unit.group_p", "g = unit.group_g"),
    ("PrefixAdder, ripple", "s.carries.group_g << 1", "s.carries.g << 1"),
    ("ConstantRow", "(constant & (s.a | s.b))", "(constant & s.b)"),
    (
        "SumAround, plan 1",
        "s.carries.group_g[n - 1] | s.carries.group_p[n - 1]",
        "s.carries.group_g[n - 1]",
    ),
    (
        "SumInverted, plan 2",
        "s.adder.back @= ~s.carries.group_g[n - 1]",
        "s.adder.back @= s.carries.group_g[n - 1]",
    ),
    (
        "SumInverted, plan 2",
        "s.r[n] //= s.carries.group_p[n - 1]",
        "s.r[n] //= s.carries.group_g[n - 1]",
    ),
    ("SumSelected, plan 4", "if s.lower[nbits - 1]:", "if s.upper[nbits - 1]:"),
    ("SumSelected, plan 4", "(constant & (s.a | s.b))", "(constant & s.b)"),
    ("WordAdder", "+ zext(s.carry_in, wide)", "+ zext(s.carry_in & s.left[0], wide)"),
    ("SerialAdder", "            if s.is_first:\n", "            if s.first:\n"),
    ("AndRow, by merged pairs", "(s.c & s.d) != 0", "(s.c | s.d) != 0"),
    ("Products, 2^n+1", "connect(row.d[k], s.b[j])", "connect(row.d[k], s.b[i])"),
    ("TreeReduce, 2^n-k", "s.tree.b //= s.value", "s.tree.b //= 1"),
    ("Chosen", "s.only_x @= s.a & ~s.q", "s.only_x @= s.a"),
    ("AddRows, by rows", "connect(port, known[i])", "connect(port, known[taken.x])"),
    (
        "AddRows, by rows",
        "connect(getattr(s, name), known[i])",
        "connect(getattr(s, name), known[0])",
    ),
    (
        "AddRows, until four are left",
        "connect(getattr(s, name), known[i])",
        "connect(getattr(s, name), known[max(waiting)])",
    ),
    ("Selected", "s.both & sext(s.takes_both, wide)", "s.both & sext(s.only_x, wide)"),
    ("AddRows, by rows", "adders.carry[0 : nbits - 1]", "adders.sum[0 : nbits - 1]"),
    ("AddRows, by rows", "connect(doubled[0], 0)", "connect(doubled[0], adders.carry[0])"),
    ("MultiplyAdd", "s.acc + zext(s.a, sum_bits) +", "s.acc +"),
    ("MultiplyAdd", "zext(s.carry, sum_bits)", "zext(s.carry[0:digit_bits], sum_bits)"),
    ("MultiplyAdd", "s.right @= s.m", "s.right @= s.y"),
    ("TwoProducts", "if ~s.first:", "if s.first:"),
    ("StepOperand", "if s.a & s.odd:", "if s.a & ~s.odd:"),
    ("StepOperand", "elif s.odd:", "elif s.a:"),
    ("DigitLoop, by cycles", "(s.cycles_left == 0)", "(s.cycles_left <= 1)"),
    ("Ram, by words", "s.kept[s.to] <<= s.data", "s.kept[s.at] <<= s.data"),
    ("Relay", "s.out <<= s.in_", "s.out <<= ~s.in_"),
    (
        "TurningWords, by words",
        "concat(s.high, s.kept[word_bits:total])",
        "concat(s.kept[word_bits:total], s.high)",
    ),
    ("SignificantBits", "zext(s.any_bit, count_bits)", "1"),
    ("UpperHalf", "s.half @= s.word[0:half]", "s.half @= s.word[1 : half + 1]"),
    ("PassedWords", "s.passes //= s.push", "s.passes //= s.word[0]"),
    ("OutputWord", "s.first + 3 < s.above", "s.first + 3 <= s.above"),
    ("NearPower", "~s.ones == 0", "s.ones != 0"),
    ("ShortOddModulus", "s.mod[most_bits:nbits] == 0", "s.mod[most_bits:nbits] <= 1"),
    ("EarlyEnds", "s.power[steps:nbits] == 0", "s.power == 0"),
]


@pytest.mark.parametrize(("name", "sound", "faulty"), FAULTS)
def test_a_fault_is_not_proven(tmp_path, name, sound, faulty):
    row = EQUATIONS[name]
    broken = plant(tmp_path, import_module(row.unit.__module__), sound, faulty)
    unit = getattr(broken, row.unit.__name__)
    claims = {f"{width}": row.claim(unit, width) for width in row.widths[:2]}
    assert "broken in cycle" in prove_all(tmp_path, claims)


# One more than what is assumed, and the equation is lost.
BEYOND = {
    "ModDouble": equations.mod_double("modulus != 0 && value <= modulus + 1 && modulus < 255")(
        ModDouble, 8
    ),
    "ModAddIf": equations.mod_add_if("product <= modulus && addend <= modulus && modulus != 0")(
        ModAddIf, 8
    ),
    "SumAround": equations.modular_sum(1, equations.ANY)(SumAround, 8),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_assumed_is_needed(tmp_path, name):
    assert "broken in cycle" in prove_all(tmp_path, {name: BEYOND[name]})


def components(*folders: str):
    """Every class of a component in some folders."""
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for one in vars(module).values():
            own = inspect.isclass(one) and one.__module__ == module.__name__
            if own and issubclass(one, Component):
                yield one


@cache
def clocked(unit: type) -> bool:
    """Whether a class has registers, or names a class of components that has, or inherits them."""
    if not unit.__module__.startswith("rtl."):
        return False
    tree = ast.parse(textwrap.dedent(inspect.getsource(unit)))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    known = (vars(import_module(unit.__module__)).get(name) for name in names - {unit.__name__})
    others = [one for one in (*known, *unit.__bases__) if inspect.isclass(one)]
    return "update_ff" in names or any(clocked(one) for one in others if issubclass(one, Component))


def test_every_leaf_has_an_equation():
    leaves = {one for one in components("rtl") if "leaf" in one.__module__ or not clocked(one)}
    claimed = {row.unit for row in EQUATIONS.values()}
    assert claimed | ABSTRACT.keys() == leaves
    assert not claimed & ABSTRACT.keys()
