"""What the contracts ask for, written out: a case that is missing weakens every check, and no sound
design tells."""

from collections import Counter
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from cl.xcel import XcelCL
from eval.catalog import find
from eval.contract import campaign
from eval.contract import design as contract
from eval.contract.campaign import Trial
from eval.contract.crt import PrivateCase
from eval.contract.design import (
    ACCELERATOR,
    EXPONENTIATOR,
    MULTIPLIER,
    Broken,
    Check,
    levels_of,
    tried_parts,
    widths_of,
)
from eval.contract.edges import edges
from eval.contract.exponentiator import (
    ExpCase,
    edge_bases,
    edge_cases,
    edge_exponents,
    edge_moduli,
    fitted,
    in_a_row,
    random_cases,
    within,
)
from eval.contract.late_pops import check_late_pops
from eval.contract.multiplier import MulCase, taken
from eval.contract.multiplier import edge_cases as edge_products
from eval.contract.multiplier import random_cases as random_products
from eval.contract.xcel import check_held_operands
from sim.stream import NO_STALLS, STALLS, StreamRunner, Transfer
from tests.eval.contract.test_checkers import Power, Product, odd

pytestmark = pytest.mark.quick

EDGES_OF_8 = {0, 1, 2, 3, 127, 128, 129, 254, 255}
MODULI_OF_8 = EDGES_OF_8 | {65}


def bases_of_8(mod: int) -> set[int]:
    return {base for base in (0, 1, mod - 1, mod, mod + 1, 255) if 0 <= base <= 255}


def test_edges_of_a_width():
    assert set(edges(8).values()) == EDGES_OF_8
    assert set(edge_moduli(8).values()) == MODULI_OF_8
    assert set(edge_exponents(8).values()) == EDGES_OF_8 | {4, 0b01010101, 0b11010010}
    assert list(edge_bases(8, 129).values()) == [0, 1, 128, 129, 130, 255]
    assert list(edge_bases(8, 255).values()) == [0, 1, 254, 255, 255]
    assert list(edge_bases(8, 0).values()) == [0, 1, 0, 1, 255]


def test_powers_at_the_edges():
    """Every base under every modulus, then every exponent under four of them, and windows of 2 to 6
    bits, of ones and zeros by turns, under one."""
    found = {case.operands for case in edge_cases(8)}
    wanted = {(base, 13, mod) for mod in MODULI_OF_8 for base in bases_of_8(mod)}
    exponents = EDGES_OF_8 | {4, 0b01010101, 0b11010010}
    for base, mod in ((5, 0), (254, 1), (254, 255), (5, 129)):
        wanted |= {(base, exp, mod) for exp in exponents}
    windows = {0b11001100, 0b11000111, 0b11110000, 0b11100000, 0b11000000}
    wanted |= {(5, exp ^ less, 129) for exp in windows for less in (0, 255)}
    assert found == wanted
    short = {case.exp for case in edge_cases(128, 6)}
    windows = {0b110011, 0b111000, 0b110000}
    exponents = {0, 1, 2, 3, 4, 13, 21, 31, 32, 33, 62, 63, 0b110110}
    assert short == exponents | windows | {exp ^ 63 for exp in windows}


def test_products_at_the_edges():
    found = {case.operands for case in edge_products(8)}
    assert found == {
        (a, b, mod) for mod in MODULI_OF_8 - {0} for a in bases_of_8(mod) for b in bases_of_8(mod)
    }


def lengths(values: list[int]) -> list[int]:
    return [value.bit_length() for value in values]


def test_random_powers_are_of_every_length():
    cases = random_cases(8, 600, 1)
    assert sum(case.base > case.mod for case in cases) > 100
    assert sum(case.base < case.mod for case in cases) > 150
    for operand in ("exp", "mod"):
        found = lengths([getattr(case, operand) for case in cases])
        assert set(found) == set(range(operand == "mod", 9))
        assert 120 < found.count(8) < 230
        assert sum(length <= 4 for length in found) > 100
    assert {case.mod % 2 for case in cases} == {0, 1}
    assert max(case.base for case in cases) > 250
    few = random_cases(8, 300, 1, exp_bits=3, odd=True)
    assert {case.exp for case in few} == set(range(8))
    assert all(case.mod % 2 and case.mod >= 3 for case in few)
    assert [case.operands for case in few] != [
        case.operands for case in random_cases(8, 300, 2, exp_bits=3, odd=True)
    ]


