"""Interleaved multiplication word by word: words of all sizes, cycles by hand, faults planted."""

import pytest

import rtl.mul.interleaved_words
from cl.interleaved import words_exp_latency, words_latency
from rtl.mul.interleaved_words import InterleavedWords, InterleavedWordsRTL
from sim.stream import Stalls
from tests.faults import CAUGHT, faults, plant
from tests.rtl.mul.word_serial import NBITS, WORD, check_size_of_words, check_unit

UNIT = InterleavedWords(NBITS, WORD)
LATE_SINK = Stalls("late-sink", (0,), (60, 0))
BROKEN_OFF = (6, 12, 25)  # after so many cycles


@pytest.mark.quick
def test_cycles_by_hand():
    """32 bits of three passes, and one pass more: 97 passes over 4 words of 8 bits, or 32 of 1."""
    assert words_latency(32, 8) == 1 + 97 * 4
    assert words_latency(32, 1) == 1 + 97 * 32
    assert words_exp_latency(32, 8) == 1 + 64 * 97 * 4
    assert words_exp_latency(9, 4) == 1 + 18 * 28 * 3


@pytest.mark.quick
def test_a_word_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"word_bits must be one of .*, not 3"):
        InterleavedWordsRTL(8, 3).elaborate()


@pytest.mark.parametrize(("nbits", "word_bits"), [(8, 1), (9, 4), (8, 32)])
def test_sizes_of_words(nbits, word_bits):
    check_size_of_words(InterleavedWords(nbits, word_bits))


FAULTS = {
    "the highest bit of a word is lost": ("s.passed & ~s.control.first", "0"),
    "the highest word's bit comes back": ("s.passed & ~s.control.first", "s.passed"),
    "the sign is not doubled": ("                s.sign @= s.low[top]\n", ""),
    "what was left is doubled": ("if s.control.fresh | ~s.control.active:", "if 0:"),
    "the sign ignores what is subtracted": ("s.sign ^ s.subtract ^", "s.sign ^"),
    "the sign of the product before": (
        "                s.negative <<= 0\n",
        "                pass\n",
    ),
    "a multiplicand at every bit": ("s.adds & s.adding", "s.adds"),
    "another bit": ("if ~s.control.phase[1]:", "if s.control.phase[1]:"),
    "a negative value is lowered": (
        "(s.control.phase == DOUBLE) | (s.control.phase == LIFT)",
        "(s.control.phase != ADD)",
    ),
    "a product that is not lifted": (
        "(s.control.phase == DOUBLE) | (s.control.phase == LIFT)",
        "(s.control.phase == DOUBLE)",
    ),
    "the carry of the pass before": ("if s.control.first:", "if s.control.first & s.subtract:"),
    "no carry": ("s.carry <<= s.adder.carry_out", "s.carry <<= 0"),
    "a word too few": ("Index(words - 1)", "Index(words - 2)"),
    "a bit too few": ("Place(nbits - 1)", "Place(nbits - 2)"),
    "begins where it was broken off": (
        "                s.word <<= 0\n                s.pass_",
        "                s.pass_",
    ),
    "begins with the pass that was broken off": (
        "                s.pass_ <<= DOUBLE\n                s.scanned",
        "                s.scanned",
    ),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}


@pytest.mark.quick
def test_the_sound_unit_passes():
    check_unit(UNIT.rtl(), UNIT, LATE_SINK, BROKEN_OFF)


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.interleaved_words, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.InterleavedWordsRTL(NBITS, WORD), UNIT, LATE_SINK, BROKEN_OFF)
