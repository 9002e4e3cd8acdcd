"""Planted faults in each unit of the shift-sub designs are caught by the tables of all levels."""

import pytest
from pymtl3 import Component

import rtl.exp.ssmm_004
import rtl.exp.ssmm_ends
import rtl.exp.ssmm_shared
import rtl.leaf.shift_sub
import rtl.mul.ssmm
from cl.exponentiator import Exponentiator
from eval.contract import exponentiator, multiplier
from rtl.exp.ssmm_004 import Ssmm004, Ssmm004RTL
from rtl.mul.ssmm import Ssmm, SsmmRTL
from sim.stream import STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
STEPS = 3  # does not divide the width
UNIT = Ssmm(NBITS, STEPS)
# The sink's wait starts with the response before, so it must be longer than the computation.
SINKS = (STALLS["none"], Stalls("later-than-the-answer", (0, 1), (40, 3, 90, 30)))
MUL_CASES = multiplier.edge_cases(NBITS)[::3] + multiplier.random_cases(NBITS, 20, seed=14)
EXP_CASES = exponentiator.edge_cases(NBITS)[::2] + exponentiator.random_cases(NBITS, 12, seed=14)


def check_unit(component: Component) -> None:
    with component_runner(component) as runner:
        for stalls in SINKS:
            multiplier.check_multiplier(runner, UNIT, MUL_CASES, stalls, 10_000)


def check_design(component: Component, model: Exponentiator) -> None:
    with component_runner(component) as runner:
        for stalls in SINKS:
            exponentiator.check_exponentiator(runner, model, EXP_CASES, stalls, 15_000)


def check_004(component: Component) -> None:
    check_design(component, Ssmm004(NBITS, exponentiator.any_modulus))


def check_shared(module, constant_time: bool) -> None:
    model = module.SsmmShared(NBITS, exponentiator.any_modulus, STEPS, constant_time)
    check_design(model.rtl(), model)


LEAF_FAULTS = {
    "top bit of the double lost": ("zext(s.value, wide) << 1", "zext(s.value << 1, wide)"),
    "double not reduced": (
        "s.subtract.m //= s.modulus\n        s.subtract.result //= s.next\n\n        @update\n"
        "        def double",
        "s.subtract.m //= 0\n        s.subtract.result //= s.next\n\n        @update\n"
        "        def double",
    ),
    "top bit of the sum lost": (
        "zext(s.product, wide) + s.added",
        "zext(s.product + s.added[0:nbits], wide)",
    ),
    "adds on every bit": ("if s.enable:", "if s.enable == s.enable:"),
    "second step adds the first multiple": (
        "connect(step.addend, s.multiples[nbits * i : nbits * (i + 1)])",
        "connect(step.addend, s.multiples[0:nbits])",
    ),
    "bits from the wrong end": ("s.bits[i]", "s.bits[steps - 1 - i]"),
    "one doubling too few": ("        connect(s.next, value)", "        connect(s.next, s.value)"),
}
UNIT_FAULTS = {
    "large multiplicand taken as it is": ("s.recv.msg.a > s.recv.msg.m", "s.recv.msg.a < 0"),
    "modulus itself reduced": ("s.recv.msg.a > s.recv.msg.m", "s.recv.msg.a >= s.recv.msg.m"),
    "one step too few": ("s.scanned[steps:nbits] == 0", "s.scanned[steps + 1 : nbits] == 0"),
    "no look ahead": ("s.scanned[steps:nbits] == 0", "s.scanned == 0"),
    "product kept from before": (
        "                s.product <<= 0\n                s.modulus",
        "                s.modulus",
    ),
    "reduction kept in the product": (
        "                    s.product <<= 0\n                    s.multiplicand",
        "                    s.multiplicand",
    ),
    "ends after the reduction": ("(~s.reducing | (s.held == 0))", "(s.held == s.held)"),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}