def test_random_products_are_of_every_length():
    found = lengths([case.m for case in random_products(8, 400, 1)])
    assert 80 < found.count(8) < 170
    assert sum(length <= 4 for length in found) > 70


def test_cases_for_one_modulus():
    """Every fourth keeps its own, which is refused; bases at the edges come at the end."""
    drawn = [ExpCase(f"{i}", 8, i, i, 100 + i) for i in range(9)]
    found = fitted(drawn, 129)
    assert [case.mod for case in found[:9]] == [129, 129, 129, 103, 129, 129, 129, 107, 129]
    assert [(case.base, case.exp) for case in found[:9]] == [(i, i) for i in range(9)]
    assert [case.operands for case in found[9:]] == [
        (base, 13, 129) for base in (0, 1, 128, 129, 130, 255)
    ]
    unit = SimpleNamespace(only_modulus=7, nbits=8)
    products = taken(unit, [MulCase("x", 8, 200, 9, 251), MulCase("y", 8, 3, 7, 7)])
    assert [case.operands for case in products] == [(4, 2, 7), (3, 0, 7)]
    unit = SimpleNamespace(only_modulus=None, accepts=lambda a, b, m: a < m)
    both = [MulCase("above", 8, 9, 9, 7), MulCase("below", 8, 4, 9, 7)]
    assert [case.name for case in taken(unit, both)] == ["below"]


def test_moduli_stay_about_as_often_as_they_change():
    drawn = [ExpCase(f"{i}", 8, i % 256, i % 256, 1 + i) for i in range(400)]
    found = in_a_row(drawn)
    assert [(case.base, case.exp) for case in found] == [(c.base, c.exp) for c in drawn]
    stays = [one.mod == other.mod for one, other in zip(found, found[1:], strict=False)]
    assert 150 < sum(stays) < 250
    assert all(
        case.mod in (before.mod, own.mod)
        for before, case, own in zip(found, found[1:], drawn[1:], strict=False)
    )


@pytest.mark.parametrize(
    ("cycles", "count"), [(0, 1), (59, 1), (60, 1), (179, 2), (180, 3), (600, 9)]
)
def test_as_many_cases_as_fit_in_some_cycles(cycles: int, count: int):
    drawn = [ExpCase(f"{i}", 8, i, i, 9) for i in range(9)]
    found = within(drawn, Power(8, odd), cycles)
    assert len(found) == count
    assert len(set(found)) == count
    assert set(found) <= set(drawn)
    assert within(drawn, Power(8, odd), 600) != drawn  # of any, not the first ones


class Noting(StreamRunner):
    """Notes what it is asked, and the waits before."""

    def run(self, requests: list, stalls=NO_STALLS, *others: object) -> list[Transfer]:
        self.asked = [(int(r.type_), int(r.addr)) for r in requests]
        self.waits = stalls.request
        return super().run(requests, stalls, *others)


def noting(power: Power) -> Noting:
    return Noting(XcelCL(power), "cl", "xcel.req", "xcel.resp")


WRITE, READ = 1, 0
GO, STATUS, POP = (WRITE, 0), (READ, 0), (READ, 4)
BASE, EXP, MOD = ((WRITE, register) for register in (1, 2, 3))


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_pushes_that_must_wait(turn: int):
    """The next operands are pushed at once, the words of the result popped between."""
    power = Power(40, odd)
    push = [BASE, EXP, MOD]
    turned = push[turn:] + push[:turn]
    with noting(power) as runner:
        check_held_operands(runner, power, (5, 3, (1 << 39) + 1), (7, 9, (1 << 40) - 1), turn)
        asked = runner.asked
    again = [POP, POP, POP, STATUS, GO]
    wanted = [*push * 2, GO, *turned, POP, *turned, POP, POP, POP, GO, STATUS, *again, *again]
    assert asked == wanted


LATENCY = 60


