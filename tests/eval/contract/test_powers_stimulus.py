"""The powers that the contracts ask for, and when a campaign asks for them in another way."""

from contextlib import nullcontext

import pytest

from cl.xcel import XcelCL
from eval.catalog import find
from eval.contract import campaign
from eval.contract.campaign import Trial
from eval.contract.design import ACCELERATOR, EXPONENTIATOR, MULTIPLIER, Check
from eval.contract.exponentiator import (
    ExpCase,
    document_cases,
    edge_cases,
    expected,
    fitted,
    in_a_row,
    random_cases,
    within,
)
from eval.contract.late_pops import check_late_pops
from eval.contract.timing import Experiment
from fl.xcel import GO, READ, RESULT, WRITE
from sim.stream import NO_STALLS, Stalls, StreamRunner, Transfer
from tests.eval.contract.test_checkers import Power, odd

pytestmark = pytest.mark.quick


def test_edges_of_eight_bits():
    cases = edge_cases(8)
    bases = {case.base for case in cases if (case.exp, case.mod) == (13, 129)}
    assert bases == {0, 1, 128, 129, 130, 255}
    assert {case.base for case in cases if (case.exp, case.mod) == (13, 255)} == {0, 1, 254, 255}
    assert {case.mod for case in cases} == {0, 1, 2, 3, 65, 127, 128, 129, 254, 255}
    wanted = {0, 1, 2, 3, 4, 85, 127, 128, 129, 210, 254, 255}
    for mod, base in ((0, 5), (1, 254), (255, 254), (129, 5)):
        found = {case.exp for case in cases if (case.base, case.mod) == (base, mod)}
        assert wanted <= found, mod
    assert max(case.exp for case in edge_cases(8, exp_bits=5)) == 31


@pytest.mark.parametrize("is_odd", [False, True])
def test_random_operands_are_of_every_length(is_odd: bool):
    cases = random_cases(8, 500, 1, odd=is_odd)
    assert {case.exp.bit_length() for case in cases} == set(range(9))
    assert {case.mod.bit_length() for case in cases} == set(range(2 if is_odd else 1, 9))
    assert {case.mod % 2 for case in cases} == ({1} if is_odd else {0, 1})
    assert sum(case.exp > 127 for case in cases) > 100
    assert sum(case.base >= case.mod for case in cases) > 100
    assert max(case.exp for case in random_cases(8, 500, 1, exp_bits=3)) == 7


def test_about_half_of_the_random_operands_are_short():
    """A full length hardly ever gives one of less than half of the bits."""
    cases = random_cases(40, 400, 2)
    for name in ("exp", "mod"):
        lengths = [getattr(case, name).bit_length() for case in cases]
        assert 50 < sum(length <= 20 for length in lengths) < 150, name
        assert sum(length == 40 for length in lengths) > 80, name


def test_results_are_popped_in_each_way():
    """After a status, or pushes behind it; at once; around the end of the computation."""
    asked: list[list[tuple[int, tuple[int, int]]]] = []

    class Noting(StreamRunner):
        def run(self, requests: list, stalls: Stalls, *others: object) -> list[Transfer]:
            for request, wait in zip(requests, stalls.request, strict=True):
                if (found := (int(request.type_), int(request.addr))) == (WRITE, GO):
                    asked.append([])
                elif asked:
                    asked[-1].append((wait, found))
            return super().run(requests, stalls, *others)

    power = Power(70, odd)
    cases = [ExpCase(f"{i}", 70, 7 + i, 5, 9) for i in range(8)]
    with Noting(XcelCL(power), "cl", "xcel.req", "xcel.resp") as runner:
        check_late_pops(runner, power, cases)
    status, pop = (READ, GO), (READ, RESULT)
    for turn in (0, 4):
        after, at_end, behind_pushes, at_once = asked[turn : turn + 4]
        assert [found for _, found in after[:2]] == [status, pop]
        assert after[0][0] > power.says
        assert at_end[0][1] == pop
        assert power.says - 10 < at_end[0][0] < power.says + 10
        assert behind_pushes[0][1] == status
        assert {kind for _, (kind, _) in behind_pushes[1:10]} == {WRITE}
        assert behind_pushes[10][1] == pop
        assert at_once[0] == (0, pop)
    kinds = [[kind for _, (kind, _) in one[:4]] for one in asked if one[0][1] == pop]
    assert any(WRITE in some for some in kinds)  # a push between two words of a result


