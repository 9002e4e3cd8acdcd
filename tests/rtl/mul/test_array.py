"""A row as a multiplier: digits and words of any length, its cycles, faults."""

import pytest

import rtl.mul.array
import rtl.mul.array_word
from cl.array import row_latency
from eval.contract import multiplier
from rtl.mul.array import Array
from rtl.mul.with_constant import WithConstantRTL, by_itself
from sim.stream import NO_STALLS, Stalls
from tests.faults import CAUGHT, faults, plant, plant_in_base
from tests.harness import component_runner

SHAPE = (10, 2, 6)
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
UNIT = by_itself(Array(*SHAPE))
CASES = multiplier.edge_cases(10)[::3] + multiplier.random_cases(10, 40, 41, odd=True)


def check_unit(unit, component, cases, level="rtl"):
    """What the contract tests do with a multiplier: values, time and stalls."""
    cases = multiplier.taken(unit, cases)
    with component_runner(component, level) as runner:
        for stalls, some in ((NO_STALLS, cases), (LATE_SINK, cases[::10])):
            multiplier.check_multiplier(runner, unit, some, stalls, 9000)
        if level == "rtl":
            reset_in_the_middle(runner)
            multiplier.check_multiplier(runner, unit, cases[-1:], NO_STALLS, 9000)


def reset_in_the_middle(runner):
    """Begin a product of large operands, and reset the multiplier when sums are under way."""
    dut = runner.engine.top
    Request, _ = UNIT.messages
    runner.reset()
    dut.recv.msg @= Request(1020, 1020, 1021)
    dut.recv.val @= 1
    for _ in range(12):
        dut.sim_tick()
    assert dut.unit.element_0.sums != 0


@pytest.mark.parametrize(
    "shape", [(8, 1, 3), (8, 4, 12), (9, 2, 10), (16, 4, 16), (33, 8, 24), (8, 16, 48)], ids=str
)
def test_any_digits_and_words(shape):
    unit = by_itself(Array(*shape))
    nbits = shape[0]
    cases = multiplier.random_cases(nbits, 60, 42, odd=True) + multiplier.edge_cases(nbits)[::5]
    check_unit(unit, unit.rtl(), cases, "batch")


@pytest.mark.quick
def test_cycles_by_itself():
    """D = ceil((n + 2) / w) + 2 steps, then a word after the other, and two before."""
    assert row_latency(1024, 4, 16) == 259 + 65 + 2
    assert row_latency(1024, 8, 32) == 131 + 33 + 2
    assert row_latency(1024, 16, 64) == 67 + 17 + 2


WORD_FAULTS = {
    "feeds begin too soon": ("Count(digits - 1)", "Count(digits - 2)"),
    "digits that come from the right are lost": ("s.now @= s.from_right", "s.now @= 0"),
    "source forgotten": ("s.source @= s.kept_source", "s.source @= 0"),
    "neighbours' digits swapped": (
        "left.late_carry //= element.low_carry",
        "left.late_carry //= element.low_sum",
    ),
    "carry of the resolved word lost": (
        "connect(getattr(element, port), getattr(left, of_left))",
        "connect(getattr(element, port), 0 if 'resolve' in port else getattr(left, of_left))",
    ),
    "x for the other word": ("[s.x, *s.others]", "[s.x] * (1 + others)"),
}
UNIT_FAULTS = {
    "an end too early": ("resolves = sizes.words + 1", "resolves = sizes.words + 2"),
    "sums not cleared before": ("s.loop.load | s.take.x", "s.take.x"),
    "operands swapped at a time": ("s.a <<= s.a_in", "s.a <<= s.b_in"),
    "product not taken": ("elif s.take.ends & s.take.x:", "elif s.take.ends & ~s.take.x:"),
    "digits a cycle late": ("s.go <<= s.loop.load & ~s.reset", "s.go <<= s.go ^ s.loop.load"),
}


@faults(WORD_FAULTS)
def test_fault_in_a_word(tmp_path, sound, faulty):
    broken = plant_in_base(tmp_path, rtl.mul.array, rtl.mul.array_word, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(UNIT, WithConstantRTL(broken.Array(*SHAPE)), CASES)


@faults(UNIT_FAULTS)
def test_fault_in_the_multiplier(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.array, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(UNIT, WithConstantRTL(broken.Array(*SHAPE)), CASES)
