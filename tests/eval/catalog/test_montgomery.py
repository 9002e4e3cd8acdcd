"""What the Montgomery designs promise beyond the contract: cycles, exhaustion, long keys."""

import random

import pytest

from cl.organisation import Organisation
from cl.xcel import xcel_cycles
from eval.catalog import DESIGNS, MULTIPLIERS, find
from fl.messages import mk_exp_msgs
from fl.rsa_keys import BENCHMARK, EXAMPLES, KEY_004, seeded_key
from fl.schedule import LEFT_TO_RIGHT
from rtl.mul.mont_mul import MontMulRTL
from tests.harness import component_runner, design_runner

ODD_DESIGNS = sorted(n for n, d in DESIGNS.items() if d.moduli.text.startswith("odd"))


def benchmark_cycles(name):
    """Cycles at the port on the benchmark key: encryption, decryption."""
    key = BENCHMARK.key
    pairs = ((BENCHMARK.message, key.e), (BENCHMARK.ciphertext, key.d))
    return [xcel_cycles(32, DESIGNS[name].cycles(32, text, exp, key.n)) for text, exp in pairs]


@pytest.mark.quick
def test_mont_001_takes_no_longer_than_printed():
    encrypt, decrypt = benchmark_cycles("mont-001")
    assert encrypt <= 169
    assert decrypt <= 234
    key = BENCHMARK.key
    design = DESIGNS["mont-001"]
    a_bit = design.cycles(32, 3, 0b1000, key.n) - design.cycles(32, 3, 0b100, key.n)
    assert a_bit == 5


@pytest.mark.quick
def test_mont_best_is_faster_than_mont_001():
    for ours, theirs in zip(
        benchmark_cycles("mont-best"), benchmark_cycles("mont-001"), strict=True
    ):
        assert ours < theirs


def t4(nbits, exp, mod):
    """The cycles of document 004's algorithm 4."""
    k = exp.bit_length()
    return k * (nbits + 5) + 2 * nbits + ((1 << nbits) - mod).bit_length() + 13


@pytest.mark.quick
@pytest.mark.parametrize("name", ["mmm-004", "mmred-004"])
@pytest.mark.parametrize("nbits", [8, 64, 2048])
def test_at_most_the_cycles_of_document_004(name, nbits):
    rng = random.Random(f"t4 {nbits}")
    for _ in range(100 if nbits < 100 else 2):
        mod = rng.getrandbits(nbits if rng.random() < 0.5 else rng.randint(1, nbits)) | 1
        exp = rng.getrandbits(rng.randint(1, min(nbits, 64))) or 1
        assert DESIGNS[name].cycles(nbits, 5, exp, mod) <= t4(nbits, exp, mod)
    assert t4(128, KEY_004.e, KEY_004.n) == 17153
    assert t4(128, KEY_004.d, KEY_004.n) == 17419


AS_PRINTED = find("mmm-004-printed")


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 64, 2048])
def test_algos_2_and_4_as_printed_take_the_documents_cycles(nbits):
    rng = random.Random(f"as printed {nbits}")
    for _ in range(100 if nbits < 100 else 2):
        mod = rng.getrandbits(nbits) | 1 << nbits - 1 | 1  # of all bits, as the document asks
        base, exp = rng.randrange(mod), rng.getrandbits(rng.randint(1, min(nbits, 64))) or 1
        for design in (AS_PRINTED, find("mmred-004-printed")):
            assert design.cycles(nbits, base, exp, mod) == t4(nbits, exp, mod)


def test_the_example_of_document_004_by_algo_4_as_printed():
    [example] = [example for example in EXAMPLES if example.key is KEY_004]
    n, e, d = KEY_004.n, KEY_004.e, KEY_004.d
    Request, _ = mk_exp_msgs(128)
    requests = [Request(example.message, e, n), Request(example.ciphertext, d, n)]
    with component_runner(AS_PRINTED.component("rtl", 128), "batch") as runner:
        found = runner.run(requests)
    assert [t.response >> 1 for t in found] == [example.ciphertext, example.message]
    assert [t.cycles for t in found] == [17153, 17419]


def check_all(name, requests):
    """Requests of 8 bits through the hardware against pow."""
    Request, Response = mk_exp_msgs(8)
    transfers = design_runner(name, 8, "batch").run([Request(*r) for r in requests])
    for request, transfer in zip(requests, transfers, strict=True):
        answer = DESIGNS[name].at(8).value(*request)
        assert transfer.response == answer[0] << 1 | answer[1], request


def test_every_request_of_5_bits():
    values = range(32)
    check_all("mont-best", [(b, e, m) for m in values for b in values for e in values])


@pytest.mark.long
@pytest.mark.parametrize("name", ODD_DESIGNS)
def test_every_request_of_8_bits(name):
    values = range(256)
    for m in values:
        check_all(name, [(b, e, m) for b in values for e in values])


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        ("mmm-004", 1024),
        *(pytest.param(name, 2048, marks=pytest.mark.long) for name in ("mmm-004", "mont-best")),
    ],
)
def test_decrypts_long_keys(name, nbits):
    key = seeded_key(nbits, seed=4)
    ciphertext = random.Random(4).randrange(key.n)
    Request, _ = mk_exp_msgs(nbits)
    runner = design_runner(name, nbits, "batch")
    (transfer,) = runner.run([Request(ciphertext, key.d, key.n)])
    assert transfer.response >> 1 == pow(ciphertext, key.d, key.n)
    assert transfer.cycles == DESIGNS[name].cycles(nbits, ciphertext, key.d, key.n)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MontMulRTL(8, 1, "looped"), "schedule must be one of iterated, pipelined, not"),
        (lambda: MontMulRTL(8, 1, order="late"), "order must be one of add_then_reduce, koc, not"),
        (lambda: MontMulRTL(8, 0), "steps_per_cycle must be at least 1, not 0"),
        (lambda: Organisation(units=3), r"units must be one of \(1, 2, 5\), not 3"),
        (lambda: Organisation(LEFT_TO_RIGHT), "a left-to-right loop has one unit"),
    ],
)
def test_arguments_out_of_range_are_named(call, message):
    def build():
        made = call()
        if isinstance(made, MontMulRTL):
            made.elaborate()

    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.quick
def test_units_say_their_radix():
    assert MULTIPLIERS["mmm-1"].at(33).radix == 33
    assert MULTIPLIERS["mm-open-1"].at(33).radix == 35
    assert MULTIPLIERS["mont-koc-8"].at(33).radix == 40


@pytest.mark.quick
@pytest.mark.parametrize(
    ("name", "schedule", "domain"),
    [
        (
            "mont-001",
            "right-to-left, square and multiply in parallel",
            "Montgomery, R = 2^n rounded up to stages of 8 bits",
        ),
        (
            "mm-000",
            "right-to-left, square and multiply in parallel",
            "base only, R = 2^(n+2), values below 2m",
        ),
        ("mont-small", "left-to-right, one unit", "Montgomery, R = 2^n"),
        (
            "mont-pipe",
            "right-to-left, square and multiply interleaved",
            "base only, R = 2^n rounded up to stages of 8 bits",
        ),
        (
            "mont-ct",
            "right-to-left, always multiply, in parallel",
            "base only, R = 2^n rounded up to 8 bits",
        ),
    ],
)
def test_designs_say_how_they_compute(name, schedule, domain):
    design = DESIGNS[name]
    assert (design.schedule, design.domain) == (schedule, domain)
    assert design.constant_time == (name == "mont-ct")
