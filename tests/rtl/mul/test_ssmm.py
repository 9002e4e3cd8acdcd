"""SSMM and its exponentiators: edges of the integers, T6 counted anew, the document's example."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl.ssmm import ssmm_004_latency, ssmm_004_mean, ssmm_latency
from eval.catalog import DESIGNS
from eval.contract import exponentiator, multiplier
from eval.contract.check import check
from fl.exponentiator import OK
from fl.messages import mk_exp_msgs, mk_mul_msgs
from fl.rsa_keys import EXAMPLES, KEY_004, seeded_key
from fl.ssmm import r_squared, reduce, shift_sub_step, ssmm, ssmm_any
from rtl.exp.ssmm_shared import SsmmSharedRTL
from rtl.mul.ssmm import SsmmRTL
from sim.stream import StreamRunner
from tests.harness import design_runner

SSMM_DESIGNS = sorted(name for name in DESIGNS if name.startswith("ssmm-"))


@pytest.mark.quick
def test_every_small_product():
    for m in range(1, 20):
        for a in range(m + 1):
            for b in range(3 * m):
                assert ssmm(a, b, m) == a * b % m
        for a in range(3 * m):
            assert reduce(a, m) == a % m
            assert ssmm_any(a, 2 * m - 1, m) == a * (2 * m - 1) % m


@pytest.mark.quick
def test_the_product_that_the_document_gets_wrong():
    assert ssmm(3, 3, 9) == 0


@pytest.mark.quick
def test_every_small_step_keeps_its_ranges():
    for m in range(1, 20):
        for product in range(m):
            for multiplicand in range(m + 1):
                for bit in (0, 1):
                    after, doubled = shift_sub_step(product, multiplicand, bit, m)
                    assert after == (product + bit * multiplicand) % m
                    assert doubled == (m if multiplicand == m else 2 * multiplicand % m)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [1, 2, 3, 8, 9, 128])
def test_r_squared_at_its_edges(nbits):
    r = 1 << nbits
    for m in {r // 2, r // 2 + 1, 3 * r // 4, r - 1, r}:
        assert r_squared(nbits, m) == r * r % m


@pytest.mark.quick
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ssmm(10, 1, 9), "a must be from 0 to m = 9, not 10"),
        (lambda: ssmm(-1, 1, 9), "a must be from 0 to m = 9, not -1"),
        (lambda: ssmm(1, -1, 9), "b must be at least 0, not -1"),
        (lambda: ssmm(0, 1, 0), "m must be at least 1, not 0"),
        (lambda: ssmm_any(-1, 1, 9), "a must be at least 0, not -1"),
        (lambda: reduce(5, 0), "m must be at least 1, not 0"),
        (lambda: shift_sub_step(9, 0, 0, 9), "product must be from 0 to m-1 = 8, not 9"),
        (lambda: shift_sub_step(8, 10, 0, 9), "multiplicand must be from 0 to m = 9, not 10"),
        (lambda: shift_sub_step(8, 9, 2, 9), "bit must be 0 or 1, not 2"),
        (lambda: r_squared(8, 127), r"m must be from 2\^7 to 2\^8, not 127"),
        (lambda: r_squared(8, 257), r"m must be from 2\^7 to 2\^8, not 257"),
    ],
)
def test_ranges_are_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.quick
@pytest.mark.parametrize("steps", [0, 9])
def test_steps_per_cycle_is_refused(steps):
    message = f"steps_per_cycle must be from 1 to 8, not {steps}"
    with pytest.raises(ValueError, match=message):
        SsmmRTL(16, steps).elaborate()
    with pytest.raises(ValueError, match=message):
        SsmmSharedRTL(16, steps).elaborate()


@cache
def unit_runner(nbits: int, steps: int, level: str) -> StreamRunner:
    return StreamRunner(SsmmRTL(nbits, steps), level)


@pytest.mark.parametrize("steps", [2, 3, 4, 7])
def test_more_steps_a_cycle(steps):
    """Steps that do not divide the width too; 1 is in the catalog."""
    Request, _ = mk_mul_msgs(8)
    cases = [c for c in multiplier.edge_cases(8) + multiplier.random_cases(8, 40, seed=1) if c.m]

    def latency(i: int) -> int:
        return ssmm_latency(steps, cases[i].a, cases[i].b, cases[i].m)

    check(
        unit_runner(8, steps, "rtl"),
        [Request(c.a, c.b, c.m) for c in cases],
        [multiplier.expected(c) for c in cases],
        [str(c) for c in cases],
        latency=latency,
        interval=lambda i: latency(i) + 1,
    )


def t6_counted(base: int, exp: int, mod: int) -> int:
    """The document's control, walked a state at a time: cycles that it is busy."""
    power, cycles = base, 0
    while exp:
        cycles += 3  # the bit is looked at, the multiplying unit starts, the squaring unit starts
        scanned = power
        while scanned:  # one step of both units
            scanned >>= 1
            cycles += 1
        if exp == 1:
            cycles += 1  # the product is seen: it is a cycle ahead of the square
        else:
            cycles += 2  # the square is seen, and then the exponent moves on
        power = power * power % mod
        exp >>= 1
    return cycles


@pytest.mark.quick
def test_t6_is_the_sum_of_the_document():
    @settings(max_examples=300, deadline=None, derandomize=True, database=None)
    @given(st.integers(1, 2**24 - 1), st.integers(0, 2**24 - 1), st.integers(1, 2**24 - 1))
    def check_one(mod, base, exp):
        base %= mod
        lengths = [
            pow(base, 1 << i, mod).bit_length() if i else base.bit_length()
            for i in range(exp.bit_length())
        ]
        t6 = sum(lengths) + 5 * exp.bit_length() - 1
        assert ssmm_004_latency(base, exp, mod) == t6 == t6_counted(base, exp, mod)
        assert t6 <= 24 * (24 + 5) - 1  # n bits in the exponent and in every power

    check_one()


