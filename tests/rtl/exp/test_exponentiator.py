"""Exponentiators of parts: faults planted in each part are caught by the contract's tables."""

import pytest

import cl.exponentiator
import rtl.exp.control
import rtl.exp.enter
import rtl.exp.exponentiator
import rtl.exp.judge
import rtl.exp.ladder
import rtl.exp.leave
import rtl.exp.leave_reduced
import rtl.exp.left_to_right
import rtl.exp.left_to_right_always
import rtl.exp.masked_ladder
import rtl.exp.mul_share
import rtl.exp.organised
import rtl.exp.r_squared
import rtl.exp.r_squared_doubling
import rtl.exp.right_to_left
import rtl.exp.windows
from cl.organisation import Organisation
from eval.contract.exponentiator import edge_cases, random_cases
from fl.masked_ladder import MASKED_LADDER
from fl.schedule import LADDER, LEFT_TO_RIGHT, LEFT_TO_RIGHT_ALWAYS, RIGHT_TO_LEFT_ALWAYS, windows
from rtl.exp.organised import organised
from rtl.mul.mont_digit import MontDigit
from rtl.mul.mont_mul import MontMul
from rtl.mul.mul_rem import MulRem
from rtl.mul.scaled import ScaledHigh, ScaledLow
from sim.stream import STALLS, Stalls
from tests.faults import CAUGHT, plant
from tests.harness import check_within, component_runner

LATE_SINK = Stalls("late-sink", (0,), (300,))  # later than any answer
NBITS = 8
# Short exponents keep PyMTL3's time short.
CASES = edge_cases(NBITS, exp_bits=4) + random_cases(NBITS, 6, seed=17, odd=True)

ITERATED = MontMul(NBITS, 2)
PIPELINED = MontMul(NBITS, 2, "pipelined")
OPEN = MontMul(NBITS, 2, final_subtract=False)
TWO = (ITERATED, Organisation(squarings=1))
TWO_OPEN = (OPEN, Organisation(squarings=1))
LEFT = (ITERATED, Organisation(LEFT_TO_RIGHT, units=1, squarings=1))
LEFT_OPEN = (OPEN, Organisation(LEFT_TO_RIGHT, units=1, squarings=1))
LEFT_REDUCED = (MulRem(NBITS), Organisation(LEFT_TO_RIGHT, units=1, entry="reduced"))
FIVE = (ITERATED, Organisation(units=5, entry="remainder", forward=False))
CONVERTS = (ITERATED, Organisation(entry="product", forward=False, converts=True))
ONE = (PIPELINED, Organisation(units=1, squarings=1))
LATE_CONSTANT = (MontDigit(NBITS, 16), Organisation())  # later than a squaring could begin
NO_SQUARING = (ITERATED, Organisation(squarings=0))
PRODUCT = (ITERATED, Organisation(entry="product"))
ALWAYS = (ITERATED, Organisation(RIGHT_TO_LEFT_ALWAYS))
LEFT_ALWAYS = (OPEN, Organisation(LEFT_TO_RIGHT_ALWAYS, units=1, forward=False))
LEFT_ALWAYS_AHEAD = (ITERATED, Organisation(LEFT_TO_RIGHT_ALWAYS, units=1))
BY_LADDER = (OPEN, Organisation(LADDER, forward=False))
BY_LADDER_AHEAD = (ITERATED, Organisation(LADDER))
BY_LADDER_IN_TURN = (PIPELINED, Organisation(LADDER, units=1))
BY_SHARES = (OPEN, Organisation(MASKED_LADDER, forward=False))
BY_SHARES_IN_TURN = (PIPELINED, Organisation(MASKED_LADDER, units=1, forward=False))
BY_SHARES_OF_FIVE = (ITERATED, Organisation(MASKED_LADDER, units=5, forward=False))
BY_LADDER_OF_FIVE = (ITERATED, Organisation(LADDER, units=5))
WINDOWS = (OPEN, Organisation(windows(2), units=1, forward=False))
WINDOWS_AHEAD = (ITERATED, Organisation(windows(3), units=1))
WINDOW_OF_A_BIT = (ITERATED, Organisation(windows(1), units=1))
AT_ONCE = (MulRem(NBITS), Organisation(entry="at-once", forward=False))
HIGH = (ScaledHigh(NBITS, 4), Organisation(entry="as-it-is"))
LOW = (ScaledLow(NBITS, 4), Organisation())
LOW_LEFT = (ScaledLow(NBITS, 4), Organisation(LEFT_TO_RIGHT, units=1))
LOW_WINDOWS = (ScaledLow(NBITS, 3), Organisation(windows(2), units=1))
LOW_BY_SHARES = (ScaledLow(NBITS, 2), Organisation(MASKED_LADDER, forward=False))
LOW_CONVERTS = (ScaledLow(NBITS, 4), Organisation(converts=True))
SOUND = {
    "two": TWO,
    "two without final subtraction": TWO_OPEN,
    "left to right": LEFT,
    "left to right without final subtraction": LEFT_OPEN,
    "left to right, reduced": LEFT_REDUCED,
    "five": FIVE,
    "two that convert": CONVERTS,
    "one": ONE,
    "no squaring": NO_SQUARING,
    "no squaring before the constant stands": LATE_CONSTANT,
    "product": PRODUCT,
    "always": ALWAYS,
    "left to right, always": LEFT_ALWAYS,
    "left to right, always, ahead": LEFT_ALWAYS_AHEAD,
    "ladder": BY_LADDER,
    "ladder, ahead": BY_LADDER_AHEAD,
    "ladder, one unit": BY_LADDER_IN_TURN,
    "ladder, five units": BY_LADDER_OF_FIVE,
    "masked ladder": BY_SHARES,
    "masked ladder, one unit": BY_SHARES_IN_TURN,
    "masked ladder, five units": BY_SHARES_OF_FIVE,
    "windows": WINDOWS,
    "windows, ahead": WINDOWS_AHEAD,
    "windows of a bit": WINDOW_OF_A_BIT,
    "at once": AT_ONCE,
    "as it is": HIGH,
    "with a constant": LOW,
    "with a constant, left to right": LOW_LEFT,
    "with a constant, windows": LOW_WINDOWS,
    "with a constant, masked ladder": LOW_BY_SHARES,
    "with a constant, two that convert": LOW_CONVERTS,
}

