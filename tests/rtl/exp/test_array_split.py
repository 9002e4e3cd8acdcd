"""A row that splits: faults in what cuts it, in what its words take, in who orders them."""

from functools import partial
from random import Random

import pytest

import rtl.exp.array_split
import rtl.exp.array_split_control
import rtl.exp.array_split_row
import rtl.exp.array_split_word
import rtl.mul.array_cut
import rtl.mul.array_element
import rtl.mul.array_word
import rtl.port.xcel
from eval.catalog.array import WORD_BITS, odd_modulus
from eval.contract.crt import check_private, right_cases, wrong_cases
from eval.contract.exponentiator import ExpCase, check_exponentiator, edge_cases, random_cases
from rtl.exp.array_split import SplitExponentiator
from rtl.port.xcel import XcelRTL
from sim.stream import NO_STALLS, STALLS
from tests.faults import CAUGHT, plant
from tests.harness import component_runner

NBITS = 56  # in three words, the third shorter, and three
DESIGN = SplitExponentiator(NBITS, odd_modulus, 4, 16, 2, True)
RIGHT = right_cases(NBITS, 2)
CASES = [*RIGHT[4:], *wrong_cases(NBITS, 2), RIGHT[0]]


def check(hardware, design=DESIGN, cases=CASES) -> None:
    """The contract's cases, those whose check must fail last; what hangs is found soon."""
    with component_runner(hardware, "batch", recv="xcel.req", send="xcel.resp") as runner:
        check_private(runner, design, cases[:3], max_cycles=20_000)
        check_private(runner, design, cases, max_cycles=200_000)


def test_without_a_check():
    """With digits, words and windows of other lengths, too."""
    design = SplitExponentiator(18, odd_modulus, 2, 6, 3, False)
    check(XcelRTL(design), design, right_cases(18, 2))


@pytest.mark.parametrize(
    ("digit", "nbits"), [(2, 16), (2, 18), (4, 16), (8, 16), (16, 16), (16, 30)]
)
def test_halves_shorter_than_a_word(digit, nbits):
    """A product of halves has its digits then, too, though fewer would hold it."""
    design = SplitExponentiator(nbits, odd_modulus, digit, WORD_BITS[digit], 2, True)
    check(XcelRTL(design), design, [*right_cases(nbits, 2), *wrong_cases(nbits, 2)])


@pytest.mark.parametrize(("digit", "nbits"), [(2, 8), (2, 14), (4, 8), (8, 8), (16, 8)])
def test_powers_shorter_than_a_word(digit, nbits):
    """Of all moduli of the least width, short ones too."""
    design = SplitExponentiator(nbits, odd_modulus, digit, WORD_BITS[digit], 2, True)
    rng = Random(nbits)
    cases = [
        ExpCase(f"modulo-{mod}", nbits, rng.randrange(mod), exp, mod)
        for mod in range(1, 256, 2)
        for exp in (1, rng.getrandbits(nbits))
    ]
    with component_runner(design.rtl(), "batch") as runner:
        check_exponentiator(runner, design, cases, NO_STALLS, 2_000_000)


@pytest.mark.long
def test_sound():
    check(XcelRTL(DESIGN))


@pytest.mark.long
def test_powers_alone():
    """Of operands that are held beside it, where nobody can ask for more."""
    cases = edge_cases(NBITS, exp_bits=8) + random_cases(NBITS, 60, seed=3)
    with component_runner(DESIGN.rtl(), "batch") as runner:
        for stalls in STALLS.values():
            check_exponentiator(runner, DESIGN, cases, stalls, 2_000_000)


