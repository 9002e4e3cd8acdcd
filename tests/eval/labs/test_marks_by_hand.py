"""Points, tolerances, limits and answers of labs, worked out by hand."""

import csv
import os
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from eval.labs import driver_code, grading, lab6, marking
from eval.labs.answers import is_answer, mark_answer
from eval.labs.confining import descendants
from eval.labs.driver_code import WORDS
from eval.labs.grading import Graded, Grader, Rows, copy_plain, plain
from eval.labs.hardware import checked_text
from eval.labs.lab import TEACHER, Mark, Question, find_lab, numbers
from eval.labs.multiplier_code import WIDTHS as WIDTHS_DRAWN
from eval.labs.stages import Wrong
from sim.errors import RunError, UserError

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("right", [200, 200.0, -200.0])
@pytest.mark.parametrize(
    ("given", "taken"), [(202, True), (198, True), (202.1, False), (197.9, False), (200, True)]
)
def test_a_tolerance_is_a_part_of_the_answer_on_either_side(
    right: float, given: float, taken: bool
) -> None:
    assert is_answer(given if right > 0 else -given, right, 0.01) == taken
    assert not is_answer(-given if right > 0 else given, right, 0.01)


def test_a_wrong_answer_has_no_points_and_the_first_hint_that_fits() -> None:
    question = Question("x", "how much?", 3, lambda: 7, (("one", lambda: 1), ("uno", lambda: 1)))
    assert mark_answer(question, "0x7") == Mark("x", 3, 3)
    assert mark_answer(question, 1) == Mark("x", 3, 0, "1 is one")
    assert mark_answer(question, 2) == Mark("x", 3, 0, "2 is wrong: how much?")
    assert mark_answer(question, "?") == Mark("x", 3, 0, "not answered: how much?")


def graded(submission: str, name: str, *marks: tuple[str, int, int]) -> Graded:
    told = [vars(Mark(item, points, got)) for item, points, got in marks]
    return Graded(submission, name, told)


def test_points_are_of_all_items_and_those_that_were_got() -> None:
    first = graded("a", "ada", ("x", 4, 4), ("y", 6, 0))
    second = graded("b", "bob", ("y", 6, 5), ("z", 2, 1))
    second.did, second.said = ["hangs", "floods"], ["late", "twice"]
    assert (first.got, first.points, second.got, second.points) == (4, 10, 6, 8)
    rows = Rows(out := StringIO(), (("x", 4), ("y", 6), ("z", 2)))
    rows.add(first)
    assert len(out.getvalue().splitlines()) == 2  # at once
    rows.add(second)
    assert [*csv.reader(StringIO(out.getvalue()))] == [
        ["submission", "name", "points", "of", "x", "y", "z", "did", "said"],
        ["a", "ada", "4", "10", "4", "0", "", "", ""],
        ["b", "bob", "6", "8", "", "5", "1", "hangs; floods", "late twice"],
    ]


def test_who_has_the_name_of_another_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One without a name is nobody's."""
    names = {"a": "ada", "b": "bob", "c": "ada", "d": "", "e": "", "f": "ada"}
    monkeypatch.setattr(Grader, "_one", lambda *_: None)
    monkeypatch.setattr(grading, "name_of", lambda folder: names[folder.name])
    found = [*Grader(find_lab("1"), "", "", 1).grade([*map(Path, names)], 1)]
    assert {one.submission: one.said for one in found} == {
        **{"a": ["has the name of c, f"], "c": ["has the name of a, f"]},
        **{"f": ["has the name of a, c"], "b": [], "d": [], "e": []},
    }


@pytest.mark.parametrize(
    ("files", "size", "taken"), [(3, 100, True), (4, 90, False), (3, 101, False)]
)
def test_a_submission_may_have_so_many_files_and_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: int, size: int, taken: bool
) -> None:
    monkeypatch.setattr(grading, "MOST_FILES", 4)  # with the folder
    monkeypatch.setattr(grading, "MOST_BYTES", 100)
    inside = tmp_path / "given" / "inside"
    inside.mkdir(parents=True)
    for number in range(files):
        (inside / f"{number}").write_bytes(bytes(size - files + 1 if not number else 1))
    if taken:
        copy_plain(tmp_path / "given", tmp_path / "copy")
        assert len([*(tmp_path / "copy/inside").iterdir()]) == files
    else:
        with pytest.raises(UserError, match="has more than 0 MB or 4 files"):
            copy_plain(tmp_path / "given", tmp_path / "copy")


