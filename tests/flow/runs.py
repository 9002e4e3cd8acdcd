"""Runs of the flow that several tests look at."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from flow.process import environment
from flow.recording import Recording
from flow.run import run_flow
from sim.closure import hash_data
from sim.paths import build_dir, unspaced


def kept_run(
    verilog: str, top: str, recording: Recording | None = None, **arguments: object
) -> dict:
    """The results of a run that is made once for all workers, and again if anything changed.

    Its folder belongs to all tests that ask for the same: they only read it.
    """
    recorded = recording.to_json() if recording else None
    name = f"{top}-{hash_data([verilog, recorded, arguments])[:12]}"
    build = build_dir("test flow")  # a space is in many people's paths
    return run_flow(name, verilog, top, build, wait=True, recording=recording, **arguments)


def folder_of(result: dict, step: str) -> Path:
    """The folder of a step of a run, by a path that tools take."""
    return unspaced(Path(next(row["folder"] for row in result["run"] if row["step"] == step)))


def said(result: dict) -> list[dict]:
    """What the step `synthesis` of a run has said: a line for all that it mapped or tried."""
    lines = (folder_of(result, "synthesis") / "mflowgen-run.log").read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def run_step(
    result: dict, step: str, folder: Path, **parameters: object
) -> subprocess.CompletedProcess:
    """Run the script of a step again, in a folder of its own: what is not in `folder`/inputs is
    taken from the run."""
    source, inputs = folder_of(result, step), folder / "inputs"
    for path in (inputs, folder / "outputs"):
        path.mkdir(exist_ok=True, parents=True)
    for script in source.glob("*.py"):
        shutil.copy(script, folder)
    for given in (source / "inputs").iterdir():
        if not (inputs / given.name).exists():
            (inputs / given.name).symlink_to(given.resolve())
    defaults = {"design_name": result["top"], "clock_port": "clk"}
    env = environment() | defaults | {name: str(value) for name, value in parameters.items()}
    command = [sys.executable, f"{step.removeprefix('layout_')}.py"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