def test_cases_under_one_modulus():
    cases = random_cases(8, 40, 3)
    rows = fitted(cases, 201)
    assert [row.mod for row in rows[:40]] == [
        case.mod if i % 4 == 3 else 201 for i, case in enumerate(cases)
    ]
    assert [(row.base, row.exp) for row in rows[:40]] == [(c.base, c.exp) for c in cases]
    assert {(row.base, row.mod) for row in rows[40:]} == {
        (base, 201) for base in (0, 1, 200, 201, 202, 255)
    }
    assert {expected(row, lambda mod: mod == 201)[1] for row in rows} == {0, 1}


def test_about_half_of_the_moduli_follow_on_themselves():
    cases = random_cases(24, 400, 5)
    rows = in_a_row(cases)
    assert [(row.base, row.exp) for row in rows] == [(c.base, c.exp) for c in cases]
    stays = [a.mod == b.mod for a, b in zip(rows, rows[1:], strict=False)]
    assert 160 < sum(stays) < 240
    for stay, row, case in zip(stays, rows[1:], cases[1:], strict=True):
        assert stay or row.mod == case.mod


def test_as_many_as_there_is_time_for():
    cases = [ExpCase(f"{i}", 8, i, 3, 251) for i in range(50)]
    hundred = Power(8, odd, says=100)
    assert len(within(cases, hundred, 1000)) == 10
    assert len(within(cases, hundred, 1099)) == 10
    assert len(within(cases, hundred, 1)) == 1
    drawn = within(cases, hundred, 10**6)
    assert sorted(case.base for case in drawn) == list(range(50))
    assert drawn != cases


def test_powers_of_documents():
    cases = {case.name: case.operands for case in document_cases()}
    by_hand = {
        "004-exponent-0-modulus-1": (12345, 0, 1),
        "004-exponent-0": (12345, 0, 2148676643),
        "004-modulus-0": (12345, 65537, 0),
        "004-base-is-modulus": (9, 3, 9),
        "000-left-to-right-scan": (3, 4, 101),
        "000-example-encrypt": (17111998, 5, 3381691693),
        "001-benchmark-decrypt": (2050940851, 977851481, 2148676643),
    }
    assert by_hand.items() <= cases.items()


@pytest.mark.parametrize("cycles", [(5, 5, 3, 4), (5, 5, 4, 3)])
def test_time_that_differs_either_way_is_told(cycles: tuple[int, ...]):
    drawn = Experiment([(0, 0, 0)] * 4, {"base": [(0, 1), (2, 3)], "bits": [(0, 1)]})
    assert drawn.told(cycles) == {"base": (2, 3), "bits": None}


class Engine:
    """Stands for what a trial breaks off."""

    def __init__(self) -> None:
        self.broken_off: list[int] = []

    def begin(self, requests: list[int], stalls: object) -> list[int]:
        return requests

    def advance(self, run: list[int], until: int, _: bool) -> None:
        self.broken_off.append(until)


@pytest.mark.parametrize("part", [MULTIPLIER, EXPONENTIATOR, ACCELERATOR])
def test_what_a_trial_does(monkeypatch: pytest.MonkeyPatch, part: str):
    """It breaks off what has a reset to show, then asks with and without stalls, and pops late."""
    design, engine = find("mont-small"), Engine()
    runner = type("Runner", (), {"engine": engine})()
    asked: list[tuple[int, bool]] = []
    popped: list[int] = []

    def ask(self: Check, runner: object, model: object, cases: list, stalls: object, *_) -> None:
        asked.append((len(cases), stalls is NO_STALLS))

    monkeypatch.setattr(Trial, "chosen", (design, 8, part))
    monkeypatch.setattr(Check, "runner", lambda self, design: nullcontext(runner))
    monkeypatch.setattr(Check, "ask", ask)
    monkeypatch.setattr(campaign, "check_late_pops", lambda r, m, cases, *_: popped.append(cases))
    trial = Trial(5)
    done, failure = trial.run()
    assert failure is None
    assert [unstalled for _, unstalled in asked] == [True, False]
    assert done == sum(count for count, _ in asked)
    assert asked[0][0] >= asked[1][0] > 1
    assert len(engine.broken_off) == (part == EXPONENTIATOR)
    assert all(until >= 1 for until in engine.broken_off)
    assert [len(cases) for cases in popped] == [asked[1][0]] * (part == ACCELERATOR)
