"""Products modulo c*m: bounds, constants, long keys, and faults in each part of the hardware."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rtl.domain
import rtl.exponentiator
import rtl.fold_mul
import rtl.mont_digit
import rtl.prepare
import rtl.prepared_mul
import rtl.scaled
import rtl.shift_remainder
from cl.exponentiator import exponentiator_latency
from cl.organisation import Organisation
from cl.scaled import high_latency, low_latency
from eval.catalog import MULTIPLIERS, find
from eval.families.scaled import low_parts, model
from fl.messages import OK, mk_exp_msgs, mk_mul_msgs
from fl.mont_digit import mont_digit_product
from fl.mont_mul import mont_radix
from fl.montgomery import mm_mul_no_subtraction
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
from rtl.exponentiator import ExponentiatorRTL
from rtl.prepared_mul import PreparedMulRTL
from rtl.shift_remainder import ShiftRemainder
from sim.stream import NO_STALLS, SimulationTimeout, SpuriousResponse, Stalls, StreamRunner
from tests.cases import exponent, multiply
from tests.faults import plant
from tests.harness import Mismatch, check, component_runner

NBITS = 8
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
CAUGHT = (Mismatch, SimulationTimeout, SpuriousResponse)
DIGITS = st.integers(1, 20)
WIDTHS = st.integers(8, 200)
LOW, HIGH, RIVAL = "scaled-low-4", "scaled-high-4", "mont-digit-4"


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


@pytest.mark.quick
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
    cases = exponent.edge_cases(9)[::3] + exponent.random_cases(9, 40, seed=30)
    Request, Response = mk_exp_msgs(9)
    answers = [exponent.expected(case, design.moduli.at(9)) for case in cases]
    with StreamRunner(design.component("rtl", 9), "batch", name=design.name) as runner:
        check(
            runner,
            [Request(case.base, case.exp, case.mod) for case in cases],
            [int(Response(*answer).to_bits()) for answer in answers],
            [str(case) for case in cases],
            latency=lambda i: design.cycles(9, cases[i].base, cases[i].exp, cases[i].mod),
        )


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


def check_unit(name, component):
    """What the contract tests do with a multiplier: values, time and stalls."""
    unit = MULTIPLIERS[name]
    cases = multiply.edge_cases(NBITS)[::2] + multiply.random_cases(NBITS, 40, 21)
    cases += multiply.random_cases(NBITS, 20, 22, odd=True, reduced=True)
    cases = [case for case in cases if unit.accepts(NBITS, case.a, case.b, case.m)]
    Request, _ = mk_mul_msgs(NBITS, unit.guard_bits)
    with component_runner(component) as runner:
        for stalls, some in ((NO_STALLS, cases), (LATE_SINK, cases[::10])):
            check(
                runner,
                [Request(case.a, case.b, case.m) for case in some],
                [unit.value(NBITS, case.a, case.b, case.m) for case in some],
                [str(case) for case in some],
                stalls,
                latency=lambda i: unit.cycles(NBITS, cases[i].a, cases[i].b, cases[i].m),
                max_cycles=9000,
            )


LOW_FAULTS = {
    "quotient digit of the next digit": (
        "zext(s.sum[0:digit_bits], sum_bits)",
        "zext(s.sum[1 : digit_bits + 1], sum_bits)",
    ),
    "the sum is not shifted": (
        "zext(s.sum[digit_bits:sum_bits], sum_bits)",
        "zext(s.sum[0 : sum_bits - digit_bits], sum_bits)",
    ),
    "digits from the highest": ("s.digits >> digit_bits", "s.digits << digit_bits"),
    "the sum is not cleared": ("s.sum <<= 0", "s.sum <<= s.sum"),
    "a register a bit too narrow": (
        "sum_bits = width + digit_bits + 1",
        "sum_bits = width + digit_bits - 1",
    ),
    "no digit of 0 at the end": (
        "DigitLoop(digit_cycles(digits_bits, digit_bits))",
        "DigitLoop(digit_cycles(digits_bits, digit_bits) - 1)",
    ),
}
HIGH_FAULTS = {
    "a without its top bit": ("s.loop.a //= s.recv.msg.a", "s.loop.a //= s.recv.msg.b"),
}
FOLD_FAULTS = {
    "the fold loses its top": (
        "s.sum[top:sum_bits], sum_bits",
        "s.sum[top : sum_bits - 1], sum_bits",
    ),
    "the value loses its top": (
        "s.value //= s.sum[digit_bits:value_end]",
        "s.value[0:top] //= s.sum[digit_bits : value_end - 1]",
    ),
}
RIVAL_FAULTS = {
    "quotient digit of the sum before": (
        "s.added[0:digit_bits] * s.constant",
        "s.sum[0:digit_bits] * s.constant",
    ),
    "digits not shifted": ("s.digits >> digit_bits", "s.digits >> 1"),
    "carry lost": (
        "zext(s.reduced[digit_bits:added_bits], sum_bits)",
        "zext(s.reduced[digit_bits : added_bits - 2], sum_bits)",
    ),
}
HALVED_FAULTS = {
    "starts from 0": (
        "s.value <<= 1\n            elif s.count.step:\n                s.value <<= s.sum[1",
        "s.value <<= 0\n            elif s.count.step:\n                s.value <<= s.sum[1",
    ),
    "carry lost": (
        "zext(s.value, sum_bits) + zext(s.mod, sum_bits)",
        "zext(s.value + s.mod, sum_bits)",
    ),
    "a bit too few": ("s.cycles_left <<= Count(cycles)", "s.cycles_left <<= Count(cycles - 1)"),
}
INVERSE_FAULTS = {
    "digits in the wrong order": (
        "concat(s.value[0], s.digits[1:digit_bits])",
        "concat(s.digits[0 : digit_bits - 1], s.value[0])",
    ),
    "an inverse, not minus it": (
        "if s.value[0]:\n                s.sum @= s.value + zext(s.mod[0:low_bits], digit_bits)",
        "if s.value[0]:\n                s.sum @= s.value - zext(s.mod[0:low_bits], digit_bits)",
    ),
}
POWER_FAULTS = {
    "another power": ("(1 << value_bits - 1)", "(1 << value_bits - 2)"),
}
REMAINDER_FAULTS = {
    "short moduli taken for long": ("~s.mod[nbits - 1]", "s.mod[nbits - 1]"),
    "a step too few": ("Count(most_steps)", "Count(most_steps - 1)"),
    "rest not aligned": ("s.value << high_bits", "s.value << 1"),
    "high not cleared": ("s.high <<= 0", "s.high <<= 1"),
    "answers at once": ("s.done @= s.started & s.remainder.done", "s.done @= s.started"),
    "started again": ("s.active & ~s.started", "s.active"),
}
PREPARED_FAULTS = {
    "product before the constant": ("(s.state == PREPARE) & s.prepare.done", "s.state == PREPARE"),
    "never prepared": ("s.prepare.start @= s.state == START", "s.prepare.start @= 0"),
    "b cut": ("zext(s.b, unit_bits)", "zext(s.b[0:7], unit_bits)"),
    "answer not held": ("elif s.send.val & s.send.rdy:", "elif s.send.val:"),
}


def faults(table):
    return pytest.mark.parametrize(("sound", "faulty"), table.values(), ids=table.keys())


def check_core(low, mk_core):
    """A unit with operands over its own range, which is wider than a multiplier's."""
    guard_bits = low_guard_bits(4) if low else high_guard_bits(4)
    mk_prepare = rtl.prepare.HalvedPower if low else rtl.prepare.PowerRemainder
    component = PreparedMulRTL(
        NBITS, guard_bits, lambda nbits: mk_core(nbits, 4), lambda nbits: mk_prepare(nbits, 4)
    )
    Request, _ = mk_mul_msgs(NBITS, guard_bits)
    rng = random.Random("core")
    operands, expected = [], []
    for i in range(60):
        m = (255, 253, 1, 3)[i % 4] if i < 20 else rng.getrandbits(NBITS) | 1
        limit = m << guard_bits if low else 1 << NBITS + guard_bits
        a, b = ((limit - 1, rng.randrange(limit))[rng.random() < 0.6] for _ in "ab")
        operands.append((a, b, m))
        if low:
            expected.append(low_product(a, b, low_constant(m, 4), NBITS, 4))
        else:
            expected.append(high_product(a, b, high_constant(m, NBITS, 4), NBITS, 4))
    with component_runner(component) as runner:
        check(
            runner,
            [Request(*o) for o in operands],
            expected,
            [str(o) for o in operands],
            max_cycles=5000,
        )


