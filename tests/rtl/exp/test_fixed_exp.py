"""Exponentiators of a fixed modulus: every base and exponent, other c*m, RSA, and faults."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rtl.exp.fixed_exp
import rtl.exp.judge
import rtl.mul.fixed_mul
import rtl.mul.fixed_reduce
from eval.catalog import find
from eval.catalog.fixed_modulus import KINDS
from eval.contract import exponentiator
from fl.exponentiator import BAD_MODULUS
from fl.fixed_exp import FixedModulus, correct, correction_steps, family, family_alone
from fl.messages import mk_exp_msgs
from fl.near_power import pseudo_key
from fl.rsa_keys import KEY_001, RsaKey
from rtl.exp.fixed_exp import fixed_exponentiator
from rtl.mul.fixed_mul import FixedMul
from sim.stream import STALLS, StreamRunner
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
SHORT_KEY = RsaKey("short", "a key of 12 bits", 3233, 17, 2753, 61, 53)
# (width, m, c): c*m = 2^10-1, 2^12+1 and 2^7+1; one, three and four steps of correction
MULTIPLES = ((5, FixedModulus(11, 93)), (8, FixedModulus(241, 17)), (6, FixedModulus(43, 3)))


@pytest.mark.quick
@given(st.integers(3, 300), st.integers(1, 70), st.data())
def test_correction(m, c, data):
    value = data.draw(st.integers(0, c * m - 1) | st.just(c * m - 1))
    assert correct(value, FixedModulus(m, c)) == value % m


@pytest.mark.quick
@given(st.integers(3, 300), st.integers(1, 70), st.integers(0, 2000), st.integers(0, 2000))
def test_powers_by_way_of_a_multiple(m, c, base, exp):
    assert FixedModulus(m, c).power(base, exp) == pow(base, exp, m)


@pytest.mark.quick
def test_the_family():
    for nbits in range(8, 130):
        pseudo, alone = family(nbits), family_alone(nbits)
        assert pseudo.worked == (1 << nbits // 2 * 2) - 1 == 3 * alone.worked
        assert pseudo.m == alone.m
        assert pseudo.most_at_entry(nbits) == 1 + nbits % 2
        assert alone.tree.offset == pseudo.m - (1 << alone.tree.n) > 0
    assert correction_steps(1) == 0
    assert correction_steps(3) == correction_steps(4) == 1
    for nbits in (34, 62, 122):
        assert pseudo_key(nbits).n == family(nbits).m


@pytest.mark.quick
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FixedModulus(2), "m must be at least 3, not 2"),
        (lambda: FixedModulus(5, 0), "c must be at least 1, not 0"),
        (lambda: FixedModulus(300).most_at_entry(8), "m must fit 8 bits"),
        (lambda: FixedModulus(31).most_at_entry(8), r"c\*m must be at least 2\^8 / 8"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def made(nbits, modulus, units, kind="tree"):
    """An exponentiator for a modulus."""
    return fixed_exponentiator(FixedMul(nbits, modulus, kind), units)


@pytest.mark.quick
@pytest.mark.parametrize("units", [1, 2])
@pytest.mark.parametrize("modulus", [family(8), family_alone(8), FixedModulus(241, 17)])
def test_a_bit_per_cycle(units, modulus):
    """The closed formula and the sum of what happens agree for every exponent."""
    design = made(8, modulus, units)
    for exp in range(256):
        assert design.latency(3, exp, modulus.m - 1) == 1
        bits = exp.bit_length() + (exp.bit_count() - 1 if units == 1 else 0)
        expected = 4 + bits + correction_steps(modulus.c) if exp else 1
        assert design.latency(3, exp, modulus.m) == expected


def run_all(design, requests, value, level="batch"):
    """Each request's answer and time."""
    Request, Response = mk_exp_msgs(design.nbits)
    with StreamRunner(design.rtl(), level) as runner:
        transfers = runner.run([Request(*request) for request in requests], max_cycles=10**8)
    for request, transfer in zip(requests, transfers, strict=True):
        assert transfer.response == int(Response(*value(*request)).to_bits()), request
        assert transfer.cycles == design.latency(*request), request


@pytest.mark.parametrize("name", ["cm-pseudo-2", "cm-pseudo-1", "cm-modulus-2", "dm-pseudo-1"])
def test_every_base_and_exponent_of_8_bits(name):
    design, mod = find(name).at(8), family(8).m
    requests = [(base, exp, mod) for base in range(256) for exp in range(256)]
    run_all(design, requests, lambda base, exp, mod: (pow(base, exp, mod), 0))


