"""Lab 6: a right driver earns all points, usual faults each the hint that fits them."""

from pathlib import Path

import pytest

from eval.labs.folder import mark_code
from eval.labs.lab import TEACHER, find_lab
from tests.eval.labs.right import LAB6, filled
from tests.eval.user_designs import edit

PUSHED, POPPED = "CSR_WRITE(EXPONENT, exp[i])", "result[i] = CSR_READ(RESULT)"
FAULTS = {
    "exchanged": ({PUSHED: "CSR_WRITE(EXPONENT, base[i])", "BASE, base": "BASE, exp"}, "one word"),
    "no go": ({"  CSR_WRITE(GO, 0);\n": ""}, "one word"),
    "popped the other way": ({POPPED: "result[words - 1 - i] = CSR_READ(RESULT)"}, "several words"),
    "one word": ({POPPED: "result[i] = i ? 0 : CSR_READ(RESULT)"}, "several words"),
    "no status": ({"return CSR_READ(STATUS) & BAD_MODULUS": "return 0"}, "bad modulus"),
    "no C": ({"  CSR_WRITE(GO, 0);\n": "  begin\n"}, "one word"),
    "for ever": ({"  CSR_WRITE(GO, 0);\n": "  while (1) {}\n"}, "one word"),
}
SAYS = {
    "exchanged": "base and exponent are exchanged",
    "no go": "right is",
    "popped the other way": "popped the other way",
    "one word": "the lowest word alone",
    "no status": "GAP 3",
    "no C": "does not compile",
    "for ever": "20000 cycles",
}


@pytest.fixture
def lab6(begin) -> Path:
    """A right driver."""
    place = begin("6")
    file = place / "driver.h"
    file.write_text(filled(file.read_text(), LAB6))
    return place


def test_a_right_driver_earns_all_points(lab6) -> None:
    marks = mark_code(find_lab("6"), lab6, "a teacher's")
    assert [mark.said for mark in marks] == [""] * 5
    assert sum(mark.got for mark in marks) == 28


def test_a_driver_of_two_words_earns_no_points_for_the_teachers_cases(lab6) -> None:
    """They have more words than any others."""
    edit(lab6 / "driver.h", POPPED, "result[i] = CSR_READ(RESULT) * (i < 2)")
    *others, last = mark_code(find_lab("6"), lab6, "a teacher's")
    assert all(mark.got == mark.points for mark in others)
    assert (last.item, last.got) == (TEACHER, 0)
    assert "request 1, " in last.said


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_its_hint(lab6, name) -> None:
    changes, stage = FAULTS[name]
    for sound, faulty in changes.items():
        edit(lab6 / "driver.h", sound, faulty)
    marks = {mark.item: mark for mark in mark_code(find_lab("6"), lab6, "")}
    assert marks[stage].got == 0
    assert SAYS[name] in marks[stage].said
    assert marks["once more"].said == f"not tried: {stage} first"
