"""A row that exponentiates by itself: faults in each of its parts, and in what it is told to do."""

from functools import partial

import pytest

import fl.array_program
import rtl.exp.array
import rtl.exp.array_control
import rtl.exp.array_later
import rtl.exp.array_order
import rtl.exp.array_row
import rtl.exp.array_word
import rtl.mul.array_element
from eval.catalog.array import odd_modulus
from eval.contract.exponentiator import (
    ExpCase,
    check_exponentiator,
    edge_cases,
    random_cases,
)
from fl.schedule import LEFT_TO_RIGHT, windows
from rtl.exp.array import ArrayExponentiator
from rtl.exp.holding import Holding
from sim.stream import STALLS
from tests.faults import CAUGHT, plant
from tests.harness import component_runner
from tests.rtl.exp.rows import check_row

SHAPE = {"nbits": 12, "takes": odd_modulus, "digit_bits": 4, "word_bits": 12}
BINARY = ArrayExponentiator(**SHAPE, order=LEFT_TO_RIGHT)
WINDOWS = ArrayExponentiator(**SHAPE, order=windows(2))
STAGES = {"binary": {"order": LEFT_TO_RIGHT}, "windows": {"order": windows(2)}}
IN_STAGES = {name: ArrayExponentiator(**SHAPE, **order, stages=2) for name, order in STAGES.items()}
LONG_ROW = ArrayExponentiator(24, odd_modulus, 1, 3, LEFT_TO_RIGHT)
CASES = edge_cases(12, exp_bits=5)[::6] + random_cases(12, 6, seed=17, odd=True)
CASES += [ExpCase("power 0", 12, 5, 0, mod) for mod in (1, 4095)]