@pytest.mark.parametrize(("nbits", "modulus"), MULTIPLES)
def test_any_modulus_with_a_given_multiple(nbits, modulus):
    """The values grow beyond nbits; the correction takes several steps; others are refused."""
    top = 1 << nbits
    requests = [(base, exp, modulus.m) for base in range(top) for exp in range(32)]
    requests += [(5, 3, mod) for mod in range(top)]
    run_all(
        made(nbits, modulus, 1),
        requests,
        lambda b, e, m: (modulus.power(b, e), 0) if m == modulus.m else (0, BAD_MODULUS),
    )


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        ("cm-pseudo-2", 34),
        *(
            pytest.param(name, nbits, marks=pytest.mark.long)
            for name, nbits in (
                *(("cm-pseudo-1", 34), ("cm-pseudo-1", 62), ("cm-pseudo-2", 62)),
                *(("cm-pseudo-1", 122), ("cm-pseudo-2", 122)),
            )
        ),
    ],
)
def test_rsa_round_trips(name, nbits):
    """Document 000's family has an RSA key at few widths; one of these keys is no secret."""
    key = pseudo_key(nbits)
    rng = random.Random(nbits)
    messages = [0, 1, key.n - 1, *(rng.randrange(key.n) for _ in range(20))]
    ciphertexts = [pow(message, key.e, key.n) for message in messages]
    requests = [(message, key.e, key.n) for message in messages]
    requests += [(ciphertext, key.d, key.n) for ciphertext in ciphertexts]
    answers = dict(zip(requests, ciphertexts + messages, strict=True))
    run_all(find(name).at(nbits), requests, lambda *request: (answers[request], 0))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((name, SHORT_KEY) for name in ("cm-modulus-1", "cm-late-1")),
        ("dm-modulus-1", KEY_001),
    ],
)
def test_hardware_made_for_a_key(name, key):
    """Document 000's figure 36: the arithmetic is generated from the key; others are refused."""
    design = find(name).built_for(key.n)
    assert (design.moduli.only(key.nbits), find(name).built_for(key.n).name) == (key.n, name)
    rng = random.Random(name)
    messages = [0, 1, key.n - 1, *(rng.randrange(1 << key.nbits) for _ in range(20))]
    requests = [(message, exp, key.n) for message in messages for exp in (key.e, key.d, 0)]
    requests += [(5, 3, key.n - 2), (5, 3, find(name).moduli.only(key.nbits))]
    run_all(
        design.at(key.nbits),
        requests,
        lambda b, e, m: (pow(b, e, m), 0) if m == key.n else (0, BAD_MODULUS),
    )


@pytest.mark.quick
def test_only_plain_trees_are_made_for_a_key():
    for name in ("cm-pseudo-2", "cm-square-2", "mm-printed-2", "mul-rem"):
        assert find(name).built_for(KEY_001.n) is find(name)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_python(kind):
    check_design(find(f"{kind}-2").at(NBITS))


def check_design(design, component=None):
    """Edges of base and exponent under the modulus, others between them; values and time."""
    nbits, modulus = design.nbits, design.parts.unit.modulus
    cases = exponentiator.fitted(exponentiator.edge_cases(nbits)[::4], modulus.m)
    top = (1 << nbits) - 1
    for base in (top, top - 1, modulus.worked & top, 2 * modulus.m & top, modulus.m - 1):
        cases += [
            exponentiator.ExpCase(f"{base}", nbits, base, exp, modulus.m) for exp in (1, 2, 5)
        ]
    with component_runner(component or design.rtl()) as runner:
        exponentiator.check_exponentiator(runner, design, cases, max_cycles=9000)


REDUCE_FAULTS = {
    "another multiple is chosen": ("if s.difference[value_bits]:", "if s.difference[0]:"),
    "a multiple too few": ("range(1, most + 1)", "range(1, most)"),
    "no step is counted": ("(s.begun << 1) | 1", "s.begun"),
    "corrected once only": ("if s.reset | s.taken:", "if s.reset:"),
    "the remainder is lost": ("s.high <<= s.reduce.r", "s.high <<= s.high"),
    "the quotient's bits in another order": (
        "concat(s.high, s.rest[top:low_bits])",
        "concat(s.high, s.rest[0:2])",
    ),
    "the bits to come stand still": ("s.rest <<= s.rest << 2", "s.rest <<= s.rest"),
    "the first bits come twice": ("s.total[0:low_bits] << 2", "s.total[0:low_bits]"),
}
JUDGE_FAULTS = {
    "larger moduli are taken": ("s.takes @= s.mod == constant", "s.takes @= s.mod >= constant"),
    "only others are taken": ("s.takes @= s.mod == constant", "s.takes @= s.mod != constant"),
}
FAULTS = {
    "the base is not reduced": (
        "s.take.operand @= zext(s.reduce.r, nbits)",
        "s.take.operand @= s.operand",
    ),
    "one multiplier too many": ("Organisation(units=units", "Organisation(units=2"),
}


def check_all(make=fixed_exponentiator):
    """The family at an even width, its own modulus at an odd one, and a large multiple."""
    for nbits, modulus in ((8, family(8)), (9, family_alone(9)), MULTIPLES[1]):
        unit = FixedMul(nbits, modulus, "direct")
        check_design(fixed_exponentiator(unit, 1), make(unit, 1).rtl())


@pytest.mark.quick
def test_the_sound_one_passes():
    check_all()


@faults(REDUCE_FAULTS)
def test_fault_in_the_reduction(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.fixed_reduce, sound, faulty)
    monkeypatch.setattr(rtl.mul.fixed_mul, "Correct", broken.Correct)
    monkeypatch.setattr(rtl.exp.fixed_exp, "ReduceConstant", broken.ReduceConstant)
    with pytest.raises(CAUGHT):
        check_all()


@faults(JUDGE_FAULTS)
def test_fault_in_the_judge(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.exp.judge, sound, faulty)
    monkeypatch.setattr(rtl.exp.fixed_exp, "OnlyModulus", broken.OnlyModulus)
    with pytest.raises(CAUGHT):
        check_all()


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.fixed_exp, sound, faulty)
    with pytest.raises(CAUGHT):
        check_all(broken.fixed_exponentiator)


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
def test_any_stall_of_a_long_correction(stalls):
    """Three steps of correction, one multiplier; a reset stands before each run."""
    nbits, modulus = MULTIPLES[1]
    cases = exponentiator.fitted(exponentiator.random_cases(nbits, 12, seed=40), modulus.m)
    design = made(nbits, modulus, 1, "direct")
    with component_runner(design.rtl()) as runner:
        exponentiator.check_exponentiator(runner, design, cases, stalls)
