"""Route the placed design: outputs/routes.json, outputs/route.json."""

import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from flow.layout.design import Design
from flow.layout.repair import repair
from flow.layout.routes import load_routes, save_routes
from flow.layout.straps import read_cells
from flow.layout.technology import read_stack
from flow.step import IN, KIT, OUT, leave

PLACED = IN / "placed.json"
RAW = Path("katana.json")
LOG = Path("katana.log")
# Katana prints every event of its last rounds, gigabytes of them for a large design.
DETAIL = re.compile(rb"\s+<(event|id)")


def run_katana() -> float:
    """Route with Katana; the seconds it took. Exit 1 with what it says if it fails."""
    start = time.monotonic()
    command = [sys.executable, "katana.py", str(PLACED), str(RAW)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process,
        LOG.open("wb") as log,
    ):
        log.writelines(line for line in process.stdout if not DETAIL.match(line))
    if process.returncode or not RAW.exists():
        lines = LOG.read_text(errors="replace").split("\n")
        errors = [line for line in lines if "ERROR" in line or "Error:" in line] or lines[-3:]
        sys.exit(f"ERROR: Katana: {'; '.join(errors[:5])} (exit code {process.returncode})")
    return round(time.monotonic() - start, 1)


def main() -> None:
    """Route the design, and repair what is too close."""
    seconds = {"katana": run_katana()}
    stack = read_stack(KIT / "rtk-tech.lef")
    design = Design.load(PLACED)
    shapes = read_cells(KIT / "stdcells.lef")
    nets, complete = load_routes(RAW, design, shapes, stack)
    start = time.monotonic()
    counts = repair(stack, design, nets, lambda text: print(text, flush=True))
    seconds["repair"] = round(time.monotonic() - start, 1)
    save_routes(nets, OUT / "routes.json")
    data = {
        "metrics": {},
        "nets": len(nets),
        "complete_by_katana": complete,
        **counts,
        "seconds": seconds,
        "tools": {"coriolis-eda": version("coriolis-eda")},
    }
    leave("route", data)


if __name__ == "__main__":
    main()
