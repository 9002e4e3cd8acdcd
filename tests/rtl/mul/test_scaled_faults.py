"""Planted faults in the units modulo c*m and around them are caught at the register level."""

import random

import pytest
import rtl.exp.convert

import rtl.exp.exponentiator
import rtl.leaf.shift_remainder
import rtl.mul.fold_mul
import rtl.mul.modulus_constant
import rtl.mul.mont_digit
import rtl.mul.scaled
import rtl.mul.with_constant
from eval.catalog import MULTIPLIERS, find
from eval.contract import exponentiator, multiplier
from eval.contract.check import check
from fl.messages import mk_exp_msgs, mk_mul_msgs
from fl.scaled import (
    high_constant,
    high_guard_bits,
    high_product,
    low_constant,
    low_guard_bits,
    low_product,
)
from rtl.mul.with_constant import PreparedMulRTL
from sim.stream import NO_STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
LOW, HIGH, RIVAL = "scaled-low-4", "scaled-high-4", "mont-digit-4"


def check_unit(name, component):
    """What the contract tests do with a multiplier: values, time and stalls."""
    unit = MULTIPLIERS[name]
    cases = multiplier.edge_cases(NBITS)[::2] + multiplier.random_cases(NBITS, 40, 21)
    cases += multiplier.random_cases(NBITS, 20, 22, odd=True, reduced=True)
    cases = [case for case in cases if unit.accepts(NBITS, case.a, case.b, case.m)]
    Request, _ = mk_mul_msgs(NBITS, unit.guard_bits)
    with component_runner(component) as runner:
        for stalls, some in ((NO_STALLS, cases), (LATE_SINK, cases[::10])):
            check(
                runner,
                [Request(case.a, case.b, case.m) for case in some],
                [unit.value(NBITS, case.a, case.b, case.m) for case in some],
                [str(case) for case in some],
                stalls,
                latency=lambda i: unit.cycles(NBITS, cases[i].a, cases[i].b, cases[i].m),
                max_cycles=9000,
            )


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
PREPARED_FAULTS = {
    "product before the constant": ("(s.state == PREPARE) & s.prepare.done", "s.state == PREPARE"),
    "never prepared": ("s.prepare.start @= s.state == START", "s.prepare.start @= 0"),
    "b cut": ("zext(s.b, unit_bits)", "zext(s.b[0:7], unit_bits)"),
    "answer not held": ("elif s.send.val & s.send.rdy:", "elif s.send.val:"),
}


def check_core(low, mk_core):
    """A unit with operands over its own range, which is wider than a multiplier's."""
    guard_bits = low_guard_bits(4) if low else high_guard_bits(4)
    mk_prepare = (
        rtl.mul.modulus_constant.HalvedPower if low else rtl.mul.modulus_constant.PowerRemainder
    )
    component = PreparedMulRTL(
        NBITS, guard_bits, lambda nbits: mk_core(nbits, 4), lambda nbits: mk_prepare(nbits, 4)
    )
    Request, _ = mk_mul_msgs(NBITS, guard_bits)
    rng = random.Random("core")
    operands, expected = [], []
    for i in range(60):
        m = (255, 253, 1, 3)[i % 4] if i < 20 else rng.getrandbits(NBITS) | 1
        limit = m << guard_bits if low else 1 << NBITS + guard_bits
        a, b = ((limit - 1, rng.randrange(limit))[rng.random() < 0.6] for _ in "ab")
        operands.append((a, b, m))
        if low:
            expected.append(low_product(a, b, low_constant(m, 4), NBITS, 4))
        else:
            expected.append(high_product(a, b, high_constant(m, NBITS, 4), NBITS, 4))
    with component_runner(component) as runner:
        check(
            runner,
            [Request(*o) for o in operands],
            expected,
            [str(o) for o in operands],
            max_cycles=5000,
        )


def test_the_sound_cores_pass():
    check_core(True, rtl.mul.scaled.ScaledLowMulRTL)
    check_core(False, rtl.mul.scaled.ScaledHighMulRTL)


@faults(LOW_FAULTS)
def test_fault_in_the_low_core(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.scaled, sound, faulty)
    with pytest.raises(CAUGHT):
        check_core(True, broken.ScaledLowMulRTL)


