"""The exponentiator by words: words of all sizes, planted faults."""

import pytest

import rtl.exp.interleaved_words
from eval.catalog import find
from eval.contract import exponentiator
from rtl.exp.interleaved_words import InterleavedWordsExp
from sim.stream import STALLS, SimulationTimeout, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS, WORD = 3, 2  # two words, the last of them not whole; 121 cycles
MODEL = InterleavedWordsExp(NBITS, exponentiator.any_modulus, WORD)
CASES = [
    exponentiator.ExpCase(f"{base}^{exp} mod {mod}", NBITS, base, exp, mod)
    for base, exp, mod in (
        *((7, 5, 6), (7, 7, 7), (3, 0, 5), (0, 0, 7), (5, 3, 1), (7, 2, 0), (0, 0, 0)),
        *((6, 4, 7), (2, 6, 5), (7, 1, 4), (3, 5, 7)),
    )
]
LATE_SINK = Stalls("late-sink", (0,), (150, 0))


@pytest.mark.parametrize(("word", "nbits"), [(1, 8), (4, 9), (32, 40)])
def test_sizes_of_words(word, nbits):
    design = find(f"interleaved-words(word={word})")
    cases = exponentiator.edge_cases(nbits)[::11] + exponentiator.random_cases(nbits, 12, seed=47)
    with component_runner(design.component("rtl", nbits), "batch") as runner:
        exponentiator.check_exponentiator(runner, design.at(nbits), cases)


def check_hardware(component):
    Request, _ = MODEL.messages
    with component_runner(component) as runner:
        for cases, stalls in ((CASES, STALLS["none"]), (CASES[:3], LATE_SINK)):
            exponentiator.check_exponentiator(runner, MODEL, cases, stalls, 300 * len(cases))
        for cycles in (30, 110):  # of the first square, a product
            with pytest.raises(SimulationTimeout):
                runner.run([Request(7, 5, 6)], max_cycles=cycles)
            exponentiator.check_exponentiator(runner, MODEL, CASES[:1], STALLS["none"], 300)


FAULTS = {
    "multiplies at every bit": ("s.taken @= ~s.multiplies | s.exp_bit.chosen", "s.taken @= 1"),
    "squares at 1 bits only": ("~s.multiplies | s.exp_bit.chosen", "s.exp_bit.chosen"),
    "scans the result for a product": (
        "s.passes.bit_in @= s.base_bit.chosen",
        "s.passes.bit_in @= s.result_bit.chosen",
    ),
    "a bit of the exponent too few": ("Bit(nbits - 1)", "Bit(nbits - 2)"),
    "ends with a square": ("s.passes.over & s.multiplies & (s.index", "s.passes.over & (s.index"),
    "the result of before is squared first": (
        "            if s.opens:\n",
        "            if s.opens & s.multiplies:\n",
    ),
    "1 in every word": ("zext(s.passes.index == 0, word_bits)", "1"),
    "1 at every place": ("s.passes.bit_in @= s.passes.place == 0", "s.passes.bit_in @= 1"),
    "always 1": ("                s.opens <<= 0\n", ""),
    "the result does not come back": ("s.passes.adds | s.passes.lifts", "s.passes.lifts"),
    "a power of a bad modulus": ("                if s.bad:\n", "                if 0:\n"),
    "bad modulus not told": ("s.send.msg.status @= s.bad", "s.send.msg.status @= 0"),
    "bad as the request before": ("                s.bad <<= 1\n", "                pass\n"),
    "the lowest bit alone is judged": ("(s.modulus.bits != 0)", "s.modulus.bits[0]"),
    "begins with a product": ("                s.multiplies <<= 0\n", ""),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}


@pytest.mark.quick
def test_the_sound_hardware_passes():
    check_hardware(MODEL.rtl())


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.interleaved_words, sound, faulty)
    with pytest.raises(CAUGHT):
        check_hardware(broken.InterleavedWordsExpRTL(NBITS, WORD))
