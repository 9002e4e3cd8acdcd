"""Labs 2 and 3: right hardware earns all points, usual faults each the hint that fits them."""

from pathlib import Path

import pytest

from eval.labs.folder import mark_code
from eval.labs.lab import Mark, find_lab
from tests.command_line import run
from tests.eval.labs.right import CASES2, CASES3, LAB2, LAB3, filled
from tests.eval.user_designs import edit

TAKEN = "            if ~s.busy:\n                s.a <<= s.recv.msg.a\n"
# Changes of the right hardware, the stage that it fails then, and what is said of it.
FAULTS: dict[str, tuple[dict[str, str], str, str]] = {
    "no result": (
        {"s.send.msg.r @= s.result": "s.send.msg.r @= 0"},
        "values",
        "are 0: is a result made",
    ),
    "never doubled": (
        {
            "s.b <<= s.doubled[0:nbits] - s.m": "s.b <<= s.b",
            "s.b <<= s.doubled[0:nbits]\n": "s.b <<= s.b\n",
        },
        "values",
        "b is not doubled",
    ),
    "above m": (
        {"if s.total >= zext(s.m, wide):": "if s.total > zext(s.m, wide):"},
        "values",
        "where a sum is above m, not from m on",
    ),
    "not reduced": (
        {"s.result <<= s.total[0:nbits] - s.m": "s.result <<= s.total[0:nbits]"},
        "values",
        "as if the sum were never reduced",
    ),
    "a step too few": (
        {
            "s.busy & (s.a == 0)": "s.busy & (s.a <= 1)",
            "            elif s.a != 0:": "            elif s.a > 1:",
        },
        "values",
        "as if the last step were left out",
    ),
    "no request": ({"s.busy <<= s.recv.val": "s.busy <<= 0"}, "values", "no answer ever comes"),
    "one answer": (
        {"elif s.send.val & s.send.rdy:": "elif s.send.val & (s.m == 0):"},
        "values",
        "busy falls when its answer is taken",
    ),
    "all bits": (
        {
            "        s.total = Wire": "        s.count = Register(4)\n        s.total = Wire",
            "s.busy & (s.a == 0)": "s.busy & (s.count == 0)",
            TAKEN: f"            s.count <<= s.count - 1\n{TAKEN}                s.count <<= 8\n",
        },
        "cycles",
        "it does not end where a has no bits",
    ),
    "a cycle late": (
        {
            "        s.total = Wire": "        s.late = Register()\n        s.total = Wire",
            "s.busy & (s.a == 0)": "s.busy & s.late",
            TAKEN: f"            s.late <<= s.busy & (s.a == 0)\n{TAKEN}",
        },
        "cycles",
        "all are one late",
    ),
    "no wait": (
        {"elif s.send.val & s.send.rdy:": "elif s.send.val:"},
        "stalls",
        " before the message was taken: val and msg must stay until rdy takes the message; an "
        "answer must stay",
    ),
    "it does not stay": (
        {TAKEN: f"            if s.send.val:\n                s.result <<= ~s.result\n{TAKEN}"},
        "stalls",
        " before it was taken (send.val=1 and send.rdy=0 in cycle ",
    ),
    "ready for a request": (
        {"s.recv.rdy @= ~s.busy": "s.recv.rdy @= ~s.busy & s.recv.val"},
        "stalls",
        "recv.rdy depends on recv.val within cycle 0: rdy must not depend on val of the same "
        "cycle; recv.rdy and send.val follow from registers",
    ),
    "valid when ready": (
        {"s.busy & (s.a == 0)": "s.busy & (s.a == 0) & s.send.rdy"},
        "stalls",
        "send.val depends on send.rdy within cycle ",
    ),
    "no hardware": (
        {"s.busy & (s.a == 0)": "s.busy and s.a == 0"},
        "translation",
        "rtl.py, line 36: `s.send.val @= s.busy and s.a == 0`: ",
    ),
}


def done(place: Path, gaps: dict[str, str], own_cases: str) -> Path:
    """A folder with the right hardware, and cases."""
    file, cases = place / "rtl.py", place / "cases.toml"
    file.write_text(filled(file.read_text(), gaps))
    cases.write_text(cases.read_text() + own_cases)
    return place


def with_fault(place: Path, number: str, fault: tuple[dict[str, str], str, str]) -> dict[str, Mark]:
    """The marks of the right hardware with a fault: it fails at its stage, and its hint is told."""
    changes, stage, says = fault
    for sound, faulty in changes.items():
        edit(place / "rtl.py", sound, faulty)
    marks = {mark.item: mark for mark in mark_code(find_lab(number), place, "")}
    assert marks[stage].got == 0
    assert says in marks[stage].said
    return marks


