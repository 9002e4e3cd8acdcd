"""Products modulo c*m: bounds, constants, other digits and long keys."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cl.organisation import Organisation
from cl.scaled import high_latency, low_latency
from eval.catalog import find
from eval.contract import exponentiator
from fl.exponentiator import OK
from fl.messages import mk_exp_msgs
from fl.mont_digit import mont_digit_product
from fl.mont_mul import mm_mul_no_subtraction, mont_radix
from fl.rsa_keys import seeded_key
from fl.scaled import (
    high_constant,
    high_guard_bits,
    high_product,
    high_top,
    low_constant,
    low_guard_bits,
    low_product,
    low_radix,
)
from fl.schedule import LADDER, LEFT_TO_RIGHT, RIGHT_TO_LEFT_ALWAYS, SCHEDULES
from rtl.exp.organised import organised
from rtl.leaf.shift_remainder import ShiftRemainder
from rtl.mul.scaled import ScaledLow
from sim.stream import StreamRunner
from tests.harness import component_runner

NBITS = 8
DIGITS = st.integers(1, 20)
WIDTHS = st.integers(8, 200)


def drawn_below(data, limit):
    """0 <= x < limit, the largest often."""
    return data.draw(st.integers(0, limit - 1) | st.just(limit - 1))


def drawn_modulus(data, nbits, odd):
    """An odd or any modulus of at most nbits, the largest, the smallest and short ones often."""
    top = 1 << nbits
    m = data.draw(st.integers(1, top - 1) | st.integers(1, 20) | st.sampled_from((1, 3, top - 1)))
    return m | 1 if odd else m


@pytest.mark.quick
@given(st.data(), WIDTHS, DIGITS)
def test_the_low_constant_makes_minus_one(data, nbits, w):
    m = drawn_modulus(data, nbits, odd=True)
    constant = low_constant(m, w)
    assert 1 <= constant <= m
    c = ((constant << w) - 1) // m
    assert c * m == (constant << w) - 1
    assert 1 <= c < 1 << w
    assert c == -pow(m, -1, 1 << w) % (1 << w)


@given(st.data(), WIDTHS, DIGITS)
def test_low_products_stay_below_their_bound(data, nbits, w):
    """Operands of the product's own range, or one of them any n-bit base."""
    m = drawn_modulus(data, nbits, odd=True)
    bound = m << low_guard_bits(w)
    a = drawn_below(data, bound)
    if data.draw(st.booleans()):
        a = drawn_below(data, 1 << nbits)
    b = drawn_below(data, bound)
    product = low_product(a, b, low_constant(m, w), nbits, w)
    assert product < bound
    assert ((product << low_radix(nbits, w)) - a * b) % m == 0


@pytest.mark.quick
@given(st.data(), WIDTHS, DIGITS)
def test_low_sums_fit_their_register(data, nbits, w):
    """n+2w+2 bits, whatever the operands of n+w+1 bits are and whatever the constant."""
    limit, digits = 1 << nbits + 2 * w + 2, 1 << w
    s = drawn_below(data, limit)
    b = drawn_below(data, 1 << nbits + low_guard_bits(w))
    for _ in range(4):
        s = (s >> w) + s % digits * ((1 << nbits) - 1) + (digits - 1) * b
        assert s < limit


@pytest.mark.quick
@given(st.data(), WIDTHS, DIGITS)
def test_high_products_stay_below_their_bound(data, nbits, w):
    m = drawn_modulus(data, nbits, odd=False)
    top = high_top(nbits, w)
    constant = high_constant(m, nbits, w)
    assert (1 << top) - constant == (1 << top) // m * m
    assert nbits + high_guard_bits(w) == top + 1
    a, b = (drawn_below(data, 2 << top) for _ in "ab")
    product = high_product(a, b, constant, nbits, w)
    assert product < 3 << top - 1 < 2 << top
    assert (product - a * b) % m == 0


@pytest.mark.quick
@given(st.data(), WIDTHS, DIGITS)
def test_the_digit_multiplier_is_montgomerys(data, nbits, w):
    m = drawn_modulus(data, nbits, odd=True)
    a, b = drawn_below(data, 2 << nbits), drawn_below(data, 2 * m)
    radix = mont_radix(nbits, w, final_subtract=False)
    assert mont_digit_product(a, b, m, nbits, w) == mm_mul_no_subtraction(a, b, m, radix)


