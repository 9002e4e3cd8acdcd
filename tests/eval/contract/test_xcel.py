"""Every design behind the accelerator port: the register map, its time, and misuse of it."""

import pytest

from eval.catalog import DESIGNS, VARIANTS
from eval.contract.broken_off import check_broken_off
from eval.contract.check import check
from eval.contract.exponentiator import edge_cases, fitted, random_cases, within
from eval.contract.xcel import (
    GO_AHEAD,
    POP,
    STATUS,
    check_answers,
    check_held_operands,
    check_xcel,
    packed,
    pushes,
)
from fl.messages import XcelResp
from fl.xcel import BASE, EXP, MOD, READ, RESULT, STATUS_BUSY, WRITE, to_words
from rtl.port.xcel import NullXcelRTL
from sim.stream import NO_STALLS, STALLS
from tests.golden.xcel import NullXcelFL
from tests.harness import component_runner, modulus_for, port_width, stalled, xcel_runner

NAMES = sorted(DESIGNS)
PYTHON_CYCLES = 1500  # of a test in PyMTL3's own simulator
# Level verilog has the text of level batch, and takes seconds to build: a port is like the other.
IMPORTED = ("mul-rem", "array-4")
# Levels rtl and batch have one text: in Python, what each kind of port does, in batch each design.
IN_PYTHON = ("mul-rem", "array-4", "tiny", "ssmm-ct")


def simulated(name, level):
    return level != "rtl" or name in IN_PYTHON


def run_program(name, nbits, level, cases, stalls=NO_STALLS, fit=True):
    """Each case by the driver's sequence of requests; the answers by the register map.

    fit: to the modulus of a design that takes only one.
    """
    design = DESIGNS[name]
    if fit and design.moduli.only:
        cases = fitted(cases, design.moduli.only(nbits))
    check_xcel(xcel_runner(name, nbits, level), design.at(nbits), cases, stalls)


QUICK = [("fl", 8), ("fl", 40), ("cl", 8), ("cl", 40)]


@pytest.mark.parametrize(
    ("name", "level", "nbits"),
    [
        pytest.param(name, level, nbits, marks=[pytest.mark.quick] * ((level, nbits) in QUICK))
        for name in NAMES
        # Wider ones take long in PyMTL3's own simulator.
        for level, widths in (("fl", (8, 32, 40, 64)), ("cl", (8, 32, 40, 64)), ("rtl", (8,)))
        for nbits in widths
        if nbits <= DESIGNS[name].tested_to
    ],
)
def test_computes_through_the_port(name, level, nbits):
    cases = random_cases(nbits, 3, seed=11) + edge_cases(nbits, exp_bits=5)[::19]
    if level == "rtl":
        cases = within(cases, DESIGNS[name].at(nbits), PYTHON_CYCLES)
    run_program(name, nbits, level, cases)


WIDEST, WIDE = 4096, ("ssmm-small", "mont-small", "array-4", "serial-pz-8")


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        # The port is the same at every design: few have all its numbers of words.
        pytest.param(name, n, marks=[pytest.mark.long] * (n == WIDEST and name not in WIDE))
        for name in NAMES
        for n in (8, 32, 40, WIDEST)
        if n <= DESIGNS[name].tested_to
        and (n in (port_width(name, "batch"), WIDEST) or name in WIDE)
    ],
)
def test_widths_in_verilog(name, nbits):
    cases = random_cases(nbits, 4, seed=12, exp_bits=min(nbits, 32))
    if DESIGNS[name].constant_time and nbits > 1024:
        cases = cases[:1]  # millions of cycles, however short the exponent
    run_program(name, nbits, "batch", cases)


@stalled(NAMES, IMPORTED)
def test_any_stall(name, level, stalls):
    nbits = port_width(name, level)
    run_program(name, nbits, level, random_cases(nbits, 5, seed=13, exp_bits=8), stalls)


