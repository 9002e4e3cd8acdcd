"""Operands held for a core: what comes meanwhile changes nothing, and faults are caught."""

import pytest

import rtl.exp.holding
from eval.contract.exponentiator import any_modulus, check_exponentiator, random_cases
from rtl.exp.ssmm_shared import SsmmShared
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 9
MODEL = SsmmShared(NBITS, any_modulus)
CASES = random_cases(NBITS, 20, seed=19)


def check_holding(module) -> None:
    with component_runner(module.Holding(NBITS, MODEL.core)) as runner:
        for stalls in STALLS.values():
            check_exponentiator(runner, MODEL, CASES, stalls, 10_000)


def test_sound():
    check_holding(rtl.exp.holding)


@faults(
    {
        "a request that is not taken": ("if s.recv.val & s.recv.rdy:", "if s.recv.val:"),
        "nothing": ("s.request <<= s.recv.msg", "s.request <<= s.request"),
    }
)
def test_fault_in_what_is_held(tmp_path, sound: str, faulty: str):
    with pytest.raises(CAUGHT):
        check_holding(plant(tmp_path, rtl.exp.holding, sound, faulty))
