"""Yosys in a process of its own: its errors end the interpreter."""

import re
import subprocess
import sys

SCRIPT = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for command in sys.argv[1:]:
    libyosys.run_pass(command, design)
"""


def started(*commands: str, seconds: float = 300) -> subprocess.CompletedProcess[str]:
    """What became of running the commands on one design."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *commands], capture_output=True, text=True, timeout=seconds
    )


def run_yosys(*commands: str) -> str:
    """Run the commands on one design and return what Yosys printed; AssertionError if it fails."""
    result = started(*commands)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout


def evaluate(output: str) -> list[int]:
    """The values that `eval -show` printed."""
    return [int(bits, 2) for bits in re.findall(r"Eval result: \S+ = \d+'([01]+)\.", output)]
