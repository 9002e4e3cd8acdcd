"""Every design of the catalog, at every level: values, status, cycles, stalls, reset, widths."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.catalog import DESIGNS
from eval.contract.exponentiator import (
    ExpCase,
    check_exponentiator,
    check_resets,
    document_cases,
    edge_cases,
    fitted,
    random_cases,
    within,
)
from fl.exponentiator import BAD_MODULUS
from fl.messages import mk_exp_msgs
from sim.stream import NO_STALLS, Stalls
from tests.harness import design_runner, modulus_for, stalled

NAMES = sorted(DESIGNS)
SLOW = ("tiny",)  # 8449 cycles of each request at 32 bits
# By which kinds of hardware PyMTL3's import is tried; level batch has the same Verilog of all.
IMPORTED = ("mul-rem", "ssmm-small", "mont-best", "systolic-16", "array-4", "serial-pz-8")
# A test's cycles where Python simulates each: level batch has all cases.
PYTHON_CYCLES = {"cl": 20_000, "rtl": 1500, "verilog": 4000}


def narrow_and_wide():
    """Every design at 9 bits and, as each width is another library to build, at 64 or 256: a third
    at 256, the others at 64, and the long tests at both."""
    for place, name in enumerate(NAMES):
        yield pytest.param(name, 9)
        wider = [w for w in (64, 256) if w <= DESIGNS[name].tested_to]
        other = wider[:-1] if place % 3 == 0 else wider[1:]
        for nbits in wider:
            yield pytest.param(name, nbits, marks=[pytest.mark.long] * (nbits in other))


def run(name, nbits, level, cases, stalls=NO_STALLS, max_cycles=None, fit=True):
    """The cases through the design; cycles compared where the level has time.

    fit: to the modulus of a design that takes only one.
    """
    design = DESIGNS[name]
    if fit and design.moduli.only:
        cases = fitted(cases, design.moduli.only(nbits))
    if level in PYTHON_CYCLES:
        cases = within(cases, design.at(nbits), PYTHON_CYCLES[level])
    runner = design_runner(name, nbits, level)
    return check_exponentiator(runner, design.at(nbits), cases, stalls, max_cycles)


MODELS = [pytest.param(level, marks=pytest.mark.quick) for level in ("fl", "cl")]


@pytest.mark.parametrize("level", MODELS)
@pytest.mark.parametrize("name", NAMES)
def test_edges(name, level):
    run(name, 8, level, edge_cases(8))


@pytest.mark.parametrize(
    ("name", "level"),
    [(name, "batch") for name in NAMES]
    + [(name, level) for name in IMPORTED for level in ("rtl", "verilog")],
)
def test_edges_in_hardware(name, level):
    run(name, 8, level, edge_cases(8))


@pytest.mark.parametrize("level", ["fl", "cl", "rtl", "batch"])
@pytest.mark.parametrize("name", NAMES)
def test_document_examples(name, level):
    cases = document_cases()
    for nbits in sorted({case.nbits for case in cases if case.nbits <= 32}):
        if nbits == 8 or level != "rtl" or name in IMPORTED:
            few = [case for case in cases if case.nbits == nbits]
            run(name, nbits, level, few[:6] if level == "rtl" else few)


@stalled(NAMES, IMPORTED)
def test_any_stall(name, level, stalls):
    cases = edge_cases(8)[::9] + random_cases(8, 6, seed=5)
    run(name, 8, level, cases, stalls)


@pytest.mark.parametrize("name", NAMES)
def test_answers_wait_for_a_late_sink(name):
    """The sink is ready long after the answer; the waits of STALLS end while a unit computes."""
    cases = edge_cases(8)[::9] + random_cases(8, 6, seed=5, odd=True)
    run(name, 8, "batch", cases, Stalls("late-sink", (0,), (2000,)))


@pytest.mark.parametrize(("name", "nbits"), [*narrow_and_wide()])
def test_widths(name, nbits):
    """Others are those of test_many_random_requests; test_rsa_keys.py has keys of 256 bits."""
    run(name, nbits, "batch", edge_cases(nbits) + random_cases(nbits, 40, 6))
    run(name, nbits, "cl", random_cases(nbits, 5, seed=7))


def widest(name):
    """The widest that the hardware of a design is tested at; of rows of elements for the long
    tests, as tests/eval/catalog/test_array.py has one of 1024 bits."""
    marks = [pytest.mark.long] * name.startswith("array-")
    return pytest.param(name, min(DESIGNS[name].tested_to, 2048), marks=marks)


@pytest.mark.parametrize(
    ("name", "nbits"), [widest(name) for name in NAMES if DESIGNS[name].tested_to > 64]
)
def test_wide(name, nbits):
    """The accelerators' tests have the widest: tests/eval/contract/test_xcel.py."""
    cases = random_cases(nbits, 3, seed=8, exp_bits=6)
    cases += edge_cases(nbits, exp_bits=4)[::25]
    if DESIGNS[name].constant_time and nbits >= 1024:
        cases = cases[:1]  # as many cycles as a long exponent takes, however short it is
    run(name, nbits, "batch", cases)