@pytest.mark.parametrize(
    ("name", "level"),
    [(n, level) for n in NAMES for level in ("cl", "rtl", "batch") if simulated(n, level)],
)
def test_misuse_corrupts_nothing(name, level):
    """Status while busy, operands pushed and a second go while busy, unknown registers."""
    nbits = port_width(name, level)
    # moduli that every design takes which does not have its own
    near, other = (1 << nbits) - 3, (1 << nbits) - 5
    first = 7, 201, modulus_for(name, nbits, near)
    second = 5, 119, modulus_for(name, nbits, other)
    firsts, seconds = ([one for p in pushes(nbits, *o) for one in p] for o in (first, second))
    result = to_words(pow(*second), nbits)
    requests = [*firsts, GO_AHEAD, STATUS, (READ, 9, 0), (WRITE, 9, 5), (WRITE, RESULT, 5)]
    requests += [*seconds, (READ, BASE, 0), GO_AHEAD, *[POP] * len(result), STATUS]
    answers = [*[0] * len(firsts), 0, STATUS_BUSY, *[0] * (len(seconds) + 5), *result, 0]
    check_answers(xcel_runner(name, nbits, level), requests, answers)


def two_requests(name, nbits):
    """Two requests' operands, with exponents of a few bits."""
    ones = (1 << nbits) - 1
    mods = [modulus_for(name, nbits, ones - less) for less in (2, 4)]
    return (ones // 3, 0b1011, mods[0]), (ones // 5, 0b10000101, mods[1])


@pytest.mark.parametrize(
    ("name", "level"),
    [(n, level) for n in NAMES for level in ("fl", "cl", "rtl", "batch") if simulated(n, level)],
)
def test_pushes_wait_and_a_result_stays(name, level):
    nbits = 8 if level == "rtl" else port_width(name, "batch")
    runner = xcel_runner(name, nbits, level)
    check_held_operands(runner, DESIGNS[name].at(nbits), *two_requests(name, nbits))


BREAKS = {"fl": 2, "cl": 3, "rtl": 1, "batch": 20}  # resets in so many cycles of a computation


@pytest.mark.parametrize(
    ("name", "level"), [(n, level) for n in NAMES for level in BREAKS if simulated(n, level)]
)
def test_a_go_after_a_reset_at_work(name, level):
    """Without operands, then with one after the other: as the register map says."""
    nbits = port_width(name, level)
    model, operands = DESIGNS[name].at(nbits), two_requests(name, nbits)
    check_broken_off(xcel_runner(name, nbits, level), model, *operands, BREAKS[level])


@pytest.mark.quick
def test_which_operands_a_reset_wipes():
    """Shares and keys, and where operands of several words turn, these."""
    designs = [*DESIGNS.values(), *VARIANTS.values()]
    wiped = {
        nbits: {one.name: one.at(nbits).wiped for one in designs if one.at(nbits).wiped}
        for nbits in (8, 40)
    }
    masked = {name: (EXP,) for name in VARIANTS if "masked" in name}
    assert len(masked) > 2
    assert wiped[8] == {"array-crt-16": (EXP,)} | masked
    assert wiped[40] == {"tiny": (BASE, EXP, MOD)} | wiped[8]


@pytest.mark.quick
@pytest.mark.parametrize("make", [NullXcelFL, NullXcelRTL])
@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
def test_null_xcel_keeps_one_register(make, stalls):
    requests = [(READ, 0, 0), (WRITE, 0, 77), (WRITE, 1, 5), (READ, 1, 0), (READ, 0, 9)]
    answers = [0, 0, 0, 0, 77]
    expected = [int(XcelResp(r[0], a).to_bits()) for r, a in zip(requests, answers, strict=True)]
    with component_runner(make(), "rtl", recv="xcel.req", send="xcel.resp") as runner:
        check(runner, packed(requests), expected, [str(r) for r in requests], stalls)
