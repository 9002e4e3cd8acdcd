"""Operands held for a core: what comes meanwhile changes nothing, and faults are caught; so are
those in the words of an exponent, for a core that keeps shares of it."""

import pytest

import rtl.exp.holding
from cl.exponentiator import Exponentiator
from cl.organisation import Organisation
from eval.contract.exponentiator import any_modulus, check_exponentiator, random_cases
from fl.masked_ladder import MASKED_LADDER
from rtl.exp.organised import organised
from rtl.exp.ssmm_shared import SsmmShared
from rtl.mul.mont_mul import MontMul
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 9
MODEL = SsmmShared(NBITS, any_modulus)
CASES = random_cases(NBITS, 20, seed=19)
TWO_WORDS = 40
BY_SHARES = organised(MontMul(TWO_WORDS, 20), Organisation(MASKED_LADDER, forward=False))
OF_TWO_WORDS = random_cases(TWO_WORDS, 4, seed=19, odd=True)


def check_holding(module, model: Exponentiator = MODEL, cases=CASES) -> None:
    with component_runner(module.Holding(model.nbits, model.core)) as runner:
        for stalls in STALLS.values():
            check_exponentiator(runner, model, cases, stalls, 10_000)


@pytest.mark.parametrize(("model", "cases"), [(MODEL, CASES), (BY_SHARES, OF_TWO_WORDS)])
def test_sound(model, cases):
    check_holding(rtl.exp.holding, model, cases)


@faults(
    {
        "a request that is not taken": ("if s.recv.val & s.recv.rdy:", "if s.recv.val:"),
        "nothing": ("s.request <<= s.recv.msg", "s.request <<= s.request"),
    }
)
def test_fault_in_what_is_held(tmp_path, sound: str, faulty: str):
    with pytest.raises(CAUGHT):
        check_holding(plant(tmp_path, rtl.exp.holding, sound, faulty))


@faults(
    {
        "pushed as nothing is taken": (
            "s.exp_words.load @= s.recv.val & s.recv.rdy",
            "s.exp_words.load @= s.recv.val",
        ),
        "a word too few": ("s.left <<= Place(count)", "s.left <<= Place(count - 1)"),
        "no word": ("core.exp_push //= pushed.push", "core.exp_push //= 0"),
        "the same word": ("s.words.pop //= s.push", "s.words.pop //= 0"),
    }
)
def test_fault_in_words_of_an_exponent(tmp_path, sound: str, faulty: str):
    with pytest.raises(CAUGHT):
        check_holding(plant(tmp_path, rtl.exp.holding, sound, faulty), BY_SHARES, OF_TWO_WORDS)