@pytest.fixture(scope="module")
def popped_late() -> list[list[tuple[tuple[int, int], int]]]:
    """Of each case the requests from its go on, with the wait before each."""
    power = Power(40, odd)
    cases = random_cases(40, 80, 3, odd=True)
    with noting(power) as runner:
        check_late_pops(runner, power, cases)
        asked = list(zip(runner.asked, runner.waits, strict=True))
    starts = [i for i, (request, _) in enumerate(asked) if request == GO]
    assert len(starts) == len(cases)
    assert [request for request, _ in asked[: starts[0]]] == [BASE, EXP, MOD] * 2
    return [asked[i:j] for i, j in zip(starts, [*starts[1:], None], strict=True)]


def test_a_result_is_popped_at_every_time(popped_late):
    """After its end, around it, after the next operands, and as soon as possible: in turn."""
    after, at_end, after_pushes, at_once = (popped_late[turn::4] for turn in range(4))
    for case in (*after, *after_pushes):
        assert case[1][0] == STATUS
        assert case[1][1] > LATENCY + 1
    assert max(case[1][1] for case in after) >= 300 + LATENCY
    assert min(case[1][1] for case in after) <= 5 + LATENCY
    assert all(case[2][0] == POP for case in after)
    assert all(case[1][0] == POP for case in (*at_end, *at_once))
    assert {case[1][1] for case in at_end} == set(range(LATENCY - 2, LATENCY + 4))
    assert {case[1][1] for case in at_once} == {0}
    for case in after_pushes[:-1]:
        assert [request for request, _ in case[2:8]] == [BASE, EXP, MOD] * 2
        assert case[8][0] == POP


def test_answers_that_are_taken_late_are_waited_for():
    """By 13 cycles at most: the status is asked for after the answer to the go was taken."""
    power = Power(40, odd)
    with noting(power) as runner:
        check_late_pops(runner, power, random_cases(40, 40, 3, odd=True), STALLS["slow-sink"])
        asked = list(zip(runner.asked, runner.waits, strict=True))
    waits = [asked[i + 1][1] for i, (request, _) in enumerate(asked) if request == GO]
    assert min(waits[::4]) == min(waits[2::4]) == LATENCY + 1 + 13 + 1


def test_the_next_operands_come_between_two_pops_at_times(popped_late):
    between = 0
    for case in popped_late[:-1]:
        pops = [i for i, (request, _) in enumerate(case) if request == POP]
        between += any(request[0] == WRITE for request, _ in case[pops[0] : pops[1]])
        assert [request for request, _ in case if request[0] == WRITE] == [
            GO,
            *[BASE, EXP, MOD] * 2,
        ]
    assert 15 < between < 45
    pauses = {wait for case in popped_late for request, wait in case[3:] if request == POP}
    assert pauses >= {0, 1, 2, 7, 30}


def test_what_is_popped_beyond_the_last_word(popped_late):
    for case in popped_late:
        assert [request for request, _ in case[-3:]] == [STATUS, POP, STATUS]
        assert [request for request, _ in case].count(POP) == 3


def test_what_each_part_is_asked_for():
    """Products below the modulus, beyond it, near a power; powers at the edges and at random."""
    design = find("ssmm-small")
    products = Check(MULTIPLIER, 8, "fl").cases(design)
    names = {case.name.rpartition("-")[0] for case in products}
    assert {"random-1", "random-2", "near-power-3"} <= names
    unit = design.multiplier.by_itself(8)
    edge = [case for case in edge_products(8) if unit.accepts(*case.operands)]
    assert edge
    assert set(edge) <= set(products)
    powers = Check(EXPONENTIATOR, 8, "fl").cases(design)
    assert sum(case.name.startswith("random") for case in powers) == 60
    assert {case.operands for case in edge_cases(8)} <= {case.operands for case in powers}
    wide = Check(EXPONENTIATOR, 128, "cl").cases(design)
    assert max(case.exp for case in wide) == 63
    assert max(case.exp for case in Check(EXPONENTIATOR, 64, "cl").cases(design)).bit_length() == 64


