"""Run a command of ours for a measurement: what it prints, and what it took."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """What a command printed as JSON, the seconds, and those of CPU."""

    found: Any
    seconds: float
    cpu_seconds: float


def run(arguments: Sequence[str], folder: str, check: bool = True) -> Ran:
    """Run `modexplorer` with these arguments, and with this folder for what it builds.

    check: CalledProcessError if it fails.
    """
    began, before = time.monotonic(), _cpu_seconds()
    done = subprocess.run(
        [Path(sys.executable).with_name("modexplorer"), *arguments, "--json"],
        env=os.environ | {"MODEXPLORER_BUILD": folder},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=check,
    )
    return Ran(json.loads(done.stdout), time.monotonic() - began, _cpu_seconds() - before)


def _cpu_seconds() -> float:
    """Sum up what the processes below this one have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
