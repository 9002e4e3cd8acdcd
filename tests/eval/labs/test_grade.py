"""Grades: what is right earns all points, what is wrong its part, and what is hostile is named."""

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from eval.labs.containing import PROCESSES, landlock_version
from eval.labs.grading import alone, contained
from tests.command_line import assert_refused, run, run_json
from tests.eval.labs.conftest import answer
from tests.eval.labs.hostile import HOSTILE
from tests.eval.labs.right import CASES2, LAB2, filled
from tests.eval.user_designs import edit


@pytest.fixture
def good(begin) -> Path:
    """A submission without a mistake, in a folder of submissions."""
    return answered(begin("2", "all/good"))


def answered(place: Path) -> Path:
    """Fill lab 2 in, and answer its questions."""
    file = place / "rtl.py"
    file.write_text(filled(file.read_text(), LAB2))
    cases = place / "cases.toml"
    cases.write_text(cases.read_text() + CASES2)
    numbers = re.search(r"a = (\d+), b = (\d+), m = (\d+)", (place / "questions.md").read_text())
    a, b, m = map(int, numbers.groups())
    steps = len(f"{a:b}")
    zeros = steps - len(f"{a:b}".rstrip("0"))
    width = int(re.search(r"At (\d+) bits", (place / "questions.md").read_text())[1])
    answer(place, latency=steps + 1, interval=steps + 2, first_sum=b * 2**zeros % m, mean=width)
    return place


def test_a_class_is_graded(good: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("kept")
    wrong = good.with_name("wrong")
    shutil.copytree(good, wrong)
    edit(wrong / "answers.toml", '"ada"', '"bob"')
    edit(wrong / "rtl.py", "elif s.send.val & s.send.rdy:", "elif s.send.val:")
    for name, (code, _) in HOSTILE.items():
        place = shutil.copytree(good, good.with_name(name))
        edit(place / "answers.toml", '"ada"', f'"{name}"')
        text = (place / "rtl.py").read_text()
        (place / "rtl.py").write_text(text + code.format(victim=str(victim)))
    linked = good.with_name("linked")
    linked.mkdir()
    (linked / "answers.toml").symlink_to("/dev/zero")

    found = run_json("lab grade 2 all --teacher seed --limit 100 --csv grades.csv")
    graded = {one["submission"]: one for one in found["submissions"]}
    assert set(graded) == {"good", "wrong", "linked", *HOSTILE}
    assert (graded["good"]["points"], graded["good"]["of"]) == (48, 48)
    assert graded["good"]["did"] == graded["good"]["said"] == []
    assert graded["wrong"]["points"] == 4 + 10 + 5  # up to stalls; ada's answers are not bob's
    assert "no plain file" in graded["linked"]["said"][0]
    for name, (_, did) in HOSTILE.items():
        assert did in graded[name]["did"], graded[name]
        assert graded[name]["of"] == 48
        assert not any(mark["got"] for mark in graded[name]["marks"][-7:])
    held = "changes of files: contained" in found["contained"]
    assert held == (landlock_version() > 0)
    assert (victim / "file").is_file() or not held
    rows = csv.DictReader(Path("grades.csv").read_text().splitlines())
    assert {row["submission"]: row["points"] for row in rows}["good"] == "48"


def test_there_is_no_network_where_the_system_lets_us() -> None:
    """What runs a submission has the loopback alone, and that is down."""
    if "--net" not in alone():
        assert "network: not contained" in contained()
        return
    assert "network: contained" in contained()
    seen = subprocess.run([*alone(), "cat", "/proc/net/dev"], capture_output=True, text=True)
    assert [line.split(":")[0].strip() for line in seen.stdout.splitlines()[2:]] == ["lo"]
    routes = subprocess.run([*alone(), "cat", "/proc/net/route"], capture_output=True, text=True)
    assert len(routes.stdout.splitlines()) <= 1


STARTS = """
import ctypes, sys, time
from pathlib import Path
from eval.labs.containing import are_processes_limited, leave_root, set_limits
leave_root(Path(sys.argv[1]))
set_limits(60)
assert are_processes_limited()
Path(sys.argv[1], "file").write_text("ours")
libc, started = ctypes.CDLL(None), []
for _ in range(500):
    if not (child := libc.fork()):
        time.sleep(60)
    if child < 0:
        break
    started.append(child)
for child in started:
    libc.kill(child, 9)
print(len(started))
"""


def test_processes_are_limited_for_root_too(tmp_path: Path) -> None:
    """By system calls, which Python's audit does not see: the kernel does not limit root's."""
    made = subprocess.run(
        [sys.executable, "-c", STARTS, str(tmp_path)], capture_output=True, text=True
    )
    assert 0 < int(made.stdout or -1) <= PROCESSES, made.stderr


def test_one_that_hangs_is_ended(good: Path) -> None:
    text = (good / "rtl.py").read_text()
    (good / "rtl.py").write_text(text + "while True:\n    pass\n")
    done = run("lab grade 2 all --limit 2 --jobs 1 --seed other")
    assert done.exit_code == 0, done.output
    assert "hangs: not finished after 2 s" in " ".join(done.stdout.split())
    assert "of seed '', not 'other'" in " ".join(done.stdout.replace("|", "").split())


def test_bad_input_is_refused(begin, tmp_path: Path) -> None:
    begin("1")
    assert_refused("lab start 1 mine --name ada", "cannot be made")
    assert_refused("lab start 99", "no lab '99'; choose from 1, 2")
    assert_refused("lab start 1 other --name 'a\"b'", "--name")
    assert_refused("lab check 2 nowhere", "has no answers.toml")
    assert_refused("lab grade 1 nowhere", "No such file")
    assert_refused("lab grade 1 mine", "has no subfolders")
    (tmp_path / "mine" / "answers.toml").write_text("x = " + "[" * 9999)
    assert_refused("lab check 1 mine", "answers.toml")