def test_operands_beyond_the_width_are_asked_for(monkeypatch: pytest.MonkeyPatch):
    """Of a unit whose operands may be below 2m: a, b up to 2m - 1, and all bits set."""
    design = find("mm-000")
    monkeypatch.setattr(Trial, "chosen", (design, 8, MULTIPLIER))
    for cases in (Check(MULTIPLIER, 8, "fl").cases(design), Trial(5).cases):
        operands = {case.operands for case in cases}
        assert {(509, 508, 255), (509, 509, 255), (257, 257, 129)} <= operands


def test_what_a_trial_asks_for(monkeypatch: pytest.MonkeyPatch):
    design = find("mul-rem")
    monkeypatch.setattr(Trial, "chosen", (design, 8, MULTIPLIER))
    found = {case.name.rpartition("-")[0] for case in Trial(5).cases}
    seeds = {"random-5", "random-6", "random-7", "near-power-5"}
    assert seeds <= found
    monkeypatch.setattr(Trial, "chosen", (design, 8, EXPONENTIATOR))
    names = [case.name.rpartition("-")[0] for case in Trial(6).cases]
    assert {"random-6", "random-7"} <= set(names)
    assert any(name.startswith("base=") for name in names)
    monkeypatch.setattr(Trial, "chosen", (design, 80, EXPONENTIATOR))
    assert max(case.exp for case in Trial(5).cases) == 255


def run_noting(monkeypatch: pytest.MonkeyPatch, part: str, level: str) -> list[tuple[str, int]]:
    """What a check asks for: the names of stalls, and in how many cycles; the modulus of resets."""
    asked: list[tuple[str, int]] = []

    def ask(self: Check, runner: object, model: object, cases: list, stalls: object) -> None:
        asked.append((stalls.name, sum(model.latency(*case.operands) for case in cases)))

    def late(runner: object, model: object, cases: list, stalls: object) -> None:
        asked.append((f"late {stalls.name}", len(cases)))

    def resets(runner: object, model: object, mod: int) -> None:
        asked.append(("resets", mod))

    monkeypatch.setattr(Check, "ask", ask)
    monkeypatch.setattr(Check, "runner", lambda self, design: nullcontext())
    monkeypatch.setattr(contract, "check_late_pops", late)
    monkeypatch.setattr(contract, "check_resets", resets)
    monkeypatch.setattr(contract, "check_broken_off", lambda *told: asked.append(("off", told[-1])))
    Check(part, 8, level).run(find("ssmm-small"))
    return asked


def repeated(cases: list[ExpCase]) -> float:
    """The part of cases whose modulus is that of the one before."""
    same = sum(one.mod == other.mod for one, other in zip(cases, cases[1:], strict=False))
    return same / (len(cases) - 1)


def test_what_keeps_something_of_a_modulus_is_asked_for_the_same_again(
    monkeypatch: pytest.MonkeyPatch,
):
    asked: list[float] = []
    monkeypatch.setattr(Check, "ask", lambda *told: asked.append(repeated(told[3])))
    monkeypatch.setattr(Check, "runner", lambda self, design: nullcontext())
    design = find("array-4-kept")
    Check(EXPONENTIATOR, 8, "fl").run(design)
    assert len(asked) == len(PATTERNS)
    assert min(asked) > 0.4
    monkeypatch.setattr(Trial, "chosen", (design, 8, EXPONENTIATOR))
    assert repeated(Trial(5).cases) > 0.4
    monkeypatch.setattr(Trial, "chosen", (find("array-4"), 8, EXPONENTIATOR))
    assert repeated(Trial(5).cases) < 0.2


@pytest.mark.parametrize("part", [EXPONENTIATOR, ACCELERATOR, MULTIPLIER])
def test_the_order_of_a_trial(monkeypatch: pytest.MonkeyPatch, part: str):
    """A run that is broken off, one without stalls, one with them; pops that come late."""
    done: list[str] = []
    stalled = Trial(5).stalls.name
    monkeypatch.setattr(Trial, "chosen", (find("ssmm-small"), 8, part))
    monkeypatch.setattr(Trial, "_break_off", lambda *_: done.append("broken off"))
    monkeypatch.setattr(Check, "runner", lambda self, design: nullcontext())
    monkeypatch.setattr(Check, "ask", lambda *told: done.append(told[4].name))
    monkeypatch.setattr(
        campaign, "check_late_pops", lambda *told: done.append(f"late {told[3].name}")
    )
    requests, failure = Trial(5).run()
    assert failure is None
    assert requests > 300
    first, last = (
        ["broken off"] * (part == EXPONENTIATOR),
        [f"late {stalled}"] * (part == ACCELERATOR),
    )
    assert done == [*first, "none", stalled, *last]


