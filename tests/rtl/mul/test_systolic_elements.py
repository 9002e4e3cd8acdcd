"""The elements of document 002's array: their equations are proven, and not proven of faulty ones.

An element is followed from `load`: over perhaps a word, the word of which the sum is claimed, and
perhaps the next one. 23 zeros before a sum: it is claimed whole, not modulo 2^9.
"""

import pytest

import rtl.mul.systolic_elements as sound_elements
from tests.faults import faults, plant
from tests.prove import prove_in_time

# load, perhaps a word, the word, perhaps the next one, while acc is read in cycle 6.
PROTOCOL = "load == (t == 0) && (t == 0 || t % 2 == 1 || !enable) && (t != 3 || enable)"
PRODUCTS = "x_3 * y_0 + u_5 * m_0"
EQUATIONS = {
    "FirstElement": f"{{23'd0, carry_out, product}} == a_5 + {PRODUCTS}",
    "MiddleElement": f"{{23'd0, carry_out, low}} == a_5 + carry_5 + {PRODUCTS}",
    # what a carry beyond them would need is more than two words
    "LastElement": f"high_5 + carry_5 + {PRODUCTS} > 255 || "
    f"{{24'd0, high, low}} == high_5 + carry_5 + {PRODUCTS}",
}
PASSED = " && x_word_4 == x_3 && u_out == u_5 && multiplies_4 && !multiplies_5"

ELEMENT_FAULTS = {
    "x taken a cycle late": (
        "            if s.enable:\n                s.x_word",
        "            if s.multiplies:\n                s.x_word",
    ),
    "m taken for y": ("s.y_word <<= s.y", "s.y_word <<= s.m"),
    "the sum is not taken": ("elif s.multiplies | s.adds:", "elif s.multiplies:"),
    "adds a cycle early": ("s.adds <<= s.multiplies", "s.adds <<= s.enable"),
}
PASSING_FAULTS = {
    "u not passed": ("s.u_out <<= s.u", "s.u_out <<= s.x"),
    "u passed a cycle early": (
        "            if s.adds:\n                s.u_out",
        "            if s.multiplies:\n                s.u_out",
    ),
    "enables its neighbour late": ("s.multiplies <<= s.enable", "s.multiplies <<= s.adds"),
    "passes a word of y": ("s.x_word <<= s.x", "s.x_word <<= s.y"),
    "carry a bit short": (
        "s.carry_out //= s.acc[digit_bits : 2 * digit_bits + 1]",
        "s.carry_out[0:digit_bits] //= s.acc[digit_bits : 2 * digit_bits]",
    ),
}
LAST_FAULTS = {
    "own word not kept": ("elif s.adds:", "elif s.multiplies:"),
    "own word is the low one": (
        "s.high <<= s.step.sum[digit_bits : 2 * digit_bits]",
        "s.high <<= s.step.sum[0:digit_bits]",
    ),
}


def element_proof(folder, elements, name):
    """What the solver says of an element of words of 4 bits."""
    carry = "" if name == "FirstElement" else " && carry <= 30"
    element = getattr(elements, name)(4)
    passed = PASSED if name != "LastElement" else ""
    claim = f"({EQUATIONS[name]}){passed}"
    return prove_in_time(folder, element, PROTOCOL + carry, claim, 6)


@pytest.mark.parametrize("name", EQUATIONS)
def test_an_element_is_proven(tmp_path, name):
    assert element_proof(tmp_path, sound_elements, name) == "proven"


@pytest.mark.parametrize("name", EQUATIONS)
@faults(ELEMENT_FAULTS)
def test_a_fault_of_all_elements_is_not_proven(tmp_path, name, sound, faulty):
    broken = plant(tmp_path, sound_elements, sound, faulty)
    assert "broken in cycle" in element_proof(tmp_path, broken, name)


@faults(PASSING_FAULTS)
def test_a_fault_of_what_is_passed_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, sound_elements, sound, faulty)
    assert "broken in cycle" in element_proof(tmp_path, broken, "MiddleElement")


@faults(LAST_FAULTS)
def test_a_fault_of_the_last_element_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, sound_elements, sound, faulty)
    assert "broken in cycle" in element_proof(tmp_path, broken, "LastElement")
