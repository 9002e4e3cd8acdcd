"""An exponentiator that asks another one modulo c*m: values, time, and faults."""

import pytest

import rtl.exp.modulo_multiple
from eval.catalog import find
from eval.contract import exponentiator
from fl.fixed_exp import family
from sim.stream import NO_STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8

FAULTS = {
    "asked modulo m": ("mk_bits(nbits)(modulus.worked)", "mk_bits(nbits)(modulus.m)"),
    "another modulus asked for": ("if s.judge.takes:", "if 1:"),
    "not corrected": ("s.correct.value", "s.exponentiator.send.msg.result"),
    "refused as right": ("s.send.msg.status @= s.refused", "s.send.msg.status @= 0"),
    "answered before the correction": (
        "s.send.val @= s.refused | s.correct.done",
        "s.send.val @= s.exponentiator.send.val",
    ),
    "the result is not held": (
        "(s.refused | s.correct.done) & s.send.rdy",
        "s.refused | s.correct.done",
    ),
}


def check_component(component):
    """mm-000 modulo 2^8 - 1: values and time, and a sink that comes late."""
    mod = family(NBITS).m
    cases = exponentiator.fitted(exponentiator.edge_cases(NBITS)[::6], mod)
    cases += [exponentiator.ExpCase("exp=0", NBITS, 9, 0, mod)]
    model = find("mm-pseudo-2").at(NBITS)
    with component_runner(component) as runner:
        for stalls in (NO_STALLS, Stalls("late-sink", (0,), (150,))):
            exponentiator.check_exponentiator(runner, model, cases, stalls, 20_000)


def test_the_sound_one_passes():
    check_component(find("mm-pseudo-2").component("rtl", NBITS))


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.modulo_multiple, sound, faulty)
    component = broken.ModuloMultipleRTL(find("mm-000").at(NBITS), family(NBITS))
    with pytest.raises(CAUGHT):
        check_component(component)