@pytest.mark.parametrize(("item", "words"), WORDS.items())
def test_a_driver_is_asked_for_numbers_of_all_words(item: str, words: int) -> None:
    """Odd moduli; of three, an even one in the middle where that is the question."""
    assert WORDS == {
        **{"one word": 1, "several words": 2, "bad modulus": 1, "once more": 2, TEACHER: 3}
    }
    top = 1 << 32 * words - 1
    for seed in range(5):
        asked = driver_code._requests(Random(seed), item, words)
        assert len(asked) == (1 if item == "one word" else 3)
        for base, exp, mod in asked:
            assert top <= base < 2 * top
            assert top <= mod < 2 * top
            assert exp % 2
        odd = [mod % 2 for *_, mod in asked]
        assert odd == ([1, 0, 1] if item == "bad modulus" else [1] * len(asked))
        for request in asked:
            right = driver_code._right(request)
            assert right == ((pow(*request), 0) if request[2] % 2 else (0, 2))


@pytest.mark.parametrize("name", ["ada", "bob", "eve"])
def test_lab_6_is_answered_on_paper(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """In software 6000 and 8000 cycles, with an accelerator 600 and 1000."""
    ran = {
        "": {"encryption": 6000, "decryption": 8000, "cycles": 20000},
        **dict.fromkeys(lab6.DESIGNS, {"encryption": 600, "decryption": 1000, "cycles": 4000}),
    }
    monkeypatch.setattr(lab6, "benchmark", ran.__getitem__)
    asked = {question.name: question for question in lab6.LAB.questions(name, "")}
    direction = "encryption" if "encryption" in asked["software"].text else "decryption"
    before, after = ran[""][direction], ran["mont-best"][direction]
    [share] = [part for part in lab6.SHARES if f"spends {part} %" in asked["program"].text]
    answers: dict[str, Any] = {one: question.answer() for one, question in asked.items()}
    assert (answers["software"], answers["accelerated"]) == (before, after)
    assert answers["speed_up"] == pytest.approx(before / after)
    # Of 100 cycles so many take as much less.
    assert answers["program"] == pytest.approx(100 / (100 - share + share * after / before))
    assert answers["overhead"] == after - asked["overhead"].confusions[0][1]()


@pytest.mark.parametrize("number", numbers())
def test_cases_of_a_teacher_have_points_where_there_is_code_and_a_seed(number: str) -> None:
    lab = find_lab(number)
    assert all(points > 0 for _, points in lab.items("seed"))
    assert [item for item, _ in lab.items("seed")][len(lab.items("")) :] == (
        [TEACHER] if lab.code_items else []
    )
    without = lab.without_points("seed", "said")
    assert [(mark.points, mark.got, mark.said) for mark in without] == [
        (points, 0, "said") for _, points in lab.items("seed")
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a name, 7 µs", "a name, 7 µs"),
        ("\x1b[2J\n\u202e", r"\x1b[2J\n\u202e"),
        ("x\udcff", r"x\udcff"),
        ("x" * 2000, "x" * 1000 + "..."),
    ],
)
def test_what_is_shown_has_nothing_that_a_terminal_obeys(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_what_is_marked_has_items_and_points_of_the_lab() -> None:
    """A mark beyond its points, of no item, or of one that is marked, counts for nothing."""
    grader = Grader(find_lab("1"), "", "", 1)
    (item, points), *_ = grader.items
    for mark in ({"item": item, "got": points + 1}, {"item": "x", "got": 1}):
        with pytest.raises(RunError, match="no mark of this lab"):
            grader._take({"marks": [mark | {"said": ""}]}, graded("a", ""), {})
    for first, again in ((points, 0), (0, points)):
        told: dict[str, tuple[int, str]] = {}
        grader._take({"marks": [{"item": item, "got": first, "said": "x"}]}, graded("a", ""), told)
        mark = {"item": item, "got": again, "said": "y"}
        with pytest.raises(RunError, match="no mark of this lab"):
            grader._take({"marks": [mark]}, graded("a", ""), told)
        assert told == {item: (first, "x")}


VERILOG = "module T (input logic [0:0] clk); logic [1:0] x; assign x = $signed(2'd1); endmodule"


@pytest.mark.parametrize(
    "more",
    [
        *("$system(0);", "$c(0);", "`include", 'x = "y";', "/* verilator tracing_off */"),
        *("import", "\\x ", "(* keep *)", "µ", "\x00", "$\nsystem"),
    ],
)
def test_verilog_is_what_a_translation_has(more: str) -> None:
    assert checked_text("T", f"{VERILOG} // {more.splitlines()[0]}").strip() == VERILOG
    with pytest.raises(Wrong, match="which no translation has"):
        checked_text("T", f"{VERILOG}\n{more}")


def test_other_names_of_modules_are_none() -> None:
    for top in ("a b", "T;", "$x", 7, None):
        with pytest.raises(Wrong, match="was not translated"):
            checked_text(top, VERILOG)


BURNS = """
import os, sys
zero = os.open("/dev/zero", os.O_RDONLY)
while os.times().user < 0.25:
    pass
while os.times().system < 0.25:
    os.read(zero, 1 << 22)
print(sum(os.times()[:2]), flush=True)
"""


@pytest.mark.seconds
@pytest.mark.parametrize("by", ["itself", "what it runs", "what it has run"])
def test_cpu_time_is_of_the_user_and_the_system_and_of_who_has_ended(by: str) -> None:
    """Of a process and of all that it runs and has run: as it was told, and no more than the
    system says at the end."""
    python = shlex.join([sys.executable, "-S", "-c", BURNS])
    lines = {
        "itself": f"exec {shlex.join([sys.executable, '-S', '-c', BURNS + 'input()'])}",
        "what it runs": f"{shlex.join([sys.executable, '-S', '-c', BURNS + 'input()'])}; true",
        "what it has run": f"{python}; echo ended; read x",
    }
    process = subprocess.Popen(
        ["sh", "-c", lines[by]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    told = float(process.stdout.readline())
    if by == "what it has run":
        assert process.stdout.readline() == b"ended\n"
    others, seconds = descendants(process.pid)
    assert len(others) == (by == "what it runs")
    process.stdin.write(b"\n")
    process.stdin.close()
    used = os.wait4(process.pid, 0)[2]
    process.wait()
    process.stdout.close()
    assert told - 0.05 <= seconds <= used.ru_utime + used.ru_stime + 0.05


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("exit 0", []),
        ("exit 3", ["the check ended with code 3: last words"]),
        ("kill -TERM $$", ["the check ended with code -15: last words"]),
        ("kill -KILL $$", ["the check ended with code -9: last words"]),
    ],
)
def test_how_a_check_ended_is_said(
    ending: str, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself or by a signal; what it had told until then is known."""
    popen = subprocess.Popen

    def started(command: list[str], **how: Any) -> subprocess.Popen:
        told = f"""echo '{{"seed": 7}}' >> /dev/fd/{command[-1]}"""
        script = f"echo first; echo last words; {told}; {ending}"
        return popen(["sh", "-c", script], **how)

    monkeypatch.setattr(grading.subprocess, "Popen", started)
    one = graded("a", "ada")
    assert [*grading._marking({}, one, 60)] == [{"seed": 7}]
    assert one.said == said


@pytest.mark.parametrize("teacher", ["", "x"])
def test_hardware_is_handed_over_at_each_width_that_may_be_drawn(
    teacher: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From the least width of a multiplier to the greatest of a teacher's."""
    asked: list[dict[str, Any]] = []

    def answered(confined: Any, request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request)
        raise Wrong("no more")

    monkeypatch.setattr(marking, "_answered", answered)
    with pytest.raises(Wrong, match="no more"):
        marking._marked(find_lab("2"), tmp_path, teacher, None)
    assert asked == [{"widths": [8, 9, 10, 11, 12, 13, 14, 15, 16]}]
    assert {8, *WIDTHS_DRAWN} <= {*asked[0]["widths"]}