# A fault: module, class of it, who uses that, exponentiator, what is sound, what is not.
FAULTS = {
    "row loses m": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        BINARY,
        ("s.whole_m @= zext(s.m, row_bits)", "s.whole_m @= zext(s.base_in, row_bits)"),
    ),
    "row takes a digit that is not there yet": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        BINARY,
        ("elif s.go & (s.source == 0) & s.resolving:", "elif s.low:"),
    ),
    "row takes a digit of x for one of the table": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        WINDOWS,
        ("elif s.go & (s.source == 0) & s.resolving:", "elif s.go & s.resolving:"),
    ),
    "row takes the lowest digit of another word": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        BINARY,
        ("s.element_0.a_in @= s.kept_low[0:w]", "s.element_0.a_in @= s.element_0.low"),
    ),
    "word takes m as it is": (
        rtl.exp.array_word,
        "PowerWord",
        rtl.exp.array_row,
        BINARY,
        ("s.x <<= ~s.m", "s.x <<= s.m"),
    ),
    "word keeps M'": (
        rtl.exp.array_word,
        "PowerWord",
        rtl.exp.array_row,
        BINARY,
        ("if s.take.ends & s.take.to_mod:", "if s.take.to_mod:"),
    ),
    "word keeps no power": (
        rtl.exp.array_word,
        "PowerWord",
        rtl.exp.array_row,
        WINDOWS,
        ("s.take.ends & s.take.to_table:", "s.take.ends & s.take.to_mod:"),
    ),
    "word tells nothing of what fits": (
        rtl.exp.array_word,
        "PowerWord",
        rtl.exp.array_row,
        BINARY,
        ("s.fits <<= s.value[word_bits]", "s.fits <<= s.value[word_bits - 1]"),
    ),
    "word stops what fits": (
        rtl.exp.array_word,
        "PowerWord",
        rtl.exp.array_row,
        BINARY,
        ("s.fits <<= s.fits_in", "s.fits <<= s.take.ends"),
    ),
    "leading zeros stay": (
        rtl.exp.array_order,
        "BinaryOrder",
        rtl.exp.array,
        BINARY,
        ("s.next_bit | (s.skipping & ~s.top)", "s.next_bit"),
    ),
    "last bit left out": (
        rtl.exp.array_order,
        "BinaryOrder",
        rtl.exp.array,
        BINARY,
        ("elif s.bits_left == 1:", "elif s.bits_left == 2:"),
    ),
    "multiplies at every bit": (
        rtl.exp.array_order,
        "BinaryOrder",
        rtl.exp.array,
        BINARY,
        ("~(s.squared & s.top)", "~s.squared"),
    ),
    "a square too few in a window": (
        rtl.exp.array_order,
        "WindowOrder",
        rtl.exp.array,
        WINDOWS,
        ("Squares(window_bits - 1)", "Squares(window_bits - 2)"),
    ),
    "last window left out": (
        rtl.exp.array_order,
        "WindowOrder",
        rtl.exp.array,
        WINDOWS,
        ("(s.windows_left == 1)", "(s.windows_left == 2)"),
    ),
    "the same window again": (
        rtl.exp.array_order,
        "WindowOrder",
        rtl.exp.array,
        WINDOWS,
        ("s.leaves @= s.advance & s.multiplied", "s.leaves @= s.advance & ~s.multiplied"),
    ),
    "m shifted as often as the request before": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.repeats_left <<= Repeats(shape.shifts - 1)", "s.repeats_left <<= s.repeats_left"),
    ),
    "m shifted a bit too far": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.room <<= Count(shape.value_bits)", "s.room <<= Count(shape.value_bits + 1)"),
    ),
    "m shifted by one digit's length": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.room <<= s.room - w", "s.room <<= s.room"),
    ),
    "m never subtracted": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.digit @= zext(s.fits, low_bits)", "s.digit @= 0"),
    ),
    "both m subtracted and not": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("(s.op_from_fits & ~s.fits)", "s.op_from_fits"),
    ),
    "the power of another window": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        WINDOWS,
        ("zext(s.chosen, source_bits) + 1", "zext(s.chosen, source_bits) | 1"),
    ),
    "1 added to nothing": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        BINARY,
        ("s.plus_one @= s.first & s.op_plus_one", "s.plus_one @= 0"),
    ),
    "skipped requests answered with the product before": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        BINARY,
        ("if s.skipped:", "if s.skipped & s.bad:"),
    ),
    "bad moduli answered": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        WINDOWS,
        ("if s.status != OK:", "if s.skipped & (s.status != OK):"),
    ),
    "c of the modulus before": (
        rtl.exp.array,
        "ArrayExponentiatorRTL",
        rtl.exp.array,
        BINARY,
        ("s.start <<= s.control.load", "s.start <<= s.start & s.control.load"),
    ),
}
FAULTS |= {
    "digits of c after the first one lost": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        IN_STAGES["binary"],
        ("s.further //= s.waiting[0:w]", "s.further //= 0"),
    ),
    "digits out of the row lost": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        IN_STAGES["binary"],
        ("s.waiting <<= s.kept_low[w:low_bits]", "s.waiting <<= 0"),
    ),
    "quotient digits that wait swapped": (
        rtl.exp.array_row,
        "PowerRow",
        rtl.exp.array,
        IN_STAGES["binary"],
        (
            "s.low_now[0:waiting_bits] //= first.waiting",
            "s.low_now[0:w] //= first.waiting[w:waiting_bits]\n"
            "            s.low_now[w:waiting_bits] //= first.waiting[0:w]",
        ),
    ),
    "order to begin lost": (
        rtl.exp.array_later,
        "OrdersLater",
        rtl.exp.array,
        IN_STAGES["windows"],
        ("s.plus_one <<= s.plus_one_in", "s.plus_one <<= s.plus_mod_in"),
    ),
    "m shifted by one digit's length, in stages": (
        rtl.exp.array_later,
        "LateShiftLength",
        rtl.exp.array_control,
        IN_STAGES["binary"],
        ("s.room <<= s.room - w", "s.room <<= s.room"),
    ),
    "m shifted as far as the turn before": (
        rtl.exp.array_later,
        "LateShiftLength",
        rtl.exp.array_control,
        IN_STAGES["binary"],
        ("if s.few:", "if s.few & s.scan:"),
    ),
    "the product before again, in stages": (
        rtl.exp.array_control,
        "RowControl",
        rtl.exp.array,
        IN_STAGES["binary"],
        ("s.advance <<= s.ends & s.op_decides & ~s.reset", "s.advance <<= s.first"),
    ),
}
PROGRAM_FAULTS = {
    "words not waited for": (
        'Operation("all words", shape.words - 1)',
        'Operation("all words", 1)',
    ),
    "way back not waited for": ('Operation("fits", way_back)', 'Operation("fits", 1)'),
    "power taken before it stands": ('Operation("power 0 stands", 1),', ""),
    "m's length taken too soon": ('    yield Operation("m stands", 1)\n', ""),
    "m added before it stands": ('    yield Operation("m again", 1)\n', ""),
    "-m added before it stands": ('    yield Operation("-m again", 1)\n', ""),
    "a step too few": ("shape.steps - low, LITERAL", "shape.steps - low - 1, LITERAL"),
}


