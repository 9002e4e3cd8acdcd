"""A row that splits, behind the port: private operations at every level, between powers."""

from dataclasses import replace
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.catalog import find
from eval.contract.check import Mismatch
from eval.contract.crt import (
    PrivateCase,
    check_private,
    damaged_cases,
    drawn_key,
    private_go,
    right_cases,
    wrong_cases,
)
from eval.contract.exponentiator import edge_cases, random_cases
from eval.contract.late_pops import check_late_pops
from eval.contract.xcel import (
    POP,
    STATUS,
    check_answers,
    check_held_operands,
    check_xcel,
    packed,
)
from fl.crt import CrtKey
from fl.rsa_keys import RsaKey, even_key
from fl.xcel import (
    DP,
    DQ,
    EXP,
    KEY,
    MOD,
    PUBLIC,
    STATUS_BAD_MODULUS,
    STATUS_BUSY,
    STATUS_FAULT,
    WRITE,
    to_words,
    words,
)
from fl.xcel_crt import CrtRegisters
from sim.stream import (
    NO_STALLS,
    STALLS,
    SimulationTimeout,
    Stalls,
    StreamRunner,
    random_stalls,
)
from tests.harness import component_runner, model_level

SMALL, NBITS = "array-crt(digit=4)", 56  # three words, the third shorter, and three
CASES = [*right_cases(NBITS, 1), *wrong_cases(NBITS, 1)]
FIRST = CASES[6]
POPS = [POP] * words(NBITS)


def runner_of(level: str, name: str = SMALL, nbits: int = NBITS) -> StreamRunner:
    component = find(name).xcel(model_level(level), nbits)
    return component_runner(component, level, recv="xcel.req", send="xcel.resp")


@pytest.fixture(scope="module")
def hardware():
    with runner_of("batch") as runner:
        yield runner


@pytest.mark.quick
@pytest.mark.parametrize("level", ["fl", "cl"])
def test_models(level):
    with runner_of(level) as runner:
        check_private(runner, find(SMALL).at(NBITS), CASES[::3])
        check_private(runner, find(SMALL).at(NBITS), CASES[:3], STALLS["slow-both"])


@pytest.mark.quick
def test_messages_are_at_the_edges_under_both_orders_of_the_primes():
    """And under a key with either prime short: 28 bits are half, 21 and 14 fewer."""
    key, cases = even_key(NBITS, 1), right_cases(NBITS, 1)
    n, p, q = key.n, key.p, key.q
    edges = {0, 1, n - 1, n, 2**56 - 1, 2**54 + 1, p, q, p + 1, n - p, n - q}
    for primes in ((p, q), (q, p)):
        own = [case for case in cases if (case.parts.p, case.parts.q) == primes]
        assert {case.message for case in own} == edges
        assert all(case.parts.q * case.parts.q_inverse % case.parts.p == 1 for case in own)
    lengths = {(case.parts.p.bit_length(), case.parts.q.bit_length()) for case in cases}
    assert lengths == {(28, 28), (21, 28), (28, 14)}
    for case in cases:
        assert (case.n, case.status) == (case.parts.p * case.parts.q, 0)
        assert case.result == pow(case.message, case.key.d, case.n)


@pytest.mark.quick
def test_each_part_of_a_key_is_wrong_by_itself():
    key = even_key(NBITS, 1)
    right, cases = vars(CrtKey.of(key)), wrong_cases(NBITS, 1)
    found = [
        {name: value ^ right[name] for name, value in vars(case.parts).items()} for case in cases
    ]
    wrong = [{name: bits for name, bits in one.items() if bits} for one in found]
    assert wrong[:6] == [{name: 2} for name in ("p", "q", "dp", "dq", "q_inverse", "e")]
    assert wrong[6:] == [{"e": key.e}, {}, {}, *wrong[:6]]
    assert [case.n for case in cases] == [*[key.n] * 7, key.n - 2, key.n - 1, *[key.n] * 6]
    statuses = [*[STATUS_FAULT] * 8, STATUS_BAD_MODULUS, *[0] * 6]
    assert [case.status for case in cases] == statuses
    assert [case.message == 0 for case in cases] == [*[False] * 9, *[True] * 6]
    assert {case.result for case in cases} == {0}