def test_the_sound_cores_pass():
    check_core(True, rtl.scaled.ScaledLowMulRTL)
    check_core(False, rtl.scaled.ScaledHighMulRTL)


@faults(LOW_FAULTS)
def test_fault_in_the_low_core(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.scaled, sound, faulty)
    with pytest.raises(CAUGHT):
        check_core(True, broken.ScaledLowMulRTL)


@faults(HIGH_FAULTS)
def test_fault_in_the_high_core(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.scaled, sound, faulty)
    with pytest.raises(CAUGHT):
        check_core(False, broken.ScaledHighMulRTL)


@faults(FOLD_FAULTS)
def test_fault_in_the_loop_of_the_high_core(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.fold_mul, sound, faulty)
    monkeypatch.setattr(rtl.scaled, "FoldLoop", broken.FoldLoop)
    with pytest.raises(CAUGHT):
        check_core(False, rtl.scaled.ScaledHighMulRTL)


@pytest.mark.parametrize("name", [LOW, HIGH, RIVAL])
def test_the_sound_units_pass(name):
    check_unit(name, MULTIPLIERS[name].component("rtl", NBITS))


@pytest.mark.parametrize(
    ("name", "module", "unit", "table"),
    [
        (RIVAL, rtl.mont_digit, "MontDigitRTL", RIVAL_FAULTS),
        (LOW, rtl.prepare, "HalvedPower", HALVED_FAULTS),
        (RIVAL, rtl.prepare, "MinusInverse", INVERSE_FAULTS),
        (HIGH, rtl.prepare, "PowerRemainder", POWER_FAULTS),
        (HIGH, rtl.shift_remainder, "ReduceOut", REMAINDER_FAULTS),
        (LOW, rtl.prepared_mul, "PreparedMulRTL", PREPARED_FAULTS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_faults_in_the_parts_of_a_multiplier(tmp_path, monkeypatch, name, module, unit, table):
    for sound, faulty in table.values():
        broken = plant(tmp_path, module, sound, faulty)
        monkeypatch.setattr("eval.families.scaled." + unit, getattr(broken, unit))
        with pytest.raises(CAUGHT):
            check_unit(name, MULTIPLIERS[name].component("rtl", NBITS))


def check_design(name):
    """What the contract tests do with an exponentiator, at few requests."""
    design = find(name)
    cases = exponent.edge_cases(NBITS, exp_bits=4)[::3]
    cases += exponent.random_cases(NBITS, 4, seed=23, odd=True)
    answers = [exponent.expected(case, design.moduli.at(NBITS)) for case in cases]
    Request, Response = mk_exp_msgs(NBITS)
    with component_runner(design.component("rtl", NBITS)) as runner:
        check(
            runner,
            [Request(case.base, case.exp, case.mod) for case in cases],
            [int(Response(*answer).to_bits()) for answer in answers],
            [str(case) for case in cases],
            latency=lambda i: design.cycles(NBITS, cases[i].base, cases[i].exp, cases[i].mod),
            max_cycles=4000,
        )


EXPONENTIATOR_FAULTS = {
    "constant not awaited": (
        "s.convert_in.r_squared_done //= s.prepare.done",
        "s.convert_in.r_squared_done //= 1",
    ),
    "result not reduced": ("s.result @= s.finish.value", "s.result @= s.value[0:nbits]"),
    "never left": ("s.control.leaving //= s.finish.active", "s.finish.active //= 0"),
}
TAKE_FAULTS = {
    "base cut": ("s.value @= zext(s.operand, width)", "s.value @= zext(s.operand[0:7], width)"),
    "not started again": (
        "s.done @= s.active & s.r_squared_done\n",
        "s.done @= s.r_squared_done\n",
    ),
}


@pytest.mark.parametrize("name", [LOW, HIGH, RIVAL, "near-power-4"])
def test_the_sound_designs_pass(name):
    check_design(name)


@faults(EXPONENTIATOR_FAULTS)
def test_fault_in_the_exponentiator(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.exponentiator, sound, faulty)
    monkeypatch.setattr("eval.families.organised.ExponentiatorRTL", broken.ExponentiatorRTL)
    with pytest.raises(CAUGHT):
        check_design(HIGH)


@faults(TAKE_FAULTS)
def test_fault_in_taking_the_base(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.domain, sound, faulty)
    monkeypatch.setattr(rtl.exponentiator, "TakeOperand", broken.TakeOperand)
    with pytest.raises(CAUGHT):
        check_design(HIGH)


@pytest.mark.quick
def test_a_result_in_a_domain_is_not_reduced():
    dut = ExponentiatorRTL(
        NBITS,
        Organisation(loop="left-to-right", units=1),
        lambda nbits: rtl.scaled.ScaledLowMulRTL(nbits, 4),
        low_radix(NBITS, 4),
        low_guard_bits(4),
        mk_prepare=lambda nbits: rtl.prepare.HalvedPower(nbits, 4),
        mk_finish=lambda nbits: rtl.shift_remainder.ReduceOut(nbits, nbits + 5, 5, False),
    )
    with pytest.raises(ValueError, match="mk_finish is for loops"):
        dut.elaborate()


def test_a_loop_that_always_multiplies_is_constant_time():
    """Constant, products and reduction take the same cycles under every modulus, bad ones too."""
    organisation = Organisation(loop="always", squarings=1)
    latency, radix = low_latency(NBITS, 4), low_radix(NBITS, 4)
    unit = model(lambda a, b, m: a * b * pow(2, -radix, m) % m, latency, radix, finish=lambda m: 6)
    component = ExponentiatorRTL(
        NBITS,
        organisation,
        lambda nbits: rtl.scaled.ScaledLowMulRTL(nbits, 4),
        radix,
        low_guard_bits(4),
        **low_parts(4),
    )
    cases = exponent.edge_cases(NBITS)[::4] + exponent.random_cases(NBITS, 20, seed=31)
    cycles = {exponentiator_latency(NBITS, c.base, c.exp, c.mod, organisation, unit) for c in cases}
    assert len(cycles) == 1
    Request, Response = mk_exp_msgs(NBITS)
    answers = [exponent.expected(case, lambda mod: mod % 2 == 1) for case in cases]
    with component_runner(component) as runner:
        check(
            runner,
            [Request(case.base, case.exp, case.mod) for case in cases],
            [int(Response(*answer).to_bits()) for answer in answers],
            [str(case) for case in cases],
            latency=lambda i: min(cycles),
            max_cycles=50_000,
        )
