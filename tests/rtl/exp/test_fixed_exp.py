"""Exponentiators of a fixed modulus: every base and exponent, other c*m, RSA, and faults."""

import random

import pytest
from cl.fixed_exp import PRODUCT, fixed_latency
from hypothesis import given
from hypothesis import strategies as st

import rtl.exp.fixed_exp
from cl.exponentiator import UnitModel, exponentiator_latency
from cl.organisation import Organisation
from eval.catalog import find
from eval.catalog.fixed_modulus import KINDS
from eval.contract import exponentiator
from eval.contract.check import check
from fl.fixed_exp import FixedModulus, correct, correction_steps, family, family_alone
from fl.messages import BAD_MODULUS, mk_exp_msgs
from fl.near_power import pseudo_key
from rtl.exp.fixed_exp import FixedExpRTL
from rtl.mul.product_remainder import DirectMul
from rtl.mul.tree_mul import TreeMul
from sim.stream import STALLS, StreamRunner
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
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


@pytest.mark.quick
@pytest.mark.parametrize("units", [1, 2])
@pytest.mark.parametrize("modulus", [family(8), family_alone(8), FixedModulus(241, 17)])
def test_the_formula_is_the_organisations(units, modulus):
    """The closed formula and the sum of what happens agree for every exponent."""
    steps = correction_steps(modulus.c)
    unit = UnitModel(
        value=lambda a, b, m: a * b % modulus.worked,
        latency=lambda *_: PRODUCT,
        interval=lambda *_: PRODUCT,
        radix=0,
        finish=(lambda mod: steps) if steps else None,
        moduli=lambda mod: mod == modulus.m,
    )
    organisation = Organisation(units=units, r_squared="none")
    for mod in (modulus.m, modulus.m - 1):
        for exp in range(256):
            expected = exponentiator_latency(8, 3, exp, mod, organisation, unit)
            assert fixed_latency(exp, modulus, units, mod == modulus.m) == expected


def run_all(component, nbits, requests, value, cycles, level="batch"):
    """Each request's answer and time."""
    Request, Response = mk_exp_msgs(nbits)
    with StreamRunner(component, level) as runner:
        transfers = runner.run([Request(*request) for request in requests], max_cycles=10**8)
    for request, transfer in zip(requests, transfers, strict=True):
        assert transfer.response == int(Response(*value(*request)).to_bits()), request
        assert transfer.cycles == cycles(*request), request


@pytest.mark.parametrize("name", ["cm-pseudo-2", "cm-pseudo-1", "cm-modulus-2", "dm-pseudo-1"])
def test_every_base_and_exponent_of_8_bits(name):
    design = find(name)
    mod = family(8).m
    run_all(
        design.component("rtl", 8),
        8,
        [(base, exp, mod) for base in range(256) for exp in range(256)],
        lambda *request: design.value(8, *request),
        lambda *request: design.cycles(8, *request),
    )


@pytest.mark.parametrize(("nbits", "modulus"), MULTIPLES)
def test_any_modulus_with_a_given_multiple(nbits, modulus):
    """The values grow beyond nbits; the correction takes several steps; others are refused."""
    top = 1 << nbits
    requests = [(base, exp, modulus.m) for base in range(top) for exp in range(32)]
    requests += [(5, 3, mod) for mod in range(top)]
    run_all(
        FixedExpRTL(nbits, modulus, 1, lambda: TreeMul(modulus.tree)),
        nbits,
        requests,
        lambda b, e, m: (modulus.power(b, e), 0) if m == modulus.m else (0, BAD_MODULUS),
        lambda b, e, m: fixed_latency(e, modulus, 1, m == modulus.m),
    )


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        ("cm-pseudo-2", 34),
        ("cm-pseudo-1", 62),
        *(
            pytest.param(name, nbits, marks=pytest.mark.long)
            for name, nbits in (
                *(("cm-pseudo-1", 34), ("cm-pseudo-2", 62)),
                *(("cm-pseudo-1", 122), ("cm-pseudo-2", 122)),
            )
        ),
    ],
)
def test_rsa_round_trips(name, nbits):
    """Document 000's family has an RSA key at few widths; one of these keys is no secret."""
    design, key = find(name), pseudo_key(nbits)
    rng = random.Random(nbits)
    messages = [0, 1, key.n - 1, *(rng.randrange(key.n) for _ in range(20))]
    ciphertexts = [pow(message, key.e, key.n) for message in messages]
    requests = [(message, key.e, key.n) for message in messages]
    requests += [(ciphertext, key.d, key.n) for ciphertext in ciphertexts]
    answers = dict(zip(requests, ciphertexts + messages, strict=True))
    run_all(
        design.component("rtl", nbits),
        nbits,
        requests,
        lambda *request: (answers[request], 0),
        lambda *request: design.cycles(nbits, *request),
    )


