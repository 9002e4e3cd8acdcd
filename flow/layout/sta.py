"""Run a script of ours in OpenSTA on a placed or routed design: for sizes, or for SDF."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flow import opensta
from flow.technologies.technology import beside

DONE = "SCRIPT DONE"


@dataclass(frozen=True)
class Timed:
    """A netlist with its wires, and its clock."""

    netlist: Path
    top: str
    liberty: Path
    period: float
    clock_port: str
    spef: Path


def run(script: Path, design: Timed, more: Mapping[str, object]) -> str:
    """Run a script, which begins with opensta.tcl, and return what sta prints; StaError if anything
    went wrong. `more` is the script's own environment."""
    found = beside(design.liberty)
    said = {
        "OPENSTA": opensta.SCRIPT,
        "NETLIST": design.netlist,
        "TOP": design.top,
        "LIBERTY": design.liberty,
        "CLOCK_PORT": design.clock_port,
        "CLOCK_PERIOD": design.period,
        "DRIVING_CELL": found.outside.driving_cell,
        "LOAD": opensta.load_of(found, design.liberty),
        "SPEF": design.spef,
        "QUICK": True,
        **more,
    }
    env = os.environ | {name: str(value) for name, value in said.items()}
    command = ["sta", "-no_init", "-no_splash", "-exit", str(script)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    )
    lines = done.stdout.splitlines()
    errors = [line for line in lines if line.startswith("Error")]
    if errors or done.returncode or DONE not in lines:
        why = "; ".join(errors) or f"sta stopped early: {done.stdout[-500:].strip()}"
        raise opensta.StaError(f"sta: {why}")
    return done.stdout