# A fault: module, class of it, who uses that, what is sound, what is not.
FAULTS = {
    "a digit goes past the cut to the left": (
        (rtl.mul.array_cut, "Cut", rtl.exp.array_split_row),
        "s.from_right @= 0",
        "s.from_right @= s.digit_out",
    ),
    "a digit is added past the cut": (
        (rtl.mul.array_cut, "Cut", rtl.exp.array_split_row),
        "s.late_sum @= 0",
        "s.late_sum @= s.low_sum",
    ),
    "the carry past the cut": (
        (rtl.mul.array_cut, "Cut", rtl.exp.array_split_row),
        "s.sum @= 0",
        "s.sum @= s.sum_in",
    ),
    "the second half has digits of its own alone": (
        (rtl.mul.array_cut, "Cut", rtl.exp.array_split_row),
        "                if s.whole:\n",
        "                if s.whole & ~s.whole:\n",
    ),
    "the second half takes its first digit too late": (
        (rtl.mul.array_cut, "Cut", rtl.exp.array_split_row),
        "s.a @= s.low",
        "s.a @= s.now",
    ),
    "orders of the left in the second half": (
        (rtl.mul.array_cut, "Cut", rtl.exp.array_split_row),
        "s.take @= s.kept_take",
        "s.take @= s.take_in",
    ),
    "carry of the lowest digit lost": (
        (rtl.mul.array_element, "TurningElement", rtl.mul.array_word),
        "concat(s.digit[w], s.plus_one)",
        "concat(Bits1(0), s.plus_one)",
    ),
    "a value of a half is not cut": (
        (rtl.exp.array_split_word, "SplitWord", rtl.exp.array_split_row),
        "s.taken @= s.value[0:word_bits] & used",
        "s.taken @= s.value[0:word_bits]",
    ),
    "1 subtracted in the middle of n": (
        (rtl.exp.array_split_row, "SplitRow", rtl.exp.array_split),
        "middle_word.is_lowest //= s.split",
        "middle_word.is_lowest //= 1",
    ),
    "p for q": (
        (rtl.exp.array_split_row, "SplitRow", rtl.exp.array_split),
        "s.high_operand @= zext(s.p, high_bits)",
        "s.high_operand @= zext(s.q, high_bits)",
    ),
    "qInv beside q in the row": (
        (rtl.exp.array_split_row, "SplitRow", rtl.exp.array_split),
        "s.high_operand @= 0",
        "s.high_operand @= zext(s.q_inverse, high_bits)",
    ),
    "both halves take u": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "if s.op_second_only:",
        "if s.op_second_only & s.op_first_only:",
    ),
    "both halves lose t": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "if s.op_first_only:",
        "if s.op_second_only & s.op_first_only:",
    ),
    "c of the first half in the second": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.second_digit @= s.second_scale",
        "s.second_digit @= s.scale",
    ),
    "the second modulus shifted as the first": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.second_digit @= s.second_shift.digit",
        "s.second_digit @= s.first_shift.digit",
    ),
    "halves shifted as often as the row": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.repeats_left <<= half_repeats",
        "s.repeats_left <<= repeats",
    ),
    "the first exponent for both": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "zext(s.second_chosen, source_bits)",
        "zext(s.chosen, source_bits)",
    ),
    "nothing fails": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.ends & ~s.differs & (s.fed == 0)",
        "s.ends",
    ),
    "only the last digit fails": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.ends & ~s.differs & (s.fed == 0)",
        "s.ends & (s.fed == 0)",
    ),
    "a fault that stays": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.passed <<= ~(s.private & checks)",
        "s.passed <<= s.passed & ~(s.private & checks)",
    ),
    "what differed before differs now": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.differs <<= 0",
        "s.differs <<= s.differs",
    ),
    "a check that passed before": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.passed <<= ~(s.private & checks)",
        "s.passed <<= s.passed | ~(s.private & checks)",
    ),
    "the answer is the check's difference": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.op_to_table & ~(s.op_from_fits & s.left)",
        "s.op_to_table",
    ),
    "the answer of the one before": (
        (rtl.exp.array_split_control, "SplitControl", rtl.exp.array_split),
        "s.left <<= 0",
        "s.left <<= s.left",
    ),
    "a result beside a fault": (
        (rtl.exp.array_split, "SplitExponentiatorRTL", rtl.exp.array_split),
        "if (s.status != OK) | ~s.control.passed:",
        "if s.status != OK:",
    ),
    "a fault not told": (
        (rtl.exp.array_split, "SplitExponentiatorRTL", rtl.exp.array_split),
        "s.fault @= ~s.control.passed & (s.status == OK)",
        "s.fault @= ~s.control.passed & (s.status != OK)",
    ),
    "the check's exponent is that of powers": (
        (rtl.exp.array_split, "SplitExponentiatorRTL", rtl.exp.array_split),
        "s.control.next @= s.check_order.next",
        "s.control.next @= s.order.next",
    ),
    "q's inverse for n's": (
        (rtl.exp.array_split, "SplitExponentiatorRTL", rtl.exp.array_split),
        "if s.control.split:",
        "if s.control.is_private:",
    ),
}
# Those that tell most of the others, too; each is another library to build.
SHORT = ("a digit goes past the cut to the left", "nothing fails")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name not in SHORT)) for name in FAULTS],
)
def test_fault_in_a_part(tmp_path, monkeypatch, name):
    (module, kind, user), sound, faulty = FAULTS[name]
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(user, kind, getattr(broken, kind))
    with pytest.raises(CAUGHT):
        check(of(rtl.exp.array_split.SplitExponentiatorRTL))


def of(core) -> XcelRTL:
    """The accelerator with a core of another class."""
    design = DESIGN
    made = partial(core, design.program)

    class Faulty(SplitExponentiator):
        def core(self):
            return made()

    return XcelRTL(Faulty(**vars(design)))


PORT_FAULTS = {
    "every go is private": (
        "s.exponentiator.private @= s.xcel.req.msg.data[0]",
        "s.exponentiator.private @= 1",
    ),
    "a fault not kept": ("s.fault <<= s.exponentiator.fault", "s.fault <<= 0"),
    "p pushed with q": (
        "s.p.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == P)",
        "s.p.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == Q)",
    ),
    "the public exponent not pushed": (
        "(s.xcel.req.msg.addr <= PUBLIC)",
        "(s.xcel.req.msg.addr <= QINV)",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PORT_FAULTS)
def test_fault_in_the_port(tmp_path, name):
    broken = plant(tmp_path, rtl.port.xcel, *PORT_FAULTS[name])
    with pytest.raises(CAUGHT):
        check(broken.XcelRTL(DESIGN))
