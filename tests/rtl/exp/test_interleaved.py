"""The smallest exponentiator: other steps per cycle, planted faults."""

import pytest

import rtl.exp.interleaved
from eval.catalog import find
from eval.contract import exponentiator
from rtl.exp.interleaved import InterleavedExp
from sim.stream import STALLS, SimulationTimeout, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS, STEPS = 8, 3  # which do not divide the width
MODEL = InterleavedExp(NBITS, exponentiator.any_modulus, STEPS)
CASES = exponentiator.edge_cases(NBITS)[::7] + exponentiator.random_cases(NBITS, 12, seed=42)
LATE_SINK = Stalls("late-sink", (0,), (70, 0))


@pytest.mark.parametrize(("steps", "nbits"), [(2, 9), (3, 40), (7, 8)])
def test_steps_per_cycle(steps, nbits):
    design = find(f"interleaved(steps={steps})")
    cases = exponentiator.edge_cases(nbits)[::11] + exponentiator.random_cases(nbits, 12, seed=43)
    with component_runner(design.component("rtl", nbits), "batch") as runner:
        exponentiator.check_exponentiator(runner, design.at(nbits), cases)


def check_hardware(component):
    Request, _ = MODEL.messages
    with component_runner(component) as runner:
        for cases, stalls in ((CASES, STALLS["none"]), (CASES[::8], LATE_SINK)):
            exponentiator.check_exponentiator(runner, MODEL, cases, stalls, 130 * len(cases))
        for cycles in (6, 10):  # of the first square, the first product
            with pytest.raises(SimulationTimeout):
                runner.run([Request(*CASES[0].operands)], max_cycles=cycles)
            exponentiator.check_exponentiator(runner, MODEL, CASES[:2], STALLS["none"], 200)


FAULTS = {
    "multiplies at every bit": ("(~s.multiplies | s.exp_bit.chosen)", "s.at_work"),
    "squares at 1 bits only": ("(~s.multiplies | s.exp_bit.chosen)", "s.exp_bit.chosen"),
    "scans the result for a product": ("s.scanned @= s.held.base", "s.scanned @= s.result"),
    "a pass too few": ("Bit(nbits - 1)", "Bit(nbits - 2)"),
    "a cycle too few in the first pass": (
        "                s.place <<= Place(count - 1)\n                s.index",
        "                s.place <<= Place(count - 2)\n                s.index",
    ),
    "a cycle too few in the others": (
        "                s.place <<= Place(count - 1)\n                s.multiplies",
        "                s.place <<= Place(count - 2)\n                s.multiplies",
    ),
    "product kept from the pass before": ("s.at_work & ~s.last_step:", "s.at_work:"),
    "a power of a bad modulus": ("s.recv.msg.mod != 0", "s.recv.msg.mod == s.recv.msg.mod"),
    "bad modulus not told": ("s.send.msg.status @= BAD_MODULUS", "s.send.msg.status @= OK"),
    "what was broken off goes on with its product": ("                s.multiplies <<= 0\n", ""),
    "what was broken off goes on at its bit": (
        "                s.index <<= Bit(nbits - 1)\n",
        "                if s.load & (s.index == 0):\n"
        "                    s.index <<= Bit(nbits - 1)\n",
    ),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}


def test_the_sound_hardware_passes():
    check_hardware(MODEL.rtl())


@faults(FAULTS)
def test_fault(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.exp.interleaved, sound, faulty)
    monkeypatch.setattr(rtl.exp.interleaved, "InterleavedExpRTL", broken.InterleavedExpRTL)
    with pytest.raises(CAUGHT):
        check_hardware(MODEL.rtl())