# A fault: module, class of it, organisation that has that, what is sound, what is not.
FAULTS = {
    "R^2 by a doubling too few": (
        rtl.exp.r_squared_doubling,
        "RSquaredDoubling",
        TWO,
        ("Count(few_doublings)", "Count(few_doublings - 1)"),
    ),
    "R^2 by a squaring too few": (
        rtl.exp.r_squared_doubling,
        "RSquaredDoubling",
        TWO,
        ("Rounds(squarings)", "Rounds(squarings - 1)"),
    ),
    "R^2 doubled past m": (
        rtl.exp.r_squared_doubling,
        "RSquaredDoubling",
        TWO,
        ("s.power <<= s.subtract.result", "s.power <<= s.power << 1"),
    ),
    "R^2 without final subtraction kept below m": (
        rtl.exp.r_squared_doubling,
        "RSquaredDoubling",
        NO_SQUARING,
        ("s.power <<= 1  #", "s.power <<= 2  #"),
    ),
    "R - m not negated": (
        rtl.exp.r_squared,
        "RSquaredProduct",
        PRODUCT,
        ("s.power <<= ~s.mod + 1", "s.power <<= ~s.mod"),
    ),
    "R - m done before it is squared": (
        rtl.exp.r_squared,
        "RSquaredProduct",
        PRODUCT,
        ("s.wanted <<= s.reduce\n", "s.wanted <<= 0\n"),
    ),
    "R^2 of another dividend": (
        rtl.exp.r_squared,
        "RSquaredRemainder",
        FIVE,
        ("(1 << 2 * radix)", "(1 << 2 * radix - 1)"),
    ),
    "R^2 by a divider that is not started": (
        rtl.exp.r_squared,
        "RSquaredRemainder",
        FIVE,
        ("s.div_rem.recv.val //= s.start", "s.div_rem.recv.val //= s.finish"),
    ),
    "R^2 of another modulus": (
        rtl.exp.r_squared,
        "RSquaredRemainder",
        FIVE,
        ("s.div_rem.recv.msg.b @= s.mod", "s.div_rem.recv.msg.b @= s.mod >> 1"),
    ),
    "R^2 not let go": (
        rtl.exp.r_squared,
        "RSquaredRemainder",
        FIVE,
        ("s.div_rem.send.rdy //= s.finish", "s.div_rem.send.rdy //= 0"),
    ),
    "first result of a domain entered from the base": (
        rtl.exp.exponentiator,
        "ExponentiatorRTL",
        FIVE,
        ("s.one.operand //= 1\n", "s.one.operand //= s.held.base\n"),
    ),
    "both operands by one unit": (
        cl.exponentiator,
        "Parts",
        CONVERTS,
        ("if self.organisation.converts:", "if self.organisation.units == 0:"),
    ),
    "converted out again": (
        rtl.exp.leave,
        "ConvertOut",
        FIVE,
        ("s.active & ~s.sent", "s.active"),
    ),
    "converted out of another operand": (
        rtl.exp.leave,
        "ConvertOut",
        FIVE,
        ("s.mul.req.msg.b //= s.operand", "s.mul.req.msg.b //= 1"),
    ),
    "operand converted twice": (
        rtl.exp.enter,
        "Convert",
        FIVE,
        ("s.active & s.ready & ~s.sent", "s.active & s.ready"),
    ),
    "conversion not told": (
        rtl.exp.enter,
        "Convert",
        FIVE,
        ("s.done @= s.sent & s.mul.resp.val", "s.done @= s.sent"),
    ),
    "converts before R^2 stands": (
        rtl.exp.enter,
        "Convert",
        TWO,
        ("s.active & s.ready & ~s.sent", "s.active & ~s.sent"),
    ),
    "converted base cut": (
        rtl.exp.enter,
        "Convert",
        TWO,
        (
            "s.mul.req.msg.a @= zext(s.operand, width)",
            "s.mul.req.msg.a @= zext(s.operand[0:7], width)",
        ),
    ),
    "first result of a domain not converted": (
        rtl.exp.enter,
        "Convert",
        FIVE,
        ("s.mul.req.msg.b //= s.r_squared", "s.mul.req.msg.b //= 1"),
    ),
    "base taken as it is cut": (
        rtl.exp.enter,
        "TakeAsItIs",
        HIGH,
        (
            "s.ready\n            s.value @= zext(s.operand, width)",
            "s.ready\n            s.value @= zext(s.operand[0:7], width)",
        ),
    ),
    "base taken again": (
        rtl.exp.enter,
        "TakeAsItIs",
        HIGH,
        ("s.done @= s.active & s.ready\n", "s.done @= s.ready\n"),
    ),
    "base taken before the constant stands": (
        rtl.exp.enter,
        "TakeAsItIs",
        HIGH,
        ("s.done @= s.active & s.ready\n", "s.done @= s.active\n"),
    ),
    "base at once cut": (
        rtl.exp.enter,
        "TakeAtOnce",
        AT_ONCE,
        (
            "def extend():\n            s.value @= zext(s.operand, width)",
            "def extend():\n            s.value @= 0",
        ),
    ),
    "converted out by 0": (
        rtl.exp.leave,
        "ConvertOut",
        LEFT,
        ("s.mul.req.msg.a //= 1", "s.mul.req.msg.a //= 0"),
    ),
    "answer taken before the sink is ready": (
        rtl.exp.leave,
        "ConvertOut",
        LEFT,
        ("s.mul.resp.rdy @= s.taken", "s.mul.resp.rdy @= 1"),
    ),
    "converted out, not subtracted": (
        rtl.exp.leave,
        "ConvertOut",
        LEFT_OPEN,
        ("s.subtract.result //= s.value", "s.value //= s.operand[0:nbits]"),
    ),
    "converted out, not reduced": (
        rtl.exp.leave_reduced,
        "ConvertOutReduced",
        LOW_LEFT,
        ("s.value @= s.reduce.value", "s.value @= s.mul.resp.msg.r[0:nbits]"),
    ),
    "reduced before the product stands": (
        rtl.exp.leave_reduced,
        "ConvertOutReduced",
        LOW_LEFT,
        ("s.reduce.active @= s.sent & s.mul.resp.val", "s.reduce.active @= s.active"),
    ),
    "reduced, not converted out": (
        rtl.exp.leave_reduced,
        "ConvertOutReduced",
        LOW_LEFT,
        ("s.reduce.operand //= s.mul.resp.msg.r", "s.reduce.operand //= s.operand"),
    ),
    "told when the product stands": (
        rtl.exp.leave_reduced,
        "ConvertOutReduced",
        LOW_LEFT,
        ("s.done //= s.reduce.done", "s.done //= s.mul.resp.val"),
    ),
    "reduced once, for all": (
        rtl.exp.leave_reduced,
        "ConvertOutReduced",
        LOW_LEFT,
        ("s.reduce.taken //= s.taken", "s.reduce.taken //= 0"),
    ),
    "not subtracted": (
        rtl.exp.leave,
        "SubtractOnce",
        TWO_OPEN,
        ("s.subtract.result //= s.value", "s.value //= s.operand[0:nbits]"),
    ),
    "not reduced": (
        rtl.exp.leave,
        "Reduce",
        HIGH,
        ("s.value @= s.reduction.value", "s.value @= s.operand[0:nbits]"),
    ),
    "never left": (
        rtl.exp.leave,
        "Reduce",
        HIGH,
        ("s.reduction.active //= s.active", "s.reduction.active //= 0"),
    ),
    "powers of the result": (
        rtl.exp.windows,
        "Windows",
        WINDOWS,
        ("s.mul.req.msg.b @= s.powers[1]", "s.mul.req.msg.b @= s.powers[0]"),
    ),
    "a power taken that is just coming": (
        rtl.exp.windows,
        "Windows",
        WINDOWS_AHEAD,
        (
            "elif s.multiplies & s.ahead & s.filled & (s.order.entry == last):",
            "elif s.multiplies & s.ahead & s.filled & (s.order.entry == 0):",
        ),
    ),
    "a power too few": (
        rtl.exp.windows,
        "Windows",
        WINDOWS_AHEAD,
        ("(s.into == last)", "(s.into == last - 1)"),
    ),
    "result begins as a power": (
        rtl.exp.windows,
        "Windows",
        WINDOWS,
        ("s.next_result @= s.powers[0]", "s.next_result @= s.mul.resp.msg.r"),
    ),
    "power 0 not kept": (
        rtl.exp.windows,
        "Windows",
        WINDOW_OF_A_BIT,
        ("s.powers[0] <<= s.one", "s.powers[0] <<= s.power"),
    ),
    "first window of a bit squared": (
        rtl.exp.windows,
        "Windows",
        WINDOW_OF_A_BIT,
        (" | (s.start & begins_at_once)", ""),
    ),
    "window multiplied by at a square": (
        rtl.exp.windows,
        "Windows",
        WINDOWS_AHEAD,
        ("s.multiplies @= s.order.next == MULTIPLY", "s.multiplies @= s.order.next != MULTIPLY"),
    ),
    "operand of the bit before": (
        rtl.exp.right_to_left,
        "RightToLeft",
        TWO,
        ("if s.ahead & s.square_comes:", "if s.ahead & s.square_got:"),
    ),
    "result of a 0 bit": (
        rtl.exp.right_to_left,
        "RightToLeft",
        TWO,
        (
            "            elif s.multiply_comes & s.is_set:",
            "            elif s.square_comes & s.is_set:",
        ),
    ),
    "last bit not seen": (
        rtl.exp.right_to_left,
        "RightToLeft",
        TWO,
        ("s.last @= s.exponent.last", "s.last @= s.exponent.next_last"),
    ),
    "waits for the square only": (
        rtl.exp.right_to_left,
        "RightToLeft",
        TWO,
        (
            "& (~s.multiplies | s.multiply_got | s.multiply_comes)",
            "& (~s.multiplies | s.multiply_sent)",
        ),
    ),
    "multiplies on every bit": (
        rtl.exp.right_to_left,
        "RightToLeft",
        AT_ONCE,
        ("s.multiplies @= s.is_set", "s.multiplies @= 1"),
    ),
    "last square waited for": (
        rtl.exp.right_to_left,
        "RightToLeft",
        AT_ONCE,
        ("s.square.req.val @= s.active & ~s.last & ~s.square_sent", "s.square.req.val @= s.active"),
    ),
    "waits for the multiplication only": (
        rtl.exp.right_to_left,
        "RightToLeft",
        AT_ONCE,
        ("& (s.last | s.square_got | s.square_comes)", "& (s.last | s.square_sent)"),
    ),
    "leading zeros served": (
        rtl.exp.left_to_right,
        "LeftToRight",
        LEFT,
        ("(s.skipping & ~s.at_end) | s.advance", "s.advance"),
    ),
    "squares with the power": (
        rtl.exp.left_to_right,
        "LeftToRight",
        LEFT,
        ("if s.multiplies:", "if ~s.multiplies:"),
    ),
    "ends a bit early": (
        rtl.exp.left_to_right,
        "LeftToRight",
        LEFT,
        ("s.comes & ~(s.advance & s.next_end)", "s.comes & ~s.next_end"),
    ),
    "products at 0 bits kept": (
        rtl.exp.left_to_right_always,
        "LeftToRightAlways",
        LEFT_ALWAYS,
        ("if s.comes & (~s.multiplying | s.is_set):", "if s.comes:"),
    ),
    "squares only": (
        rtl.exp.left_to_right_always,
        "LeftToRightAlways",
        LEFT_ALWAYS,
        ("if s.multiplies:", "if s.multiplies & s.ahead:"),
    ),
    "a bit too few": (
        rtl.exp.left_to_right_always,
        "LeftToRightAlways",
        LEFT_ALWAYS,
        ("Count(nbits - 1)", "Count(nbits - 2)"),
    ),
    "ahead of the last answer too": (
        rtl.exp.left_to_right_always,
        "LeftToRightAlways",
        LEFT_ALWAYS_AHEAD,
        ("s.ahead @= s.comes & ~s.last", "s.ahead @= s.comes"),
    ),
    "ahead with the answer before": (
        rtl.exp.left_to_right_always,
        "LeftToRightAlways",
        LEFT_ALWAYS_AHEAD,
        ("s.operand //= s.next_result", "s.operand //= s.result_register"),
    ),
    "ladder that squares the other value": (
        rtl.exp.ladder,
        "Ladder",
        BY_LADDER,
        ("            if s.asked:", "            if ~s.asked:"),
    ),
    "ladder that keeps a product as the other value": (
        rtl.exp.ladder,
        "Ladder",
        BY_LADDER,
        ("if ~s.is_set & s.multiply_comes:", "if s.is_set & s.multiply_comes:"),
    ),
    "ladder of a bit too few": (
        rtl.exp.ladder,
        "Ladder",
        BY_LADDER,
        ("Count(nbits - 1)", "Count(nbits - 2)"),
    ),
    "ladder ahead by the bit before": (
        rtl.exp.ladder,
        "Ladder",
        BY_LADDER_AHEAD,
        ("s.asked @= s.exponent.bits", "s.asked @= s.is_set"),
    ),
    "ladder ahead with the values before": (
        rtl.exp.ladder,
        "Ladder",
        BY_LADDER_AHEAD,
        ("s.high_operand //= s.next_high", "s.high_operand //= s.high"),
    ),
    "ladder that does not wait for the square": (
        rtl.exp.ladder,
        "Ladder",
        BY_LADDER_IN_TURN,
        ("(s.square_got | s.square_comes)", "s.square_sent"),
    ),
    "masked ladder, the product goes where the square should": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES,
        ("s.shares.delta_0 ^ s.exchanged", "~s.shares.delta_0 ^ s.exchanged"),
    ),
    "masked ladder whose answers are those of other factors": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES_IN_TURN,
        ("s.reads_1 @= s.place ^ s.exchanged", "s.reads_1 @= s.place"),
    ),
    "masked ladder that begins exchanged": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES,
        (
            "if s.reset | s.load:\n                s.exchanged <<= 0",
            "if s.reset:\n                s.exchanged <<= 0",
        ),
    ),
    "masked ladder that squares what share 0 says": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES,
        ("s.place @= ~s.shares.delta_1", "s.place @= ~s.shares.delta_0"),
    ),
    "masked ladder that forgets which one was squared": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES_IN_TURN,
        ("s.kept_place <<= s.place", "s.kept_place <<= ~s.place"),
    ),
    "masked ladder of a bit too few": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES,
        ("Count(exp_bits - 1)", "Count(exp_bits - 2)"),
    ),
    "masked ladder that ends with the product": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES_IN_TURN,
        ("s.finish_bit @= s.square_comes", "s.finish_bit @= s.multiply_comes"),
    ),
    "masked ladder that begins with the power twice": (
        rtl.exp.masked_ladder,
        "MaskedLadder",
        BY_SHARES_OF_FIVE,
        ("s.from_square @= s.one", "s.from_square @= s.power"),
    ),
    "R taken a doubling late": (
        rtl.exp.enter,
        "TakeRadix",
        LEFT_ALWAYS,
        ("Count(radix + 1)", "Count(radix + 2)"),
    ),
    "answer not held": (
        rtl.exp.control,
        "ExponentiatorControl",
        LEFT,
        ("elif s.send.val & s.send.rdy:", "elif s.send.val:"),
    ),
    "conversion started too often": (
        rtl.exp.control,
        "ExponentiatorControl",
        LEFT,
        ("s.start @= s.state == START", "s.start @= s.state != IDLE"),
    ),
    "a skipped request begins": (
        rtl.exp.control,
        "ExponentiatorControl",
        AT_ONCE,
        ("if s.load & s.skip:", "if s.load & s.skip & s.start:"),
    ),
    "both users granted": (
        rtl.exp.mul_share,
        "MulShare",
        ONE,
        ("s.unit.req.rdy & ~s.first.req.val", "s.unit.req.rdy"),
    ),
    "answers of users swapped": (
        rtl.exp.mul_share,
        "MulShare",
        ONE,
        (
            "s.second_out & (s.second_older | ~s.first_out)",
            "s.second_out & (~s.second_older | ~s.first_out)",
        ),
    ),
    "even modulus taken": (
        rtl.exp.judge,
        "OddModulus",
        TWO,
        ("s.takes @= s.mod[0]\n", "s.takes @= s.mod != 0\n"),
    ),
    "modulus 0 taken": (
        rtl.exp.judge,
        "AnyModulus",
        AT_ONCE,
        ("s.takes @= s.mod != 0", "s.takes @= 1"),
    ),
    "1 mod 1 is 1": (
        rtl.exp.exponentiator,
        "ExponentiatorRTL",
        TWO,
        ("~s.bad & (s.recv.msg.mod != 1)", "~s.bad"),
    ),
    "exponent 0 not seen": (
        rtl.exp.exponentiator,
        "ExponentiatorRTL",
        TWO,
        ("(s.bad | (s.recv.msg.exp == 0))", "s.bad"),
    ),
    "bad modulus not told": (
        rtl.exp.exponentiator,
        "ExponentiatorRTL",
        TWO,
        ("s.status <<= BAD_MODULUS", "s.status <<= OK"),
    ),
    "constant not awaited": (
        rtl.exp.exponentiator,
        "ExponentiatorRTL",
        HIGH,
        ("s.enter.ready @= s.r_squared.done & s.constant.done", "s.enter.ready @= 1"),
    ),
}


