"""Document 002's array: any words and radix, its cycles, its counterexample, faults, long keys."""

import random

import pytest
from pymtl3 import DefaultPassGroup

import rtl.exp.judge
import rtl.exp.r_squared_doubling
import rtl.mul.systolic
import rtl.mul.systolic_elements
import rtl.mul.systolic_line
from cl.systolic import systolic_latency
from eval.catalog import find
from eval.catalog import systolic as catalog_systolic
from eval.contract import exponentiator, multiplier
from fl.messages import OK, mk_exp_msgs, mk_mul_msgs
from fl.rsa_keys import seeded_key
from fl.systolic import sound_words
from rtl.mul.systolic import Systolic
from rtl.mul.with_constant import WithConstantRTL, by_itself
from sim.stream import NO_STALLS, Stalls, StreamRunner
from tests.faults import CAUGHT, faults, plant, plant_in_base
from tests.harness import component_runner

NBITS = 10  # with what R > 4m asks for, all bits of three words of 4
LATE_SINK = Stalls("late-sink", (0,), (50,))  # later than any answer
UNIT = by_itself(Systolic(NBITS, 4, 3))
CASES = multiplier.edge_cases(NBITS)[::3] + multiplier.random_cases(NBITS, 60, 41, odd=True)


def check_unit(unit, component, cases):
    """What the contract tests do with a multiplier: values, time and stalls."""
    cases = multiplier.taken(unit, cases)
    with component_runner(component) as runner:
        for stalls, some in ((NO_STALLS, cases), (LATE_SINK, cases[::10])):
            multiplier.check_multiplier(runner, unit, some, stalls, 9000)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("nbits", "digit_bits", "words"),
    [(8, 4, 3), (8, 4, 2), (8, 16, 2), (9, 5, 4), (16, 32, 2), (33, 7, 5), (33, 8, 9)],
)
def test_any_words_and_radix(nbits, digit_bits, words):
    """Words for every modulus of a width, more of them, and too few, where moduli are shorter."""
    unit = by_itself(Systolic(nbits, digit_bits, words))
    cases = multiplier.random_cases(nbits, 80, 42, odd=True)
    cases += multiplier.edge_cases(nbits)[::5] + multiplier.wide_operands(unit)
    check_unit(unit, unit.rtl(), cases)


@pytest.mark.quick
def test_cycles_are_the_printed_ones():
    """3s + 2 with the cycle of the request: 512, 1024, 2048 and 4096 bits; a word more."""
    assert [systolic_latency(s) + 1 for s in (32, 64, 128, 256)] == [98, 194, 386, 770]
    assert [systolic_latency(s) + 1 for s in (33, 65, 129, 257)] == [101, 197, 389, 773]


@pytest.mark.quick
@pytest.mark.parametrize("words", [2, 3])
def test_the_counterexample_of_document_002(words):
    """Two words lose the ninth bit of a sum on its way, three give what is right."""
    unit = Systolic(8, 4, words)
    Request, _ = mk_mul_msgs(8, unit.guard_bits)
    with component_runner(WithConstantRTL(unit)) as runner:
        (transfer,) = runner.run([Request(15, 142, 145)])
    if words == 2:
        assert not unit.accepts(15, 142, 145)
        assert transfer.response == 109 != 15 * 142 * pow(2**8, -1, 145) % 145
    else:
        assert (transfer.response << 12) % 145 == 15 * 142 % 145


LINE_FAULTS = {
    "words of x a cycle apart": ("s.waits <<= s.enable", "s.waits <<= 0"),
    "a word too few": ("s.words_left <<= Count(words)", "s.words_left <<= Count(words - 1)"),
    "the same word again": ("s.words <<= s.words >> digit_bits", "s.words <<= s.words >> 1"),
    "words of the product before": ("s.words <<= s.x", "s.words <<= s.words"),
    "answers a cycle early": (
        "DigitLoop(array_cycles(words, elements + ahead))",
        "DigitLoop(array_cycles(words, elements + ahead) - 1)",
    ),
    "words of m for those of y": ("element.y //= s.y[word]", "element.y //= s.m[word]"),
    "words of a in other places": ("s.a[word] //= element.low", "s.a[word] //= line[0].low"),
}
ELEMENT_FAULTS = {
    "acc not cleared": ("                s.acc <<= 0\n", "                s.acc <<= s.acc\n"),
    "highest word not cleared": ("s.high <<= 0", "s.high <<= s.high"),
    "highest word dropped": ("s.step.a //= s.high", "s.step.a //= 0"),
    "quotient digit of the product alone": ("(s.a + s.product) *", "s.product *"),
    "u_i of the word before": ("s.step.u //= s.u\n", "s.step.u //= s.x\n"),
}


@faults(LINE_FAULTS)
def test_fault_in_the_line(tmp_path, sound, faulty):
    broken = plant_in_base(tmp_path, rtl.mul.systolic, rtl.mul.systolic_line, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(UNIT, WithConstantRTL(broken.Systolic(NBITS, 4, 3)), CASES)


@faults(ELEMENT_FAULTS)
def test_fault_in_an_element(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.systolic_elements, sound, faulty)
    for user in (rtl.mul.systolic, rtl.mul.systolic_line):
        for name in ("FirstElement", "MiddleElement", "LastElement", "QuotientDigit"):
            monkeypatch.setattr(user, name, getattr(broken, name), raising=False)
    with pytest.raises(CAUGHT):
        check_unit(UNIT, UNIT.rtl(), CASES)


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
    entered = find(name).at(nbits).parts.r_squared.time(1)
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


def r_squared(module, mod):
    """R^2 mod m for R = 2^16 by doublings alone."""
    part = module.RSquaredDoubling(16, 1, 16, 0, constant=True)
    part.elaborate()
    part.apply(DefaultPassGroup())
    part.sim_reset()
    part.mod @= mod
    part.start @= 1
    part.sim_tick()
    part.start @= 0
    for _ in range(40):
        part.sim_tick()
    assert part.done
    return int(part.value)


def test_r_squared_by_doublings_alone_is_below_m(tmp_path):
    """So that any base has a product below 2m, which a value below 2m would not promise."""
    moduli = (16383, 16381, 9999, 8193)
    assert [r_squared(rtl.exp.r_squared_doubling, m) for m in moduli] == [2**32 % m for m in moduli]
    lines = ("guard_bits if squarings else 0", "guard_bits")
    broken = plant(tmp_path, rtl.exp.r_squared_doubling, *lines)
    assert any(r_squared(broken, m) >= m for m in moduli)
