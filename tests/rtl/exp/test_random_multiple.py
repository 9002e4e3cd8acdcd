"""An exponentiator modulo random multiples: values, time, its random operands, and faults."""

import pytest

import rtl.exp.random_multiple
from cl.organisation import Organisation
from cl.random_multiple import before
from eval.catalog.array import odd_modulus
from eval.catalog.loops import exponentiator
from eval.contract.exponentiator import ExpCase, check_resets, edge_cases, random_cases
from fl.array_blinded import MOST_RANDOM_BITS
from fl.masked_ladder import MASKED_LADDER
from fl.random_bytes import random_bytes
from rtl.exp.random_multiple import RandomMultiple
from rtl.mul.mont_digit import MontDigit
from rtl.mul.mont_mul import MontMul
from rtl.mul.scaled import ScaledLow
from sim.stream import NO_STALLS, Stalls
from sim.transfers import RESET_CYCLES
from tests.faults import CAUGHT, faults, plant
from tests.golden.random_multiple import random_operands
from tests.harness import check_within, component_runner

NBITS = 8
CASES = [
    *edge_cases(NBITS, exp_bits=4)[::4],
    *random_cases(NBITS, 4, seed=17, odd=True),
    ExpCase("modulus 1", NBITS, 5, 3, 1),
    ExpCase("even", NBITS, 5, 3, 254),
    ExpCase("power 0", NBITS, 5, 0, 255),
]
UNITS = {
    "iterated": lambda nbits: MontMul(nbits, 2),
    "open": lambda nbits: MontMul(nbits, 1, final_subtract=False),
    "digits": lambda nbits: MontDigit(nbits, 4),
    "scaled": lambda nbits: ScaledLow(nbits, 4),
}


def made(unit: str = "iterated", units: int = 2, bits: int = 6) -> RandomMultiple:
    """An exponentiator of such units."""
    organisation = Organisation(MASKED_LADDER, units=units, forward=False)
    design = exponentiator(UNITS[unit], organisation, NBITS, bits)
    assert isinstance(design, RandomMultiple)
    return design


def check(design: RandomMultiple, level: str = "rtl", stalls: Stalls = NO_STALLS) -> None:
    """The requests in turn, right and in time."""
    with component_runner(design.rtl(), level) as runner:
        check_within(runner, design, CASES, 400, stalls)


@pytest.mark.parametrize(
    ("unit", "units", "bits"),
    [
        ("iterated", 2, 6),
        ("open", 5, 1),
        ("digits", 2, 2),
        ("scaled", 2, 6),
        ("scaled", 5, MOST_RANDOM_BITS),
        ("iterated", 5, MOST_RANDOM_BITS),
        ("digits", 2, MOST_RANDOM_BITS),
    ],
)
def test_requests(unit, units, bits):
    check(made(unit, units, bits), "batch")


def test_a_late_sink():
    check(made(), "batch", Stalls("late-sink", (0,), (300,)))


def test_a_request_after_a_reset():
    design = made()
    with component_runner(design.rtl()) as runner:
        check_resets(runner, design, 253)


def check_operands(component) -> None:
    """The operands of a request are those of the bytes that came in its cycles."""
    design, base, mod = made(), 201, 253
    Request, _ = design.messages
    with component_runner(component) as runner:
        runner.run([Request(base, 5, mod)], max_cycles=1000)
        made_of = runner.engine.top.core.operands
        found = int(made_of.operand), int(made_of.one), int(made_of.worked)
        cycles = before(design.random_bits) + design.latency(base, 5, mod) + RESET_CYCLES
    drawn = [byte & 3 for byte, _ in zip(random_bytes(), range(cycles), strict=False)]
    windows = (drawn[at : at + design.random_bits] for at in range(cycles))
    assert found in [random_operands(base, mod, window) for window in windows]


def test_the_operands_are_random():
    check_operands(made().rtl())


FAULTS = {
    "modulo m itself": ("s.c_times_m << 1) + s.of_c", "s.c_times_m & 0) + zext(s.mod, width)"),
    "the base as it is": ("s.augend @= s.s_times_m\n", "s.augend @= 0\n"),
    "an even multiple": ("s.random[0] | (s.left == 2)", "s.random[0] & (s.left != 2)"),
    "another bit of c": ("s.random[0] |", "s.random[1] |"),
    "one bit of c too few": ("Count(bits + 1)", "Count(bits)"),
    "the same bits for both": ("elif s.random[1]:", "elif s.random[0]:"),
    "1 itself": ("s.one[1:width] //= s.s_times_m[0 : width - 1]", "s.one[1:width] //= 0"),
    "s doubled once more": ("if s.left != 2:", "if 1:"),
    "asked before the base is added": ("s.ends <<= s.left == 1", "s.ends <<= s.left == 2"),
    "left by another modulus": ("s.leave.mod //= s.held.mod", "s.leave.mod //= s.held.base"),
    "the result is not held": ("s.leave.taken @= s.leave.done & s.send.rdy", "s.leave.taken @= 1"),
    "taken while it works": ("s.recv.rdy @= ~s.busy", "s.recv.rdy @= 1"),
    "no exponent": ("s.inner.exp_word //= s.exp_word", "s.inner.exp_word //= 0"),
}


def check_all(design: RandomMultiple) -> None:
    """Requests, and what they are worked with."""
    check(design)
    check_operands(design.rtl())


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.random_multiple, sound, faulty)
    sound_one = made()
    design = broken.RandomMultiple(NBITS, odd_modulus, sound_one.inner, sound_one.random_bits)
    with pytest.raises((*CAUGHT, AssertionError)):
        check_all(design)
