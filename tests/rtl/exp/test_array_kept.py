"""A row that keeps R^2 while the modulus stays: faults in who knows that it does, and how."""

from functools import partial

import pytest

import fl.array_program
import rtl.exp.array
import rtl.exp.array_control
import rtl.exp.array_order
import rtl.exp.array_row
import rtl.exp.array_word
import rtl.exp.holding
import rtl.port.operand_words
import rtl.port.xcel
from eval.catalog.array import odd_modulus
from eval.contract.exponentiator import ExpCase, check_exponentiator
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_answers, check_keeping
from fl.schedule import LEFT_TO_RIGHT, windows
from rtl.exp.array import ArrayExponentiator
from rtl.exp.holding import Holding
from rtl.port.xcel import XcelRTL
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner
from tests.rtl.exp.rows import check_row

RESULT = pow(4095, 4095, 4093)
SHAPE = {"nbits": 12, "takes": odd_modulus, "digit_bits": 4, "word_bits": 12, "keeps": True}
BINARY = ArrayExponentiator(**SHAPE, order=LEFT_TO_RIGHT)
WINDOWS = ArrayExponentiator(**SHAPE, order=windows(2))
ROWS = {"binary": BINARY, "windows": WINDOWS}
ONE, OTHER, BAD = 0xFFD, 0xABD, 0xABC
# The first exponents have leading zeros; a power 0 is answered without constants.
CASES = [
    ExpCase(f"{i}: {what}", 12, base, exp, mod)
    for i, (what, base, exp, mod) in enumerate(
        [
            ("first", 3000, 5, ONE),
            ("again, a word of 0s", 777, 0b1000_0000_0001, ONE),
            ("again, power 0", 778, 0, ONE),
            ("still there", 4095, 4095, ONE),
            ("other, power 0", 5, 0, OTHER),
            ("other, not found yet", 6, 7, OTHER),
            ("other again", 4000, 1, OTHER),
            ("bad", 9, 9, BAD),
            ("bad again", 10, 9, BAD),
            ("first again", 11, 9, ONE),
            ("1", 12, 13, 1),
            ("1 again", 13, 12, 1),
            ("other at the end", 14, 15, OTHER),
            ("bad at the end", 15, 3, BAD),
        ]
    )
]


def check_port(design, hardware, level="rtl") -> None:
    """The same through the port, and what is kept in the end, told or not told while busy."""
    with component_runner(hardware, level, recv="xcel.req", send="xcel.resp") as runner:
        check_keeping(runner, design, CASES)
        check_keeping(runner, design, CASES[2:7], STALLS["slow-both"])
        check_keeping(runner, design, CASES[2:7], STALLS["slow-sink"])  # a go waits for an answer
        check_keeping(runner, design, CASES[:4])
        check_answers(runner, [GO_AHEAD, POP, STATUS, GO_AHEAD, STATUS], [0, RESULT, 4, 0, 1])


@pytest.mark.parametrize("design", ROWS.values(), ids=ROWS)
def test_sound(design):
    check_row(design, design.rtl(), CASES)
    check_port(design, XcelRTL(design), "batch")


