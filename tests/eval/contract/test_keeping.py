"""Designs that keep what they find of a modulus: values and time of requests in any order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.catalog import find
from eval.contract.exponentiator import (
    ExpCase,
    check_exponentiator,
    edge_cases,
    in_a_row,
    random_cases,
    within,
)
from eval.contract.xcel import check_keeping
from fl.messages import mk_exp_msgs
from sim.stream import STALLS
from tests.harness import component_runner, model_level

NAMES = ("array-4-kept", "array-4-window-4-kept", "array-16-kept")
PYTHON_CYCLES = {"cl": 10_000, "rtl": 1500}
LEVELS = ("fl", "cl", "rtl", "batch")


def runner_of(name, nbits, level, port=False):
    """The design at a level, with its accelerator's port if asked."""
    design, kind = find(name), model_level(level)
    if port:
        accelerator = design.xcel(kind, nbits)
        return component_runner(accelerator, level, recv="xcel.req", send="xcel.resp")
    return component_runner(design.component(kind, nbits), level)


def stalls_at(level):
    """All stalls, in Python the first two."""
    return list(STALLS.values())[: 2 if level == "rtl" else None]


def cases_for(name, nbits, level):
    """Edges and random requests, many under the modulus of the one before; few in Python."""
    cases = in_a_row(edge_cases(nbits, exp_bits=8)[::3] + random_cases(nbits, 60, seed=41))
    assert sum(a.mod == b.mod for a, b in zip(cases, cases[1:], strict=False)) > len(cases) / 3
    if level not in PYTHON_CYCLES:
        return cases
    return cases[: len(within(cases, find(name).at(nbits), PYTHON_CYCLES[level]))]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NAMES)
def test_any_order_of_moduli(name, level):
    cases = cases_for(name, 9, level)
    with runner_of(name, 9, level) as runner:
        for stalls in stalls_at(level):
            check_exponentiator(runner, find(name).at(9), cases, stalls, 10**7)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NAMES)
def test_any_order_of_moduli_through_the_port(name, level):
    cases = cases_for(name, 40, level)
    with runner_of(name, 40, level, port=True) as runner:
        for stalls in stalls_at(level):
            check_keeping(runner, find(name).at(40), cases, stalls)


@pytest.mark.parametrize("name", ["array-4", "mont-best"])
def test_others_keep_nothing(name):
    """Their status says so, and time depends on no request before."""
    cases = cases_for(name, 40, "cl")
    with runner_of(name, 40, "cl", port=True) as runner:
        check_keeping(runner, find(name).at(40), cases)


def test_hypothesis_against_pow():
    """Few moduli, one of them even, so that they follow each other in all ways."""
    design = find("array-4-kept").at(9)
    request = st.tuples(
        st.integers(0, 511), st.sampled_from([0, 1, 2, 311, 511]), st.sampled_from([1, 333, 510])
    )
    with runner_of("array-4-kept", 9, "batch") as runner:

        @settings(max_examples=60, deadline=None, derandomize=True, database=None)
        @given(st.lists(request, min_size=1, max_size=20))
        def check_all(requests):
            cases = [ExpCase(f"{operands}", 9, *operands) for operands in requests]
            check_exponentiator(runner, design, cases)

        check_all()


def test_time_by_windows_tells_only_whether_the_modulus_is_new():
    Request, _ = mk_exp_msgs(8)
    cases = in_a_row(random_cases(8, 600, seed=43))
    with runner_of("array-4-window-4-kept", 8, "batch") as runner:
        transfers = runner.run([Request(*case.operands) for case in cases])
    seen = {True: set(), False: set()}
    for i, transfer in enumerate(transfers[1:], 1):
        seen[cases[i].mod == cases[i - 1].mod].add(transfer.cycles)
    [(again,), (new,)] = seen[True], seen[False]
    assert again < new


@pytest.mark.parametrize("name", NAMES[:2])
def test_a_reset_in_the_middle_keeps_nothing(name):
    """The same modulus after a reset, whatever cycle of the first or second request that hits."""
    design = find(name).at(8)
    Request, _ = design.messages
    first = design.latency(200, 77, 201)
    with runner_of(name, 8, "rtl") as runner:
        dut = runner.engine.top
        for cycles_before in (1, 2, first // 2, first + 1, first + 5):
            runner.reset()
            dut.recv.msg @= Request(123, 255, 201)
            dut.recv.val @= 1
            dut.send.rdy @= 1
            for _ in range(cycles_before):
                dut.sim_tick()
            cases = [ExpCase(f"reset in cycle {cycles_before}", 8, 200, 77, 201)] * 2
            check_exponentiator(runner, design, cases)
