"""Variants of document 002's array: digits a cycle ahead, a scaled modulus, two products."""

import random

import pytest
from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

import rtl.mul.systolic_late
import rtl.mul.systolic_twin
import rtl.mul.systolic_twin_elements
from cl.systolic import late_latency, scaled_latency, systolic_latency, twin_latency
from eval.contract import multiplier
from eval.contract.check import check
from fl.mont_mul import minus_inverse
from fl.scaled import low_constant
from rtl.mul.systolic import Systolic
from rtl.mul.systolic_late import LateSystolic, ScaledSystolic
from rtl.mul.systolic_twin import TwinSystolic
from rtl.mul.with_constant import by_itself
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner
from tests.prove import prove_in_time

NBITS, DIGIT, WORDS = 10, 4, 3
LATE = LateSystolic(NBITS, DIGIT, WORDS)
TWIN = TwinSystolic(NBITS, DIGIT, WORDS)
SCALED = ScaledSystolic(NBITS, DIGIT)


class UnderOneModulus(Component):
    """A unit whose constant stands from the beginning, so that products follow at once."""

    def construct(s, unit, constant: int):
        Request, Response = unit.messages
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.unit = unit.rtl()
        s.unit.constant //= constant
        s.recv //= s.unit.recv
        s.send //= s.unit.send

    def line_trace(s) -> str:
        return s.unit.line_trace()


def check_products(unit, modulus=1021):
    """Values under one modulus as they follow each other; nothing stalls, then either end does."""
    rng = random.Random("products")
    scaled = isinstance(unit, ScaledSystolic)
    constant = low_constant(modulus, DIGIT) if scaled else minus_inverse(modulus, DIGIT)
    bound = modulus << unit.guard_bits
    operands = [(bound - 1, bound - 1, modulus), (0, bound - 1, modulus), (1, 1, modulus)]
    operands += [(rng.randrange(bound), rng.randrange(bound), modulus) for _ in range(60)]
    Request, _ = unit.messages
    with component_runner(UnderOneModulus(unit, constant)) as runner:
        for stalls in STALLS.values():
            transfers = check(
                runner,
                [Request(*one) for one in operands],
                [unit.value(*one) for one in operands],
                [str(one) for one in operands],
                stalls,
                latency=lambda i: unit.latency(*operands[i]),
                max_cycles=20_000,
            )
            if stalls is STALLS["none"]:
                timed = transfers
    return timed


@pytest.mark.parametrize("unit", [LATE, TWIN, SCALED], ids=lambda unit: type(unit).__name__)
@pytest.mark.parametrize("modulus", [1021, 513, 3])
def test_products_under_one_modulus(unit, modulus):
    check_products(unit, modulus)


@pytest.mark.quick
def test_two_products_are_under_way():
    """The second is taken a cycle after the first, and each next one as an answer leaves."""
    accepted = [transfer.accepted for transfer in check_products(TWIN)]
    apart = [later - earlier for earlier, later in zip(accepted, accepted[2:], strict=False)]
    latency = TWIN.latency(1, 1, 3)
    assert accepted[1] - accepted[0] == TWIN.interval(1, 1, 3) == 1
    assert TWIN.capacity == 2
    assert set(apart) == {latency + latency % 2}  # a product keeps to its turn


@pytest.mark.parametrize(
    ("kind", "nbits", "shape"),
    [
        *(
            (kind, *rest)
            for kind in (LateSystolic, TwinSystolic)
            for rest in (
                (8, (4, 2)),
                (8, (16, 2)),
                (9, (5, 4)),
                (33, (7, 5)),
                (32, (16, 3)),
            )
        ),
        *((ScaledSystolic, nbits, (k,)) for nbits, k in ((8, 16), (33, 5), (33, 16), (8, 32))),
    ],
    ids=str,
)
def test_any_words_and_radix(kind, nbits, shape):
    unit = by_itself(kind(nbits, *shape))
    cases = multiplier.random_cases(nbits, 60, 44, odd=True) + multiplier.edge_cases(nbits)[::5]
    cases = multiplier.taken(unit, cases + multiplier.wide_operands(unit))
    with component_runner(unit.rtl()) as runner:
        multiplier.check_multiplier(runner, unit, cases)


@pytest.mark.quick
def test_cycles_of_a_product_of_1024_bits():
    assert systolic_latency(65) == 196
    assert late_latency(65) == 198
    assert scaled_latency(1024, 16) == 201
    assert twin_latency(65) == 197
    unit = Systolic(1024, 16, 65)
    assert (unit.latency(1, 1, 3), unit.radix) == (196, 1040)


