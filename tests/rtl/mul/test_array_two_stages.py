"""The element of two stages: its equation is proven, and not proven of faulty ones.

Its sum is cleared, whatever it was; products of cycles 2 and 3 are added in cycles 3 and 4, and
what this makes is resolved: the order to do so comes in cycle 5, low bits are there in cycle 6,
high ones in cycle 7.
"""

import pytest

import rtl.mul.array_two_stages as sound_element
from rtl.mul.array_element import mk_take
from tests.faults import faults, plant
from tests.prove import prove_in_time

W, K = 1, 4
LOW = K - sound_element.DELAY * W  # bits that are resolved first
ZERO = "12'd0"  # sums are claimed whole, not modulo what their bits hold
TAKE = mk_take(1)
ENDS = TAKE.nbits - 1  # the order's first field


def products(cycle: int) -> str:
    """What the choices of a cycle make of x and m."""
    return (
        f"({ZERO} + (only_x_{cycle} | takes_both_{cycle}) * x_{cycle}"
        f" + (only_m_{cycle} | takes_both_{cycle}) * m_{cycle})"
    )


def stood(cycle: int) -> str:
    """Whether both, where they are asked for, stood for two cycles."""
    same = " && ".join(
        f"{name}_{cycle} == {name}_{before}" for name in "xm" for before in (cycle - 1, cycle - 2)
    )
    return f"(takes_both_{cycle} == 0 || ({same}))"


def late(cycle: int, at: int) -> str:
    """The neighbour's lowest digit at some bit."""
    return f"({ZERO} + late_sum_{cycle} + late_carry_{cycle} << {at})"


def step(name: str, cycle: int) -> str:
    """What is added in a cycle and stays in the word."""
    added = products(cycle - 1)
    if name == "first":
        added += f" + plus_one_in_{cycle - 2}"
    else:
        added += f" + sum_in_{cycle} + carry_in_{cycle}"
    if name != "last":
        carries = f"({ZERO} + sum_out_{cycle + 1} + carry_out_{cycle + 1} << {K})"
        added += f" + {late(cycle, K - 2 * W)} - {carries}"
    return f"({added})"


def claim(name: str) -> str:
    """What is claimed of an element."""
    lowest = "low_4" if name == "first" else f"({ZERO} + low_sum_4 + low_carry_4)"
    sum_shifted = f"({step(name, 3)} - {lowest} + ({step(name, 4)} << {W}))"
    carried = "0" if name == "first" else "resolve_in_6"
    value = f"({ZERO} + value_6 - {carried})"
    if name == "last":
        value, sum_shifted = (
            f"(({one}) & {(1 << LOW + 1 + W) - 1})" for one in (f"{value} << {W}", sum_shifted)
        )
        equation = f"{value} == {sum_shifted}"
    else:
        high = f"({ZERO} + high_7 << {LOW}) + ({ZERO} + resolve_out_7 << {K})"
        equation = f"(({value} + {high} - {late(5, K - W)}) << {W}) == {sum_shifted}"
    return " && ".join(
        [f"(!{stood(2)} || !{stood(3)} || {equation})", "take_2 == take_in_1", *PASSED[name]]
    )


def q(cycle: int) -> str:
    """The quotient digit that is used."""
    return f"(only_m_{cycle} | takes_both_{cycle})"


# The last of a product but two, the last but one, and those of the next, which has none at first
CHOICES = [f"{choice}_2 == {choice}_in_1" for choice in sound_element.CHOICES]
LOWEST = [f"low_sum_{t} == 0 && low_carry_{t} == 0" for t in (7, 8)]
PASSED = {
    "first": [
        f"{q(4)} == (low_3 | plus_mod_in_3)",
        f"{q(2)} == plus_mod_in_1",
        "fed_2 == a_in_1",
        f"waiting_6 == {{{q(5)}, {q(4)}}}",
        "low_7 == 0 && low_8 == 0",
    ],
    "middle": CHOICES + LOWEST,
    "last": CHOICES + LOWEST,
}
ROOM = f"!clear && take_in == (t == 0 || t == 5 ? {1 << ENDS} : 0)"
# Carries from the left are those of an element like this one.
FROM_LEFT = (
    f" && ({ZERO} + sum_in + carry_in) <= {1 << W + 1}"
    " && (only_x_in & only_m_in) == 0 && (only_x_in & takes_both_in) == 0"
    " && (only_m_in & takes_both_in) == 0"
)
ROOMS = {"first": ROOM, "middle": ROOM + FROM_LEFT, "last": ROOM + FROM_LEFT}
SHAPES = {"first": (True, False), "middle": (False, False), "last": (False, True)}


def element_proof(folder, module, name):
    """What the solver says of an element of small words."""
    element = module.TwoStageElement(W, K, *SHAPES[name], TAKE)
    return prove_in_time(folder, element, ROOMS[name], claim(name), 9)


STEP_FAULTS = {
    "late digit a digit higher": (
        "rows.place(s.late_carry, w, k - 2 * w)",
        "rows.place(s.late_carry, w, k - w)",
    ),
    "sum not cleared a second time": (
        "s.clears <<= s.take_in.ends | s.take.ends",
        "s.clears <<= s.take_in.ends",
    ),
    "carry of the low bits lost": (
        "s.next_carries[low_bits] //= s.raw[low_bits]",
        "s.next_carries[low_bits] //= 0",
    ),
    "carry of the high bits lost": ("s.above <<= s.upper[high_bits:upper_bits]", "s.above <<= 0"),
    "carry from the left in the low bits alone": (
        "s.middle @= s.low_value[low_bits:low_value_bits] +",
        "s.middle @= 0 +",
    ),
    "late digit not resolved": (
        "(zext(s.late_carry, upper_bits) << top)",
        "zext(s.clears, upper_bits)",
    ),
    "carries of a step lost": ("s.carry_out <<= s.add.carry[k:wide]", "s.carry_out <<= 0"),
    "products of the step before": ("s.kept <<= s.made", "s.kept <<= s.kept"),
    "halves of x + m apart": ("+ zext(s.both_carry, rest)", ""),
}
OTHER_FAULTS = {
    "first": {
        "q of the product before": (
            "                if s.take.ends:\n",
            "                if s.clear:\n",
        ),
        "plus_mod forgotten": ("s.digit[0:w] | zext(s.plus_mod_in, w)", "s.digit[0:w]"),
        "1 a cycle late": ("s.plus_one <<= s.plus_one_in", "s.plus_one <<= s.plus_mod_in"),
        "digits that wait too long": ("s.waiting[0:w] //= s.q_earlier", "s.waiting[0:w] //= s.q"),
    },
    "last": {
        "resolved without the carry": (
            "                s.left_over, low_value_bits\n",
            "                s.left_over & 0, low_value_bits\n",
        ),
        "choices mixed up": ("s.only_m <<= s.only_m_in", "s.only_m <<= s.only_x_in"),
    },
}


@pytest.mark.parametrize("name", SHAPES)
def test_an_element_is_proven(tmp_path, name):
    assert element_proof(tmp_path, sound_element, name) == "proven"


@faults(STEP_FAULTS)
def test_a_fault_of_a_step_is_not_proven(tmp_path, sound, faulty):
    broken = plant(tmp_path, sound_element, sound, faulty)
    assert "broken in cycle" in element_proof(tmp_path, broken, "middle")


@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_a_fault_of_an_end_is_not_proven(tmp_path, name):
    for fault, (sound, faulty) in OTHER_FAULTS[name].items():
        broken = plant(tmp_path, sound_element, sound, faulty)
        assert "broken in cycle" in element_proof(tmp_path, broken, name), fault
