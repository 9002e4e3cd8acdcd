"""Questions: what is right by Python or a command is right, and each confusion has its hint."""

import math
import re
import tomllib
from random import Random
from types import SimpleNamespace

import pytest

from eval.labs.answers import is_answer, mark_answer
from eval.labs.folder import mark
from eval.labs.lab import find_lab, numbers
from eval.labs.lab4 import slowest
from tests.command_line import run, run_json
from tests.eval.labs.conftest import answer


@pytest.fixture(autouse=True)
def _made_up_rows(monkeypatch) -> None:
    """The measurements of labs say what is made up here: a test need not map."""
    monkeypatch.setattr("eval.labs.lab4.flow", made_up_flow)
    monkeypatch.setattr("eval.labs.lab7.period", lambda design, n: PERIODS[design, n])
    monkeypatch.setattr("eval.labs.lab5.area", AREAS.get)
    monkeypatch.setattr("eval.labs.lab5.areas_of_noise", noise_of)
    monkeypatch.setattr("eval.labs.lab8.leakage", made_up_leakage)
    monkeypatch.setattr("eval.labs.lab8.mean_trace", lambda design, secret: [1.0, 2.5])


# Periods that grow as n^(1/2) and n^(1/4).
PERIODS = {("mont-small", 16): 1.0, ("mont-small", 64): 2.0}
PERIODS |= {("array-4", 16): 0.5, ("array-4", 64): 0.5**0.5}


# Those of lab 5, of which two are as good as equal.
AREAS = {"ssmm-small": 1000.0, "ssmm-ct": 1260.0, "ssmm-best": 1262.0, "mont-small": 1400.0}
AREAS |= {"mont-pipe": 1350.0, "mm-000": 1900.0, "mul-rem": 2300.0, "mont-digit-4": 2500.0}
AREAS |= {"mont-best": 2800.0}


def noise_of(design: str) -> tuple[float, list[float]]:
    """Six areas: the farthest seed is half a per cent below, or more where the design is large."""
    area = AREAS[design]
    return area, [area * (0.994 if area > 1300 else 0.995), area + 3, area - 2, area + 1, area]


def made_up_leakage(design: str, blind_base: bool = False) -> SimpleNamespace:
    """A row: of each design other figures."""
    scale = len(design) + 7 * blind_base
    found = {}
    for i, name in enumerate(("base", "exponent")):
        largest = scale * (1.5 + i) + 0.25
        found[name] = SimpleNamespace(
            leaking=[scale + 3 * i], most=lambda begin, largest=largest: largest
        )
    return SimpleNamespace(tests=found, work=4, read=SimpleNamespace(right=scale % 17))


def made_up_flow(design: str, clock_ns: float, to: str) -> SimpleNamespace:
    """A row: of each design, clock and step other figures."""
    scale = 1 + len(design) / 100 + clock_ns / 10
    names = ("area_um2", "cells", "multiplier_area_um2", "setup_slack_ns", "period_ns")
    metrics = {name: scale * 7 * 1.7**i for i, name in enumerate(names)}
    if to == "power":
        names = ("power_e_mw", "energy_e_nj", "energy_glitches_e_nj", "energy_d_nj")
        metrics |= {name: scale * (0.5 + 0.3 * i) for i, name in enumerate(names)}
    window = SimpleNamespace(cycles=round(scale * 20), energy_nj=scale * 4)
    energy, hierarchical = SimpleNamespace(windows={"e": window}), SimpleNamespace(area_um2=scale)
    pieces = [("First__8", 0.3), ("Most", 0.2), ("Other", 0.35), ("Most__7", 0.2)]
    through = [SimpleNamespace(module=module, delay_ns=delay) for module, delay in pieces]
    path = SimpleNamespace(through=through)
    return SimpleNamespace(
        metrics=metrics, critical_path=path, energy=energy, hierarchical=hierarchical
    )


def test_lab_1_is_answered_by_commands(begin) -> None:
    place = begin("1")
    text = (place / "questions.md").read_text()
    assert "mul-rem at 16 bits, base 3749, exponent 3783, modulus 56921" in text
    request = "--nbits 16 --base 3749 --mod 56921"
    mont = f"simulate mont-small {request}"
    first = run_json(f"simulate mul-rem {request} --exp 3783 --level cl")
    ones = run_json(f"{mont} --exp 65535 --level formula")["cycles"]
    highest = run_json(f"{mont} --exp 32768 --level formula")["cycles"]
    assumed = run_json(f"{mont} --exp 3783 --level rtl --part unit=fl:24")["cycles"]
    port = run_json(f"simulate mul-rem {request} --exp 3783 --level cl --xcel")["cycles"]
    answer(place, result=pow(3749, 3783, 56921), cycles=first["cycles"], port_cycles=port)
    answer(place, exponent_cost=ones - highest, assumed_cycles=assumed, waveform=36 - 19)
    done = run("lab check 1 mine")
    assert done.exit_code == 0, done.output
    assert "12 of 12 points" in done.stdout


@pytest.mark.parametrize("number", numbers())
def test_each_confusion_has_its_hint(number) -> None:
    """Of some names at least one, whose numbers tell the confusion from all others."""
    lab = find_lab(number)
    seen: set[str] = set()
    hints: set[str] = set()
    for name in ("ada", "bob", "eve", "joe", "kim", "lee"):
        for question in lab.questions(name, ""):
            right = mark_answer(question, question.answer())
            assert (right.got, right.said) == (question.points, "")
            for hint, confused in question.confusions:
                hints.add(hint)
                said = mark_answer(question, confused()).said
                seen |= {hint} if said.endswith(f"is {hint}") else set()
            wrong = mark_answer(question, "nothing like it")
            assert wrong.got == 0
            assert question.text in wrong.said
    assert seen == hints


