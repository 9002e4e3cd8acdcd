"""The catalog's variants: found by name, right, and as fast as their formulas say."""

from random import Random

import pytest

from eval.catalog import DESIGNS, VARIANTS, find
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS, Request
from eval.study.studies import SPLITS, STUDIES
from eval.tasks.exponentiation import simulate


def requests(design, nbits):
    """Requests of nbits: the edges, the workloads, random ones."""
    rng = Random("variants")
    top = 2**nbits - 1
    edges = [(0, 0, 1), (5, 0, 7), (7, 1, 7), (top, top, top), (top, 3, 1), (2, 5, 4)]
    drawn = [
        (rng.getrandbits(nbits), rng.getrandbits(n), rng.getrandbits(nbits) | 1)
        for n in range(min(12, nbits + 1))
    ]
    if design.moduli.only:
        drawn += [(base, exp, design.moduli.only(nbits)) for base, exp, _ in drawn]
    workloads = [workload.request(nbits, design.moduli.key) for workload in WORKLOADS.values()]
    return [*(Request(*operands) for operands in edges + drawn), *workloads]


# Each is another library to build, and neighbours differ in one number: others are long tests.
EACH = 3


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (place % EACH > 0))
        for place, name in enumerate(VARIANTS)
    ],
)
def test_values_and_cycles_of_a_variant(name):
    design = find(name)
    nbits = min(32, design.tested_to)
    asked = requests(design, nbits)
    answers = simulate(Point(name, nbits), asked, "batch")
    operands = [(request.base, request.exp, request.mod) for request in asked]
    for unit, one, answer in zip(
        design.at(nbits).through(operands), operands, answers, strict=True
    ):
        assert (answer.result, answer.status) == unit.value(*one), one
        assert answer.cycles == unit.latency(*one), one


@pytest.mark.quick
def test_the_study_of_the_splits_has_every_variant():
    designs = list(dict.fromkeys(task.point.design for task in STUDIES["mont-split"].tasks))
    assert designs == list(SPLITS)
    assert set(designs) == {"mont-001", *(n for n in VARIANTS if n.startswith("mont-001-"))}
    assert not set(VARIANTS) & set(DESIGNS)
    key = WORKLOADS["d"].request(32)
    cycles = [find(name).cycles(32, key.base, key.exp, key.mod) for name in designs]
    assert cycles == sorted(set(cycles))  # a stage more is a cycle more each product


@pytest.mark.quick
def test_the_labels_are_stages_and_steps():
    for name, label in SPLITS.items():
        stages, steps = map(int, label.split(" x "))
        assert stages * steps == 32
        assert find(name).multiplier.at(32).latency(1, 1, 3) == stages
