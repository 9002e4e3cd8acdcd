"""`modexplorer run` and `disasm` end to end: programs, levels, accelerators, and how they fail."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from eval.tasks.program import Setup
from proc.programs.build import COMPILER
from tests.command_line import assert_refused, run, run_json, said
from tests.places import ROOT

RV32 = ROOT / "tests" / "rv32"
LEVELS = ("fl", "cl", "rtl", "batch")

HELLO = """# prints, copies a word, passes
  li a0, 0x30002
  csrw proc2mngr, a0
  li a0, 'h'
  csrw proc2mngr, a0
  csrw proc2mngr, x0
  csrwi stats_en, 1
  csrr a1, mngr2proc
  csrw proc2mngr, a1
  csrw stats_en, x0
  li a0, 0x20000
  csrw proc2mngr, a0
"""
PROGRAMS = {
    "hello.S": HELLO,
    "fail.S": "li a0, 0x20005\ncsrw proc2mngr, a0\n",
    "three.S": "li a0, 0x10003\ncsrw proc2mngr, a0\n",
    "misaligned.S": "lw a0, 2(x0)\n",
    "illegal.S": ".word 0xffffffff\n",
    "outside.S": "lui a0, 0x80000\nsw a0, 0(a0)\n",
    "starved.S": "csrr a0, mngr2proc\n",
    "loop.S": "1: j 1b\n",
    "wrong.S": "li a0, 1\nfrob a0\n",
    "large.S": ".space 2000000\n",
    "notes.txt": "li a0, 1\n",
    "wrong.c": "int main(void) { return x; }\n",
    "large.c": "volatile char a[2000000];\nint main(void) { return a[1]; }\n",
    "give.c": "int main(void) { return GIVEN; }\n",
    "deep.c": "int main(void) { volatile char a[2000000]; return a[0] = a[1999999] = 0; }\n",
    "on_the_bus.S": "lui a0, 0x40000\nlw a1, 0x28(a0)\ncsrw proc2mngr, a1\n"
    "li a1, 0x20000\ncsrw proc2mngr, a1\n",
    "refused.S": "lui a0, 0x40000\nsb a1, 1(a0)\n",
    "waits.S": "wfi\n",
    "empty.S": "",
    "huge.S": ".space 4294967295\n",
    "odd.S": ".byte 1\n_start: .byte 2\n",
    "branches.S": "j 1f\n.word 0\n1: j 2f\n.word 0\n2: j 1b\n.word 0\n",
}


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The programs above, in the current folder."""
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary.c").write_bytes(b"\xff\xfe")
    (tmp_path / "binary.S").write_bytes(b"\xff\xfe")
    (tmp_path / "cut.elf").write_bytes(b"\x7fELF\x01\x01\x01")
    monkeypatch.chdir(tmp_path)
    return tmp_path


PERIPHERAL = "--peripheral ssmm-best --nbits 32"


@pytest.mark.parametrize("level", LEVELS)
def test_a_peripheral_on_the_bus(level: str) -> None:
    found = run_json(f"run on_the_bus.S {PERIPHERAL} --level {level}")
    assert (found["outputs"], found["peripheral"]) == ([0x0301_0020], "ssmm-best")
    result = run(f"run refused.S {PERIPHERAL} --level {level}")
    assert result.exit_code == 1
    assert "store refused by the bus 0x40000001, at pc 0x00000204" in result.stderr


@pytest.mark.quick
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (f"{PERIPHERAL} --xcel mul-rem", "--peripheral: excludes --xcel"),
        ("--peripheral mul-rem", "--nbits: not given"),
        ("--peripheral mul-rem --nbits 8", "--nbits: 8 is less than a word"),
    ],
)
def test_a_peripheral_that_is_refused(options: str, says: str) -> None:
    assert_refused(f"run on_the_bus.S {options}", says)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("on_the_bus.S", "load outside the memory 0x40000028"),
        (f"waits.S {PERIPHERAL}", "waits for an interrupt that never comes"),
        ("waits.S", "illegal instruction"),
    ],
)
def test_what_only_a_bus_or_an_interrupt_makes_work(line: str, says: str) -> None:
    result = run(f"run {line} --level fl")
    assert result.exit_code == 1
    assert says in result.stderr


