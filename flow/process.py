"""Run mflowgen and make: one Python for every step, all output in a log, nothing left behind."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path

from flow.child import YOSYS_ERROR
from sim.errors import RunError
from sim.paths import ROOT, build_dir, unspaced

CONDITIONS = Path(__file__).parent / "conditions"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ERROR = re.compile(rf"^({YOSYS_ERROR}|E   |[\w.]*Error: |make: \*\*\* No rule)")
SHOWN = 12


def python() -> Path:
    """Name this Python so that what it imports has a plain path, too."""
    program, prefix = Path(sys.executable), Path(sys.prefix)
    if program.is_relative_to(prefix):
        return unspaced(prefix) / program.relative_to(prefix)
    return program


def environment() -> dict[str, str]:
    """Make the environment of mflowgen and make: this Python's scripts come first on PATH, this
    package can be imported, and nothing is left of a make or pytest that we ourselves run under."""
    env = {
        key: value
        for key, value in os.environ.items()
        if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL") and not key.startswith("PYTEST_")
    }
    scripts = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    env["PATH"] = os.pathsep.join([*scripts, env.get("PATH", os.defpath)])
    # What stands in for pytest comes first: it checks the conditions of steps.
    paths = [str(unspaced(CONDITIONS)), str(unspaced(ROOT)), env.get("PYTHONPATH")]
    env["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    env["MODEXPLORER_BUILD"] = str(build_dir())  # what is compiled serves all designs
    return env


@contextlib.contextmanager
def stopping_cleanly() -> Iterator[None]:
    """Let SIGTERM raise SystemExit here, so that what we started is stopped, too."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def run_logged(command: list[str], folder: Path, log: Path, keep_open: int) -> int:
    """Run a command in the folder with all its output in the log; its exit code.

    If we are interrupted, so is the command with all its children. Should we be killed, the
    children keep the descriptor `keep_open` (a lock) until they end.
    """
    here = unspaced(folder)
    surroundings = environment() | {"PWD": str(here)}  # by which shells name it
    if shutil.which(command[0], path=surroundings["PATH"]) is None:
        raise RunError(f"{command[0]} is not installed: `modexplorer doctor` says how")
    with log.open("w") as stream, stopping_cleanly():
        process = subprocess.Popen(
            command,
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=surroundings,
            start_new_session=True,
            pass_fds=(keep_open,),
        )
        try:
            return process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise


def error_lines(log: Path) -> list[str]:
    """Find the lines of a log that say what went wrong; its last lines if none does so plainly."""
    text = COLOUR.sub("", log.read_text(errors="replace"))
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    plain = [line.removeprefix("E   ").strip() for line in lines if ERROR.match(line)]
    return list(dict.fromkeys(plain))[:SHOWN] or lines[-SHOWN:]


def mflowgen(*arguments: str) -> list[str]:
    """Make a command line of mflowgen under this Python."""
    return [str(python()), "-m", "mflowgen", *arguments]