@pytest.mark.parametrize("name", NAMES)
def test_reset_in_the_middle(name):
    """A reset forgets the computation that is running, in whatever cycle it comes."""
    check_resets(design_runner(name, 8, "rtl"), DESIGNS[name].at(8), modulus_for(name, 8, 251))


@pytest.mark.parametrize("name", NAMES)
def test_bad_modulus_is_answered_and_the_next_request_works(name):
    design = DESIGNS[name]
    bad = [m for m in range(256) if not design.at(8).takes(m)]
    assert bad, "every design refuses at least modulus 0"
    cases = []
    for m in random.Random(1).sample(bad, min(5, len(bad))):
        cases += [
            ExpCase("bad", 8, 17, 200, m),
            ExpCase("good", 8, 17, 200, modulus_for(name, 8, 251)),
        ]
    transfers = run(name, 8, "batch", cases, fit=False)
    assert [t.response & 1 for t in transfers] == [BAD_MODULUS, 0] * (len(cases) // 2)


@pytest.mark.parametrize("name", NAMES)
def test_hypothesis_against_pow(name):
    bits = st.integers(0, 2**9 - 1)

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(st.lists(st.tuples(bits, bits, bits), min_size=1, max_size=20))
    def check_all(requests):
        cases = [ExpCase(f"{r}", 9, *r) for r in requests]
        run(name, 9, "batch", cases)

    check_all()


def many(name, nbits, count, *marks):
    """A design at a width, and how many requests: a tenth of a slow one."""
    return pytest.param(name, nbits, count // 10 if name in SLOW else count, marks=marks)


@pytest.mark.parametrize(
    ("name", "nbits", "count"),
    [
        *(many(name, 32, 2000) for name in NAMES),
        *(many(name, 32, 100_000, pytest.mark.long) for name in NAMES),
        *(
            many(name, 64, 1000, pytest.mark.long)
            for name in NAMES
            if DESIGNS[name].tested_to >= 64
        ),
    ],
)
def test_many_random_requests(name, nbits, count):
    """Any modulus, even ones and bases above it included."""
    cases = edge_cases(nbits) + random_cases(nbits, count, seed=9)
    run(name, nbits, "batch", cases, max_cycles=10**9)
    run(name, nbits, "cl", cases[-5:])


@pytest.mark.parametrize("name", [name for name in NAMES if DESIGNS[name].tested_to >= 2048])
def test_encrypts_2048_bits(name):
    nbits = 2048
    rng = random.Random(nbits)
    mod = rng.getrandbits(nbits) | 1 << nbits - 1 | 1
    run(
        name,
        nbits,
        "batch",
        [ExpCase("e", nbits, rng.getrandbits(nbits), 65537, mod)],
    )


@pytest.mark.parametrize("name", [name for name in NAMES if DESIGNS[name].constant_time])
def test_constant_time_at_rtl(name):
    """The same cycles for every base, exponent and modulus, bad moduli included."""
    Request, _ = mk_exp_msgs(8)
    rng = random.Random(8)
    requests = [tuple(rng.getrandbits(8) for _ in range(3)) for _ in range(4000)]
    requests += [(b, e, m) for b in (0, 1, 255) for e in (0, 1, 128, 255) for m in range(256)]
    transfers = design_runner(name, 8, "batch").run([Request(*r) for r in requests])
    assert len({transfer.cycles for transfer in transfers}) == 1


@pytest.mark.parametrize("name", [name for name in NAMES if not DESIGNS[name].constant_time])
def test_operand_dependent_time_is_declared(name):
    mod = modulus_for(name, 8, 251)
    cycles = {DESIGNS[name].cycles(8, 7, exp, mod) for exp in range(1, 256)}
    assert len(cycles) > 1