@pytest.mark.quick
def test_cycles_of_a_product():
    """A digit a cycle, and what the bounds and the delay of a digit add."""
    assert [low_latency(n, 16) for n in (32, 64, 1024, 2048)] == [6, 8, 68, 132]
    assert [high_latency(n, 16) for n in (32, 64, 1024, 2048)] == [6, 8, 68, 132]
    assert [low_latency(64, w) for w in (1, 4, 8)] == [69, 20, 12]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((8, 16, 8, True), "8 steps are too few for 16 bits"),
        ((8, 17, 8, False), "8 steps are too few for 17 bits"),
    ],
)
def test_a_remainder_asks_for_enough_steps(arguments, message):
    with pytest.raises(ValueError, match=message):
        ShiftRemainder(*arguments).elaborate()


@pytest.mark.parametrize(
    "name",
    ["scaled-low-1", "scaled-low-16", "scaled-high-1", "scaled-high-16", "mont-digit-16"],
)
def test_edges_with_other_digits(name):
    """Digits wider than the operands among them; values, status and cycles at 9 bits."""
    design = find(name)
    cases = exponentiator.edge_cases(9)[::3] + exponentiator.random_cases(9, 40, seed=30)
    with StreamRunner(design.component("rtl", 9), "batch", name=design.name) as runner:
        exponentiator.check_exponentiator(runner, design.at(9), cases)


def run_keys(name, nbits, public, private):
    """So many keys by public exponent, so many by private, against pow and the formula."""
    design = find(name)
    keys = [seeded_key(nbits, seed) for seed in range(max(public, private))]
    rng = random.Random(nbits)
    requests = [(rng.randrange(key.n), key.e, key.n) for key in keys[:public]]
    requests += [(rng.randrange(key.n), key.d, key.n) for key in keys[:private]]
    Request, _ = mk_exp_msgs(nbits)
    with StreamRunner(design.component("rtl", nbits), "batch", name=name) as runner:
        transfers = runner.run([Request(*request) for request in requests], max_cycles=10**9)
    for request, transfer in zip(requests, transfers, strict=True):
        assert transfer.response == pow(*request) << 1 | OK
        assert transfer.cycles == design.cycles(nbits, *request)


@pytest.mark.parametrize("name", ["scaled-low-16", "scaled-high-16"])
def test_keys_of_1024_bits(name):
    run_keys(name, 1024, public=3, private=1)


@pytest.mark.long
@pytest.mark.parametrize("nbits", [1024, 2048])
@pytest.mark.parametrize("name", ["scaled-low-16", "scaled-high-16"])
def test_twenty_keys(name, nbits):
    run_keys(name, nbits, public=20, private=5)


@pytest.mark.parametrize("level", ["cl", "batch"])
@pytest.mark.parametrize("loop", [LEFT_TO_RIGHT.name, LADDER.name, "windows-3", "masked-ladder"])
@pytest.mark.parametrize("digit", [1, 5, 8])
def test_a_result_in_a_domain_leaves_it_and_is_reduced(digit, loop, level):
    """The widest digit among them; values, status and cycles at 8 bits."""
    units = 1 if SCHEDULES.get(loop, LADDER).in_turn else 2
    design = find(f"scaled-low(digit={digit},loop={loop},units={units})")
    cases = exponentiator.edge_cases(NBITS)[::4]
    cases += exponentiator.random_cases(NBITS, 20, seed=digit)
    component = design.component("cl" if level == "cl" else "rtl", NBITS)
    with StreamRunner(component, level, name=design.name) as runner:
        exponentiator.check_exponentiator(runner, design.at(NBITS), cases)


def test_a_key_of_1024_bits_by_a_masked_ladder_modulo_random_multiples():
    run_keys("scaled-low(digit=16,loop=masked-ladder,random=32)", 1024, public=1, private=1)


def test_a_loop_that_always_multiplies_is_constant_time():
    """Constant, products and reduction take the same cycles under every modulus, bad ones too."""
    design = organised(ScaledLow(NBITS, 4), Organisation(RIGHT_TO_LEFT_ALWAYS, squarings=1))
    cases = exponentiator.edge_cases(NBITS)[::4]
    cases += exponentiator.random_cases(NBITS, 20, seed=31)
    assert len({design.latency(*case.operands) for case in cases}) == 1
    with component_runner(design.rtl()) as runner:
        exponentiator.check_exponentiator(runner, design, cases, max_cycles=50_000)
