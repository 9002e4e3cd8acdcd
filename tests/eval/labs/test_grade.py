"""Grades of a class: honest submissions keep their marks, hostile ones get no more than they
earned, and none ends, slows or renames the class."""

import csv
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from eval.labs import grading
from eval.labs.confining import BUBBLEWRAP, NONE, UNSHARE, contained, way
from eval.labs.containing import landlock_version
from eval.labs.grading import cell, copy_plain, plain
from eval.labs.lab import TEACHER
from sim.errors import UserError
from tests.command_line import assert_refused, run, run_json
from tests.eval.labs.honest import answered, right
from tests.eval.labs.hostile import FEW, HOSTILE, RIGHT
from tests.eval.user_designs import edit

LIMIT = 6  # seconds of CPU
HERE = grading.way()


class Class:
    """A folder of submissions to lab 5, of which some are hostile."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.victim = folder / "all", folder / "victim"
        self.folder.mkdir()
        self.victim.mkdir()
        (self.victim / "file").write_text("kept")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.victim}/socket")
        (self.victim / "socket").chmod(0o777)
        self.listener.listen()
        self.listener.setblocking(False)
        self.begun = folder / "begun"
        self.right = right("5", folder / "right")
        text = (self.right / "answers.toml").read_text()
        (self.right / "answers.toml").write_text(text)
        from eval.labs.folder import start_lab
        from eval.labs.lab import find_lab

        start_lab(find_lab("5"), self.begun, "ada", "")
        self.honest: dict[str, int] = {}
        self.hostile: dict[str, str] = {}

    def add(self, name: str, points: int) -> None:
        """Add an honest submission: right, without its own cases, or with a fault in bands."""
        place = self._copy(self.right, name)
        if points == RIGHT - 4:
            shutil.copyfile(self.begun / "cases.toml", place / "cases.toml")
        elif points != RIGHT:
            edit(place / "front.py", "area_band), own", "0), own")
        self.honest[name] = points

    def attack(self, name: str) -> None:
        """Add a hostile one."""
        one = HOSTILE[name]
        folder = os.fsdecode(one.folder) or name
        place = self._copy(self.begun if one.begun else self.right, folder)
        other = self.folder / next(iter(self.honest))
        code = one.code.replace("{victim!r}", repr(str(self.victim)))
        code = code.replace("{other!r}", repr(str(other)))
        with (place / "front.py").open("a") as file:
            file.write(f"\n{code}")
        if one.change:
            one.change(place)
        self.hostile[plain(folder)] = name

    def _copy(self, source: Path, name: str) -> Path:
        place = shutil.copytree(source, self.folder / name)
        if name.isprintable():
            edit(place / "answers.toml", '"ada"', f'"{name[:40]}"')
        return Path(place)

    def grade(self, jobs: int) -> str:
        """Grade by the command, and compare what it writes with what was earned; return what it
        prints."""
        done = run(f"lab grade 5 all --limit {LIMIT} --jobs {jobs} --csv grades.csv")
        for place in self.folder.glob("deep folders"):
            grading.remove(place)  # pytest could not
        assert done.exit_code == 0, done.output
        assert all(c.isprintable() or c == "\n" for c in done.stdout)
        with Path("grades.csv").open(newline="") as file:
            rows = {row["submission"].removeprefix("'"): row for row in csv.DictReader(file)}
        assert rows.keys() == self.honest.keys() | self.hostile.keys()
        wrong = []
        for name, row in rows.items():
            points = int(row["points"])
            text = "".join(row.values())
            assert text.isprintable()
            assert not any(value.startswith(grading.FORMULAS) for value in row.values())
            assert row["of"] == "42", row
            assert row["name"] != "eve"
            if name in self.honest:
                assert (points, row["did"]) == (self.honest[name], ""), row
                assert row["name"] == name
                continue
            one = HOSTILE[self.hostile[name]]
            if points > one.most or one.seen not in row["did"] + row["said"]:
                wrong.append(row)
        assert not wrong
        for place in (self.victim / "file", self.right / "front.py"):
            assert place.read_text()
        first = self.folder / next(iter(self.honest)) / "front.py"
        assert first.read_text() == (self.right / "front.py").read_text()
        return done.stdout

    def connected(self) -> bool:
        """Whether somebody has connected to the socket."""
        try:
            self.listener.accept()
        except BlockingIOError:
            return False
        return True


@pytest.fixture
def members(begin, tmp_path: Path) -> Class:
    return Class(tmp_path)


def test_a_class_is_graded_whatever_some_of_it_do(members: Class) -> None:
    """In the strongest sandbox of this system."""
    members.add("honest", RIGHT)
    members.add("faulty", RIGHT - 4)
    for name in FEW:
        members.attack(name)
    printed = members.grade(4)
    assert printed.splitlines()[1].startswith(f"sandbox: {HERE}")
    assert members.connected() == (HERE != BUBBLEWRAP)


@pytest.mark.long
def test_forty_honest_submissions_outlast_all_hostile_ones(members: Class) -> None:
    for number in range(40):
        members.add(f"honest {number}", (RIGHT, RIGHT - 4)[number % 5 == 0])
    for name in HOSTILE:
        members.attack(name)
    assert len(HOSTILE) >= 43
    members.grade(6)


@pytest.mark.parametrize("by", [UNSHARE, NONE])
def test_weaker_sandboxes_contain_what_they_can(members: Class, monkeypatch, by: str) -> None:
    """Without bubblewrap: what is weaker is printed."""
    monkeypatch.setattr(grading, "way", lambda: by)
    monkeypatch.setattr("eval.labs.confining.way", lambda: by)
    members.add("honest", RIGHT)
    names = ["makes folders", "forges marks", "deletes by system calls", "makes deep folders"]
    for name in (*names, *(["hides folders"] if by == UNSHARE else [])):
        if name != "deletes by system calls" or landlock_version() > 0:
            members.attack(name)
    printed = members.grade(3)
    assert f"sandbox: {by}; weaker than bubblewrap" in printed
    assert "local sockets: not contained" in printed


def test_what_is_contained_is_that_of_the_sandbox() -> None:
    assert all(line.endswith(": contained") for line in contained(BUBBLEWRAP)[1:])
    assert "network: not contained" in contained(NONE)
    assert way() in (BUBBLEWRAP, UNSHARE, NONE)


def test_hardware_is_graded_by_its_verilog(begin, tmp_path: Path) -> None:
    """A value that Python computes beside the hardware, and a translation that is forged, earn
    nothing of what is simulated."""
    answered(tmp_path / "all" / "good")
    forged = answered(tmp_path / "all" / "forged", "bob")
    text = (forged / "rtl.py").read_text()
    patch = "import sim.translate\n"
    patch += "import eval.labs.child\nsim.translate.translate.__code__ = (\n"
    patch += "    lambda component, top=None: __import__('types').SimpleNamespace(\n"
    patch += "        top='T', text='$system(0)')\n).__code__\n"
    (forged / "rtl.py").write_text(text + patch)
    beside = answered(tmp_path / "all" / "beside", "eve")
    edit(
        beside / "rtl.py",
        "            s.send.msg.r @= s.result",
        "            s.send.msg.r @= product(int(s.k), int(s.y), int(s.m))",
    )
    found = {s["submission"]: s for s in run_json("lab grade 2 all --teacher x")["submissions"]}
    assert (found["good"]["points"], found["good"]["of"]) == (48, 48)
    assert found["good"]["did"] == found["good"]["said"] == []
    for name in ("forged", "beside"):
        marks = {mark["item"]: mark for mark in found[name]["marks"]}
        simulated = marks.keys() & {"values", "cycles", "stalls", "exponentiator", TEACHER}
        assert len(simulated) == 5
        assert not any(marks[item]["got"] for item in simulated), marks
        assert all(marks[item]["said"] for item in simulated)


def test_answers_to_another_seed_are_named(members: Class) -> None:
    members.add("honest", RIGHT)
    [one] = run_json("lab grade 5 all --seed other")["submissions"]
    assert one["said"] == ["answers the questions of seed '', not 'other'"]


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


@pytest.mark.quick
def test_no_cell_is_a_formula_to_a_spreadsheet():
    """OWASP's list of what may begin one; other text stays as it is."""
    for first in "=+-@\t\r":
        assert cell(f"{first}1+1") == f"'{first}1+1"
    for text in ("Ada", "1=1", "a@b", "", "'"):
        assert cell(text) == text