PATTERNS = ["none", "slow-source", "slow-sink", "slow-both", "random-1", "random-2"]


def test_every_part_is_asked_under_every_pattern_of_stalls(monkeypatch: pytest.MonkeyPatch):
    asked = run_noting(monkeypatch, EXPONENTIATOR, "cl")
    assert list(STALLS) == PATTERNS
    assert [name for name, _ in asked] == PATTERNS
    asked = run_noting(monkeypatch, EXPONENTIATOR, "rtl")
    assert [name for name, _ in asked] == [*PATTERNS, "resets"]
    plain, *stalled, mod = (number for _, number in asked)
    assert 2000 < plain <= 6000  # all of them
    assert all(1000 < cycles <= 1200 for cycles in stalled)
    assert mod > 2
    asked = run_noting(monkeypatch, ACCELERATOR, "cl")
    assert [name for name, _ in asked] == [*PATTERNS, "late none", "late random-3", "off"]


class Varies(Power):
    """Says that its time is constant, and takes a cycle more for one base."""

    constant_time = True

    def latency(self, base: int, exp: int, mod: int) -> int:
        return self.says + (base == 254)


@pytest.mark.parametrize("sound", [True, False])
def test_a_time_that_is_said_to_be_constant(monkeypatch: pytest.MonkeyPatch, sound: bool):
    model = Power(8, odd) if sound else Varies(8, odd)
    monkeypatch.setattr(Check, "ask", lambda *_: None)
    monkeypatch.setattr(Check, "model", lambda *_: model)
    runner = nullcontext(SimpleNamespace(name="told"))
    monkeypatch.setattr(Check, "runner", lambda self, design: runner)
    expected = nullcontext() if sound else pytest.raises(Broken, match="from 60 to 61 cycles")
    with expected:
        Check(EXPONENTIATOR, 8, "fl").run(find("ssmm-small"))


def test_how_long_an_answer_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    """Twice the cycles of three requests, and 40 for each of 14 transfers through the port, or one;
    and once more."""
    limits: list[int] = []

    def checker(*_: object, max_cycles: int) -> None:
        limits.append(max_cycles)

    monkeypatch.setattr(Check, "_checker", lambda self, model: checker)
    power = Power(40, odd)
    cases = random_cases(40, 3, 1)
    for part in (ACCELERATOR, EXPONENTIATOR):
        Check(part, 40, "cl").ask(None, power, cases, NO_STALLS)
    product = Product(8)
    Check(MULTIPLIER, 8, "cl").ask(None, product, [MulCase("x", 8, 3, 5, 7)], NO_STALLS, 9)
    assert limits == [2 * 180 + 40 * 43, 2 * 180 + 40 * 4, 2 * 5 + 9 * 2]


@pytest.mark.parametrize("checks", [True, False])
def test_keys_that_are_wrong_are_asked_of_what_checks(
    monkeypatch: pytest.MonkeyPatch, checks: bool
):
    """Both orders of 11 messages, three other keys; each of 6 parts wrong, and 3 operands; each
    part wrong for message 0, whose power is right."""
    asked: list[PrivateCase] = []
    monkeypatch.setattr(contract, "check_private", lambda runner, model, cases: asked.extend(cases))
    for by_crt in (True, False):
        model = SimpleNamespace(by_crt=by_crt, checks=checks)
        Check(ACCELERATOR, 32, "batch")._sign_by_crt(None, model)
        assert len(asked) == 25 + 15 * checks
    assert sum(case.status == 0 for case in asked) == 25 + 6 * checks


