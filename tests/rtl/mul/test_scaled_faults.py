"""Planted faults in the units modulo c*m and around them are caught at the register level."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from pymtl3 import Component

import rtl.leaf.shift_remainder
import rtl.mul.fold_mul
import rtl.mul.modulus_constant
import rtl.mul.mont_digit
import rtl.mul.scaled
import rtl.mul.with_constant
from cl.unit import Unit
from eval.catalog import MULTIPLIERS, find
from eval.contract import exponentiator, multiplier
from eval.contract.check import check
from fl.messages import mk_mul_msgs
from rtl.mul.mont_digit import EarlyMontDigit, MontDigit
from rtl.mul.scaled import ScaledHigh, ScaledLow
from rtl.mul.with_constant import WithConstantRTL, by_itself
from sim.stream import NO_STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
LOW, HIGH, RIVAL = "scaled-low-4", "scaled-high-4", "mont-digit-4"
EARLY = EarlyMontDigit(NBITS, 4)
LOW_CORE, HIGH_CORE = ScaledLow(NBITS, 4), ScaledHigh(NBITS, 4)


def check_unit(unit):
    """What the contract tests do with a multiplier: values, time and stalls."""
    cases = multiplier.edge_cases(NBITS)[::2] + multiplier.random_cases(NBITS, 40, 21)
    cases += multiplier.random_cases(NBITS, 20, 22, odd=True, reduced=True)
    cases = multiplier.taken(unit, cases)
    with component_runner(unit.rtl()) as runner:
        for stalls, some in ((NO_STALLS, cases), (LATE_SINK, cases[::10])):
            multiplier.check_multiplier(runner, unit, some, stalls, 9000)


LOW_FAULTS = {
    "quotient digit of the next digit": (
        "zext(s.sum[0:digit_bits], sum_bits)",
        "zext(s.sum[1 : digit_bits + 1], sum_bits)",
    ),
    "the sum is not shifted": (
        "zext(s.sum[digit_bits:sum_bits], sum_bits)",
        "zext(s.sum[0 : sum_bits - digit_bits], sum_bits)",
    ),
    "digits from the highest": ("s.digits >> digit_bits", "s.digits << digit_bits"),
    "the sum is not cleared": ("s.sum <<= 0", "s.sum <<= s.sum"),
    "a register a bit too narrow": (
        "sum_bits = width + digit_bits + 1",
        "sum_bits = width + digit_bits - 1",
    ),
    "no digit of 0 at the end": (
        "DigitLoop(digit_cycles(digits_bits, digit_bits))",
        "DigitLoop(digit_cycles(digits_bits, digit_bits) - 1)",
    ),
}
HIGH_FAULTS = {
    "a without its top bit": ("s.loop.a //= s.recv.msg.a", "s.loop.a //= s.recv.msg.b"),
}
FOLD_FAULTS = {
    "the fold loses its top": (
        "s.sum[top:sum_bits], sum_bits",
        "s.sum[top : sum_bits - 1], sum_bits",
    ),
    "the value loses its top": (
        "s.value //= s.sum[digit_bits:value_end]",
        "s.value[0:top] //= s.sum[digit_bits : value_end - 1]",
    ),
}
RIVAL_FAULTS = {
    "quotient digit of the sum before": (
        "s.added[0:digit_bits] * s.constant",
        "s.sum[0:digit_bits] * s.constant",
    ),
    "digits not shifted": ("s.digits >> digit_bits", "s.digits >> 1"),
    "carry lost": (
        "zext(s.reduced[digit_bits:added_bits], sum_bits)",
        "zext(s.reduced[digit_bits : added_bits - 2], sum_bits)",
    ),
}
EARLY_FAULTS = {
    "the sum before": ("s.reduced[digit_bits:newest_end] if", "s.sum[0:width] if"),
    "not shifted": ("s.reduced[digit_bits:newest_end] if", "s.reduced[0:width] if"),
    "a digit too many": ("DigitLoop(cycles - 1 if early", "DigitLoop(cycles if early"),
    "a digit too few": ("DigitLoop(cycles - 1 if early", "DigitLoop(cycles - 2 if early"),
}
HALVED_FAULTS = {
    "starts from 0": (
        "s.value <<= 1\n            elif s.count.step:\n                s.value <<= s.sum[1",
        "s.value <<= 0\n            elif s.count.step:\n                s.value <<= s.sum[1",
    ),
    "carry lost": (
        "zext(s.value, sum_bits) + zext(s.mod, sum_bits)",
        "zext(s.value + s.mod, sum_bits)",
    ),
    "a bit too few": ("s.cycles_left <<= Count(cycles)", "s.cycles_left <<= Count(cycles - 1)"),
}
INVERSE_FAULTS = {
    "digits in the wrong order": (
        "concat(s.value[0], s.digits[1:digit_bits])",
        "concat(s.digits[0 : digit_bits - 1], s.value[0])",
    ),
    "an inverse, not minus it": (
        "if s.value[0]:\n                s.sum @= s.value + zext(s.mod[0:low_bits], digit_bits)",
        "if s.value[0]:\n                s.sum @= s.value - zext(s.mod[0:low_bits], digit_bits)",
    ),
}
POWER_FAULTS = {
    "another power": ("(1 << value_bits - 1)", "(1 << value_bits - 2)"),
}
REMAINDER_FAULTS = {
    "short moduli taken for long": ("~s.mod[nbits - 1]", "s.mod[nbits - 1]"),
    "a step too few": ("Count(most_steps)", "Count(most_steps - 1)"),
    "rest not aligned": ("s.value << high_bits", "s.value << 1"),
    "high not cleared": ("s.high <<= 0", "s.high <<= 1"),
    "answers at once": ("s.done @= s.started & s.remainder.done", "s.done @= s.started"),
    "started again": ("s.active & ~s.started", "s.active"),
}
WITH_CONSTANT_FAULTS = {
    "product before the constant": ("(s.state == FIND) & s.constant.done", "s.state == FIND"),
    "constant never found": ("s.constant.start @= s.state == START", "s.constant.start @= 0"),
    "b cut": ("zext(s.b, unit_bits)", "zext(s.b[0:7], unit_bits)"),
    "answer not held": ("elif s.send.val & s.send.rdy:", "elif s.send.val:"),
}


@dataclass(frozen=True)
class Core(Unit):
    """A unit by itself without its reduction: its values are those between products."""

    unit: Unit
    component: Callable[[int, int], Component]

    @property
    def guard_bits(self):
        """Those of the unit."""
        return self.unit.guard_bits

    @property
    def constant(self):
        """That of the unit."""
        return self.unit.constant

    def rtl(self):
        """The component in place of the unit's own."""
        return self.component(self.unit.nbits, self.unit.digit_bits)