@faults(HIGH_FAULTS)
def test_fault_in_the_high_core(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.scaled, sound, faulty)
    with pytest.raises(CAUGHT):
        check_core(False, broken.ScaledHighMulRTL)


@faults(FOLD_FAULTS)
def test_fault_in_the_loop_of_the_high_core(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.fold_mul, sound, faulty)
    monkeypatch.setattr(rtl.mul.scaled, "FoldLoop", broken.FoldLoop)
    with pytest.raises(CAUGHT):
        check_core(False, rtl.mul.scaled.ScaledHighMulRTL)


@pytest.mark.parametrize("name", [LOW, HIGH, RIVAL])
def test_the_sound_units_pass(name):
    check_unit(name, MULTIPLIERS[name].component("rtl", NBITS))


@pytest.mark.parametrize(
    ("name", "module", "unit", "table"),
    [
        (RIVAL, rtl.mul.mont_digit, "MontDigitRTL", RIVAL_FAULTS),
        (LOW, rtl.mul.modulus_constant, "HalvedPower", HALVED_FAULTS),
        (RIVAL, rtl.mul.modulus_constant, "MinusInverse", INVERSE_FAULTS),
        (HIGH, rtl.mul.modulus_constant, "PowerRemainder", POWER_FAULTS),
        (HIGH, rtl.leaf.shift_remainder, "ReduceOut", REMAINDER_FAULTS),
        (LOW, rtl.mul.with_constant, "PreparedMulRTL", PREPARED_FAULTS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_faults_in_the_parts_of_a_multiplier(tmp_path, monkeypatch, name, module, unit, table):
    for sound, faulty in table.values():
        broken = plant(tmp_path, module, sound, faulty)
        family = "mont_digit" if name == RIVAL else "scaled"
        monkeypatch.setattr(f"eval.catalog.{family}.{unit}", getattr(broken, unit))
        with pytest.raises(CAUGHT):
            check_unit(name, MULTIPLIERS[name].component("rtl", NBITS))


def check_design(name):
    """What the contract tests do with an exponentiator, at few requests."""
    design = find(name)
    cases = exponentiator.edge_cases(NBITS, exp_bits=4)[::3]
    cases += exponentiator.random_cases(NBITS, 4, seed=23, odd=True)
    answers = [exponentiator.expected(case, design.moduli.at(NBITS)) for case in cases]
    Request, Response = mk_exp_msgs(NBITS)
    with component_runner(design.component("rtl", NBITS)) as runner:
        check(
            runner,
            [Request(case.base, case.exp, case.mod) for case in cases],
            [int(Response(*answer).to_bits()) for answer in answers],
            [str(case) for case in cases],
            latency=lambda i: design.cycles(NBITS, cases[i].base, cases[i].exp, cases[i].mod),
            max_cycles=4000,
        )


EXPONENTIATOR_FAULTS = {
    "constant not awaited": (
        "s.convert_in.r_squared_done //= s.prepare.done",
        "s.convert_in.r_squared_done //= 1",
    ),
    "result not reduced": ("s.result @= s.finish.value", "s.result @= s.value[0:nbits]"),
    "never left": ("s.control.leaving //= s.finish.active", "s.finish.active //= 0"),
}
TAKE_FAULTS = {
    "base cut": ("s.value @= zext(s.operand, width)", "s.value @= zext(s.operand[0:7], width)"),
    "not started again": (
        "s.done @= s.active & s.r_squared_done\n",
        "s.done @= s.r_squared_done\n",
    ),
}


@pytest.mark.parametrize("name", [LOW, HIGH, RIVAL, "near-power-4"])
def test_the_sound_designs_pass(name):
    check_design(name)


@faults(EXPONENTIATOR_FAULTS)
def test_fault_in_the_exponentiator(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.exp.exponentiator, sound, faulty)
    monkeypatch.setattr("eval.catalog.organised.ExponentiatorRTL", broken.ExponentiatorRTL)
    with pytest.raises(CAUGHT):
        check_design(HIGH)


@faults(TAKE_FAULTS)
def test_fault_in_taking_the_base(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.exp.convert, sound, faulty)
    monkeypatch.setattr(rtl.exp.exponentiator, "TakeOperand", broken.TakeOperand)
    with pytest.raises(CAUGHT):
        check_design(HIGH)