LATE_FAULTS = {
    "carry of a word of 0": ("s.a_counts <<= s.a != 0", "s.a_counts <<= 1"),
    "no carry of the lowest word": ("s.a_counts <<= s.a != 0", "s.a_counts <<= 0"),
    "digit not made of the inverse": ("s.u <<= s.a * s.minus_inverse", "s.u <<= s.a"),
    "digit taken a cycle late": (
        "s.quotient.take //= s.line.multiplies",
        "s.quotient.take //= s.feed.enable",
    ),
    "words of m elsewhere": (
        "s.line.m //= s.m[digit_bits : y_bits + digit_bits]",
        "s.line.m //= s.m[0:y_bits]",
    ),
}
SCALED_FAULTS = {
    "digit of the word before": ("if s.line.multiplies:", "if s.feed.enable:"),
    "carry into the lowest word": ("s.line.carry //= 0", "s.line.carry //= 1"),
    "an element too few": (
        "scaled_words(nbits, digit_bits), elements\n",
        "scaled_words(nbits, digit_bits) - 1, elements\n",
    ),
}
TWIN_FAULTS = {
    "answers out of order": ("~(s.one.send.val & s.newest)", "~s.one.send.val"),
    "both loaded in any cycle": ("s.recv.val & ~s.turn", "s.recv.val"),
    "the lowest word of the product before": ("if s.word.first:", "if s.word.last:"),
    "first word of the second product not told": (
        "s.word.first @= s.feed_two.words_left == Count(x_words)",
        "s.word.first @= s.feed_one.words_left == Count(x_words)",
    ),
    "answer of the other product": ("if s.order.answers_two:", "if ~s.order.answers_two:"),
}
TWIN_ELEMENT_FAULTS = {
    "y of the other product": ("s.step.y @= s.one", "s.step.y @= s.two"),
    "answer kept in the other's place": (
        "elif s.enable_out & s.word_out.last & ~s.word_out.second:",
        "elif s.enable_out & s.word_out.last:",
    ),
    "high words mixed": (
        "if s.enable_out & ~s.word_out.second:\n",
        "if s.enable_out:\n",
    ),
    "word before the first counts": ("if ~s.first:", "if 1:"),
    "m not loaded": ("if s.load_one | s.load_two:", "if s.load_one & s.load_two:"),
    "goes on without words": (
        "            if s.enable_out:\n                s.acc",
        "            if s.enable:\n                s.acc",
    ),
}


@pytest.mark.parametrize(
    ("module", "unit", "table"),
    [
        (rtl.mul.systolic_late, LATE, LATE_FAULTS),
        (rtl.mul.systolic_late, SCALED, SCALED_FAULTS),
        (rtl.mul.systolic_twin, TWIN, TWIN_FAULTS),
    ],
    ids=["late", "scaled", "twin"],
)
def test_faults(tmp_path, module, unit, table):
    for name, lines in table.items():
        broken = getattr(plant(tmp_path, module, *lines), type(unit).__name__)
        shape = () if unit is SCALED else (WORDS,)
        try:
            check_products(broken(NBITS, DIGIT, *shape))
        except CAUGHT:
            continue
        pytest.fail(f"not caught: {name}")


@faults(TWIN_ELEMENT_FAULTS)
def test_fault_in_an_element_of_two_products(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.systolic_twin_elements, sound, faulty)
    for name in ("MiddleTwinElement", "LastTwinElement"):
        monkeypatch.setattr(rtl.mul.systolic_twin, name, getattr(broken, name))
    with pytest.raises(CAUGHT):
        check_products(TWIN)


@pytest.mark.quick
def test_the_carry_of_the_lowest_word_is_proven(tmp_path):
    """For m m' = -1 mod 2^k: a + u*m is 0 modulo 2^k, and the carry the rest of it."""
    component = rtl.mul.systolic_late.LateQuotient(4)
    order = (
        "load == (t == 0) && (t != 1 || take) && (t != 0 || ((m * minus_inverse) & 4'd15) == 15)"
    )
    order += " && (t != 1 || minus_inverse == minus_inverse_0)"
    claim = "{23'd0, carry, 4'd0} == a_1 + u * m_0"
    assert prove_in_time(tmp_path, component, order, claim, 2) == "proven"
