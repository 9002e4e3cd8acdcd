"""Simulate the layout's netlist and compute its power: outputs/layout_energy.json."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import flow
from flow.gates.liberty import Library
from flow.layout.buffering import BUFFER_INPUT, CLOCK_LEAF, CLOCK_TRUNK
from flow.layout.design import Design
from flow.layout.ideal_clock import with_ideal_clock

STEPS = Path(flow.__file__).parent / "steps"
INPUTS = Path("inputs").absolute()
WORK = Path("replay")


def prepare() -> None:
    """A folder as the steps simulation and power have it, with this netlist."""
    inside = WORK / "inputs"
    inside.mkdir(parents=True, exist_ok=True)
    for name in ("adk", "cells.json", "recording.json"):
        link = inside / name
        link.unlink(missing_ok=True)
        link.symlink_to(INPUTS / name)
    library = Library(INPUTS / "adk/stdcells.lib")
    netlist = Design.load(INPUTS / "placed.json").netlist()
    pins = {
        name: library[name].pins[BUFFER_INPUT].capacitance for name in (CLOCK_LEAF, CLOCK_TRUNK)
    }
    wires = json.loads((INPUTS / "wires.json").read_text())
    ideal, shown = with_ideal_clock(netlist, wires, pins)
    ideal.save(inside / "flat.json")
    (inside / "wires.json").write_text(json.dumps(shown, indent=0) + "\n")


def run(step: str) -> dict:
    """Run the script of another step in the folder; what it found. Exit 1 if it fails."""
    recording = INPUTS / "recording.json"
    env = os.environ | {
        "recording": str(recording),
        "recording_sha256": hashlib.sha256(recording.read_bytes()).hexdigest(),
        "wires": "inputs/wires.json",
    }
    command = [sys.executable, str(STEPS / step / f"{step}.py")]
    if subprocess.run(command, cwd=WORK, env=env).returncode:
        sys.exit(f"ERROR: {step} of the layout's netlist failed")
    return json.loads((WORK / "outputs" / f"{step}.json").read_text())


def main() -> None:
    """Simulate, then compute."""
    prepare()
    simulated = run("simulation")
    for name in ("activity.npz", "simulation.json"):
        link = WORK / "inputs" / name
        link.unlink(missing_ok=True)
        link.symlink_to(Path("../outputs") / name)
    found = run("power")
    metrics = {f"layout_{name}": value for name, value in found["metrics"].items()}
    data = {
        "metrics": metrics,
        "operations": found["operations"],
        "outputs_compared": simulated["outputs_compared"],
        "before": json.loads((INPUTS / "power.json").read_text())["operations"],
    }
    Path("outputs").mkdir(exist_ok=True)
    Path("outputs/layout_energy.json").write_text(json.dumps(data, indent=2) + "\n")


if __name__ == "__main__":
    main()
