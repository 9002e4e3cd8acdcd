"""The port whose words go into turning registers: planted faults are caught."""

import pytest
from pymtl3 import Component

import rtl.exp.tiny
import rtl.port.tiny
from eval.contract.exponentiator import any_modulus
from eval.contract.xcel import (
    GO_AHEAD,
    POP,
    STATUS,
    check_answers,
    check_held_operands,
    full_words,
    packed,
    pushes,
)
from fl.xcel import BASE, READ, STATUS_BAD_MODULUS, to_words
from rtl.exp.tiny import Tiny
from sim.stream import SimulationTimeout
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

SHORT = 8, 4  # bits of numbers and of the adder; 289 cycles
LONG = 33, 32  # two words of the port; 4489 cycles


def check_short(component: Component) -> None:
    """Pushes while busy, pops beyond the word, resets."""
    model = Tiny(SHORT[0], any_modulus, SHORT[1])
    with component_runner(component, recv="xcel.req", send="xcel.resp") as runner:
        for turn in range(3):
            check_held_operands(runner, model, (83, 11, 253), (50, 5, 251), turn)
        check_answers(runner, [POP, STATUS, GO_AHEAD, POP, POP], [0, 0, 0, pow(50, 5, 251), 0])
        check_answers(runner, [POP, STATUS], [0, 0])
        bad = [one for place in pushes(SHORT[0], 7, 7, 0) for one in place]
        unknown = [(READ, 9, 0), (READ, BASE, 0)]
        check_answers(
            runner, [*bad, GO_AHEAD, STATUS, *unknown, POP, STATUS], [0, 0, 0, 0, 1, 0, 0, 0, 2]
        )
        check_answers(runner, [STATUS], [0])


def check_long(component: Component) -> None:
    """Words of the operands by turns, bits above them set; the result's, and one more."""
    operands = 0x1_2345_6788, 0x1_8001_0002, 0x1_FEDC_BA96
    sent = full_words([one for place in pushes(LONG[0], *operands) for one in place], LONG[0])
    result = to_words(pow(*operands), LONG[0])
    with component_runner(component, recv="xcel.req", send="xcel.resp") as runner:
        check_answers(
            runner,
            [*sent, GO_AHEAD, POP, POP, POP, STATUS],
            [*[0] * len(sent), 0, *result, 0, 0],
            max_cycles=5000,
        )
        with pytest.raises(SimulationTimeout):
            runner.run(packed([*sent, GO_AHEAD, POP]), max_cycles=len(sent) + 40)
        # nothing is left of a modulus that has turned halfway
        answers = [0, 0, STATUS_BAD_MODULUS]
        check_answers(runner, [GO_AHEAD, POP, STATUS], answers, max_cycles=5000)


FAULTS = {
    "pushed while busy": ("(s.is_go | s.is_push | s.is_pop)", "(s.is_go | s.is_pop)"),
    "popped while busy": ("(s.is_go | s.is_push | s.is_pop)", "(s.is_go | s.is_push)"),
    "moduli are no pushes": ("(s.xcel.req.msg.addr <= MOD)", "(s.xcel.req.msg.addr < MOD)"),
    "popped twice": ("s.reset | (s.taken & s.is_pop)", "s.reset"),
    "a reset keeps the result": ("s.is_pop & ~s.none", "s.is_pop"),
    "never a result": ("                s.none <<= 0\n", "                pass\n"),
    "a pop says the status": ("            if s.pops:\n", "            if 0:\n"),
    "bad modulus not told": ("s.core.bad & s.core.idle", "s.core.bad & ~s.core.idle"),
    "each register says the status": (
        "                if s.is_status:\n",
        "                if 1:\n",
    ),
}
LONG_FAULTS = {
    "bits above the modulus": (
        rtl.exp.tiny,
        "                    s.modulus.turned[top:turned] @= 0\n",
        "                    pass\n",
    ),
    "an operand after a reset at work": (
        rtl.port.tiny,
        "s.kept <<= 0\n                elif s.push | s.turn:",
        "s.kept <<= s.kept\n                elif s.push | s.turn:",
    ),
    "a push replaces the low word": (
        rtl.port.tiny,
        "                if s.push:\n                    s.high @= s.word\n",
        "",
    ),
    "operands stand": (rtl.port.tiny, "if s.push | s.turn:", "if s.push:"),
    "pops turn nothing": (rtl.exp.tiny, "s.kept.turn @= s.turn | s.pop", "s.kept.turn @= s.turn"),
}


@pytest.mark.quick
def test_sound():
    check_short(rtl.port.tiny.TinyXcelRTL(*SHORT))


@faults(FAULTS)
def test_fault(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.port.tiny, sound, faulty)
    with pytest.raises(CAUGHT):
        check_short(broken.TinyXcelRTL(*SHORT))


@pytest.mark.parametrize(("module", "sound", "faulty"), LONG_FAULTS.values(), ids=LONG_FAULTS)
def test_fault_in_several_words(tmp_path, monkeypatch, module, sound: str, faulty: str):
    broken = plant(tmp_path, module, sound, faulty)
    for name in ("TinyCore", "TurningPushed"):
        if hasattr(broken, name):
            monkeypatch.setattr(rtl.port.tiny, name, getattr(broken, name))
    with pytest.raises(CAUGHT):
        check_long(rtl.port.tiny.TinyXcelRTL(*LONG))