FAULTS_004 = {
    "multiplies on every bit": ("((s.state == MULTIPLY) & s.exp_bit)", "(s.state == MULTIPLY)"),
    "one cycle a bit less": (
        "elif s.keep_reduced | (s.state == NEXT):\n                s.state <<= START",
        "elif s.keep_reduced | (s.state == NEXT):\n                s.state <<= MULTIPLY",
    ),
    "base above the modulus": ("s.recv.msg.base > s.recv.msg.mod", "s.recv.msg.base < 0"),
    "last square waited for": ("(s.state == SQUARE) & ~s.last", "s.state == SQUARE"),
    "ends at the first product": ("elif s.keep_product & s.last:", "elif s.keep_product:"),
    "result not held for a slow sink": ("(s.state == DONE) & s.send.rdy", "s.state == DONE"),
    "a request while busy is taken": (
        "s.load @= (s.state == IDLE) & s.recv.val",
        "s.load @= s.recv.val",
    ),
    "reduced base not kept": (
        "if s.control.keep_reduced:\n                    s.base <<= s.multiply.send.msg.r",
        "if s.control.keep_reduced:\n                    s.base <<= s.base",
    ),
    "square not kept": ("s.base <<= s.square.send.msg.r", "s.base <<= s.base"),
    "exponent 0 not seen": (
        "(s.recv.msg.mod == 0) | (s.recv.msg.exp == 0)",
        "s.recv.msg.mod == 0",
    ),
    "1 mod 1 is 1": ("if s.recv.msg.mod <= 1:", "if s.recv.msg.mod == 0:"),
    "bad modulus not told": ("s.status <<= BAD_MODULUS", "s.status <<= OK"),
}
EARLY_ENDS_FAULTS = {
    "the product's scan not waited for": (" & (~s.multiplies | s.result_over)", ""),
    "the power's scan not waited for": (
        "(s.last_bit | s.power_over)",
        "(s.last_bit | ~s.last_bit)",
    ),
    "last square waited for": ("(s.last_bit | s.power_over)", "s.power_over"),
}
FIXED_ENDS_FAULTS = {
    "a pass a cycle short": (
        "s.cycles_left <<= Cycles(cycles - 1)\n                else:",
        "s.cycles_left <<= Cycles(cycles - 2)\n                else:",
    ),
    "a pass too few": ("Passes(nbits)", "Passes(nbits - 1)"),
}
EARLY_FAULTS = {
    "base above the modulus": ("s.recv.msg.base > s.recv.msg.mod", "s.recv.msg.base < 0"),
    "exponent 0 not seen": (
        "(s.recv.msg.mod == 0) | (s.recv.msg.exp == 0)",
        "s.recv.msg.mod == 0",
    ),
    "reduction takes an exponent bit": ("s.ends.last_step & ~s.reducing", "s.ends.last_step"),
}
SHARED_FAULTS = {
    "square kept from the pass before": (
        "                    s.multiplicand <<= s.squares.next\n"
        "                    s.square <<= 0\n",
        "                    s.multiplicand <<= s.squares.next\n",
    ),
    "product kept from the pass before": (
        "                if s.ends.last_step:\n                    s.product <<= 0\n",
        "                if s.ends.last_step:\n",
    ),
    "power of the pass before doubled": (
        "s.multiplicand <<= s.squares.next",
        "s.multiplicand <<= s.doubles.next",
    ),
    "1 mod 1 is 1": ("if s.recv.msg.mod <= 1:", "if s.recv.msg.mod == 0:"),
    "bad modulus not told": ("s.status <<= BAD_MODULUS", "s.status <<= OK"),
    "result not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}
FIXED_FAULTS = {
    "a result that is not replaced comes back turned": (
        "concat(s.result[0:steps], s.result[steps:places])",
        "s.result >> steps",
    ),
    "base not reduced": ("s.reduce_first @= 1", "s.reduce_first @= 0"),
    "modulus 0 answered early": ("s.skip_all @= 0", "s.skip_all @= s.recv.msg.mod == 0"),
}


def test_the_sound_designs_pass():
    check_unit(SsmmRTL(NBITS, STEPS))
    check_004(Ssmm004RTL(NBITS))
    for constant_time in (False, True):
        check_shared(rtl.exp.ssmm_shared, constant_time)


@faults(LEAF_FAULTS)
def test_fault_in_a_leaf(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.shift_sub, sound, faulty)
    monkeypatch.setattr(rtl.mul.ssmm, "ModDoubles", broken.ModDoubles)
    monkeypatch.setattr(rtl.mul.ssmm, "ModAddIfs", broken.ModAddIfs)
    with pytest.raises(CAUGHT):
        check_unit(SsmmRTL(NBITS, STEPS))


@faults(UNIT_FAULTS)
def test_fault_in_the_multiplier(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.ssmm, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.SsmmRTL(NBITS, STEPS))


@faults(FAULTS_004)
def test_fault_in_the_documents_exponentiator(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.ssmm_004, sound, faulty)
    with pytest.raises(CAUGHT):
        check_004(broken.Ssmm004RTL(NBITS))


@faults(EARLY_FAULTS, SHARED_FAULTS)
def test_fault_in_the_shared_exponentiator(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.ssmm_shared, sound, faulty)
    with pytest.raises(CAUGHT):
        check_shared(broken, constant_time=False)


@faults(FIXED_FAULTS, SHARED_FAULTS)
def test_fault_in_the_constant_time_exponentiator(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.ssmm_shared, sound, faulty)
    with pytest.raises(CAUGHT):
        check_shared(broken, constant_time=True)


@pytest.mark.parametrize(
    ("ends", "constant_time", "faults_of_it"),
    [("EarlyEnds", False, EARLY_ENDS_FAULTS), ("FixedEnds", True, FIXED_ENDS_FAULTS)],
)
def test_faults_in_when_passes_end(tmp_path, monkeypatch, ends, constant_time, faults_of_it):
    for sound, faulty in faults_of_it.values():
        broken = plant(tmp_path, rtl.exp.ssmm_ends, sound, faulty)
        monkeypatch.setattr(rtl.exp.ssmm_shared, ends, getattr(broken, ends))
        with pytest.raises(CAUGHT):
            check_shared(rtl.exp.ssmm_shared, constant_time)
