"""The element of a row: its equation is proven for any state, and not proven of faulty ones.

In cycle 1 it takes a step, or is cleared, as a product ended in it; in cycle 0 one may have ended,
so that nothing of the neighbour on the right is added in cycle 1. What its sum is, before and after
that, is seen by its word as that would resolve, in cycles 1 and 2.
"""

import re

import pytest

import rtl.mul.array_element as sound_element
import rtl.mul.array_word as sound_word
from tests.faults import faults, plant
from tests.prove import prove_in_time

W, K = 1, 3
ZERO = "10'd0"  # sums are claimed whole, not modulo what their bits hold
TAKE = sound_element.mk_take(1)
ENDS = TAKE.nbits - 1  # the order's first field
FRESH, CLEARED = f"take_0[{ENDS}]", f"take_1[{ENDS}]"


def late(cycle: int, at: int) -> str:
    """The neighbour's lowest digit at some bit."""
    return f"({ZERO} + late_sum_{cycle} + late_carry_{cycle} << {at})"


def carries(cycle: str) -> str:
    """What a step carries to the right."""
    return f"({ZERO} + sum_out{cycle} + carry_out{cycle} << {K})"


def resolved(cycle: int, after: str) -> str:
    """The sum in a cycle, by what it would resolve to with the neighbours' digits and carry."""
    word = f"{ZERO} + value_{cycle} + ({ZERO} + resolve_out{after} << {K})"
    return f"({word} - {late(cycle, K - W)} - resolve_in_{cycle})"


def later(claim: str) -> str:
    """The claim of what stood a cycle later."""
    return re.sub(r"_([0-9])\b", lambda found: f"_{int(found[1]) + 1}", claim)


LOW = f"({ZERO} + low_sum_1 + low_carry_1)"
# x + m is of the cycle before: where it is asked for, they stood
STOOD = "((a_1 & q_1) == 0 || (x_0 == x_1 && m_0 == m_1))"
PRODUCTS = f"({ZERO} + a_1 * x_1 + q_1 * m_1)"
FROM_LEFT = f"({ZERO} + sum_in_1 + carry_in_1)"
COUNTED = f"({FRESH} ? {ZERO} : {late(1, K - 2 * W)})"
STEPS = {
    # the first element's lowest digit goes into q's product: what is left is whole
    "first": (
        resolved(1, "_2").replace(" - resolve_in_1", ""),
        "low_1",
        f"{PRODUCTS} + plus_one_in_0 + {COUNTED}",
        f"{resolved(2, '').replace(' - resolve_in_2', '')} + {carries('_2')}",
    ),
    "middle": (
        resolved(1, "_2"),
        LOW,
        f"{PRODUCTS} + {FROM_LEFT} + {COUNTED}",
        f"{resolved(2, '')} + {carries('_2')}",
    ),
    "last": (
        f"({ZERO} + value_1 - resolve_in_1)",
        LOW,
        f"{PRODUCTS} + {FROM_LEFT}",
        f"({ZERO} + value_2 - resolve_in_2)",
    ),
}
# 2^w * (sum and carries after the step) = sum - lowest digit + 2^w * what is added
EQUATIONS = {
    name: f"({after}) << {W} == {before} - {low} + (({added}) << {W})"
    for name, (before, low, added, after) in STEPS.items()
}
IS_CLEARED = {name: f"({after}) == {carries('_2')}" for name, (*_, after) in STEPS.items()}
IS_CLEARED["last"] = f"{STEPS['last'][3]} == 0"
# what else is to be seen of it, a cycle later or at once
PASSED = {
    "first": "a_2 == a_in_1 && take_2 == take_in_1 && q_1 == (low_1 | plus_mod_in_0)",
    "middle": "a_2 == a_in_1 && q_2 == q_in_1 && take_2 == take_in_1",
    "last": "a_2 == a_in_1 && q_2 == q_in_1 && take_2 == take_in_1",
}
SHAPES = {"first": (True, False), "middle": (False, False), "last": (False, True)}
# Carries from the left are those of an element like this one; sums of the last one have room.
ROOM = {
    "first": "1",
    "middle": f"({ZERO} + sum_in + carry_in) <= {1 << W + 1}",
    "last": f"({ZERO} + sum_in + carry_in) <= {1 << W + 1} && (t != 0 || take[{ENDS}])",
}

