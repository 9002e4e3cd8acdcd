"""What a person reads when a step of the flow fails."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flow.build import locked
from flow.child import failure
from flow.run import run_flow
from sim.errors import RunError, UserError
from tests.places import ROOT, path_without

ADDER = "module Adder(input [3:0] a, b, output [3:0] y); assign y = a + b; endmodule"

BAD_DESIGNS = {
    "syntax error": (
        "module Bad(input a, output y) assign y = a; endmodule",
        r"design\.v:1: ERROR: syntax error",
    ),
    "latch": (
        "module Bad(input a, b, output reg y); always @(*) if (a) y = b; endmodule",
        r"ERROR: Latch inferred for signal `Bad\.y'",
    ),
    "loop through two modules": (
        "module Inc(input a, output y); assign y = ~a; endmodule\n"
        "module Bad(input x, output y); wire t; Inc i(.a(t), .y(y)); assign t = y & x; endmodule",
        r"ERROR: combinational loop in module Bad: .*\by\b",
    ),
    "loop through a product": (
        "module Bad(input [3:0] a, output [7:0] y); wire [3:0] t = ~y[7:4]; assign y = t * a;\n"
        "endmodule",
        r"ERROR: combinational loop in module Bad: .*\bt\b",
    ),
    "two drivers": (
        "module Bad(input a, b, output y); assign y = a; assign y = b; endmodule",
        r"ERROR: multiple conflicting drivers for Bad\.",
    ),
    "missing module": (
        "module Bad(input a, output y); Nowhere n(.a(a), .y(y)); endmodule",
        r"ERROR: Module `\\Nowhere' referenced in module `\\Bad'",
    ),
    "black box": (
        "(* blackbox *) module Box(input a, output y); endmodule\n"
        "module Bad(input a, output y); Box b(.a(a), .y(y)); endmodule",
        r"ERROR: module Box is a black box",
    ),
    "no such top": (ADDER, r"ERROR: Module `Bad' not found"),
}


@pytest.mark.quick
@pytest.mark.parametrize("error", ["ERROR: no top", "a.v:1: ERROR: syntax error"])
def test_the_error_in_a_log_is_told_wherever_it_stands(tmp_path, error):
    """What yosys says otherwise may come after it: a file has a buffer, errors have none."""
    log = tmp_path / "log"
    log.write_text(f"1. Reading\n{error}\nParsing `a.v'\n")
    assert failure(log, 1) == error
    log.write_text("ERRORS: 0\nParsing `a.v'\n")
    assert failure(log, 1) == "Parsing `a.v'"
    log.write_text("")
    assert failure(log, 3) == "exit code 3"


@pytest.mark.parametrize("what", BAD_DESIGNS)
def test_bad_design_stops_at_rtl_with_the_reason(what, tmp_path):
    verilog, message = BAD_DESIGNS[what]
    events = []
    with pytest.raises(RunError, match=r"^step rtl failed:") as caught:
        run_flow("bad", verilog, "Bad", tmp_path, on_step=lambda *event: events.append(event))
    assert re.search(message, str(caught.value))
    assert f"log: {tmp_path / 'bad' / 'logs' / 'rtl.log'}" in str(caught.value)
    assert events[-1] == ("rtl", "failed")
    assert not (tmp_path / "bad" / "results.json").exists()


def test_what_only_looks_bad_passes(tmp_path):
    """A chain of bits through one vector is no loop; an undriven wire is reported, no more."""
    verilog = """
    module Odd(input [3:0] a, output [4:0] c, output y);
      wire nothing;
      assign y = nothing & a[0];
      assign c[0] = 0;
      assign c[4:1] = c[3:0] + a;
    endmodule"""
    rtl = run_flow("odd", verilog, "Odd", tmp_path, to="rtl")["steps"]["rtl"]
    assert rtl["problems"] == []
    assert rtl["undriven"] == ["Odd.nothing"]


def test_missing_sta_names_the_package(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", path_without("sta", tmp_path / "bin"))
    with pytest.raises(RunError, match=r"(?s)step synthesis failed:.*apt-get install opensta"):
        run_flow("adder", ADDER, "Adder", tmp_path, recipes=["area"])


def test_a_disk_that_is_nearly_full_is_named(tmp_path, monkeypatch):
    """Tools say all kinds of things then, or nothing."""
    usage = shutil.disk_usage(tmp_path)._replace(free=3_400_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    with pytest.raises(RunError, match=r"(?s)step rtl failed:.*\n  3 MB are left on the disk of /"):
        run_flow("bad", "module Bad(", "Bad", tmp_path)


def fake_sta(folder, monkeypatch, script):
    folder.mkdir(exist_ok=True)
    (folder / "sta").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "sta").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_sta_that_fails_with_exit_code_0_is_noticed(tmp_path, monkeypatch):
    fake_sta(tmp_path / "bin", monkeypatch, "echo 'RESULT setup_slack 1.0'; echo 'Error: no net'")
    with pytest.raises(RunError, match=r"^step synthesis failed:") as caught:
        run_flow("adder", ADDER, "Adder", tmp_path, recipes=["area"])
    assert "ERROR: no recipe succeeded: sta: Error: no net" in str(caught.value)


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "adder").mkdir()
    with locked(tmp_path / "adder"), pytest.raises(RunError, match="in use by another run"):
        run_flow("adder", ADDER, "Adder", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "../up"}, "name '../up'"),
        ({"to": "fabrication"}, "no such step, take one of rtl, synthesis, timing"),
        ({"clock_period": 0.0}, "must be above 0 ns"),
    ],
)
def test_bad_arguments(tmp_path, arguments, message):
    with pytest.raises(UserError, match=re.escape(message)):
        run_flow(**({"name": "x", "verilog": ADDER, "top": "Adder", "build": tmp_path} | arguments))
    assert list(tmp_path.iterdir()) == []


INTERRUPTED = """
import sys
from pathlib import Path
from flow.run import run_flow
run_flow("adder", sys.argv[1], "Adder", Path(sys.argv[2]), recipes=["area"])
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


