"""Steps that reduce late: small products one by one, words of all sizes, cycles by hand, faults."""

import pytest

import rtl.mul.tiny
from cl.tiny import tiny_exp_latency, tiny_latency
from cl.xcel import xcel_cycles
from fl.tiny import holds, late_product, late_step
from rtl.mul.tiny import TinyMul, TinyMulRTL
from sim.stream import Stalls
from tests.faults import CAUGHT, faults, plant
from tests.rtl.mul.word_serial import NBITS, WORD, check_size_of_words, check_unit

UNIT = TinyMul(NBITS, WORD)  # 11 cycles
LATE_SINK = Stalls("late-sink", (0,), (60,))
BROKEN_OFF = (3, 6, 9)  # after so many cycles


@pytest.mark.quick
def test_every_small_product():
    for m in range(1, 16):
        for a in range(m + 1):
            for b in range(32):
                assert late_product(a, b, 5, m) == a * b % m
        for value in range(3 * m):
            assert holds(value, m) == value // m
            assert 0 <= late_step(value, m, 1, m) < 3 * m


@pytest.mark.quick
@pytest.mark.parametrize(
    ("operands", "says"),
    [
        ((15, 0, 0, 5), "value must be from 0 to 3m-1 = 14, not 15"),
        ((0, 6, 0, 5), "multiplicand must be from 0 to m = 5, not 6"),
        ((0, 5, 2, 5), "bit must be 0 or 1, not 2"),
    ],
)
def test_a_step_out_of_range_is_refused(operands, says):
    with pytest.raises(ValueError, match=says):
        late_step(*operands)


@pytest.mark.quick
def test_a_product_out_of_range_is_refused():
    with pytest.raises(ValueError, match="b must be a number of 3 bits, not 8"):
        late_product(0, 8, 3, 5)


@pytest.mark.quick
def test_cycles_by_hand():
    """32 bits are 33 passes over 4 words of 8 bits, or 32 of 1; 40 bits are two words of the
    port, 8 of 8 bits, but 5 for the multiplier."""
    assert tiny_latency(32, 8) == 1 + 33 * 4
    assert tiny_latency(40, 8) == 1 + 41 * 5
    assert tiny_exp_latency(32, 8) == 1 + 64 * 33 * 4
    assert tiny_exp_latency(40, 8) == 1 + 80 * 41 * 8
    assert tiny_exp_latency(9, 8) == 1 + 18 * 10 * 2
    assert tiny_exp_latency(1024, 1) == 1 + 2048 * 1025 * 1024
    assert xcel_cycles(32, tiny_exp_latency(32, 1)) == 67590


@pytest.mark.quick
def test_a_word_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"word_bits must be one of .*, not 3"):
        TinyMulRTL(8, 3).elaborate()


@pytest.mark.parametrize(("nbits", "word_bits"), [(9, 1), (8, 32)])
def test_sizes_of_words(nbits, word_bits):
    check_size_of_words(TinyMul(nbits, word_bits))


FAULTS = {
    "the highest bit of a word is lost": ("s.passed & ~s.control.first", "0"),
    "the highest bit comes back": ("s.passed & ~s.control.first", "s.passed"),
    "twice the modulus loses a bit": ("s.modulus_passed & ~s.control.first", "0"),
    "the modulus of the pass before": ("s.modulus_passed & ~s.control.first", "s.modulus_passed"),
    "what was left is doubled": ("if s.control.fresh:", "if 0:"),
    "once for twice": ("s.reduce.right @= ~s.twice_modulus", "s.reduce.right @= ~s.modulus"),
    "nothing is subtracted": ("s.reduce.right @= ~s.modulus\n", "s.reduce.right @= Word(ones)\n"),
    "a multiplicand at every bit": ("s.adding & ~s.control.lifts", "~s.control.lifts"),
    "the carry of the pass before": ("s.stepping & ~s.control.first", "s.stepping"),
    "no carry": ("s.stepping <<= s.step.carry_out", "s.stepping <<= 0"),
    "a borrow of the pass before": ("s.reducing | s.control.first", "s.reducing"),
    "a comparison of the pass before": ("s.trying_once | s.control.first", "s.trying_once"),
    "twice as in the pass before": ("s.trying_twice | s.control.first", "s.trying_twice"),
    "a comparison of the highest word": (
        "s.trying_twice <<= s.try_twice.carry_out",
        "s.trying_twice <<= 1",
    ),
    "a doubled bit is ignored": (
        "s.product[top] | s.step.carry_out | s.try_once.carry_out",
        "s.step.carry_out | s.try_once.carry_out",
    ),
    "a carry is ignored": (
        "s.product[top] | s.step.carry_out | s.try_once.carry_out",
        "s.product[top] | s.try_once.carry_out",
    ),
    "twice whatever the modulus has at the top": (
        "| (~s.modulus[top] & s.try_twice.carry_out)",
        "| s.try_twice.carry_out",
    ),
    "held as by the product before": (
        "                s.holds_twice <<= 0\n",
        "                pass\n",
    ),
    "a word too few": ("Index(count - 1)", "Index(count - 2)"),
    "a bit too few": ("Place(nbits - 2)", "Place(nbits - 3)"),
    "begins in the word that was broken off": ("if ~s.works | s.last:", "if s.last:"),
    "the product moves on": ("s.steps.active & s.steps.lifts", "s.steps.lifts"),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}


@pytest.mark.quick
def test_the_sound_unit_passes():
    check_unit(UNIT.rtl(), UNIT, LATE_SINK, BROKEN_OFF)


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.tiny, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.TinyMulRTL(NBITS, WORD), UNIT, LATE_SINK, BROKEN_OFF)