STEP_FAULTS = {
    "late digit a digit higher": (
        "k - 2 * w, 0.5)\n            rows",
        "k - w, 0.5)\n            rows",
    ),
    "half of the late digit": (
        "rows.place(s.counted_carry, w, k - 2 * w, 0.5)",
        "rows.place(s.counted_sum, w, k - 2 * w, 0.5)",
    ),
    "late digit of the product before": ("if s.fresh:", "if s.take.ends:"),
    "sum not cleared": ("                s.sums <<= 0\n", "                s.sums <<= s.sums\n"),
    "carry of the word lost": ("s.resolve_out <<= s.resolved[k:value_bits]", "s.resolve_out <<= 0"),
    "late digit not resolved": (
        "(zext(s.late_carry, value_bits) << top)",
        "zext(s.fresh, value_bits)",
    ),
    "carries of a step lost": ("s.carry_out <<= s.add.carry[k:wide]", "s.carry_out <<= 0"),
    "a for q": ("connect(chosen.q, self.s.q[i])", "connect(chosen.q, self.s.a[i])"),
    "x twice": ("s.only_x @= s.a & ~s.q", "s.only_x @= s.a"),
    "x or m for x + m": ("+ zext(s.m, both_bits)", "| zext(s.m, both_bits)"),
    "digits passed at once": ("s.a <<= s.a_in", "s.a <<= s.a"),
}
OTHER_FAULTS = {
    "first": {
        "carry of the lowest digit lost": (
            "rows.place(s.digit[w], 1, 0, 2)",
            "rows.place(s.plus_one, 1, 0, 2)",
        ),
        "q of the carries alone": (
            "@= zext(s.sums[0:w], carry_bits) + zext(s.carries[0:w], carry_bits)\n"
            "                s.q @= s.digit",
            "@= zext(s.carries[0:w], carry_bits)\n                s.q @= s.digit",
        ),
        "plus_mod forgotten": ("| zext(s.plus_mod, w)", "| 0"),
        "1 a cycle late": (
            "s.plus_one <<= s.plus_one_in\n                s.plus_mod",
            "s.plus_one <<= s.plus_mod\n                s.plus_mod",
        ),
    },
    "middle": {
        "carry from the left forgotten": (
            "rows.place(s.carry_in, carry_bits, 0)",
            "rows.place(s.sum_in, carry_bits, 0)",
        ),
        "q passed late": ("s.q <<= s.q_in", "s.q <<= s.q"),
    },
    "last": {
        "resolved without the carry": (
            "zext(s.left_over, value_bits)\n\n        else",
            "0\n\n        else",
        ),
    },
}


def element_proof(folder, module, name):
    """What the solver says of an element of small words."""
    element = module.Element(W, K, *SHAPES[name], module.mk_take(1))
    step = f"(!{STOOD} || {EQUATIONS[name]})"
    claim = f"({CLEARED} ? {IS_CLEARED[name]} : {step}) && {PASSED[name]}"
    room = f"!clear && {ROOM[name]}"
    if name == "last":  # a cycle later, its sum being 0 in cycle 1: not any sum has room
        return prove_in_time(folder, element, room, later(claim), 4)
    return prove_in_time(folder, element, room, claim, 3)


@pytest.mark.parametrize("name", EQUATIONS)
def test_an_element_is_proven(tmp_path, name):
    assert element_proof(tmp_path, sound_element, name) == "proven"


# An element that may begin a row: as the first, with nothing from the left, or one in the middle.
TURNED = {
    True: "begins && sum_in == 0 && carry_in == 0 && resolve_in == 0",
    False: f"!begins && {ROOM['middle']}",
}
TURN_FAULTS = {
    "1 added in the middle": (
        False,
        "                s.lowest @= 0\n",
        "                s.lowest @= 1\n",
    ),
    "its own q in the middle": (False, "s.q @= s.kept_q", "s.q @= s.digit[0:w]"),
    "q of the left where it begins": (True, "s.q @= s.digit[0:w]\n", "s.q @= s.kept_q\n"),
}


def turning_proof(folder, module, begins):
    """What the solver says of an element that may begin a row."""
    name = "first" if begins else "middle"
    element = module.TurningElement(W, K, False, False, module.mk_take(1))
    step = f"(!{STOOD} || {EQUATIONS[name]})"
    passed = PASSED[name].replace(" | plus_mod_in_0", "")
    claim = f"({CLEARED} ? {IS_CLEARED[name]} : {step}) && {passed}"
    return prove_in_time(folder, element, f"!clear && {TURNED[begins]}", claim, 3)


@pytest.mark.parametrize("begins", TURNED, ids=["begins", "in the middle"])
def test_an_element_that_turns_is_proven(tmp_path, begins):
    assert turning_proof(tmp_path, sound_element, begins) == "proven"


@pytest.mark.parametrize("name", TURN_FAULTS)
def test_a_fault_of_a_turn_is_not_proven(tmp_path, name):
    begins, sound, faulty = TURN_FAULTS[name]
    broken = plant(tmp_path, sound_element, sound, faulty)
    assert "broken in cycle" in turning_proof(tmp_path, broken, begins)


@faults(STEP_FAULTS)
def test_a_fault_of_a_step_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, sound_element, sound, faulty)
    assert "broken in cycle" in element_proof(tmp_path, broken, "middle")


@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_a_fault_of_an_end_is_not_proven(tmp_path, name):
    for fault, (sound, faulty) in OTHER_FAULTS[name].items():
        broken = plant(tmp_path, sound_element, sound, faulty)
        assert "broken in cycle" in element_proof(tmp_path, broken, name), fault


def feed_proof(folder, module):
    """What the solver says of the feed of a word of four digits, told to go a cycle after reset."""
    digits = [f"now_{i + 1} == word_{i + 1}[{2 * i + 1}:{2 * i}]" for i in range(4)]
    after = ["now_5 == from_right_5", "digit_5 == now_4", "source_4 == source_in_1"]
    go_on = ["!go_out_2", "!go_out_3", "go_out_4", "!go_out_5"]
    room = "clear == (t == 0) && go == (t == 1)"
    claim = " && ".join(digits + after + go_on)
    return prove_in_time(folder, module.DigitFeed(2, 4, 1), room, claim, 6)


@pytest.mark.quick
def test_a_feed_is_proven(tmp_path):
    """As synthesis reads it, too: the next word's digits follow on this one's."""
    assert feed_proof(tmp_path, sound_word) == "proven"


def test_a_fault_of_a_feed_is_not_proven(tmp_path):
    broken = plant(tmp_path, sound_word, "Count(digits - 1)", "Count(digits - 2)")
    assert "broken in cycle" in feed_proof(tmp_path, broken)