# A fault: module, class of it, who uses that, exponentiator, what is sound, what is not.
FAULTS = {
    "the constants of another modulus": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        BINARY,
        ("s.again @= s.same & s.kept", "s.again @= s.kept"),
    ),
    "a modulus of which nothing was found": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        BINARY,
        ("s.kept <<= s.again | ~s.control.skip", "s.kept <<= s.kept | ~s.control.skip"),
    ),
    "lost by a power 0": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        BINARY,
        ("s.kept <<= s.again | ~s.control.skip", "s.kept <<= ~s.control.skip"),
    ),
    "c found anew": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        WINDOWS,
        ("s.start <<= s.control.load & ~s.again", "s.start <<= s.control.load"),
    ),
    "all found anew": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.address <<= Address(again)", "s.address <<= 0"),
    ),
    "begins with another operation": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.word <<= s.words[again]", "s.word <<= s.words[again + 1]"),
    ),
    "m for the base": (
        rtl.exp.array_word,
        "PowerWord",
        rtl.exp.array_row,
        WINDOWS,
        ("s.x <<= s.base_in", "s.x <<= s.m"),
    ),
    "a word of leading zeros counted as one": (
        rtl.exp.array_order,
        "BinaryOrder",
        rtl.exp.array,
        BINARY,
        ("s.bits_left - word_bits", "s.bits_left - 1"),
    ),
    "words pass after the highest 1": (
        rtl.exp.array_order,
        "BinaryOrder",
        rtl.exp.array,
        BINARY,
        ("s.exponent.skip //= s.skipping", "s.exponent.skip //= 1"),
    ),
}
# Rows of more digits, in which leading zeros are waited for.
LONG = partial(ArrayExponentiator, 64, odd_modulus, 16, 48, keeps=True)
PROGRAM_FAULTS = {
    "M' of the way out": (
        LONG(LEFT_TO_RIGHT),
        "plus_one=True, to_mod=True, x=BASE",
        "plus_one=True, x=BASE",
    ),
    "R^2 overwritten": (
        LONG(windows(2)),
        'Operation("one", shape.low_digits, plus_one=True, x=RESULT)',
        'Operation("one", shape.low_digits, plus_one=True, x=RESULT, to_table=powers)',
    ),
    "leading zeros not waited for": (LONG(LEFT_TO_RIGHT), "missing > 0", "missing > 99"),
}
HOLDING_FAULTS = {
    "half of the modulus compared": (
        "s.recv.msg.mod == s.request.mod",
        "s.recv.msg.mod[0:6] == s.request.mod[0:6]",
    ),
    "never the same": ("s.recv.msg.mod == s.request.mod", "s.recv.msg.mod != s.recv.msg.mod"),
}
PORT_FAULTS = {
    "a modulus that was pushed": (
        rtl.port.operand_words,
        "NotPushed",
        ("s.yes <<= 0", "s.yes <<= s.yes"),
    ),
    "never the same": (rtl.port.operand_words, "NotPushed", ("s.yes <<= 1", "s.yes <<= s.yes")),
    "the same before a go is taken": (
        rtl.port.xcel,
        "XcelRTL",
        ("s.stays.go @= s.taken & s.is_go", "s.stays.go @= s.is_go"),
    ),
    "the status after a push": (
        rtl.port.xcel,
        "XcelRTL",
        ("s.kept @= s.exponentiator.kept & s.stays.yes", "s.kept @= s.exponentiator.kept"),
    ),
    "the status while busy": (rtl.port.xcel, "XcelRTL", ("s.kept & ~s.busy", "s.kept")),
}
RESET = "if s.reset:\n                    s.kept <<= 0\n                elif s.control.load:"


@pytest.mark.parametrize("name", FAULTS)
def test_fault_in_a_part(tmp_path, monkeypatch, name):
    module, kind, user, design, (sound, faulty) = FAULTS[name]
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(user, kind, getattr(broken, kind))
    with pytest.raises(CAUGHT):
        check_row(design, design.rtl(), CASES)


@pytest.mark.parametrize("name", PROGRAM_FAULTS)
def test_fault_in_the_operations(tmp_path, name):
    """What a row would do that is told something else, in time or not."""
    design, sound, faulty = PROGRAM_FAULTS[name]
    broken = plant(tmp_path, fl.array_program, sound, faulty)
    bits, shape = design.order.window_bits, design.program.shape
    program = broken.windows(shape, bits, True) if bits else broken.binary(shape, True)
    core = partial(rtl.exp.array.ArrayExponentiatorRTL, program, design.order)
    cases = [ExpCase(f"{exp}", 64, 3**40, exp, 3**40 - 2) for exp in (5, 1)]
    with component_runner(Holding(64, core, True)) as runner, pytest.raises(CAUGHT):
        check_exponentiator(runner, design, cases, max_cycles=20_000)


@faults(HOLDING_FAULTS)
def test_fault_in_what_is_compared(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.exp.holding, sound, faulty)
    with pytest.raises(CAUGHT):
        check_row(BINARY, broken.Holding(12, BINARY.core, True), CASES)


@pytest.mark.parametrize("name", PORT_FAULTS)
def test_fault_in_what_the_port_knows(tmp_path, monkeypatch, name):
    module, kind, (sound, faulty) = PORT_FAULTS[name]
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(rtl.port.xcel, kind, getattr(broken, kind))
    with pytest.raises(CAUGHT):
        check_port(BINARY, rtl.port.xcel.XcelRTL(BINARY))


def test_fault_kept_after_a_reset(tmp_path, monkeypatch):
    broken = plant(tmp_path, rtl.exp.array, RESET, "if s.control.load:")
    monkeypatch.setattr(rtl.exp.array, "ArrayExponentiatorRTL", broken.ArrayExponentiatorRTL)
    with pytest.raises(CAUGHT):
        check_port(BINARY, XcelRTL(BINARY))
