"""The accelerator's registers around one exponentiator: planted faults are caught."""

from types import ModuleType

import pytest
from pymtl3 import Component

import rtl.port.result_words
import rtl.port.xcel
from cl.exponentiator import Exponentiator
from cl.organisation import Organisation
from eval.contract.exponentiator import any_modulus
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_answers, check_held_operands, pushes
from fl.schedule import LEFT_TO_RIGHT
from fl.xcel import to_words
from rtl.exp.organised import organised
from rtl.exp.ssmm_shared import SsmmShared
from rtl.mul.mont_mul import MontMul
from sim.stream import StreamRunner
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 72  # three words, the last of them not whole
ONES = (1 << NBITS) - 1
FIRST, SECOND = (ONES // 3, 0b1011, ONES - 2), (ONES // 5, 0b101, ONES - 4)
STAYS = SsmmShared(NBITS, any_modulus)
GOES = organised(MontMul(NBITS, 8), Organisation(LEFT_TO_RIGHT, units=1))


def check_port(exponentiator: Exponentiator, component: Component) -> None:
    """Pushes while busy, pops, and resets after a pop, before the others."""
    with component_runner(component, recv="xcel.req", send="xcel.resp") as runner:
        for turn in range(3):
            check_held_operands(runner, exponentiator, FIRST, SECOND, turn)
        check_resets(runner)


def check_resets(runner: StreamRunner) -> None:
    """A run begins with a reset; the second request's operands are there."""
    result = to_words(pow(*SECOND), NBITS)
    for _ in range(2):
        check_answers(runner, [POP, STATUS, GO_AHEAD, POP], [0, 0, 0, result[0]])
    check_answers(runner, [POP, GO_AHEAD, *[POP] * 4, STATUS], [0, 0, *result, 0, 0])
    requests = [*(push for place in pushes(NBITS, 2, 2, 0) for push in place), GO_AHEAD, STATUS]
    answers = [0] * (len(requests) - 1)
    check_answers(runner, [*requests, POP, POP, STATUS], [*answers, 1, 0, 0, 2])
    check_answers(runner, [STATUS], [0])


@pytest.mark.parametrize("exponentiator", [STAYS, GOES], ids=["stays", "goes"])
def test_sound(exponentiator: Exponentiator):
    assert exponentiator.result_stays is (exponentiator is STAYS)
    check_port(exponentiator, rtl.port.xcel.XcelRTL(exponentiator))


PORT_FAULTS = {
    "pushed while busy": ("(s.is_go | s.is_push | s.is_pop)", "(s.is_go | s.is_pop)"),
    "popped while busy": ("(s.is_go | s.is_push | s.is_pop)", "(s.is_go | s.is_push)"),
    "moduli are no pushes": ("(s.xcel.req.msg.addr <= MOD)", "(s.xcel.req.msg.addr < MOD)"),
    "bases are no pushes": (
        ">= BASE)\n                    & (s.xcel.req.msg.addr <= MOD)",
        "> BASE)\n                    & (s.xcel.req.msg.addr <= MOD)",
    ),
    "a pop says the status": ("            if s.pops:\n", "            if s.pops & s.busy:\n"),
    "words of a result that is not kept": ("if exponentiator.result_stays", "if nbits"),
    "a reset keeps the status": ("                s.status <<= 0\n", "                pass\n"),
}
STAYING_FAULTS = {
    "pops go on from those before": ("s.place <<= 0", "s.place <<= s.place"),
    "pops go round": (" & (s.place != count)", ""),
    "a reset keeps the result": ("s.place <<= Place(count)", "s.place <<= 0"),
}
GOING_FAULTS = {
    "a reset keeps the result": ("s.kept <<= 0", "s.kept <<= s.kept"),
    "the same word popped": ("s.kept <<= s.kept >> WORD_BITS", "s.kept <<= s.kept"),
}


def caught(exponentiator: Exponentiator, port: ModuleType) -> None:
    with pytest.raises(CAUGHT):
        check_port(exponentiator, port.XcelRTL(exponentiator))


@faults(PORT_FAULTS)
def test_fault_in_the_port(tmp_path, sound: str, faulty: str):
    for exponentiator in (STAYS, GOES):
        broken = plant(tmp_path, rtl.port.xcel, sound, faulty)
        if "result_stays" not in sound or exponentiator is GOES:
            caught(exponentiator, broken)


@pytest.mark.parametrize(
    ("exponentiator", "sound", "faulty"),
    [
        pytest.param(exponentiator, *row, id=name)
        for exponentiator, table in ((STAYS, STAYING_FAULTS), (GOES, GOING_FAULTS))
        for name, row in table.items()
    ],
)
def test_fault_in_the_words(tmp_path, monkeypatch, exponentiator, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.port.result_words, sound, faulty)
    for part in ("ChosenWords", "ShiftedWords"):
        monkeypatch.setattr(rtl.port.xcel, part, getattr(broken, part))
    caught(exponentiator, rtl.port.xcel)