def test_t6_at_rtl():
    Request, _ = mk_exp_msgs(16)
    rng = random.Random(6)
    requests = [(0, 1, 1), (0, 0xFFFF, 7), (6, 0xFFFF, 7), (0xFFFE, 0xFFFF, 0xFFFF)]
    for _ in range(500):
        mod = rng.getrandbits(rng.randint(1, 16)) or 1
        requests.append((rng.randrange(mod), rng.getrandbits(rng.randint(1, 16)) or 1, mod))
    transfers = design_runner("ssmm-004", 16, "batch").run([Request(*r) for r in requests])
    assert [t.cycles for t in transfers] == [t6_counted(*r) for r in requests]


@pytest.mark.quick
def test_t6_mean():
    """The expectation is the mean over 20 keys, to a twentieth of a per cent."""
    rng = random.Random(7)
    off = []
    for seed in range(20):
        key = seeded_key(128, seed)
        t6 = ssmm_004_latency(rng.randrange(key.n), key.d, key.n)
        off.append(t6 / ssmm_004_mean(128, key.d.bit_length(), key.n) - 1)
    assert abs(sum(off) / len(off)) < 5e-4


@pytest.mark.quick
@pytest.mark.parametrize("mod", [128, 151, 200, 255])
@pytest.mark.parametrize("exp_bits", [1, 4, 8])
def test_t6_mean_of_all_residues(exp_bits: int, mod: int):
    """A power of the base is any number below mod: what the mean has for it is off by 1/mod."""
    length = sum(power.bit_length() for power in range(mod)) / mod
    mean = exp_bits * length + 5 * exp_bits - 1
    assert ssmm_004_mean(8, exp_bits, mod) == pytest.approx(mean - exp_bits / mod)
    assert ssmm_004_mean(8, 1, 128) == 8 + 5 - 2 - 1


def test_the_example_of_document_004_at_rtl():
    example = next(e for e in EXAMPLES if e.key is KEY_004)
    key = example.key
    Request, Response = mk_exp_msgs(128)
    encrypted, decrypted = design_runner("ssmm-004", 128, "batch").run(
        [Request(example.message, key.e, key.n), Request(example.ciphertext, key.d, key.n)]
    )
    assert (encrypted.cycles, decrypted.cycles) == (16612, 16893)
    assert encrypted.response == int(Response(example.ciphertext, OK).to_bits())
    assert decrypted.response == int(Response(example.message, OK).to_bits())


def private_exponentiation(name: str) -> None:
    key = seeded_key(2048, 1)
    ciphertext = random.Random(2048).randrange(key.n)
    Request, Response = mk_exp_msgs(2048)
    (transfer,) = design_runner(name, 2048, "batch").run([Request(ciphertext, key.d, key.n)])
    message = pow(ciphertext, key.d, key.n)
    assert transfer.response == int(Response(message, OK).to_bits())
    assert transfer.cycles == DESIGNS[name].cycles(2048, ciphertext, key.d, key.n)


def test_private_exponentiation_of_2048_bits():
    """4.2 million cycles at RTL, in some seconds."""
    private_exponentiation("ssmm-004")


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in SSMM_DESIGNS if name != "ssmm-004"])
def test_private_exponentiation_of_2048_bits_elsewhere(name):
    private_exponentiation(name)


CONSTANT = [name for name in SSMM_DESIGNS if DESIGNS[name].constant_time]
OPERAND_DEPENDENT = [name for name in SSMM_DESIGNS if not DESIGNS[name].constant_time]


def cycles_seen(name: str, nbits: int, level: str) -> set[int]:
    """Every time that requests of all kinds took, modulus 0 and bases above it included."""
    Request, _ = mk_exp_msgs(nbits)
    cases = exponentiator.edge_cases(nbits) + exponentiator.random_cases(nbits, 300, seed=3)
    if level == "rtl":
        cases = cases[::8]
    runner = design_runner(name, nbits, level)
    return {t.cycles for t in runner.run([Request(c.base, c.exp, c.mod) for c in cases])}


@pytest.mark.parametrize(("nbits", "level"), [(8, "rtl"), (8, "batch"), (33, "batch")])
@pytest.mark.parametrize("name", CONSTANT)
def test_constant_time(name, nbits, level):
    assert len(cycles_seen(name, nbits, level)) == 1


@pytest.mark.parametrize("name", OPERAND_DEPENDENT)
def test_time_depends_on_the_operands_elsewhere(name):
    assert len(cycles_seen(name, 8, "batch")) > 10


def every_request_of_8_bits(name: str, moduli: range) -> None:
    """Packed by hand, 8 bits a field and 1 for the status: building 65536 messages is slow."""
    runner = design_runner(name, 8, "batch")
    for mod in moduli:
        requests = [(base, exp, mod) for base in range(256) for exp in range(256)]
        transfers = runner.run([base << 16 | exp << 8 | mod for base, exp, mod in requests])
        for request, transfer in zip(requests, transfers, strict=True):
            result, status = DESIGNS[name].at(8).value(*request)
            assert transfer.response == result << 1 | status, request
            assert transfer.cycles == DESIGNS[name].cycles(8, *request), request


@pytest.mark.parametrize("mod", [9, 128])
def test_every_base_and_exponent_of_8_bits(mod):
    every_request_of_8_bits("ssmm-best", range(mod, mod + 1))


@pytest.mark.long
@pytest.mark.parametrize("name", SSMM_DESIGNS)
def test_every_request_of_8_bits(name):
    """All 16.7 million (base, exp, mod), values and cycles."""
    every_request_of_8_bits(name, range(256))