def check_design(choices, level="rtl"):
    """What the contract tests do with an exponentiator: values, time, and a late sink. A few first:
    most faults show there, and what hangs does not for long."""
    exponentiator = organised(*choices)
    with component_runner(exponentiator.rtl(), level) as runner:
        for some, stalls in (
            (CASES[::25], STALLS["none"]),
            (CASES, STALLS["none"]),
            (CASES[::15], LATE_SINK),
        ):
            check_within(runner, exponentiator, some, room=310, stalls=stalls)


@pytest.mark.parametrize("choices", SOUND.values(), ids=SOUND)
def test_the_sound_designs_pass(choices):
    """All cases, in C++: Python takes three times as long."""
    check_design(choices, "batch")


@pytest.mark.parametrize(("module", "name", "choices", "lines"), FAULTS.values(), ids=FAULTS)
def test_fault(tmp_path, monkeypatch, module, name, choices, lines):
    broken = getattr(plant(tmp_path, module, *lines), name)
    for user in (rtl.exp.organised, rtl.exp.exponentiator):
        if hasattr(user, name):
            monkeypatch.setattr(user, name, broken)
    for entry, parts in rtl.exp.organised.ENTRIES.items():
        changed = tuple(broken if part.__name__ == name else part for part in parts)
        monkeypatch.setitem(rtl.exp.organised.ENTRIES, entry, changed)
    with pytest.raises(CAUGHT):
        check_design(choices)