class Told:
    """Says other cycles of private operations, or of powers, than the model takes."""

    def __init__(self, private: int, power: int) -> None:
        self.model, self.private, self.power = find(SMALL).at(NBITS), private, power

    def __getattr__(self, name: str):
        return getattr(self.model, name)

    def private_latency(self, e: int, n: int) -> int:
        return self.model.private_latency(e, n) + self.private

    def latency(self, *operands: int) -> int:
        return self.model.latency(*operands) + self.power


@pytest.mark.quick
@pytest.mark.parametrize("more", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_time_that_is_another_is_found(more):
    """Of the private operation as of the power after it, too late as too early."""
    with runner_of("cl") as runner:
        check_private(runner, Told(0, 0), CASES[:2])
        with pytest.raises(Mismatch, match=r"56b:0, p > q: \d+ cycles, not \d+"):
            check_private(runner, Told(*more), CASES[:2])
        check_private(runner, Told(*more), CASES[:2], STALLS["slow-both"])


@pytest.mark.parametrize("stalls", [*STALLS.values(), random_stalls(8)], ids=lambda s: s.name)
def test_hardware(hardware, stalls):
    check_private(hardware, find(SMALL).at(NBITS), CASES, stalls, 10**7)


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
def test_a_damaged_part_gives_the_right_result_or_a_fault(hardware, level):
    """Of each part any bit, messages at all edges: the same answer at every level."""
    cases = damaged_cases(NBITS, 1)
    assert {bool(case.status) for case in cases} == {False, True}
    if level == "batch":
        check_private(hardware, find(SMALL).at(NBITS), cases)
    else:
        with runner_of(level) as runner:
            check_private(runner, find(SMALL).at(NBITS), cases)


def test_powers_as_ever(hardware):
    """Between private operations, too: what those leave in the row is no matter."""
    exponentiator = find(SMALL).at(NBITS)
    cases = edge_cases(NBITS, exp_bits=8)[::3] + random_cases(NBITS, 30, seed=5)
    for stalls in (NO_STALLS, random_stalls(9)):
        check_xcel(hardware, exponentiator, cases, stalls)
    check_late_pops(hardware, exponentiator, cases[:20])
    check_held_operands(hardware, exponentiator, (5, 77, 251), (1234, 1, 99))


def private_answers(runner: StreamRunner, requests: list, stalls: Stalls = NO_STALLS) -> None:
    """The requests, answered as the register map says."""
    registers = CrtRegisters(find(SMALL).at(NBITS))
    check_answers(runner, requests, [registers.access(*one) for one in requests], stalls)


def pushed(operands: dict[int, list[int]]) -> list:
    return [(WRITE, register, word) for register, value in operands.items() for word in value]


def test_what_is_pushed_while_it_is_busy_waits(hardware):
    """Operands and parts of the key are those of the go, and stay for the next one; bits of the
    go's data but the lowest say nothing."""
    wrong = pushed({DP: [FIRST.parts.dp ^ 2], PUBLIC: [3], MOD: [5, 0]})
    parts, n = FIRST.parts, to_words(FIRST.n, NBITS)
    right = pushed({DP: [parts.dp], DQ: [parts.dq], PUBLIC: [parts.e], MOD: n})
    again = [private_go(0xFFFF_FFFF), *POPS, STATUS]
    power = [*pushed({EXP: [5, 0]}), private_go(0xFFFF_FFFE), *POPS, STATUS]
    asked = [*FIRST.requests[:-3], *wrong, *POPS, STATUS, *again, *right, *again, *power, *again]
    private_answers(hardware, asked)
    with runner_of("cl") as model:  # each in the cycle in which the hardware has it
        both = (runner.run(packed(asked)) for runner in (model, hardware))
        found, wanted = ([(one.response, one.arrived) for one in run] for run in both)
    assert found == wanted


def test_status(hardware):
    """Nothing of a fault or a result is told while it is busy; a fault stays until the next go."""
    wrong = next(case for case in CASES if case.status == STATUS_FAULT)
    *pushes, go, low, high, status = FIRST.requests
    asked = [*wrong.requests, status, *pushes, status, go, status, low, high, status]
    answers = [0] * len(asked)
    at = len(wrong.requests)
    answers[at - 1] = answers[at] = answers[-6] = STATUS_FAULT
    answers[-4:] = [STATUS_BUSY, *to_words(FIRST.result, NBITS), 0]
    check_answers(hardware, asked, answers)


def test_time_tells_nothing_but_the_public_exponent():
    design = find(SMALL).at(NBITS)
    cases = [case for case in right_cases(NBITS, 3) if case.parts.e == 65537]
    assert len(cases) > 20
    assert len({design.private_latency(case.parts.e, case.n) for case in cases}) == 1
    more = design.private_latency(65537 | 2, 1) - design.private_latency(65537, 1)
    assert more == design.program.multiply.cycles


def test_a_reset_in_any_cycle_leaves_nothing(hardware, monkeypatch):
    """A private operation that is broken off; what follows is answered, in the same cycles."""
    monkeypatch.setattr("sim.batch.RESET_CYCLES", 1)
    design = find(SMALL).at(NBITS)
    cycles = design.private_latency(FIRST.parts.e, FIRST.n) + len(FIRST.requests)
    for cycle in range(1, cycles, 5):
        with pytest.raises(SimulationTimeout):
            hardware.run(packed(FIRST.requests), max_cycles=cycle)
        check_private(hardware, design, [CASES[1]])


@pytest.mark.parametrize("level", ["fl", "batch"])
def test_a_reset_wipes_the_key(hardware, level):
    """Whatever part is not pushed anew, the private operation fails."""
    design = find(SMALL).at(NBITS)
    right = replace(FIRST, message=FIRST.message or 5)
    with runner_of("fl") as model:
        runner = hardware if level == "batch" else model
        for register in KEY:
            check_private(runner, design, [CASES[1]])
            asked = [one for one in right.requests if one[:2] != (WRITE, register)]
            *_, status = runner.run(packed(asked), max_cycles=100_000)
            assert status.response & 0xFFFF_FFFF == STATUS_FAULT, register


@pytest.mark.parametrize("level", ["fl", "batch"])
def test_without_a_public_exponent_nothing_is_right(hardware, level):
    """Not 1, either, which is its own power, nor 0 and what is above n."""
    key, rows = FIRST.key, []
    parts = replace(CrtKey.of(key), e=0)
    for message in (0, 1, key.n - 1, key.n, key.n + 1):
        rows.append(PrivateCase(f"{message}", NBITS, key, parts, message, key.n, STATUS_FAULT))
    with runner_of("fl") as model:
        check_private(hardware if level == "batch" else model, find(SMALL).at(NBITS), rows)


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
def test_a_reset_forgets_that_a_check_failed(hardware, level):
    """And that a modulus was bad; each run begins with a reset."""
    with runner_of("cl" if level == "batch" else level) as model:
        runner = hardware if level == "batch" else model
        for status in (STATUS_FAULT, STATUS_BAD_MODULUS):
            wrong = next(case for case in CASES if case.status == status)
            *_, last = runner.run(packed(wrong.requests), max_cycles=100_000)
            assert last.response & 0xFFFF_FFFF == status
            answers = runner.run(packed([STATUS, *POPS, STATUS]))
            assert {answer.response & 0xFFFF_FFFF for answer in answers} == {0}


@settings(max_examples=40, deadline=None)
@given(st.integers(4, NBITS // 2), st.integers(4, NBITS // 2), st.integers(0, 999), st.integers(0))
def test_any_key_and_message(hardware, p_bits, q_bits, seed, message):
    """Primes of any length that fits, in any order; any public exponent; messages above n, too."""
    key = drawn_key(Random(seed), p_bits, q_bits)
    case = PrivateCase("drawn", NBITS, key, CrtKey.of(key), message % (1 << NBITS), key.n)
    check_private(hardware, find(SMALL).at(NBITS), [case])


@pytest.mark.long
@pytest.mark.parametrize("name", ["array-crt-16", "array-crt(checks=no)"])
def test_a_key_of_another_package_at_1024_bits(name):
    nbits = 1024
    made = rsa.generate_private_key(65537, nbits).private_numbers()
    n = made.public_numbers.n
    key = RsaKey("drawn", "", n, 65537, made.d, made.p, made.q)
    parts = CrtKey(made.p, made.q, made.dmp1, made.dmq1, made.iqmp, 65537)
    c = Random(n).getrandbits(nbits)
    design = find(name)
    with runner_of("batch", name, nbits) as runner:
        right = PrivateCase("right", nbits, key, parts, c, n)
        wrong = replace(right, parts=replace(parts, dp=parts.dp ^ 1 << 99), status=STATUS_FAULT)
        cases = [right, wrong, right] if design.at(nbits).checks else [right, right]
        check_private(runner, design.at(nbits), cases)