@pytest.mark.quick
def test_a_program_says_what_it_prints_and_what_it_took() -> None:
    result = run("run hello.S --input 0x7 --level fl")
    assert result.exit_code == 0
    assert result.stdout == (
        "h\noutput        0x00000007\npassed\ninstructions  12\nstats 1       2 instructions\n"
    )


def test_cycles_are_those_of_the_hardware_at_all_levels_that_have_them() -> None:
    cl, rtl, batch = (run_json(f"run hello.S --input 7 --level {level}") for level in LEVELS[1:])
    assert cl | {"level": "batch"} == rtl | {"level": "batch"} == batch
    assert (rtl["passed"], rtl["printed"], rtl["outputs"]) == (True, "h", [7])
    assert rtl["cycles"] > rtl["instructions"] == 12
    assert rtl["cpi"] == rtl["cycles"] / 12
    assert [window["instructions"] for window in rtl["stats"]] == [2]
    text = run("run hello.S --input 7").stdout
    assert re.search(rf"^cycles +{rtl['cycles']}$", text, re.MULTILINE)
    assert re.search(rf"^CPI +{rtl['cpi']:.2f}$", text, re.MULTILINE)


def test_memory_delays_are_the_same_at_all_levels() -> None:
    plain = run_json("run hello.S --input 7")
    late = "run hello.S --input 7 --latency 5 --seed 2"
    cl, rtl, batch = (run_json(f"{late} --level {level}") for level in LEVELS[1:])
    assert cl["cycles"] == rtl["cycles"] == batch["cycles"] > plain["cycles"]


def test_the_trace_of_the_cycle_level_is_that_of_the_hardware() -> None:
    late = "run hello.S --input 7 --latency 3 --seed 4 --trace"
    cl, rtl = (run(f"{late} --level {level}").stdout for level in ("cl", "rtl"))
    assert cl == rtl
    assert "|csrrwi zero, stats_en, 1|" in cl


@pytest.mark.parametrize("name", ["mulh", "div", "memory", "wrong"])
def test_programs_of_a_public_suites_style(name: str, tmp_path: Path) -> None:
    elf = tmp_path / name
    target = "-march=rv32im_zicsr -mabi=ilp32 -nostdlib -static -Wl,-Ttext=0x200 -Wl,--no-relax"
    source = RV32 / f"{name}.S"
    subprocess.run([COMPILER, *target.split(), str(source), "-o", str(elf)], check=True)
    for level in LEVELS:
        result = run(f"run {elf} --level {level}")
        assert result.exit_code == (name == "wrong"), (level, result.output)
        assert ("passed" in result.stdout) == (name != "wrong")
        if name == "wrong":
            assert result.stderr.endswith("wrong: failed at line 1\n")


@pytest.mark.parametrize(
    "options", ["--level fl", "--level cl", "--level rtl --xcel-level cl", "--level batch"]
)
def test_the_benchmark_runs_with_an_accelerator(options: str) -> None:
    line = f"run {ROOT}/proc/app/benchmark.c --define XCEL --xcel mul-rem"
    found = run_json(f"{line} --nbits 32 {options}")
    assert (found["xcel"], found["nbits"], found["reason"]) == ("mul-rem", 32, "passed")
    call, *measured = found["stats"]
    printed = [int(count) for count in re.findall(r"\d+", found["printed"])]
    assert found["figures"] == dict(zip(("encryption", "decryption"), printed, strict=True))
    if options != "--level fl":
        assert printed == [window["cycles"] - call["cycles"] for window in measured]
        assert printed[0] <= 1062
        assert printed[1] <= 1840


def test_the_benchmark_without_an_accelerator_fails() -> None:
    line = f"run {ROOT}/proc/app/benchmark.c --define XCEL"
    assert run(f"{line} --level fl").exit_code == 1


