"""The exponentiator of turning registers: words of all sizes, planted faults."""

import pytest

import rtl.exp.tiny
from eval.catalog import find
from eval.contract import exponentiator
from rtl.exp.tiny import Tiny
from sim.stream import STALLS, SimulationTimeout, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS, WORD = 3, 2  # two words, the last of them not whole; 49 cycles
MODEL = Tiny(NBITS, exponentiator.any_modulus, WORD)
CASES = [
    exponentiator.ExpCase(f"{base}^{exp} mod {mod}", NBITS, base, exp, mod)
    for base, exp, mod in (
        *((7, 5, 6), (7, 7, 7), (3, 0, 5), (0, 0, 7), (5, 3, 1), (7, 2, 0), (0, 0, 0)),
        *((6, 4, 7), (2, 6, 5), (7, 1, 4), (3, 5, 7), (3, 3, 2)),
    )
]
LATE_SINK = Stalls("late-sink", (0,), (150, 0))

WIDE, PART = 33, 16  # two words of the port, four of the adder; 8977 cycles
WIDE_MODEL = Tiny(WIDE, exponentiator.any_modulus, PART)
WIDE_CASES = [
    exponentiator.ExpCase("all words", WIDE, 0x1_2345_6788, 0x1_8001_0002, 0x1_FEDC_BA96),
]


@pytest.mark.parametrize(("word", "nbits"), [(1, 8), (4, 9), (1, 33), (32, 70)])
def test_sizes_of_words(word, nbits):
    design = find(f"tiny(word={word})")
    cases = exponentiator.edge_cases(nbits)[::11] + exponentiator.random_cases(nbits, 6, seed=47)
    with component_runner(design.component("rtl", nbits), "batch") as runner:
        exponentiator.check_exponentiator(runner, design.at(nbits), cases)


def check_hardware(component):
    Request, _ = MODEL.messages
    with component_runner(component) as runner:
        for cases, stalls in ((CASES, STALLS["none"]), (CASES[:3], LATE_SINK)):
            exponentiator.check_exponentiator(runner, MODEL, cases, stalls, 300 * len(cases))
        for cycles in (8, 9, 10, 13, 30, 44):  # of the first square, a product
            with pytest.raises(SimulationTimeout):
                runner.run([Request(7, 5, 6)], max_cycles=cycles)
            exponentiator.check_exponentiator(runner, MODEL, CASES[:1], STALLS["none"], 300)


def check_wide(component):
    with component_runner(component) as runner:
        exponentiator.check_exponentiator(runner, WIDE_MODEL, WIDE_CASES, max_cycles=10_000)


FAULTS = {
    "multiplies at every bit": ("(~s.multiplies | s.exp_bit.chosen)", "s.multiplies"),
    "squares at 1 bits only": ("(~s.multiplies | s.exp_bit.chosen)", "s.exp_bit.chosen"),
    "scans the result for a product": ("if s.multiplies ^ s.steps.lifts:", "if 0:"),
    "scans for the product before": ("if s.multiplies ^ s.steps.lifts:", "if s.multiplies:"),
    "a bit of the exponent too few": ("Bit(nbits - 1)", "Bit(nbits - 2)"),
    "ends with a square": ("s.steps.over & s.multiplies & (s.index", "s.steps.over & (s.index"),
    "1 in every word": ("zext(s.steps.index == 0, word_bits)", "1"),
    "1 at every place": ("s.steps.bit_in @= s.steps.place == 0", "s.steps.bit_in @= 1"),
    "1 at no place": ("                if ~s.steps.lifts:\n", "                if 0:\n"),
    "the first product of 1, too": ("                s.opens <<= 0\n", ""),
    "begins with what was broken off": ("            if s.start:\n", "            if 0:\n"),
    "a power of a bad modulus": ("s.empties //= s.no_modulus", "s.empties //= 0"),
    "bad modulus not told": ("s.send.msg.status @= s.core.bad", "s.send.msg.status @= 0"),
    "bad as the request before": (
        "            elif s.start:\n                s.no_modulus <<= 1\n",
        "",
    ),
    "the lowest bit alone is judged": ("(s.steps.modulus != 0)", "s.steps.modulus[0]"),
    "bits above the modulus": (
        "            connect(s.modulus.turned[top:turned], 0)",
        "            connect(s.modulus.turned[top:turned], s.mod[0 : turned - top])",
    ),
    "a bit goes by": ("                s.chosen @= s.seen\n", "                s.chosen @= 0\n"),
    "the result turns at rest": ("s.kept.turn //= s.steps.active", "s.kept.turn //= 1"),
    "answer not held for a slow sink": ("elif s.leave:", "else:"),
    "accepts while busy": ("s.idle @= ~s.steps.active & ~s.ended", "s.idle @= ~s.ended"),
}
WIDE_FAULTS = {
    "turns too early": ("Part(ones)", "Part(0)"),
    "bits above the modulus": ("== High(highest):", "== High(0):"),
    "a bit is not lifted": (
        "connect(s.lifted[known - 1], s.steps.next_lower)",
        "connect(s.lifted[known - 1], 0)",
    ),
}


@pytest.mark.quick
def test_the_sound_hardware_passes():
    check_hardware(MODEL.rtl())


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.tiny, sound, faulty)
    with pytest.raises(CAUGHT):
        check_hardware(broken.TinyRTL(NBITS, WORD))


@faults(WIDE_FAULTS)
def test_fault_in_several_words(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.tiny, sound, faulty)
    with pytest.raises(CAUGHT):
        check_wide(broken.TinyRTL(WIDE, PART))