@pytest.mark.quick
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_python(kind):
    check_component(find(f"{kind}-2").component("rtl", NBITS), *KINDS_CHECKED[kind], 2)


KINDS_CHECKED = {kind: (NBITS, modulus(NBITS)) for kind, (_, modulus, *_) in KINDS.items()}


def check_component(component, nbits, modulus, units):
    """Edges of base and exponent under the modulus, others between them; values and time."""
    cases = exponentiator.fitted(exponentiator.edge_cases(nbits)[::4], modulus.m)
    top = (1 << nbits) - 1
    for base in (top, top - 1, modulus.worked & top, 2 * modulus.m & top, modulus.m - 1):
        cases += [
            exponentiator.ExpCase(f"{base}", nbits, base, exp, modulus.m) for exp in (1, 2, 5)
        ]
    Request, Response = mk_exp_msgs(nbits)
    answers = [exponentiator.expected(case, lambda mod: mod == modulus.m) for case in cases]
    with component_runner(component) as runner:
        check(
            runner,
            [Request(case.base, case.exp, case.mod) for case in cases],
            [int(Response(*answer).to_bits()) for answer in answers],
            [str(case) for case in cases],
            latency=lambda i: fixed_latency(
                cases[i].exp, modulus, units, cases[i].mod == modulus.m
            ),
            max_cycles=9000,
        )


FAULTS = {
    "another multiple is chosen": ("if s.difference[value_bits]:", "if s.difference[0]:"),
    "a multiple too few": ("range(1, most + 1)", "range(1, most)"),
    "the base is not reduced": (
        "s.take.operand @= zext(s.reduce.r, nbits)",
        "s.take.operand @= s.operand",
    ),
    "larger moduli are taken": ("s.takes @= s.mod == constant", "s.takes @= s.mod >= constant"),
    "only others are taken": ("s.takes @= s.mod == constant", "s.takes @= s.mod != constant"),
    "no step is counted": ("(s.begun << 1) | 1", "s.begun"),
    "corrected once only": ("if s.reset | s.taken:", "if s.reset:"),
    "the remainder is lost": ("s.high <<= s.reduce.r", "s.high <<= s.high"),
    "the quotient's bits in another order": (
        "concat(s.high, s.rest[top:low_bits])",
        "concat(s.high, s.rest[0:2])",
    ),
    "the bits to come stand still": ("s.rest <<= s.rest << 2", "s.rest <<= s.rest"),
    "the first bits come twice": ("s.total[0:low_bits] << 2", "s.total[0:low_bits]"),
    "one multiplier too many": ("Organisation(units=units", "Organisation(units=2"),
}


def check_all(mk):
    """The family at an even width, its own modulus at an odd one, and a large multiple."""
    for nbits, modulus in ((8, family(8)), (9, family_alone(9)), MULTIPLES[1]):
        component = mk(nbits, modulus, 1, lambda m=modulus: DirectMul(m.worked))
        check_component(component, nbits, modulus, 1)


@pytest.mark.quick
def test_the_sound_one_passes():
    check_all(FixedExpRTL)


@faults(FAULTS)
def test_fault(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.fixed_exp, sound, faulty)
    with pytest.raises(CAUGHT):
        check_all(broken.FixedExpRTL)


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
def test_any_stall_of_a_long_correction(stalls):
    """Three steps of correction, one multiplier; a reset stands before each run."""
    nbits, modulus = MULTIPLES[1]
    cases = exponentiator.fitted(exponentiator.random_cases(nbits, 12, seed=40), modulus.m)
    Request, Response = mk_exp_msgs(nbits)
    answers = [exponentiator.expected(case, lambda mod: mod == modulus.m) for case in cases]
    with component_runner(
        FixedExpRTL(nbits, modulus, 1, lambda: DirectMul(modulus.worked))
    ) as runner:
        check(
            runner,
            [Request(case.base, case.exp, case.mod) for case in cases],
            [int(Response(*answer).to_bits()) for answer in answers],
            [str(case) for case in cases],
            stalls,
        )
