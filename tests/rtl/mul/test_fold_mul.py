"""Folding modulo 2^n - k: bounds, keys of that form, faults, and what only its designs take."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rtl.leaf.digit_loop
import rtl.mul.fold_mul
from cl.organisation import Organisation
from eval.catalog import DESIGNS
from eval.catalog.by_digits import measured_key
from eval.catalog.workloads import key_for
from eval.contract import exponentiator, multiplier
from fl.exponentiator import BAD_MODULUS, OK
from fl.fold_mul import FOLD_BITS, fold, fold_digit_bits, fold_mul, fold_product
from fl.messages import mk_exp_msgs
from fl.near_power import is_near_power, k_bits, near_power_key, pseudo_key
from fl.schedule import LEFT_TO_RIGHT
from rtl.mul.fold_mul import FoldMul, FoldMulRTL
from sim.stream import NO_STALLS, Stalls
from tests.faults import CAUGHT, faults, plant
from tests.golden.rsa_package import golden_decrypt, golden_encrypt
from tests.harness import component_runner, design_runner

NBITS, DIGIT = 16, 4  # the digit of the fold_mul at 16 bits is 1: k has 12 bits
DESIGN = "near-power-4"
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
CASES = [
    case
    for case in multiplier.edge_cases(NBITS) + multiplier.near_power_cases(NBITS, 25, seed=20)
    if is_near_power(NBITS, case.m)
]


@given(st.data(), st.integers(1, 32), st.integers(8, 300))
def test_the_product_stays_below_its_bound(data, digit_bits, top):
    """The largest operands and k that fold_product takes are drawn often."""
    top = max(top, digit_bits + FOLD_BITS)
    most = 1 << top - FOLD_BITS - digit_bits
    k = data.draw(st.integers(0, most) | st.just(most))
    limit = (2 << top) - 1
    a, b = (data.draw(st.integers(0, limit) | st.just(limit)) for _ in "ab")
    product = fold_product(a, b, k, top, top + 1, digit_bits)
    assert product < 3 << top - 1
    assert (product - a * b) % ((1 << top) - k) == 0


@pytest.mark.quick
def test_a_larger_k_passes_the_bound():
    """The check in fold_product is needed: with k eight times as long, a product does not fit."""
    top, digit_bits = 16, 4
    k = 1 << top - digit_bits
    s = (1 << top + digit_bits + 2) - 1
    assert fold(s, k, top) >= 3 << top - 1
    with pytest.raises(ValueError, match="k must be at most"):
        fold_product(1, 1, k, top, top, digit_bits)
    most = 1 << top - digit_bits - FOLD_BITS
    assert fold_product(1, 1, most, top, top, digit_bits) == 1
    with pytest.raises(ValueError, match=rf"k must be at most 2\^9, not {most + 1}"):
        fold_product(1, 1, most + 1, top, top, digit_bits)
    with pytest.raises(ValueError, match="m must be 2\\^16 - k, k at most 2\\^12, not"):
        fold_mul(1, 1, (1 << 16) - (1 << 12) - 1, 16, 1)
    with pytest.raises(ValueError, match="a and b must have at most 16 bits"):
        fold_product(1 << 16, 1, 1, top, top, digit_bits)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 9, 16, 25, 26, 33, 64, 1024, 4096])
def test_digits_leave_room_for_k(nbits):
    for digit_bits in (1, 4, 8, 16):
        digit = fold_digit_bits(nbits, digit_bits)
        assert 1 <= digit <= digit_bits
        assert k_bits(nbits) + digit <= nbits - FOLD_BITS
        for k in (1, 2, 1 << k_bits(nbits)):
            m = (1 << nbits) - k
            a = (1 << nbits) - 1
            assert fold_mul(a, a, m, nbits, digit_bits) == a * a % m


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [16, 17, 33, 64, 65, 512])
def test_near_power_keys(nbits):
    for seed in range(3):
        key = near_power_key(nbits, seed)
        assert key == near_power_key(nbits, seed)
        assert key.n == key.p * key.q
        assert key.nbits == nbits
        assert is_near_power(nbits, key.n)
        assert golden_decrypt(golden_encrypt(12345 % key.n, key), key) == 12345 % key.n
    assert near_power_key(64) != near_power_key(64)


def test_keys_at_all_widths_and_of_document_000():
    for nbits in range(8, 40):
        key = measured_key(nbits)
        assert is_near_power(nbits, key.n)
        assert pow(pow(5, key.e, key.n), key.d, key.n) == 5
        if nbits in (8, 16, 24, 32):
            own = key_for(nbits)
            assert (key.d.bit_length(), key.d.bit_count(), key.e) == (
                *(own.d.bit_length(), own.d.bit_count()),
                own.e,
            )
    assert (pseudo_key(34).n, pseudo_key(34).d) == (5726623061, 1073692673)
    assert (pseudo_key(62).n, pseudo_key(62).d) == (1537228672809129301, 1024787838777069113)
    assert pseudo_key(122).n == 1772303994379887830538409413707126101
    with pytest.raises(ValueError, match="no product of two primes"):
        pseudo_key(32)


@pytest.mark.parametrize("nbits", [8, 33, 64, 128])
def test_the_design_takes_exactly_its_moduli(nbits):
    """Every modulus at 8 bits; elsewhere those around the limits, and keys."""
    rng = random.Random(nbits)
    top, most = 1 << nbits, 1 << k_bits(nbits)
    moduli = range(256) if nbits == 8 else [0, 1, top // 2 + 1]
    moduli = [*moduli, top - most - 1, top - most, top - most + 1, top - 1, measured_key(nbits).n]
    moduli += [top - rng.randint(1, most) for _ in range(200)]
    cases = [
        exponentiator.ExpCase(f"{mod}", nbits, rng.getrandbits(nbits), rng.getrandbits(nbits), mod)
        for mod in moduli
    ]
    design = DESIGNS[DESIGN].at(nbits)
    answers = [exponentiator.expected(case, design.takes) for case in cases]
    assert {status for _, status in answers} == {OK, BAD_MODULUS}
    runner = design_runner(DESIGN, nbits, "batch")
    exponentiator.check_exponentiator(runner, design, cases, max_cycles=10**7)


def test_encrypts_and_decrypts_1024_bits():
    key = measured_key(1024)
    message = random.Random(5).randrange(key.n)
    Request, _ = mk_exp_msgs(1024)
    ciphertext = golden_encrypt(message, key)
    transfers = design_runner(DESIGN, 1024, "batch").run(
        [Request(message, key.e, key.n), Request(ciphertext, key.d, key.n)], max_cycles=10**7
    )
    assert [transfer.response >> 1 for transfer in transfers] == [ciphertext, message]


def check_unit(component):
    """What the contract tests do with a multiplier: values, time and stalls."""
    with component_runner(component) as runner:
        for stalls in (NO_STALLS, LATE_SINK):
            multiplier.check_multiplier(runner, FoldMul(NBITS, DIGIT), CASES, stalls, 20_000)


LOOP_FAULTS = {
    "a cycle too few": ("Count(cycles)", "Count(cycles - 1)"),
    "takes a request while busy": (
        "s.recv.rdy @= ~s.busy | (s.send.val & s.send.rdy)",
        "s.recv.rdy @= ~s.busy | s.send.val",
    ),
    "answers too early": ("s.busy & (s.cycles_left == 0)", "s.busy & (s.cycles_left <= 1)"),
    "not idle after an answer": ("elif s.send.val & s.send.rdy:", "elif s.send.val & ~s.send.rdy:"),
}
FOLD_FAULTS = {
    "the fold loses its top": (
        "s.sum[top:sum_bits], sum_bits",
        "s.sum[top : sum_bits - 2], sum_bits",
    ),
    "the fold is not shifted": ("<< digit_bits)\n", "<< 0)\n"),
    "digits from the lowest": ("s.digits << digit_bits", "s.digits >> digit_bits"),
    "the sum is not cleared": ("s.sum <<= 0", "s.sum <<= s.sum"),
    "b is not held": ("s.b_register <<= s.b", "s.b_register <<= s.a"),
    "k is one too small": (
        "zext(~s.mod[0:low_bits], k_bits) + 1",
        "zext(~s.mod[0:low_bits], k_bits)",
    ),
    "m of another request": ("s.m <<= s.recv.msg.m", "s.m <<= s.recv.msg.a"),
}


def test_the_sound_unit_passes():
    check_unit(FoldMulRTL(NBITS, DIGIT))


@faults(LOOP_FAULTS)
def test_fault_in_the_digit_loop(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.leaf.digit_loop, sound, faulty)
    monkeypatch.setattr(rtl.mul.fold_mul, "DigitLoop", broken.DigitLoop)
    with pytest.raises(CAUGHT):
        check_unit(FoldMulRTL(NBITS, DIGIT))


@faults(FOLD_FAULTS)
def test_fault_in_fold_mul(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.fold_mul, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.FoldMulRTL(NBITS, DIGIT))


@pytest.mark.quick
def test_arguments_out_of_range_are_named():
    with pytest.raises(ValueError, match="digit_bits must be at least 1, not 0"):
        fold_digit_bits(32, 0)
    with pytest.raises(ValueError, match="m must be 2\\^16 - k"):
        fold_mul(1, 1, 1 << 15, 16, 4)
    with pytest.raises(ValueError, match="nbits must be from 16 to 4096, not 8"):
        near_power_key(8)
    with pytest.raises(ValueError, match="a base taken as it is"):
        Organisation(LEFT_TO_RIGHT, units=1, entry="as-it-is")
    design = DESIGNS[DESIGN].at(8)
    assert design.takes(251)
    assert not design.takes(7)
