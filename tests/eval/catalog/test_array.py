"""Rows of elements: cycles of exponentiations at RSA sizes, long keys, words of any length."""

import random

import pytest

from eval.catalog import find
from eval.catalog.array import ALL, ARRAY, DESIGNS, KEEPING, odd_modulus
from eval.contract.exponentiator import check_exponentiator, edge_cases, random_cases
from fl.exponentiator import OK
from fl.messages import mk_exp_msgs
from fl.rsa_keys import seeded_key
from fl.schedule import LEFT_TO_RIGHT, windows
from rtl.exp.array import ArrayExponentiator
from sim.stream import StreamRunner
from tests.harness import component_runner


def private_cycles(name):
    """Cycles with a random exponent of 1024 bits: half of them are ones."""
    exp = (1 << 1024) // 3 | 1 << 1023
    assert exp.bit_count() == 513
    return find(name).cycles(1024, 5, exp, (1 << 1024) - 1)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("w", "most", "most_by_windows"),
    [(4, 420_000, 360_000), (8, 215_000, 180_000), (16, 110_000, 95_000)],
)
def test_cycles_of_a_private_exponentiation(w, most, most_by_windows):
    assert private_cycles(f"array-{w}") < most
    assert private_cycles(f"array-{w}-window-4") < most_by_windows
    row = find(f"array-{w}").at(1024)
    products = 2 * 1024 * row.program.square.cycles
    assert private_cycles(f"array-{w}-ct") < 1.02 * products


@pytest.mark.quick
@pytest.mark.parametrize("w", [1, 2, 4, 8, 16])
def test_products_begin_a_cycle_after_the_steps_of_the_one_before(w):
    """ceil((n + 2) / w) + 2 steps."""
    program = find(f"array-{w}").at(1024).program
    assert program.square.cycles == -(-1026 // w) + 3
    cycles = [find(f"array-{w}").cycles(1024, 5, exp, 7) for exp in (0b1000, 0b1001)]
    assert cycles[1] - cycles[0] == program.square.cycles


@pytest.mark.quick
@pytest.mark.parametrize(("w", "cycles"), [(4, 266), (8, 138), (16, 74)])
def test_products_of_two_stages_take_six_cycles_more(w, cycles):
    """Two digits of c, two that wait, and two cycles more in which words resolve."""
    row = ARRAY.line(digit=w, stages=2).at(1024)
    assert row.program.square.cycles == cycles
    assert cycles == find(f"array-{w}").at(1024).program.square.cycles + 6
    two = [row.latency(5, exp, 7) for exp in (0b1000, 0b1001)]
    assert two[1] - two[0] == cycles


def run_keys(name, nbits, count):
    """Private exponents of so many keys through the design's Verilog."""
    design = find(name)
    keys = [seeded_key(nbits, seed) for seed in range(count)]
    rng = random.Random(nbits)
    requests = [(rng.getrandbits(nbits), key.d, key.n) for key in keys]
    Request, _ = mk_exp_msgs(nbits)
    with StreamRunner(design.component("rtl", nbits), "batch", name=name) as runner:
        transfers = runner.run([Request(*request) for request in requests], max_cycles=10**9)
    for request, transfer in zip(requests, transfers, strict=True):
        assert transfer.response == pow(*request) << 1 | OK
        assert transfer.cycles == design.cycles(nbits, *request)


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        ("array-16", 512),  # of 1024: tests/proc/test_rsa_axi.py
        *(
            pytest.param(name, nbits, marks=pytest.mark.long)
            for name in ("array-4", "array-8", "array-16", "array-16-window-4")
            for nbits in (1024, 2048, 4096)
        ),
    ],
)
def test_long_keys(name, nbits):
    run_keys(name, nbits, 2)


@pytest.mark.parametrize(
    ("w", "k", "nbits", "order"),
    [
        (1, 3, 12, windows(2)),
        (1, 16, 10, windows(2)),  # the last word has one bit; found by a campaign
        (1, 16, 40, LEFT_TO_RIGHT),
        (2, 6, 12, windows(1)),
        (2, 10, 33, LEFT_TO_RIGHT),
        (4, 12, 8, windows(2)),
        (4, 20, 64, LEFT_TO_RIGHT),
        (8, 24, 33, windows(3)),
        (8, 64, 40, LEFT_TO_RIGHT),
        (16, 48, 100, windows(6)),
        (16, 64, 9, LEFT_TO_RIGHT),
    ],
)
def test_words_and_digits_of_any_length(w, k, nbits, order):
    check_any_length(ArrayExponentiator(nbits, odd_modulus, w, k, order))


@pytest.mark.parametrize(
    ("w", "k", "nbits", "order"),
    [(1, 3, 12, windows(2)), (2, 10, 33, LEFT_TO_RIGHT), (8, 24, 33, windows(3))],
)
def test_two_stages_of_any_length(w, k, nbits, order):
    check_any_length(ArrayExponentiator(nbits, odd_modulus, w, k, order, stages=2))


def check_any_length(design):
    """Values and cycles of requests through the design's Verilog."""
    nbits = design.nbits
    cases = edge_cases(nbits)[::3] + random_cases(nbits, 20, seed=6)
    with component_runner(design.rtl(), "batch") as runner:
        check_exponentiator(runner, design, cases, max_cycles=10**7)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("w", "first", "again"), [(4, 9172, 5152), (8, 4639, 2624), (16, 2386, 1360)]
)
def test_an_encryption_under_the_same_modulus(w, first, again):
    """A product, five cycles and the 18 products are left; d takes as many cycles less."""
    row = find(f"array-{w}-kept").at(1024)
    request = (5, 65537, (1 << 1024) - 1)
    assert (row.latency(*request), row.after(*request).latency(*request)) == (first, again)
    assert first - find(f"array-{w}").at(1024).latency(*request) == 5


@pytest.mark.quick
def test_names_say_what_a_row_does():
    assert {design.name for design in DESIGNS} < {design.name for design in ALL}
    assert {design.name.removesuffix("-kept") for design in KEEPING} < {d.name for d in ALL}
    for design in (*ALL, *KEEPING):
        assert design.at(8).keeps == design.name.endswith("-kept")
        assert design.constant_time == (design.at(8).order is not LEFT_TO_RIGHT)
        assert design.multiplier.name == "-".join(design.name.split("-")[:2])
