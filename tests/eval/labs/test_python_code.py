"""Labs 5 and 8: right Python earns all points, usual faults each the hint that fits them."""

import tomllib
from pathlib import Path

import pytest

from eval.labs.folder import mark_code
from eval.labs.lab import find_lab
from tests.eval.labs.right import CASES5, LAB5, LAB8_ATTACK, LAB8_CLOSED, filled
from tests.eval.user_designs import edit
from tests.places import ROOT

pytestmark = pytest.mark.quick
FAULTS = tomllib.loads((ROOT / "tests/eval/labs/faults.toml").read_text())["fault"]


@pytest.fixture
def lab5(begin) -> Path:
    """Right functions and cases."""
    place = begin("5")
    (place / "front.py").write_text(filled((place / "front.py").read_text(), LAB5))
    (place / "cases.toml").write_text((place / "cases.toml").read_text() + CASES5)
    return place


@pytest.fixture
def lab8(begin, monkeypatch) -> Path:
    """Right functions; the trace that is handed out is not looked at."""
    monkeypatch.setattr("eval.labs.lab8.mean_trace", lambda design, secret: [1.0, 2.0])
    place = begin("8")
    for name, gaps in (("attack.py", LAB8_ATTACK), ("closed.py", LAB8_CLOSED)):
        (place / name).write_text(filled((place / name).read_text(), gaps))
    return place


@pytest.mark.parametrize(("number", "points"), [("5", 28), ("8", 38)])
def test_right_functions_earn_all_points(request, number, points) -> None:
    marks = mark_code(find_lab(number), request.getfixturevalue(f"lab{number}"), "a teacher's")
    assert [mark.said for mark in marks if mark.said] == []
    assert sum(mark.got for mark in marks) == points


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault['lab']} {fault['name']}")
@pytest.mark.seconds
def test_a_fault_is_told_with_its_hint(request, fault) -> None:
    number, stage = fault["lab"], fault["stage"]
    place = request.getfixturevalue(f"lab{number}")
    for change in fault["change"]:
        edit(place / fault["file"], change["sound"], change["faulty"])
    marks = {mark.item: mark for mark in mark_code(find_lab(number), place, "a teacher's")}
    assert marks[stage].got == 0
    assert fault["says"] in marks[stage].said
    whole = marks["teacher's cases"].points
    assert marks["teacher's cases"].got == (whole // 2 if number == "8" else 0)  # by the other file


def test_cases_of_fronts_are_right_and_enough(lab5) -> None:
    cases = lab5 / "cases.toml"
    text = cases.read_text()
    for other, says in (
        (text.replace(CASES5, ""), "add 2 others"),
        (2 * text.replace(CASES5, ""), "has 4 cases; add 2 others"),  # the same again
        (text.replace('smallest = "middle"', 'smallest = "fast"'), "case 1: smallest is 'middle'"),
        (text.replace("limit = 2.5", "limit = -1"), "each with points"),
        (text.replace('["small", 10, 4.0]', '["small", 10]'), "each with points"),
        ("[[case", "mend it"),
    ):
        cases.write_text(other)
        mark = mark_code(find_lab("5"), lab5, "")[0]
        assert (mark.item, mark.got) == ("own cases", 0)
        assert says in mark.said
