"""How a command ends that cannot go on: nothing that it started does, and it says what is wrong."""

import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest

from eval.signals import REQUESTS, start_without_requests
from tests.command_line import said
from tests.places import ROOT, path_without

SCRIPTS = Path(sysconfig.get_path("scripts"))
MODEXPLORER = SCRIPTS / "modexplorer"
PI = """li a0, 0x30002
csrw proc2mngr, a0
li a0, 0xcf
csrw proc2mngr, a0
li a0, 0x80
csrw proc2mngr, a0
csrw proc2mngr, x0
li a0, 0x20000
csrw proc2mngr, a0
"""
# A tool that tells its version, and else starts another program and waits for it.
ENDLESS = """#!/bin/sh
case "$*" in *--version*|*--help*) exec {real} "$@";; esac
sleep 1000 &
echo $! > {pid}.part
mv {pid}.part {pid}
wait
"""


def start(line: str, folder: Path, before: str = "", **env: str) -> subprocess.Popen:
    """Start a command line in a folder that is its build folder, too."""
    return subprocess.Popen(
        ["/bin/sh", "-c", f'{before} exec "$0" "$@"', MODEXPLORER, *shlex.split(line)],
        cwd=folder,
        env=os.environ | {"MODEXPLORER_BUILD": str(folder)} | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process: subprocess.Popen) -> tuple[int, str, list[str]]:
    """Wait for its end: exit code, what it printed, and what it said."""
    stdout, stderr = process.communicate(timeout=300)
    return process.returncode, stdout, said(stderr)


SIMULATE = "simulate mul-rem --nbits 8 --workload e --level"
FIND = "find --nbits 8 --operation sign --least area --clock 3 --designs mul-rem --jobs 1"
INTERRUPTED = (130, "modexplorer: note: interrupted")


@pytest.mark.parametrize(
    ("number", "tool", "line", "ends"),
    [
        (signal.SIGINT, "g++", f"{SIMULATE} batch", INTERRUPTED),
        (signal.SIGTERM, "g++", f"{SIMULATE} verilog", INTERRUPTED),
        (signal.SIGTERM, "riscv64-unknown-elf-gcc", f"run {ROOT}/proc/app/hello.c", INTERRUPTED),
        (signal.SIGHUP, "make", "flow mul-rem --nbits 8", INTERRUPTED),
        (signal.SIGTERM, "make", FIND, (3, "modexplorer: note: no design meets the need so far")),
    ],
)
def test_a_command_that_is_told_to_stop_takes_all_with_it(
    number: signal.Signals, tool: str, line: str, ends: tuple[int, str], tmp_path: Path
) -> None:
    pid, program = tmp_path / "pid", tmp_path / "bin" / tool
    program.parent.mkdir()
    real = shutil.which(tool)
    program.write_text(ENDLESS.format(real=real, pid=pid))
    program.chmod(0o755)
    process = start(line, tmp_path, PATH=f"{program.parent}:{os.environ['PATH']}")
    while not pid.exists():
        assert process.poll() is None, process.stderr.read()
    child = os.pidfd_open(int(pid.read_text()))
    if line != FIND:  # whose pool of processes has threads of Python's
        # What another thread takes would not interrupt a main one that waits.
        assert all(set(REQUESTS) <= blocked(process.pid, thread) for thread in others(process.pid))
    process.send_signal(number)
    code, _, [*_, note] = outcome(process)
    assert (code, note.startswith(ends[1])) == (ends[0], True)
    # A descriptor of a process is readable when that has ended.
    assert select.select([child], [], [], 300)[0]


def blocked(pid: int, thread: int) -> set[int]:
    """The signals that a thread of a process blocks."""
    status = Path(f"/proc/{pid}/task/{thread}/status").read_text()
    mask = int(re.search(r"^SigBlk:\s*(\w+)$", status, re.MULTILINE)[1], 16)
    return {number for number in signal.valid_signals() if mask >> (number - 1) & 1}


def others(pid: int) -> list[int]:
    """The threads of a process but its main one."""
    return [int(one.name) for one in Path(f"/proc/{pid}/task").iterdir() if one.name != str(pid)]