@pytest.mark.parametrize(
    "design",
    [BINARY, WINDOWS, *IN_STAGES.values()],
    ids=lambda design: f"{design.order.name}-{design.stages}",
)
def test_a_sound_row_passes(design):
    with component_runner(design.rtl(), "batch") as runner:
        for stalls in STALLS.values():
            check_exponentiator(runner, design, CASES, stalls, 2_000_000)


def check_resets(hardware):
    """A request after a reset, with the order to take the base under way in a row of many words."""
    Request, _ = LONG_ROW.messages
    ordered = sum(operation.cycles for operation in LONG_ROW.program.enter)
    with component_runner(hardware) as runner:
        dut = runner.engine.top
        for cycles_before in range(ordered, ordered + 4):
            runner.reset()
            dut.recv.msg @= Request((1 << 24) - 1, 3, (1 << 24) - 3)
            dut.recv.val @= 1
            for _ in range(cycles_before):
                dut.sim_tick()
            after = [ExpCase(f"reset in cycle {cycles_before}", 24, 0xABCDEF, 5, 0xFFFFFD)]
            check_exponentiator(runner, LONG_ROW, after, max_cycles=20_000)


def test_a_reset_reaches_all_elements(tmp_path, monkeypatch):
    check_resets(LONG_ROW.rtl())
    sound, faulty = "relay.in_ //= s.reset", "relay.in_ //= 0"
    broken = plant(tmp_path, rtl.exp.array_row, sound, faulty)
    monkeypatch.setattr(rtl.exp.array, "PowerRow", broken.PowerRow)
    with pytest.raises(CAUGHT):
        check_resets(LONG_ROW.rtl())


@pytest.mark.parametrize("name", FAULTS)
def test_fault_in_a_part(tmp_path, monkeypatch, name):
    module, kind, user, design, (sound, faulty) = FAULTS[name]
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(user, kind, getattr(broken, kind))
    with pytest.raises(CAUGHT):
        check_row(design, design.rtl(), CASES)


@pytest.mark.parametrize("name", PROGRAM_FAULTS)
def test_fault_in_the_operations(tmp_path, name):
    """Time and value of what a row would do that is told something else, of three words."""
    broken = plant(tmp_path, fl.array_program, *PROGRAM_FAULTS[name])
    long = ArrayExponentiator(28, odd_modulus, 4, 12, windows(2))
    program = broken.windows(long.program.shape, 2)
    core = partial(rtl.exp.array.ArrayExponentiatorRTL, program, long.order)
    with component_runner(Holding(28, core), "batch") as runner:
        cases = random_cases(28, 6, seed=17, odd=True)
        with pytest.raises(CAUGHT):
            check_exponentiator(runner, long, cases, max_cycles=20_000)
