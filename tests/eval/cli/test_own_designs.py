"""Designs from anywhere: written by `new`, taken by every command, keyed by their code."""

import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from cl.xcel import xcel_cycles
from eval.catalog import bring, find, user_designs
from eval.catalog.point import Point
from eval.catalog.user_designs import VARIABLE, design_code
from eval.contract.planted import faults_of, found_out
from eval.tasks.simulation import Simulation
from proc.programs.build import APP
from sim.errors import UserError
from tests.command_line import assert_refused, run, run_json
from tests.eval.user_designs import edit, forget

FAMILY = """
def of_loop(loop):
    organisation = Organisation(SCHEDULES[loop], units=1, entry="reduced")
    return Design(
        name="mine", title=loop, source="ours", family="ours", multiplier=MULTIPLIER,
        make=lambda nbits: organised(MineUnit(nbits), organisation),
    )


LOOPS = ("left-to-right", "right-to-left", "always")
LOOP = Parameter("loop", LOOPS[0], LOOPS, "order")
FAMILIES = (Family("mine-one", "one unit", (LOOP,), of_loop),)
"""


@pytest.mark.quick
def test_a_family_of_ones_own_is_one_of_the_catalogs(mine):
    imports = (
        "from eval.catalog.family import Family, Parameter\nfrom fl.schedule import SCHEDULES\n"
    )
    mine.write_text(mine.read_text().replace("from fl.schedule", f"{imports}from fl.schedule", 1))
    mine.write_text(mine.read_text() + FAMILY)
    bring("--with", mine)
    point = find("mine-one( loop = right-to-left )")
    assert point.name == "mine-one(loop=right-to-left)"
    assert design_code(point.name) == design_code("mine")
    assert "left-to-right, right-to-left, always" in run("list mine-one").stdout
    fault = next(fault for fault in faults_of(point) if fault.name == "a step too few")
    assert "the formula says" in found_out(point, fault) or "expected" in found_out(point, fault)


@pytest.mark.quick
def test_every_command_takes_it_before_or_after_its_name(mine):
    listed = run_json("--with mine/entry.py list mine")
    assert [design["name"] for design in listed["designs"]] == ["mine"]
    forget()
    command = "simulate mine --nbits 8 --workload e --level cl"
    answer = run_json(f"{command} --with mine/entry.py")
    assert answer["status"] == "ok"
    forget()
    assert run_json(command) == answer  # by the variable, which the option has set
    assert "mine" in run("list").stdout
    assert "mine-small" in run("list --all").stdout
    assert "default tests" not in run("list mine-small").stdout  # which have no such design
    assert "simulated_to" not in run_json("list mine-small")["designs"][0]
    assert "default tests" in run("list mul-rem").stdout


def test_workers_take_it_from_a_script_without_a_guard(mine, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import modexplorer, os\n"
        "modexplorer.add_designs('mine/entry.py')\n"
        "frame = modexplorer.explore(designs='mine', nbits=8, workloads='e', to='none')\n"
        "print(os.getpid(), frame['cycles'].tolist())\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    bring("file", "mine/entry.py")
    request = Simulation(Point("mine", 8), "e").request
    cycles = xcel_cycles(8, find("mine").cycles(8, request.base, request.exp, request.mod))
    [line] = done.stdout.splitlines()  # workers do not run the script again
    assert line.partition(" ")[2] == f"[{cycles}]"


@pytest.mark.quick
def test_rows_are_of_the_code_in_the_folder(mine):
    os.environ[VARIABLE] = str(mine)
    before = design_code("mine"), design_code("processor+mine-small")
    assert before[0] == before[1]
    assert len(before[0]["design code"]) == 12
    assert design_code("mul-rem") == design_code("processor+mul-rem") == {}
    edit(mine.parent / "fl.py", "at most.", "most.")
    with pytest.raises(UserError, match="has changed since it was loaded"):
        find.__wrapped__("mine")
    forget()
    assert design_code("mine") != before[0]


@pytest.mark.quick
def test_an_installed_package_offers_designs(mine, monkeypatch):
    point = EntryPoint("samples", "eval.skeleton.entry", user_designs.GROUP)
    monkeypatch.setattr(user_designs, "_points", lambda: (point,))
    assert find("sample").title == "two units, right to left"
    assert design_code("sample")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("DESIGNS = (", "LINES = (", "has no tuple DESIGNS"),
        ('name="mine",', 'name="My design",', "'My design' is no name for a design"),
        ('name="mine",', 'name="all",', "'all' is no name for a design"),
        ('name="mine",', 'name="mul-rem",', "the catalog has a 'mul-rem', too"),
        ('name="mine",', 'name="mont",', "the catalog has a 'mont', too"),
        ('name="mine",', 'nam="mine",', "entry.py, line 16: TypeError"),
        ("DESIGNS = (", "DESIGNS = (,", "entry.py, line 15: SyntaxError"),
        ("from .rtl import", "from .rtll import", "entry.py, line 8: ModuleNotFoundError"),
        ("FAULTS = {", "VARIANTS = (3,)\nFAULTS = {", "3 is no Design"),
        ("FAULTS = {", "import sys\nsys.exit(3)\nFAULTS = {", "ends the program (sys.exit(3)); do"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_with_the_place(mine, old, new, says):
    edit(mine, old, new)
    assert_refused(f"list --with {mine}", says)


@pytest.mark.quick
def test_two_files_with_one_name_are_refused(mine, tmp_path):
    (tmp_path / "other").mkdir()
    for path in mine.parent.glob("*.py"):
        (tmp_path / "other" / path.name).write_text(path.read_text())
    assert_refused(f"list --with {mine} --with other/entry.py", "mine/entry.py has a 'mine', too")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("new mine", "folder: mine cannot be made (File exists)"),
        ("new mine --level cl", "folder: mine cannot be made (File exists)"),
        ("new mine --level rtl", "folder: mine is there, but not as `modexplorer new mine --level"),
        ("new it --level cl --verilog a.v", "--level: is of a design of one's own"),
        ("new ssmm-best", "the catalog has a 'ssmm-best'"),
        ("new Mine", "'Mine' is no name"),
        ("new class", "'class' is a keyword of Python, so Python cannot import"),
        ("new none --level cl", "'none' is a keyword"),
        ("new list", "'list' is a built-in name"),
        ("new json", "'json' is a module of Python's library"),
        ("new sim", "'sim' is a package of ModExplorer"),
        ("check nothing", "design: no design named 'nothing'"),
        ("check ssmm-best --level gate", "--level: 'gate' is none; choose from fl, cl"),
        ("check ssmm-best --part adder", "--part: 'adder' is none; choose from multiplier"),
        ("check ssmm-best --nbits 7", "--nbits: 7 is not a width of ssmm-best"),
    ],
)
def test_bad_input_of_new_and_check(mine, line, says):
    assert_refused(line, says)