@pytest.fixture
def lab2(begin) -> Path:
    return done(begin("2"), LAB2, CASES2)


def test_right_hardware_earns_all_points(lab2) -> None:
    marks = mark_code(find_lab("2"), lab2, "a teacher's")
    assert [mark.said for mark in marks] == [""] * 7
    assert sum(mark.got for mark in marks) == sum(mark.points for mark in marks) == 40


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_its_hint(lab2, name) -> None:
    marks, stage = with_fault(lab2, "2", FAULTS[name]), FAULTS[name][1]
    items = list(marks)
    for after in items[items.index(stage) + 1 :]:
        assert marks[after].said == f"not tried: {stage} first"


def test_files_that_are_given_are_not_changed(lab2) -> None:
    edit(lab2 / "cl.py", "return a.bit_length() + 1", "return a.bit_length() + 2")
    marks = mark_code(find_lab("2"), lab2, "")
    assert [(mark.got, mark.points) for mark in marks] == [
        *((0, points) for points in (4, 10, 5, 6, 4, 3))
    ]
    assert "cl.py: given, and changed" in marks[0].said


def test_cases_of_ones_own_are_right_and_enough(begin) -> None:
    place = begin("2")
    cases = place / "cases.toml"
    text = cases.read_text() + CASES2
    for changed, says in (
        (text.replace(CASES2, ""), "add 3 others"),
        (text.replace("r = 9", "r = 8"), "case 1: by fl.py and cl.py it is r = 9 after 4 cycles"),
        (text.replace("m = 13", "m = 3", 1), "case 1: the unit does not take these operands"),
        (text.replace("m = 13", "m = 1300", 1), "below 256"),
        ("[[case", "mend it"),
    ):
        cases.write_text(changed)
        mark = mark_code(find_lab("2"), place, "")[0]
        assert (mark.item, mark.got) == ("own cases", 0)
        assert says in mark.said


def test_a_syntax_error_is_told_with_its_line(lab2) -> None:
    edit(lab2 / "rtl.py", "s.recv.rdy @= ~s.busy", "s.recv.rdy @= ~~~")
    checked = run("lab check 2 mine")
    assert checked.exit_code == 1
    assert "SyntaxError" in checked.stdout
    assert "Traceback" not in checked.output


# The same of lab 3.
ODD = "            if s.added[0]:\n                s.reduced @= s.added + zext(s.m, wide)\n"
TAKES = "                s.full <<= s.recv.val\n"
FAULTS3: dict[str, tuple[dict[str, str], str, str]] = {
    "no m": ({ODD: ""}, "values", "as if q were 0"),
    "every x": ({"if s.x:": "if s.x | ~s.x:"}, "values", "as if y were added for every x"),
    "too early": ({"if s.added[0]:": "if s.total[0]:"}, "values", "before x * y is"),
    "never full": ({"s.full <<= s.recv.val": "s.full <<= 0"}, "values", "no answer ever comes"),
    "never empty": (
        {"            elif s.recv.rdy:\n": "            elif s.recv.val:\n"},
        "values",
        "a stage is empty again",
    ),
    "one at a time": (
        {
            "~s.full | s.send.rdy": "~s.full",
            TAKES: f"{TAKES}            elif s.send.rdy:\n                s.full <<= 0\n",
        },
        "cycles",
        "not taken in every cycle",
    ),
    "no hold": (
        {"            if s.recv.val & s.recv.rdy:\n    ": "            if s.recv.val:\n    "},
        "stalls",
        "a message must stay as it is",
    ),
}


@pytest.fixture
def lab3(begin) -> Path:
    return done(begin("3"), LAB3, CASES3)


def test_right_stages_earn_all_points(lab3) -> None:
    marks = mark_code(find_lab("3"), lab3, "a teacher's")
    assert [mark.said for mark in marks] == [""] * 7
    assert sum(mark.got for mark in marks) == 40


@pytest.mark.parametrize("name", FAULTS3)
def test_a_fault_of_a_stage_is_told_with_its_hint(lab3, name) -> None:
    with_fault(lab3, "3", FAULTS3[name])


def test_exponentiations_by_a_unit_of_one_cycle_take_the_cycles_of_the_formula(lab2) -> None:
    """Of a 0 the unit answers in a cycle: its square is then early for the other product."""
    checked = run("check lab2 --level cl --nbits 8 --with mine/entry.py")
    assert checked.exit_code == 0, checked.output
