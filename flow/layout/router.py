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
# Katana ends itself where it looks for a track beside the core for a pin at its edge.
OF_CORIOLIS = "HurricaneError"
MARGINS = (0, 1)  # of the core, on the left and on the right


def run_katana(placed: Path, out: Path) -> float:
    """Route with Katana, again with a margin beside the core where Coriolis ends itself; the
    seconds it took. RunError with what it says if it fails."""
    start = time.monotonic()
    for margins in MARGINS:
        wrong = _attempt(placed, out, margins)
        if not wrong:
            return round(time.monotonic() - start, 1)
        print(f"Katana, with {margins} margins of the core: {wrong}", flush=True)
        if OF_CORIOLIS not in wrong:
            break
    raise RunError(f"Katana: {wrong}")


def _attempt(placed: Path, out: Path, margins: int) -> str:
    """Run Katana once; what it says if it fails, else ""."""
    line = command(SCRIPT, placed, out, margins)
    with (
        subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process,
        LOG.open("wb") as log,
    ):
        assert process.stdout
        log.writelines(line for line in process.stdout if not DETAIL.match(line))
    if not process.returncode and out.exists():
        return ""
    lines = LOG.read_text(errors="replace").split("\n")
    errors = [line for line in lines if "ERROR" in line or "Error:" in line] or lines[-3:]
    return f"{'; '.join(errors[:5])} (exit code {process.returncode})"