@pytest.fixture
def before_hardware(mine, tmp_path):
    """The folder of a design `theirs` that has no rtl.py yet."""
    printed = run("new theirs --level cl").stdout
    assert "theirs --level rtl" in printed
    [program] = re.findall(r"modexplorer run (\S+)", printed)
    assert Path(program).is_file()  # from any working directory
    return tmp_path / "theirs"


def test_a_design_runs_before_its_hardware_exists(before_hardware):
    own = f"--with {before_hardware / 'entry.py'}"
    assert not (before_hardware / "rtl.py").exists()
    whole = run_json(f"check theirs --level fl,cl {own}")
    assert {row["level"] for row in whole["rows"] if "level" in row} == {"fl", "cl"}
    assert [row["result"] for row in whole["rows"] if "fault" in row] == ["found"]
    alone = run_json(f"simulate theirs --nbits 32 --workload d --level cl {own}")
    around = run_json(f"simulate theirs --nbits 32 --workload d --level rtl {own}")
    assert (
        alone["cycles"]
        == around["cycles"]
        == find("theirs").cycles(32, alone["base"], alone["exp"], alone["mod"])
    )
    [row] = run_json(f"explore --designs theirs --nbits 32 --workloads d --to none {own}")["rows"]
    assert (row["level"], row["cycles"]) == ("cl", xcel_cycles(32, alone["cycles"]))
    program = f"run {APP / 'benchmark.c'} --define XCEL --xcel theirs --nbits 32"
    assert run_json(f"{program} --level cl {own}")["passed"]
    for line in (f"{program} {own}", f"flow theirs --nbits 8 {own}"):
        assert_refused(line, "is no hardware yet")
    assert_refused(f"simulate theirs --nbits 8 --workload e --level batch {own}", "no hardware yet")
    assert_refused(f"check theirs --level rtl {own}", "--level rtl` adds the next file")
    assert_refused(f"explore --designs theirs --nbits 8 {own}", "is no hardware yet")


@pytest.mark.quick
def test_hardware_is_added_to_it(before_hardware):
    assert "entry.py takes the unit from it" in run("new theirs --level rtl").stdout
    own = f"--with {before_hardware / 'entry.py'}"
    answer = run_json(f"simulate theirs --nbits 8 --workload d --level rtl {own}")
    assert answer["result"] == pow(answer["base"], answer["exp"], answer["mod"])
    assert type(find("theirs").multiplier.at(8).rtl()).__name__ == "TheirsRTL"
    assert not find("theirs").assumed
    assert_refused("new theirs --level rtl", "folder: theirs is there")


@pytest.mark.quick
def test_entries_of_ones_own_are_left_as_they_are(before_hardware):
    entry = before_hardware / "entry.py"
    edit(entry, "from .cl import TheirsUnit", "from . import cl\n\nTheirsUnit = cl.TheirsUnit")
    kept = entry.read_text()
    assert "let entry.py take the unit from .rtl" in run("new theirs --level rtl").stdout
    assert entry.read_text() == kept
