"""Every design behind the accelerator port: the register map, its time, and misuse of it."""

import pytest

from eval.catalog import DESIGNS
from eval.contract.check import check
from eval.contract.exponentiator import ExpCase, edge_cases, fitted, random_cases, within
from eval.contract.xcel import check_xcel, packed
from fl.messages import READ, WRITE, XcelResp
from fl.xcel import (
    BASE,
    EXP,
    GO,
    MOD,
    RESULT,
    STATUS_BUSY,
    NullXcelFL,
)
from rtl.port.xcel import NullXcelRTL
from sim.stream import LEVELS, NO_STALLS, STALLS
from tests.harness import component_runner, modulus_for, xcel_runner

NAMES = sorted(DESIGNS)
PYTHON_CYCLES = 3000  # of a test in PyMTL3's own simulator
# Level verilog has the text of level batch, and takes seconds to build: a port is like the other.
IMPORTED = ("mul-rem", "array-4")


def run_program(name, nbits, level, cases, stalls=NO_STALLS, fit=True):
    """Each case by the driver's sequence of requests; the answers by the register map.

    fit: to the modulus of a design that takes only one.
    """
    design = DESIGNS[name]
    if fit and design.moduli.only:
        cases = fitted(cases, design.moduli.only(nbits))
    check_xcel(xcel_runner(name, nbits, level), design.at(nbits), cases, stalls)


@pytest.mark.parametrize(
    ("name", "level", "nbits"),
    [
        pytest.param(name, level, nbits, marks=[pytest.mark.quick] * (level != "rtl"))
        for name in NAMES
        # Wider ones take long in PyMTL3's own simulator.
        for level, widths in (("fl", (8, 32, 40, 64)), ("cl", (8, 32, 40, 64)), ("rtl", (8, 40)))
        for nbits in widths
        if nbits <= DESIGNS[name].tested_to
    ],
)
def test_computes_through_the_port(name, level, nbits):
    cases = random_cases(nbits, 3, seed=11) + edge_cases(nbits, exp_bits=5)[::19]
    if level == "rtl":
        cases = within(cases, DESIGNS[name].at(nbits), PYTHON_CYCLES)
    run_program(name, nbits, level, cases)


@pytest.mark.parametrize(
    ("name", "nbits"),
    [(name, w) for name in NAMES for w in (8, 32, 4096) if w <= DESIGNS[name].tested_to],
)
def test_widths_in_verilog(name, nbits):
    cases = random_cases(nbits, 4, seed=12, exp_bits=min(nbits, 32))
    if DESIGNS[name].constant_time and nbits > 1024:
        cases = cases[:1]  # millions of cycles, however short the exponent
    run_program(name, nbits, "batch", cases)


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
@pytest.mark.parametrize(
    ("name", "level"),
    [(name, level) for name in NAMES for level in LEVELS if level != "verilog" or name in IMPORTED],
)
def test_any_stall(name, level, stalls):
    run_program(name, 8, level, random_cases(8, 5, seed=13), stalls)


@pytest.mark.parametrize("level", ["cl", "rtl", "batch"])
@pytest.mark.parametrize("name", NAMES)
def test_misuse_corrupts_nothing(name, level):
    """Status while busy, operands pushed and a second go while busy, unknown registers."""
    # moduli that every design takes which does not have its own
    first, second = (7, 201, modulus_for(name, 8, 253)), (5, 119, modulus_for(name, 8, 251))
    writes = list(zip((BASE, EXP, MOD), first, strict=True))
    requests = [(WRITE, r, v) for r, v in writes]
    requests += [(WRITE, GO, 0), (READ, GO, 0), (READ, 9, 0), (WRITE, 9, 5), (WRITE, RESULT, 5)]
    requests += [(WRITE, r, v) for r, v in zip((BASE, EXP, MOD), second, strict=True)]
    requests += [(READ, BASE, 0), (WRITE, GO, 0), (READ, RESULT, 0), (READ, GO, 0)]
    answers = [0, 0, 0, 0, STATUS_BUSY, 0, 0, 0, 0, 0, 0, 0, 0, pow(*second), 0]
    expected = [
        int(XcelResp(request[0], answer).to_bits())
        for request, answer in zip(requests, answers, strict=True)
    ]
    labels = [f"request {i}: {r}" for i, r in enumerate(requests)]
    check(xcel_runner(name, 8, level), packed(requests), expected, labels)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NAMES[:1])
def test_reset_forgets_the_result_but_not_the_operands(name, level):
    """A run starts with a reset: a go without pushes computes with the operands of the last."""
    case = ExpCase("before-reset", 8, 7, 5, modulus_for(name, 8, 201))
    run_program(name, 8, level, [case], fit=False)
    requests = [(READ, RESULT, 0), (WRITE, GO, 0), (READ, RESULT, 0)]
    answers = [0, 0, pow(case.base, case.exp, case.mod)]
    expected = [
        int(XcelResp(request[0], answer).to_bits())
        for request, answer in zip(requests, answers, strict=True)
    ]
    runner = xcel_runner(name, 8, level)
    check(runner, packed(requests), expected, ["pop", "go", "pop again"])


@pytest.mark.quick
@pytest.mark.parametrize("make", [NullXcelFL, NullXcelRTL])
@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
def test_null_xcel_keeps_one_register(make, stalls):
    requests = [(READ, 0, 0), (WRITE, 0, 77), (WRITE, 1, 5), (READ, 1, 0), (READ, 0, 9)]
    answers = [0, 0, 0, 0, 77]
    expected = [int(XcelResp(r[0], a).to_bits()) for r, a in zip(requests, answers, strict=True)]
    with component_runner(make(), "rtl", recv="xcel.req", send="xcel.resp") as runner:
        check(runner, packed(requests), expected, [str(r) for r in requests], stalls)
