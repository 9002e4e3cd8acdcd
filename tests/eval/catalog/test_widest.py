"""Designs of a narrow range of widths are right at both ends of it: the widest is tested here.

What grows with the square takes long to put together: there the multiplier is tested by itself in
PyMTL3's own simulator, and what is around it with the other multipliers of the same kind.
"""

from dataclasses import replace

import pytest

from eval.catalog import DESIGNS, MULTIPLIERS, VARIANTS, find
from eval.catalog.fixed_modulus import PSEUDO_SQUARE
from eval.contract.exponentiator import check_exponentiator, edge_cases, fitted, random_cases
from eval.contract.late_pops import check_late_pops
from eval.contract.multiplier import check_multiplier, check_value, taken
from eval.contract.multiplier import edge_cases as edge_products
from eval.contract.multiplier import random_cases as random_products
from fl.compression import LATE
from fl.modulus import Modulus
from fl.tree_mul import Tree
from sim.stream import StreamRunner
from tests.harness import component_runner

EVERY = 4096
NARROW = {n: d for n, d in (DESIGNS | VARIANTS).items() if d.widths[1] < EVERY}
UNITS = {design.multiplier.name: design for design in NARROW.values()}
# A minute to put together; the others of its kind, and its structure, are tested by default.
SLOW = ("cm-plus-k",)
DIRECT = [name for name in NARROW if name.startswith("dm-")]


def products(unit, count: int = 12):
    """Products of residues: at the edges, and any."""
    cases = edge_products(unit.nbits)[:: len(edge_products(unit.nbits)) // count]
    return taken(unit, cases + random_products(unit.nbits, count, seed=51))


@pytest.mark.quick
def test_the_ranges_are_those_that_are_tested_here():
    assert set(UNITS) <= set(MULTIPLIERS)
    assert {design.widths for design in NARROW.values()} == {(8, 128)}
    assert set(SLOW) < set(UNITS)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n in SLOW)) for n in UNITS]
)
def test_products_at_the_widest(name: str):
    unit = MULTIPLIERS[name].by_itself(UNITS[name].widths[1])
    with component_runner(unit.component("rtl")) as runner:
        check_multiplier(runner, unit, products(unit))


@pytest.mark.parametrize("name", UNITS)
def test_values_and_structures_at_the_widest(name: str):
    unit = MULTIPLIERS[name].by_itself(UNITS[name].widths[1])
    modulus = Modulus.of(unit.only_modulus)
    trees = [Tree(modulus, LATE if "late" in name else "document")] if "tree" in unit.kind else []
    for case in products(unit, 4):
        check_value(unit, case)
        for tree in trees:
            assert tree.value(case.a, case.b) == case.a * case.b % case.m, case


@pytest.mark.parametrize("name", DIRECT)
def test_powers_at_the_widest(name: str):
    """What is around a multiplier is the same for trees."""
    design = find(name)
    nbits = design.widths[1]
    cases = edge_cases(nbits, exp_bits=6) + random_cases(nbits, 40, seed=52)
    cases = fitted(cases, design.moduli.only(nbits))
    with StreamRunner(design.component("rtl", nbits), "batch", name=name) as runner:
        check_exponentiator(runner, design.at(nbits), cases)


@pytest.mark.parametrize("name", ["dm-pseudo-2"])
def test_the_port_at_the_widest(name: str):
    design = find(name)
    nbits = design.widths[1]
    cases = fitted(random_cases(nbits, 8, seed=53), design.moduli.only(nbits))
    accelerator = design.xcel("rtl", nbits)
    with StreamRunner(accelerator, "batch", "xcel.req", "xcel.resp", name=name) as runner:
        check_late_pops(runner, design.at(nbits), cases)


@pytest.mark.long
@pytest.mark.parametrize("name", ["cm-pseudo-1", "cm-pseudo-2"])
def test_powers_by_trees_at_the_widest(name: str):
    test_powers_at_the_widest(name)


@pytest.mark.long
def test_squares_at_the_widest():
    unit = PSEUDO_SQUARE.by_itself(NARROW["cm-square-2"].widths[1])
    cases = [replace(case, b=case.a) for case in products(unit)]
    with component_runner(unit.component("rtl")) as runner:
        check_multiplier(runner, unit, cases)