KILLED = """
import sys
from pathlib import Path
from flow.build import locked
from flow.child import failure
from flow.process import run_logged
folder = Path(sys.argv[1])
with locked(folder) as lock:
    run_logged(["sh", "-c", "echo $$ > pid; exec sleep 300"], folder, folder / "log", lock)
"""


@pytest.mark.quick
def test_a_folder_is_in_use_as_long_as_what_a_killed_run_has_started(tmp_path):
    pid_file = tmp_path / "pid"
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], cwd=ROOT)
    while not (pid_file.exists() and pid_file.read_text().endswith("\n")):
        assert child.poll() is None
        time.sleep(0.05)
    child.kill()
    child.wait()
    try:
        with pytest.raises(RunError, match="in use by another run"), locked(tmp_path):
            pass
    finally:
        os.kill(int(pid_file.read_text()), signal.SIGKILL)


def test_a_stopped_run_leaves_nothing_behind_and_goes_on_where_it_stopped(tmp_path, monkeypatch):
    """OpenSTA is one that takes minutes. Nothing here depends on how fast it is stopped."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "own"))  # nothing was timed before
    real_path = os.environ["PATH"]
    versions = 'if [ "$1" = -version ]; then exec /usr/bin/env PATH="$REAL_PATH" sta -version; fi'
    monkeypatch.setenv("REAL_PATH", real_path)
    for stop in (signal.SIGINT, signal.SIGTERM):
        pid_file, survived = tmp_path / f"{stop}.pid", tmp_path / f"{stop}.survived"
        script = f"{versions}\necho $$ > {pid_file}; sleep 300; touch {survived}"
        fake_sta(tmp_path / "bin", monkeypatch, script)
        command = [sys.executable, "-c", INTERRUPTED, ADDER, str(tmp_path)]
        child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        try:
            while not (pid_file.exists() and pid_file.read_text().endswith("\n")):
                assert child.poll() is None, child.stderr.read()
                time.sleep(0.05)
            child.send_signal(stop)
            child.communicate()
        finally:
            child.kill()
        while alive(pid_file.read_text().strip()):
            time.sleep(0.05)
        assert not survived.exists()

    monkeypatch.setenv("PATH", real_path)
    events = []
    run_flow(
        *("adder", ADDER, "Adder", tmp_path),
        recipes=["area"],
        to="synthesis",
        on_step=lambda *event: events.append(event),
    )
    assert ("rtl", "up to date") in events
    assert ("synthesis", "started") in events