def check_core(unit, component):
    """A unit with operands over its own range, which is wider than a multiplier's."""
    guard_bits, low = unit.guard_bits, unit.radix > 0
    Request, _ = mk_mul_msgs(NBITS, guard_bits)
    rng = random.Random("core")
    operands = []
    for i in range(60):
        m = (255, 253, 1, 3)[i % 4] if i < 20 else rng.getrandbits(NBITS) | 1
        limit = m << guard_bits if low else 1 << NBITS + guard_bits
        a, b = ((limit - 1, rng.randrange(limit))[rng.random() < 0.6] for _ in "ab")
        operands.append((a, b, m))
    with component_runner(WithConstantRTL(Core(NBITS, unit, component))) as runner:
        check(
            runner,
            [Request(*o) for o in operands],
            [unit.value(*o) for o in operands],
            [str(o) for o in operands],
            max_cycles=5000,
        )


def test_the_sound_cores_pass():
    check_core(LOW_CORE, rtl.mul.scaled.ScaledLowMulRTL)
    check_core(HIGH_CORE, rtl.mul.scaled.ScaledHighMulRTL)


@faults(LOW_FAULTS)
def test_fault_in_the_low_core(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.scaled, sound, faulty)
    with pytest.raises(CAUGHT):
        check_core(LOW_CORE, broken.ScaledLowMulRTL)


@faults(HIGH_FAULTS)
def test_fault_in_the_high_core(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.scaled, sound, faulty)
    with pytest.raises(CAUGHT):
        check_core(HIGH_CORE, broken.ScaledHighMulRTL)


@faults(FOLD_FAULTS)
def test_fault_in_the_loop_of_the_high_core(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.fold_mul, sound, faulty)
    monkeypatch.setattr(rtl.mul.scaled, "FoldLoop", broken.FoldLoop)
    with pytest.raises(CAUGHT):
        check_core(HIGH_CORE, rtl.mul.scaled.ScaledHighMulRTL)


@pytest.mark.parametrize("name", [LOW, HIGH, RIVAL])
def test_the_sound_units_pass(name):
    check_unit(MULTIPLIERS[name].by_itself(NBITS))


@pytest.mark.parametrize(
    ("name", "module", "unit", "table"),
    [
        (RIVAL, rtl.mul.mont_digit, "MontDigitRTL", RIVAL_FAULTS),
        (LOW, rtl.mul.modulus_constant, "HalvedPower", HALVED_FAULTS),
        (RIVAL, rtl.mul.modulus_constant, "MinusInverse", INVERSE_FAULTS),
        (HIGH, rtl.mul.modulus_constant, "PowerRemainder", POWER_FAULTS),
        (HIGH, rtl.leaf.shift_remainder, "ReduceOut", REMAINDER_FAULTS),
        (LOW, rtl.mul.with_constant, "WithConstantRTL", WITH_CONSTANT_FAULTS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_faults_in_the_parts_of_a_multiplier(tmp_path, monkeypatch, name, module, unit, table):
    for sound, faulty in table.values():
        broken = plant(tmp_path, module, sound, faulty)
        for user in (rtl.mul.mont_digit, rtl.mul.scaled, rtl.mul.with_constant):
            if hasattr(user, unit):
                monkeypatch.setattr(user, unit, getattr(broken, unit))
        if unit == MontDigit.hardware.__name__:
            monkeypatch.setattr(MontDigit, "hardware", getattr(broken, unit))
        with pytest.raises(CAUGHT):
            check_unit(MULTIPLIERS[name].by_itself(NBITS))


@pytest.mark.parametrize(("digit_bits", "cycles"), [(4, 3), (5, 2), (12, 2)])
def test_the_early_unit_passes(digit_bits, cycles):
    """Of one digit, which is never early, too."""
    unit = EarlyMontDigit(NBITS, digit_bits)
    assert unit.latency(1, 1, 3) == cycles
    check_unit(by_itself(unit))


@faults(EARLY_FAULTS)
def test_fault_in_an_early_answer(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mont_digit, sound, faulty)
    monkeypatch.setattr(EarlyMontDigit, "hardware", broken.EarlyMontDigitRTL)
    with pytest.raises(CAUGHT):
        check_unit(by_itself(EARLY))


@pytest.mark.parametrize("name", [LOW, HIGH, RIVAL, "near-power-4"])
def test_the_sound_designs_pass(name):
    """What the contract tests do with an exponentiator, at few requests."""
    cases = exponentiator.edge_cases(NBITS, exp_bits=4)[::3]
    cases += exponentiator.random_cases(NBITS, 4, seed=23, odd=True)
    design = find(name).at(NBITS)
    with component_runner(design.rtl()) as runner:
        exponentiator.check_exponentiator(runner, design, cases, max_cycles=4000)