ODD = {
    "link to a file": lambda path: path.symlink_to(__file__),
    "link to a folder": lambda path: path.symlink_to(Path(__file__).parent),
    "link to nothing": lambda path: path.symlink_to("nowhere"),
    "pipe": os.mkfifo,
}


@pytest.mark.quick
@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("inside", [".", "folder"])
def test_nothing_but_files_and_folders_is_copied(tmp_path, kind, inside):
    handed_in = tmp_path / "ada"
    (handed_in / "folder").mkdir(parents=True)
    ODD[kind](handed_in / inside / "answers.toml")
    with pytest.raises(UserError, match="answers.toml: is no plain file"):
        copy_plain(handed_in, tmp_path / "copy")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("place", "stops"),
    [("ada/notes", False), ("ada/deep/notes", False), ("ada-2/answers.toml", True)]
    + [("notes", True), ("ada/../bob", True)],
)
def test_a_submission_that_writes_outside_its_folder_is_stopped(tmp_path, place, stops):
    """By Python's hook alone, where nothing else contains it."""
    for name in ("ada/deep", "ada-2"):
        (tmp_path / name).mkdir(parents=True)
    code = "import sys\nfrom pathlib import Path\nfrom eval.labs.containing import watch\n"
    code += "watch(Path('ada'), print)\nopen(sys.argv[1], 'w').close()\n"
    done = subprocess.run([sys.executable, "-c", code, place], cwd=tmp_path, capture_output=True)
    assert (done.returncode != 0) == stops == (b"PermissionError" in done.stderr)
    assert (tmp_path / place).exists() != stops
