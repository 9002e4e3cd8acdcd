"""Run Katana of Coriolis on a placed design."""

import re
import subprocess
import time
from pathlib import Path

from flow.child import command
from sim.errors import RunError

SCRIPT = Path(__file__).with_name("katana.py")
LOG = Path("katana.log")
# Katana prints every event of its last rounds, gigabytes of them for a large design.
DETAIL = re.compile(rb"\s+<(event|id)")


def run_katana(placed: Path, out: Path) -> float:
    """Route with Katana; the seconds it took. RunError with what it says if it fails."""
    start, line = time.monotonic(), command(SCRIPT, placed, out)
    with (
        subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process,
        LOG.open("wb") as log,
    ):
        assert process.stdout
        log.writelines(line for line in process.stdout if not DETAIL.match(line))
    if process.returncode or not out.exists():
        lines = LOG.read_text(errors="replace").split("\n")
        errors = [line for line in lines if "ERROR" in line or "Error:" in line] or lines[-3:]
        raise RunError(f"Katana: {'; '.join(errors[:5])} (exit code {process.returncode})")
    return round(time.monotonic() - start, 1)