@pytest.mark.quick
def test_a_thread_that_takes_no_request_leaves_the_main_one_as_it_was() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait, daemon=True)
    before = blocked(os.getpid(), os.getpid())
    start_without_requests(thread)
    try:
        assert set(REQUESTS) <= blocked(os.getpid(), thread.native_id)
        assert blocked(os.getpid(), os.getpid()) == before
    finally:
        done.set()


IMPORTED = """
import _signal, sys
class Finder:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            _signal.raise_signal(_signal.SIGINT)
for name in ("ctypes", "signal"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Finder())
from eval.start import main
main()
"""


@pytest.mark.quick
@pytest.mark.parametrize("first", ["ctypes", "signal", "eval.descendants", "click", "eval.cli"])
def test_an_interrupt_while_it_is_imported_is_a_line(first: str) -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED, first], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "modexplorer: note: interrupted\n")


@pytest.mark.quick
def test_an_interrupt_that_is_ignored_while_it_is_imported_stays_so() -> None:
    script = IMPORTED.replace("class", "_signal.signal(_signal.SIGINT, _signal.SIG_IGN)\nclass", 1)
    script = script.replace("main()", "print('done'); main()", 1)
    done = subprocess.run(
        [sys.executable, "-c", script, "click", "--version"], capture_output=True, text=True
    )
    assert done.stdout.startswith("done\n")
    assert "interrupted" not in done.stderr


@pytest.mark.quick
def test_a_terminal_that_lacks_a_character_gets_its_number(tmp_path: Path) -> None:
    (tmp_path / "pi.S").write_text(PI)
    found = outcome(start("run pi.S --level fl", tmp_path, PYTHONIOENCODING="latin-1"))
    assert found == (0, "\\u03c0\npassed\ninstructions  10\n", [])


@pytest.mark.quick
def test_too_little_memory_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "pi.S").write_text(PI)
    line = "run pi.S --level fl --memory 0x40000000"
    found = outcome(start(line, tmp_path, before="ulimit -v 1000000;"))
    assert found == (1, "", ["modexplorer: error: out of memory"])


NO_WORKERS = """
import multiprocessing
multiprocessing.set_executable("false")
if __name__ == "__main__":
    from eval.start import main
    main()
"""


def test_workers_that_cannot_start_are_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_WORKERS, "explore", "quick"],
        env=os.environ | {"MODEXPLORER_BUILD": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, said(done.stderr)) == (
        1,
        ["modexplorer: error: worker processes cannot be started: false failed with exit code 1"],
    )


BROKEN = """
import eval.cli.list as list_command, os
def fail(*_, **__):
    reader, writer = os.pipe()
    os.close(reader)
    os.write(writer, b"x")
list_command.command.callback = fail
from eval.start import main
main()
"""


@pytest.mark.quick
def test_a_pipe_that_breaks_within_is_an_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BROKEN, "list"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "modexplorer: error: [Errno 32] Broken pipe\n")


def test_an_error_that_cannot_be_written_keeps_its_exit_code() -> None:
    for line, code in (("simulate nothing --nbits 8 --workload e", 2), ("no-command", 2)):
        with open("/dev/full", "w") as full:
            done = subprocess.run([MODEXPLORER, *shlex.split(line)], stderr=full)
        assert done.returncode == code


WRITES = """
import eval.cli.list as list_command
def write(*_, **__):
    open("pi", "w").write(chr(0x3c0))
    print(chr(0x3c0))
list_command.command.callback = write
from eval.start import main
main()
"""


@pytest.mark.quick
def test_files_are_utf8_in_any_locale(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", WRITES, "list"],
        cwd=tmp_path,
        env=os.environ | plain | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\u03c0\n", "")
    assert (tmp_path / "pi").read_bytes() == chr(0x3C0).encode()


@pytest.mark.parametrize("line", ["flow mul-rem --nbits 8", "fpga mul-rem --nbits 8 --device ecp5"])
def test_make_that_is_missing_is_named(line: str, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    assert outcome(start(line, tmp_path, PATH=path_without("make", programs))) == (
        1,
        "",
        ["modexplorer: error: make is not installed: `modexplorer doctor` says how"],
    )
