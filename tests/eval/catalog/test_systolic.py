"""Document 002's exponentiator: printed cycles, long keys, the printed words, given constants."""

import random

import pytest
from pymtl3 import DefaultPassGroup

import rtl.exp.enter
import rtl.exp.given
import rtl.exp.judge
from cl.organisation import Organisation
from eval.catalog import find
from eval.catalog import systolic as catalog_systolic
from eval.contract import exponentiator
from fl.exponentiator import OK
from fl.messages import mk_exp_msgs
from fl.mont_mul import minus_inverse
from fl.rsa_keys import seeded_key
from fl.schedule import LEFT_TO_RIGHT_ALWAYS
from fl.systolic import sound_words
from rtl.exp.organised import organised
from rtl.mul.mul_rem import MulRem
from rtl.mul.systolic import Systolic
from sim.stream import StreamRunner
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner


def run_keys(name, nbits, count):
    """Private exponents of so many keys through the design's Verilog: the cycles, all the same."""
    design = find(name)
    bits = nbits if design.moduli.key is None else design.moduli.key(nbits).nbits
    keys = [seeded_key(bits, seed) for seed in range(count)]
    rng = random.Random(nbits)
    requests = [(rng.getrandbits(nbits), key.d, key.n) for key in keys]
    Request, _ = mk_exp_msgs(nbits)
    with StreamRunner(design.component("rtl", nbits), "batch", name=name) as runner:
        transfers = runner.run([Request(*request) for request in requests], max_cycles=10**9)
    for request, transfer in zip(requests, transfers, strict=True):
        assert transfer.response == pow(*request) << 1 | OK
        assert transfer.cycles == design.cycles(nbits, *request)
    (cycles,) = {transfer.cycles for transfer in transfers}
    return cycles


# products x (3s + 2), the way to R and R^2, and a cycle
LONG = {
    ("systolic-16", 512): 1026 * 101,
    ("systolic-16", 1024): 2050 * 197,
    ("systolic-16", 2048): 4098 * 389,
    ("systolic-16", 4096): 8194 * 773,
    ("systolic-printed", 512): 1026 * 98,
    ("systolic-printed", 1024): 2050 * 194,
    ("systolic-printed", 2048): 4098 * 386,
    ("systolic-printed", 4096): 8194 * 770,
}


@pytest.mark.parametrize(
    ("name", "nbits", "count"),
    [
        ("systolic-16", 512, 2),
        ("systolic-printed", 1024, 2),
        pytest.param("systolic-16", 1024, 20, marks=pytest.mark.long),
        pytest.param("systolic-printed", 1024, 20, marks=pytest.mark.long),
        pytest.param("systolic-16", 2048, 1, marks=pytest.mark.long),
        pytest.param("systolic-printed", 2048, 1, marks=pytest.mark.long),
        pytest.param("systolic-16", 4096, 1, marks=pytest.mark.long),
        pytest.param("systolic-printed", 4096, 1, marks=pytest.mark.long),
    ],
)
def test_long_keys(name, nbits, count):
    parts = find(name).at(nbits).parts
    entered = parts.r_squared.time(1, parts.unit)
    assert run_keys(name, nbits, count) == LONG[name, nbits] + entered + 1


@pytest.mark.quick
def test_products_are_the_printed_number():
    """2(t+1) + 2 for t + 1 bits of the exponent: 397700 cycles at 1024 bits, 403850 soundly."""
    assert LONG["systolic-printed", 1024] == 397700
    assert LONG["systolic-16", 1024] == 403850
    assert LONG["systolic-printed", 4096] == 6309380
    for nbits in (512, 1024):
        assert find("systolic-16").at(nbits).counts(1).total + 2 == 2 * nbits + 2
        assert find("systolic-16").multiplier.at(nbits).words == sound_words(nbits, 16)


def check_printed():
    """Two words of 16 bits: bases of half of R and more, moduli of more than 30 bits."""
    design = find("systolic-printed").make(32)
    rng = random.Random(43)
    bases = (2**32 - 1, 2**31, 2**31 + 1, *(rng.getrandbits(32) for _ in range(20)))
    moduli = (3 << 30 | 1, 2**30 + 1, 2**31 + 1, 2**30 - 1, 1, 0, 2)
    requests = [(base, rng.getrandbits(32), rng.getrandbits(30) | 1) for base in bases]
    requests += [(2**32 - 1, 5, mod) for mod in moduli]
    cases = [exponentiator.ExpCase(str(request), 32, *request) for request in requests]
    with StreamRunner(design.rtl(), "batch", name="systolic-printed") as runner:
        exponentiator.check_exponentiator(runner, design, cases)


def test_the_printed_words_take_shorter_moduli_and_any_base():
    check_printed()


def test_longer_moduli_taken_for_the_printed_words_are_caught(tmp_path, monkeypatch):
    broken = plant(
        tmp_path, rtl.exp.judge, "s.mod[most_bits:nbits]", "s.mod[most_bits + 1 : nbits]"
    )
    monkeypatch.setattr(catalog_systolic, "ShortOddModulus", broken.ShortOddModulus)
    with pytest.raises(CAUGHT):
        check_printed()


@pytest.mark.parametrize("r_squared", [0, 1, 9998, 9999, 10000, 19997])
def test_any_base_enters_times_a_number_below_m(r_squared):
    """So that its product is below 2m, which a number below 2m would not promise."""
    part = rtl.exp.enter.ConvertAny(16)
    part.elaborate()
    part.apply(DefaultPassGroup())
    part.mod @= 9999
    part.r_squared @= r_squared
    part.sim_eval_combinational()
    assert part.mul.req.msg.b == r_squared % 9999


@pytest.mark.quick
def test_given_constants_leave_the_products_and_a_cycle():
    design = find("systolic-given")
    assert design.cycles(1024, 3, 5, design.moduli.only(1024)) == 403850 + 1


@pytest.mark.quick
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Organisation(LEFT_TO_RIGHT_ALWAYS), "a left-to-right loop has one unit"),
        (
            lambda: Organisation(LEFT_TO_RIGHT_ALWAYS, units=1, entry="remainder"),
            "a result that begins as R mod m finds it among the doublings",
        ),
        (
            lambda: organised(MulRem(8), catalog_systolic.PRINTED),
            "a result that begins as R mod m asks for a Montgomery multiplier",
        ),
    ],
)
def test_organisations_that_do_not_go_together_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


GIVEN_FAULTS = {
    "R for R^2": ("(1 << 2 * unit.radix) % mod", "(1 << unit.radix) % mod"),
    "1 for R": ("(1 << unit.radix) % mod)", "1)"),
    "no constant": ("s.constant //= mk_bits(constant_bits)(constant)", "s.constant //= 0"),
    "another modulus taken": ("OnlyModulus, nbits, mod", "OnlyModulus, nbits, 253"),
}


def check_given(module):
    """The exponentiator of 8 bits for 251."""
    made = module.given(Systolic(8, 4, 3), catalog_systolic.PRINTED, 251, minus_inverse(251, 4), 4)
    cases = [exponentiator.ExpCase(f"{e}", 8, 200, e, m) for m in (251, 253) for e in (0, 77)]
    with component_runner(made.rtl()) as runner:
        exponentiator.check_exponentiator(runner, made, cases, max_cycles=5000)


def test_the_sound_given_constants_pass():
    check_given(rtl.exp.given)


@faults(GIVEN_FAULTS)
def test_fault_of_given_constants(tmp_path, sound, faulty):
    with pytest.raises(CAUGHT):
        check_given(plant(tmp_path, rtl.exp.given, sound, faulty))
