"""Run the flow on Verilog text and get one dictionary with all results.

Everything is under build/<name>: `design` (a folder for mflowgen), `mflowgen` (its build folder,
where `make list`, `make status` and `make <step>` work), `logs`, and `results.json`.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mflowgen.components import Graph

from flow.build import Build, BuildStep, locked
from flow.digest import FLOW, step_hash, tool_versions
from flow.graph import asic_graph
from flow.order import NEED_RECORDING
from flow.recording import Recording
from flow.request import Asked, Request
from flow.technologies.kit import kit_hash
from sim.closure import hash_data
from sim.errors import UserError
from sim.paths import unspaced

Progress = Callable[[str, str], None]

CONSTRUCT = '''"""The flow of {name}. In an empty folder: mflowgen run --design <this one>; make."""

from pathlib import Path

from {module} import {graph}

PARAMETERS = {parameters}


def construct(**changes):
    here = Path(__file__).parent
    files = {{"verilog": here / "design.v"}}
    if (here / "recording.json").exists():
        files["recording"] = here / "recording.json"
    return {graph}(**{{**files, **PARAMETERS, **changes}})
'''


def run_flow(
    name: str,
    verilog: str,
    top: str,
    build: Path,
    on_step: Progress | None = None,
    *,
    recording: Recording | None = None,
    wait: bool = False,
    **asked: Any,
) -> dict[str, Any]:
    """Run module `top` of the Verilog text through the flow, as the Request asks; the merged
    results. Simulation and power need a `recording`: what the ports did in RTL simulation.

    What is already done for the same text, parameters, scripts and tools is not done again.
    `on_step(step, event)` is told "started", "finished in 1.2 s", "up to date" and "failed". With
    `wait`, a run of the same name that is under way is waited for, else it is an error. Raises
    UserError for bad arguments, RunError with step, log and error lines for a failed step.
    """
    request = Request(top, **asked)
    if request.to in NEED_RECORDING and recording is None:
        raise UserError(f"step {request.to!r}: needs a recording, and none is given")
    recorded = recording.to_json() if recording else None
    tools = tool_versions() | {"kit": kit_hash(request.tech)}
    return run_graph(
        asic_graph, name, verilog, build, request, tools, on_step, recorded=recorded, wait=wait
    )


def run_graph(
    graph: Callable[..., Graph],
    name: str,
    verilog: str,
    build: Path,
    request: Asked,
    tools: dict[str, str],
    on_step: Progress | None = None,
    *,
    recorded: str | None = None,
    wait: bool = False,
) -> dict[str, Any]:
    """Run every step of a graph; the merged results, as of run_flow.

    The graph is `graph(verilog=..., **request)`, with `recording=...` if one is `recorded`.
    Results depend on the `tools` besides.
    """
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise UserError(f"name {name!r}: letters, digits, and . + - _ only")
    say = on_step or (lambda step, event: None)
    text_hash = hashlib.sha256(verilog.encode()).hexdigest()
    parameters = json.loads(json.dumps(asdict(request)))  # lists, as when read again
    code = sorted({step_hash(step) for step in (FLOW / "steps").iterdir()})
    wanted = hash_data([name, text_hash, graph.__name__, parameters, recorded, code, tools])
    folder = Path(build).absolute() / name
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder, wait) as lock:
        results = folder / "results.json"
        if found := _finished(results, wanted):
            for step in found["run"]:
                say(step["step"], "up to date")
            return found
        results.unlink(missing_ok=True)
        construct = CONSTRUCT.format(
            name=name, module=graph.__module__, graph=graph.__name__, parameters=parameters
        )
        builder = _prepare(folder, verilog, recorded, construct, lock)
        steps = builder.steps(tools)
        run = _run_steps(builder, steps, say)
        result = {"name": name, "digest": wanted, **_summary(steps)}
        result |= {"parameters": parameters, "verilog_sha256": text_hash, "run": run}
        _write(results, json.dumps(result, indent=2) + "\n")
        return result


def _finished(results: Path, wanted: str) -> dict[str, Any] | None:
    """Read the results of an earlier run, if they are of the same digest."""
    with contextlib.suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(results.read_text())
        if found.get("digest") == wanted:
            return found
    return None


def _prepare(folder: Path, verilog: str, recorded: str | None, construct: str, lock: int) -> Build:
    design, build_folder, logs = (folder / part for part in ("design", "mflowgen", "logs"))
    for path in (design, build_folder, logs):
        path.mkdir(exist_ok=True)
    (design / "design.v").write_text(verilog)
    (design / "recording.json").unlink(missing_ok=True)
    if recorded is not None:
        (design / "recording.json").write_text(recorded)
    (design / "construct.py").write_text(construct)
    builder = Build(build_folder, logs, lock)
    builder.generate(design)
    return builder


def _run_steps(builder: Build, steps: list[BuildStep], say: Progress) -> list[dict[str, Any]]:
    """Make what is not done, in order; how long each step took, and how to run it by hand."""
    run = []
    for step in steps:
        record = step.record()
        if record:
            say(step.name, "up to date")
            builder.keep(step)
        else:
            say(step.name, "started")
            try:
                record = builder.make(step)
            except BaseException:
                say(step.name, "failed")
                raise
            say(step.name, f"finished in {record['seconds']:.1f} s")
        run.append(
            {
                "step": step.name,
                "seconds": record["seconds"],
                "command": f"cd {unspaced(builder.folder)} && make {step.name}",
                "folder": str(step.folder),
                "log": str(builder.logs / f"{step.name}.log"),
            }
        )
    return run


def _summary(steps: list[BuildStep]) -> dict[str, Any]:
    [folder] = (step.folder for step in steps if step.name == "summary")
    return json.loads((folder / "outputs/results.json").read_text())


def _write(path: Path, text: str) -> None:
    """Write the whole file or nothing."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    part.replace(path)
