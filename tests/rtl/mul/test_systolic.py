"""Document 002's array: any words and radix, its cycles, its counterexample, faults."""

import pytest

import rtl.mul.systolic
import rtl.mul.systolic_elements
import rtl.mul.systolic_line
from cl.systolic import systolic_latency
from eval.contract import multiplier
from fl.messages import mk_mul_msgs
from rtl.mul.systolic import Systolic
from rtl.mul.with_constant import WithConstantRTL, by_itself
from sim.stream import NO_STALLS, Stalls
from tests.faults import CAUGHT, faults, plant, plant_in_base
from tests.harness import component_runner

NBITS = 10  # with what R > 4m asks for, all bits of three words of 4
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
UNIT = by_itself(Systolic(NBITS, 4, 3))
CASES = multiplier.edge_cases(NBITS)[::3] + multiplier.random_cases(NBITS, 60, 41, odd=True)


def check_unit(unit, component, cases):
    """What the contract tests do with a multiplier: values, time and stalls."""
    cases = multiplier.taken(unit, cases)
    with component_runner(component) as runner:
        for stalls, some in ((NO_STALLS, cases), (LATE_SINK, cases[::10])):
            multiplier.check_multiplier(runner, unit, some, stalls, 9000)


@pytest.mark.parametrize(
    ("nbits", "digit_bits", "words"),
    [(8, 4, 3), (8, 4, 2), (8, 16, 2), (9, 5, 4), (16, 32, 2), (33, 7, 5), (33, 8, 9)],
)
def test_any_words_and_radix(nbits, digit_bits, words):
    """Words for every modulus of a width, more of them, and too few, where moduli are shorter."""
    unit = by_itself(Systolic(nbits, digit_bits, words))
    cases = multiplier.random_cases(nbits, 80, 42, odd=True)
    cases += multiplier.edge_cases(nbits)[::5] + multiplier.wide_operands(unit)
    check_unit(unit, unit.rtl(), cases)


@pytest.mark.quick
def test_cycles_are_the_printed_ones():
    """3s + 2 with the cycle of the request: 512, 1024, 2048 and 4096 bits; a word more."""
    assert [systolic_latency(s) + 1 for s in (32, 64, 128, 256)] == [98, 194, 386, 770]
    assert [systolic_latency(s) + 1 for s in (33, 65, 129, 257)] == [101, 197, 389, 773]


@pytest.mark.quick
@pytest.mark.parametrize("words", [2, 3])
def test_the_counterexample_of_document_002(words):
    """Two words lose the ninth bit of a sum on its way, three give what is right."""
    unit = Systolic(8, 4, words)
    Request, _ = mk_mul_msgs(8, unit.guard_bits)
    with component_runner(WithConstantRTL(unit)) as runner:
        (transfer,) = runner.run([Request(15, 142, 145)])
    if words == 2:
        assert not unit.accepts(15, 142, 145)
        assert transfer.response == 109 != 15 * 142 * pow(2**8, -1, 145) % 145
    else:
        assert (transfer.response << 12) % 145 == 15 * 142 % 145


@pytest.mark.quick
@pytest.mark.parametrize(
    ("operands", "accepted"),
    [
        ((4095, 251, 251), True),  # R is 2^12
        ((4095, 252, 251), False),
        ((2047, 501, 251), True),
        ((2048, 501, 251), False),
        ((2047, 502, 251), False),
        ((1, 1, 250), False),
        ((1, 1, 1), True),
    ],
)
def test_operands_at_the_edges(operands, accepted):
    """a below R for b up to m, below R/2 for b below 2m; m is odd, and below R/4."""
    assert Systolic(8, 4, 3).accepts(*operands) == accepted
    assert Systolic(8, 4, 2).takes(63)
    assert not Systolic(8, 4, 2).takes(65)
    if accepted:
        assert Systolic(8, 4, 3).value(*operands) < 2 * operands[2]


LINE_FAULTS = {
    "words of x a cycle apart": ("s.waits <<= s.enable", "s.waits <<= 0"),
    "a word too few": ("s.words_left <<= Count(words)", "s.words_left <<= Count(words - 1)"),
    "the same word again": ("s.words <<= s.words >> digit_bits", "s.words <<= s.words >> 1"),
    "words of the product before": ("s.words <<= s.x", "s.words <<= s.words"),
    "answers a cycle early": (
        "DigitLoop(array_cycles(words, elements + ahead))",
        "DigitLoop(array_cycles(words, elements + ahead) - 1)",
    ),
    "words of m for those of y": ("element.y //= s.y[word]", "element.y //= s.m[word]"),
    "words of a in other places": ("s.a[word] //= element.low", "s.a[word] //= line[0].low"),
}
ELEMENT_FAULTS = {
    "acc not cleared": ("                s.acc <<= 0\n", "                s.acc <<= s.acc\n"),
    "highest word not cleared": ("s.high <<= 0", "s.high <<= s.high"),
    "highest word dropped": ("s.step.a //= s.high", "s.step.a //= 0"),
    "quotient digit of the product alone": ("(s.a + s.product) *", "s.product *"),
    "u_i of the word before": ("s.step.u //= s.u\n", "s.step.u //= s.x\n"),
}


@faults(LINE_FAULTS)
def test_fault_in_the_line(tmp_path, sound, faulty):
    broken = plant_in_base(tmp_path, rtl.mul.systolic, rtl.mul.systolic_line, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(UNIT, WithConstantRTL(broken.Systolic(NBITS, 4, 3)), CASES)


@faults(ELEMENT_FAULTS)
def test_fault_in_an_element(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.systolic_elements, sound, faulty)
    for user in (rtl.mul.systolic, rtl.mul.systolic_line):
        for name in ("FirstElement", "MiddleElement", "LastElement", "QuotientDigit"):
            monkeypatch.setattr(user, name, getattr(broken, name), raising=False)
    with pytest.raises(CAUGHT):
        check_unit(UNIT, UNIT.rtl(), CASES)