def test_lab_7_is_answered_by_commands_and_on_paper(begin) -> None:
    place = begin("7")
    text = (place / "questions.md").read_text()
    digit, n = map(int, re.search(r"array-(\d), n = (\d+)", text).groups())
    steps = math.ceil((n + digit + 2) / digit) + 1
    design = f"simulate array-{digit} --level formula"
    one, two = (run_json(f"{design} --nbits {w} --workload d")["cycles"] for w in (n, 2 * n))
    request = f"{design} --nbits {n} --base 3 --mod {2**n - 1}"
    more, less = (run_json(f"{request} --exp {e}")["cycles"] for e in (65536, 32768))
    assert more - less > steps
    wide = run_json("simulate array-4 --nbits 64 --workload d --level cl")["cycles"]
    answer(place, steps=steps, elements=math.ceil((n + digit + 1) / (4 * digit)))
    answer(place, square=more - less, cycles=one, growth=round(math.log2(two / one), 4))
    answer(place, adder_period=0.5, row_period=0.25, time=wide * PERIODS["array-4", 64])
    done = run("lab check 7 mine")
    assert done.exit_code == 0, done.output
    assert "16 of 16 points" in done.stdout
    text = (place / "answers.toml").read_text()
    (place / "answers.toml").write_text(text.replace('adder_period = "0.5"', "adder_period = 2"))
    assert "2 is the ratio" in " ".join(run("lab check 7 mine").stdout.split())


def test_lab_5_is_answered_on_paper(begin) -> None:
    place = begin("5", name="bob")
    text = (place / "questions.md").read_text()
    assert "mont-best, mont-small, mul-rem, ssmm-best, ssmm-ct, ssmm-small at 8 bits" in text
    assert "at most 0.114 us" in text
    assert "each area by 16 %" in text
    # Times at 3 ns in that order: 0.099, 0.354, 0.237, 0.102, 0.126, 0.174 us.
    answer(place, front="ssmm-small, ssmm-ct, ssmm-best, mont-best", choice="ssmm-best")
    answer(place, runner_up=100 * (2800 / 1262 - 1), binds=0.012, band=0.5, sure="yes")
    deviation = math.sqrt(sum((d - mean) ** 2 for d in FROM_OWN) / 5)
    answer(place, deviation=deviation, unsure="SSMM-small ssmm-ct")
    done = run("lab check 5 mine")
    assert "20 of 42 points" in done.stdout, done.output


# What the six areas of ssmm-best differ by from its own, and their mean.
FROM_OWN = (0, -6.31, 3, -2, 1, 0)
mean = sum(FROM_OWN) / 6


def test_lab_8_reads_its_own_trace(monkeypatch) -> None:
    """The trace that is handed out is that of the secret that is asked for."""
    from eval.labs import lab8
    from eval.labs.leak_code import Traced, read

    monkeypatch.undo()
    for name in ("ada", "bob", "eve"):
        lines = find_lab("8").made_files(name, "")["trace.csv"].split()[1:]
        trace = [float(line.split(",")[1]) for line in lines]
        a_round, secret = (question.answer() for question in lab8.LAB.questions(name, "")[:2])
        assert read(Traced(trace, 3, a_round, lab8.NBITS, 0)) == secret


def test_the_slowest_module_is_where_most_time_is_spent() -> None:
    assert slowest(made_up_flow("mont-small", 3.0, "power")) == "Most"


def test_numbers_depend_on_name_and_seed() -> None:
    lab = find_lab("1")
    texts = {
        lab.questions(name, seed)[0].text for name, seed in (("ada", ""), ("bob", ""), ("ada", "2"))
    }
    assert len(texts) == 3
    assert lab.questions("ada", "")[0].text in texts


@pytest.mark.parametrize(
    ("given", "right", "tolerance", "expected"),
    [
        (12, 12, 0, True),
        ("12", 12, 0, True),
        ("0xc", 12, 0, True),
        (12.0, 12, 0, True),
        (12.4, 12, 0, False),
        (True, 1, 0, False),
        ("nan", 1.0, 0.1, False),
        ("inf", 1.0, 0.1, False),
        ([12], 12, 0, False),
        (1.05, 1.0, 0.1, True),
        (-1.05, -1.0, 0.1, True),
        (1.2, 1.0, 0.1, False),
        ("9" * 5000, 12, 0, False),
        ("9" * 400, 12.0, 0.1, False),
        (" reg ", "reg", 0, True),
        (3, "reg", 0, False),
    ],
)
def test_numbers_may_be_typed_as_text(given, right, tolerance, expected) -> None:
    assert is_answer(given, right, tolerance) is expected


def test_labs_have_pages_and_start_as_they_say(begin) -> None:
    listed = run_json("lab list")["labs"]
    assert [lab["number"] for lab in listed] == numbers()
    for number in numbers():
        lab = find_lab(number)
        assert lab.page.is_file()
        place = begin(number, f"of-{number}")
        given = tomllib.loads((place / "answers.toml").read_text())["answers"]
        assert set(given) == {question.name for question in lab.questions("ada", "")}
        assert all((place / name).is_file() for name in lab.given)
    assert not any(m.got for m in mark(find_lab("1"), place.with_name("of-1"), ""))


@pytest.mark.parametrize("seed", range(30))
def test_a_tolerance_is_a_share_of_the_answer_however_small(seed) -> None:
    rng = Random(seed)
    right, share = rng.choice((1, -1)) * 10 ** rng.uniform(-9, 9), rng.uniform(0.001, 0.5)
    for off, expected in ((rng.uniform(0, 0.99), True), (rng.uniform(1.01, 9), False)):
        for side in (1, -1):
            assert is_answer(right * (1 + side * share * off), right, share) is expected