def test_a_trial_is_broken_off_anywhere_in_four_requests(monkeypatch: pytest.MonkeyPatch):
    """They take 60 cycles each: some trials end in each tenth of these 240."""
    ends: list[int] = []
    engine = SimpleNamespace(
        begin=lambda requests, stalls: len(requests),
        advance=lambda count, until, traced: ends.append(until) or (count, until),
    )
    sound = Power(40, odd)
    design = SimpleNamespace(at=lambda nbits: sound, cycles=lambda nbits, *asked: 60)
    monkeypatch.setattr(Trial, "chosen", (design, 40, EXPONENTIATOR))
    for number in range(200):
        Trial(number)._break_off(SimpleNamespace(engine=engine), random_cases(40, 9, number))
    assert {(end - 1) // 24 for end in ends} == {*range(10)}


@pytest.mark.parametrize(
    ("widths", "tested_to", "by_crt", "tried"),
    [
        ((8, 4096), 64, False, [8, 40, 64]),
        ((8, 4096), 128, False, [8, 40, 128]),
        ((8, 4096), 129, False, [8, 40]),
        ((8, 4096), 64, True, [8, 16, 40, 64]),
        ((16, 40), 40, True, [16, 40]),
        ((17, 40), 40, True, [40]),
        ((9, 15), 15, True, [15]),
        ((9, 200), 200, False, [40]),
        ((41, 200), 200, False, [41]),
    ],
)
def test_widths_that_are_tried_if_none_is_named(
    widths: tuple[int, int], tested_to: int, by_crt: bool, tried: list[int]
):
    """One word, several; the least key of what signs by CRT; the widest of the default tests."""
    model = SimpleNamespace(by_crt=by_crt)
    design = SimpleNamespace(widths=widths, tested_to=tested_to, at=lambda nbits: model)
    assert widths_of(design) == tried


def test_levels_and_parts_that_are_tried():
    for nbits in (8, 16):
        assert levels_of(nbits) == ("fl", "cl", "rtl", "batch")
    for nbits in (17, 40):
        assert levels_of(nbits) == ("cl", "batch")
    design = SimpleNamespace(multiplier=SimpleNamespace(inside=False))
    assert tried_parts(design) == (MULTIPLIER, EXPONENTIATOR, ACCELERATOR)
    design = SimpleNamespace(multiplier=SimpleNamespace(inside=True))
    assert tried_parts(design) == (EXPONENTIATOR, ACCELERATOR)


@pytest.mark.parametrize(
    ("widths", "tested_to", "most"),
    [((8, 4096), 4096, 96), ((8, 50), 64, 50), ((8, 4096), 128, 24), ((8, 4096), 20, 20)],
)
def test_trials_are_of_all_widths(
    monkeypatch: pytest.MonkeyPatch, widths: tuple[int, int], tested_to: int, most: int
):
    """Half of them of up to 16 bits, a quarter of up to 40 and of up to 96; no wider than what has
    been tested, if hardware may grow with the square."""
    design = SimpleNamespace(name="any", widths=widths, tested_to=tested_to)
    monkeypatch.setattr(campaign, "any_design", lambda rng: design)
    drawn = Counter(Trial(number).chosen[1] for number in range(2000))
    assert set(drawn) == {*range(8, most + 1)}
    narrow = sum(count for nbits, count in drawn.items() if nbits <= 16)
    assert 900 < narrow < 1100
    parts = Counter(Trial(number).chosen[2] for number in range(2000))
    assert 900 < parts[EXPONENTIATOR] < 1100
    assert min(parts[MULTIPLIER], parts[ACCELERATOR]) > 400


def test_stalls_of_trials_are_short_and_long():
    """Of at most 1, 3, 9 or 40 cycles, which come again after 7 or 61 transfers."""
    found = [Trial(number).stalls for number in range(300)]
    periods = Counter(len(stalls.request) for stalls in found)
    assert set(periods) == {7, 61}
    assert min(periods.values()) > 100
    most = [max(*stalls.request, *stalls.response) for stalls in found]
    for low, high in ((1, 1), (2, 3), (5, 9), (20, 40)):
        assert 40 < sum(low <= one <= high for one in most) < 110
    assert max(most) == 40