def test_macros_reach_the_c_compiler() -> None:
    assert run("run give.c --define GIVEN=0 --level fl").exit_code == 0
    result = run("run give.c --define GIVEN=9 --level fl --json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["exit_code"] == 9
    assert json.loads(run("run give.c --define GIVEN --level fl --json").stdout)["exit_code"] == 1


FAILING = {
    "fail.S": "fail.S: failed at line 5",
    "three.S": "three.S: exit code 3",
    "misaligned.S": "misaligned load 0x00000002, at pc 0x00000200, word 0x00202503 (lw a0, 2(zero",
    "illegal.S": "illegal instruction, at pc 0x00000200, word 0xffffffff",
    "outside.S": "store outside the memory 0x80000000, at pc 0x00000204, word 0x00a52023 (sw a0",
    "starved.S": "the program reads mngr2proc, but no input is left",
    "loop.S --max-cycles 99": "the program did not end within 99 ",
}


@pytest.mark.parametrize("level", ["fl", "batch"])
@pytest.mark.parametrize("line", FAILING)
def test_a_program_that_fails_is_exit_code_1(line: str, level: str) -> None:
    result = run(f"run {line} --level {level}")
    assert result.exit_code == 1
    [error] = said(result.stderr)
    assert error.startswith(f"modexplorer: error: {FAILING[line]}")


@pytest.mark.parametrize("level", LEVELS)
def test_a_program_that_is_stopped_is_json_all_the_same(level: str) -> None:
    result = run(f"run misaligned.S --level {level} --json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["passed"], found["exit_code"], found["cycles"]) == (False, None, None)
    assert found["reason"].startswith("misaligned load 0x00000002, at pc 0x00000200")


@pytest.mark.parametrize("level", LEVELS)
def test_the_pc_of_a_timeout_is_that_of_an_instruction(level: str) -> None:
    for limit in range(10, 15):
        stderr = run(f"run branches.S --level {level} --max-cycles {limit}").stderr
        assert int(re.search(r"pc 0x(\w+)$", stderr)[1], 16) in (0x200, 0x208, 0x210)


@pytest.mark.parametrize("level", LEVELS)
def test_a_c_program_has_the_stack_of_its_memory(level: str) -> None:
    result = run(f"run deep.c --level {level}")
    assert (result.exit_code, "store outside the memory" in result.stderr) == (1, True)
    assert run(f"run deep.c --level {level} --memory 0x200000").exit_code == 0


BAD_INPUT = {
    "run": "Missing argument 'PROGRAM'",
    "run none.elf": "none.elf: no such file",
    "run .": ".: is a folder; give a program's file",
    "run notes.txt": "notes.txt: not a program: give an ELF file, .S assembly or .c",
    "run cut.elf": "cut.elf: not a readable ELF file",
    "run binary.c": "binary.c: not a text file",
    "run binary.S": "binary.S: not a text file",
    "run /bin/true": "/bin/true: made for x64, not for RISC-V",
    "run wrong.S": "wrong.S:2: unknown instruction 'frob'",
    "run large.S": "large.S: bytes 0x200..0x1e867f do not fit in a memory of 0x100000 bytes",
    "run hello.S --memory 256 --level fl": "do not fit in a memory of 0x100 bytes",
    "run hello.S --memory 30": "--memory: 30 is not a multiple of 4 from 4 to 1073741824",
    "run huge.S": "huge.S:1: ends at 0x1000001ff, outside the largest memory",
    "run odd.S --level fl": "odd.S: starts at 0x201; instructions are at multiples of 4",
    "run hello.S --input 4294967296": "--input: 4294967296 is above 4294967295",
    "disasm empty.S": "empty.S: has no instructions",
    "run hello.S --define A=1": "hello.S: only C programs are compiled with definitions",
    "run give.c --define 1A": "--define: '1A' is not NAME=VALUE",
    "run hello.S --level gl": "--level: no level 'gl'; choose from fl, cl, rtl, batch",
    "run hello.S --level cl --vcd x.vcd": "--vcd: level cl has no signals; give --level rtl",
    "run hello.S --divider slow": "--divider: no divider 'slow'; choose from seed, fast",
    "run hello.S --latency 0": "--latency 0: a memory answers after 1 to 1000 cycles",
    "run hello.S --max-cycles -1": "--max-cycles: -1 is negative",
    "run hello.S --xcel nothing --nbits 8": "design: no design named 'nothing'",
    "run hello.S --xcel mul-rem": "--nbits: not given; give the width of mul-rem in bits",
    "run hello.S --xcel mul-rem --nbits 7": "--nbits: 7 is not a width of mul-rem",
    "run hello.S --nbits 8": "--nbits: there is no accelerator with a width; give --xcel",
    "run hello.S --xcel-level cl": "--xcel-level: there is no accelerator; give --xcel",
    "run hello.S --xcel mul-rem --nbits 8 --xcel-level x": "--xcel-level: no level 'x'",
    "run hello.S --xcel mul-rem --nbits 8 --xcel-level cl": "--xcel-level: cl does not run at",
    "run hello.S --vcd a.vcd --level fl": "--vcd: level fl has no signals",
    "run hello.S --vcd a.txt": "--vcd: a.txt does not end in .vcd; name it a.vcd",
    "disasm": "Missing argument 'PROGRAM'",
    "disasm none.elf": "none.elf: no such file",
}


@pytest.mark.quick
@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_to_do(line: str) -> None:
    assert_refused(line, BAD_INPUT[line])


@pytest.mark.quick
def test_what_does_not_fit_is_refused_before_hardware_is_built(monkeypatch) -> None:
    monkeypatch.setattr(Setup, "run", lambda *_: pytest.fail("it is run"))
    assert_refused("run large.S", BAD_INPUT["run large.S"])
    assert_refused("run hello.S --memory 256", "do not fit in a memory of 0x100 bytes")


@pytest.mark.parametrize(
    ("name", "says"), [("wrong.c", "'x' undeclared"), ("large.c", "less than 1 KiB for the stack")]
)
def test_what_the_compiler_refuses_is_bad_input(name: str, says: str) -> None:
    result = run(f"run {name}")
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_program_linked_elsewhere_runs_at_fl_only(tmp_path: Path) -> None:
    source, elf = tmp_path / "p.S", tmp_path / "p.elf"
    source.write_text(".globl _start\n_start: li a0, 0x20000\ncsrw 0x7c0, a0\n")
    target = "-march=rv32im_zicsr -mabi=ilp32 -nostdlib -static -Wl,-Ttext=0x1000"
    subprocess.run([COMPILER, *target.split(), str(source), "-o", str(elf)], check=True)
    assert run(f"run {elf} --level fl").exit_code == 0
    result = run(f"run {elf}")
    assert result.exit_code == 2
    assert "starts at 0x1000, but the RTL processor at 0x200" in result.stderr


@pytest.mark.quick
def test_a_trace_has_a_line_an_instruction_and_leaves_json_clean() -> None:
    key, *lines = run("run hello.S --input 7 --level fl --trace").stdout.splitlines()
    assert key.startswith("pc, word, instruction, register=value")
    assert lines[0].split()[:2] == ["00000200", "00030537"]
    assert lines.index("h") == 12
    result = run("run hello.S --input 7 --level fl --trace --json")
    assert json.loads(result.stdout)["instructions"] == len(result.stderr.splitlines()) - 1 == 12


def test_a_trace_of_the_hardware_has_a_line_a_cycle() -> None:
    result = run("run hello.S --input 7 --level rtl --trace --json")
    key = [line for line in result.stderr.splitlines() if not line[:6].strip().isdigit()]
    assert any("F's pc|D's instruction|those of X|M|W; # waits" in line for line in key)
    lines = result.stderr.splitlines()[len(key) :]
    assert len(lines) == json.loads(result.stdout)["cycles"]
    assert all(line.count("|") == 4 for line in lines)


def test_waveforms_are_written(tmp_path: Path) -> None:
    result = run("run hello.S --input 7 --level rtl --vcd new/wave.vcd")
    assert result.exit_code == 0, result.output
    assert "$enddefinitions" in (tmp_path / "new" / "wave.vcd").read_text()


@pytest.mark.quick
def test_disassembly_shows_addresses_words_and_instructions() -> None:
    lines = run("disasm hello.S").stdout.splitlines()
    assert len(lines) == 12
    assert lines[0].split() == ["200:", "00030537", "lui", "a0,", "0x30"]
    found = run_json("disasm hello.S")
    assert (found["entry"], found["listing"]) == (0x200, lines)


@pytest.mark.parametrize("command", ["run", "disasm"])
def test_the_examples_in_the_help_run(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = re.findall(r"^ +modexplorer (.*)$", run(f"{command} --help").output, re.MULTILINE)
    assert lines
    for line in lines:
        result = run(line)
        assert result.exit_code == 0, result.output
        assert max(map(len, result.output.splitlines())) <= 100
