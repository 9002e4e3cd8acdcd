"""Faults in the one subtraction of modular arithmetic: its proof and all who use it catch them."""

import pytest

import rtl.leaf.shift_remainder
import rtl.leaf.shift_sub
import rtl.leaf.subtract_if_fits
import rtl.mul.div_rem
import rtl.mul.fold_mul
import rtl.mul.mont_mul
import rtl.mul.mont_red
from eval.contract.check import check_model
from eval.contract.multiplier import (
    check_multiplier,
    edge_cases,
    near_power_cases,
    random_cases,
    taken,
)
from rtl.mul.fold_mul import FoldMul
from rtl.mul.mont_mul import MontMul
from rtl.mul.mont_red import MontRed
from rtl.mul.scaled import ScaledHigh
from rtl.mul.ssmm import Ssmm
from rtl.mul.with_constant import by_itself
from tests.cases import divide
from tests.faults import CAUGHT, faults, plant
from tests.golden.dividers import DivRem
from tests.harness import component_runner
from tests.prove import prove_all
from tests.rtl.equations import EQUATIONS

NBITS = 8
UNITS = {
    rtl.leaf.shift_sub: Ssmm(NBITS, 2),
    rtl.leaf.shift_remainder: by_itself(ScaledHigh(NBITS, 4)),
    rtl.mul.mont_mul: MontMul(NBITS, 2),
    rtl.mul.mont_red: MontRed(NBITS, 2),
    rtl.mul.fold_mul: FoldMul(NBITS, 1),
}
FAULTS = {
    "the documents' p > m": ("~s.difference[nbits]", "~s.difference[nbits] & (s.difference != 0)"),
    "borrow ignored": ("~s.difference[nbits]", "1"),
    "one too low": ("s.value - zext(s.m, wide)", "s.value - zext(s.m, wide) - 1"),
    "never subtracts": ("s.result @= s.difference[0:nbits]", "s.result @= s.value[0:nbits]"),
}


@faults(FAULTS)
def test_a_fault_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.subtract_if_fits, sound, faulty)
    claim = EQUATIONS["SubtractIfFits"].claim(broken.SubtractIfFits, NBITS)
    assert "broken in cycle" in prove_all(tmp_path, {"claim": claim})


def check_user(unit):
    """What the contract tests do with a multiplier that subtracts so."""
    cases = edge_cases(NBITS) + random_cases(NBITS, 20, seed=50, odd=True, reduced=True)
    cases += near_power_cases(NBITS, 20, seed=50)
    with component_runner(unit.rtl()) as runner:
        check_multiplier(runner, unit, taken(unit, cases), max_cycles=30_000)


@faults(FAULTS)
@pytest.mark.parametrize("module", UNITS, ids=lambda module: module.__name__)
def test_a_fault_is_caught_by_the_contract_of_a_multiplier(
    tmp_path, monkeypatch, module, sound, faulty
):
    broken = plant(tmp_path, rtl.leaf.subtract_if_fits, sound, faulty)
    monkeypatch.setattr(module, "SubtractIfFits", broken.SubtractIfFits)
    with pytest.raises(CAUGHT):
        check_user(UNITS[module])


@pytest.mark.parametrize("unit", UNITS.values(), ids=lambda unit: type(unit).__name__)
def test_the_sound_multipliers_pass(unit):
    check_user(unit)


@pytest.mark.quick
@faults(FAULTS)
def test_a_fault_is_caught_by_the_divider(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.subtract_if_fits, sound, faulty)
    monkeypatch.setattr(rtl.mul.div_rem, "SubtractIfFits", broken.SubtractIfFits)
    unit = DivRem(12, 8)
    cases = [case for case in divide.edge_cases(12, 8) if case.b]
    with pytest.raises(CAUGHT), component_runner(unit.rtl()) as runner:
        check_model(
            runner,
            unit,
            [(case.a, case.b) for case in cases],
            [divide.expected(case) for case in cases],
            [str(case) for case in cases],
            max_cycles=10_000,
        )
