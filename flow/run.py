"""Run the flow on Verilog text and get one dictionary with all results.

Everything is under build/<name>: `design` (a folder for mflowgen), `mflowgen` (its build folder,
where `make list`, `make status` and `make <step>` work), `logs`, and `results.json`.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from mflowgen.components import Graph

from flow.build import Build, BuildStep, locked
from flow.digest import flow_hash, hash_data, tool_versions
from flow.graph import asic_graph
from flow.order import LAST, NEED_RECORDING, STEPS
from flow.recording import Recording
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
    clock_period: float = 3.0,
    to: str = LAST,
    on_step: Progress | None = None,
    *,
    clock_port: str = "clk",
    recipes: Sequence[str] = (),
    dissolve: Sequence[str] = (),
    seed: int = 0,
    gated: bool = False,
    gate_registers: int | None = None,
    carry_save: bool = False,
    utilisation: float | None = None,
    recording: Recording | None = None,
    wait: bool = False,
) -> dict:
    """Run module `top` of the Verilog text through the steps up to `to`; the merged results.

    With `gated`, registers that share an enable are clocked through gates, at least
    `gate_registers` by each. With `carry_save`, recipes that use full adders are tried. Of a
    layout's core, cells are `utilisation`. Simulation and power need a `recording`: what the ports
    did in RTL simulation.

    What is already done for the same text, parameters, scripts and tools is not done again.
    `on_step(step, event)` is told "started", "finished in 1.2 s", "up to date" and "failed". With
    `wait`, a run of the same name that is under way is waited for, else it is an error. Raises
    UserError for bad arguments, RunError with step, log and error lines for a failed step.
    """
    if to not in STEPS:
        raise UserError(f"step {to!r}: no such step, take one of {', '.join(STEPS)}")
    if to in NEED_RECORDING and recording is None:
        raise UserError(f"step {to!r}: needs a recording, and none is given")
    if gate_registers is not None and gate_registers < 1:
        raise UserError(f"registers of a clock gate {gate_registers}: must be 1 or more")
    if not clock_period > 0:
        raise UserError(f"clock period {clock_period}: must be above 0 ns")
    parameters = {
        "design_name": top,
        "clock_period": float(clock_period),
        "clock_port": clock_port,
        "recipes": list(recipes),
        "dissolve": list(dissolve),
        "seed": int(seed),
        "to": to,
    }
    if gated:
        parameters |= {"gated": True, "gate_registers": gate_registers}
    if carry_save:
        parameters["carry_save"] = True
    if utilisation is not None:
        parameters["utilisation"] = utilisation
    return run_graph(
        asic_graph,
        name,
        verilog,
        build,
        parameters,
        flow_hash(),
        tool_versions(),
        on_step,
        recorded=recording.to_json() if recording else None,
        wait=wait,
    )


def run_graph(
    graph: Callable[..., Graph],
    name: str,
    verilog: str,
    build: Path,
    parameters: dict,
    code: str,
    tools: dict[str, str],
    on_step: Progress | None = None,
    *,
    recorded: str | None = None,
    wait: bool = False,
) -> dict:
    """Run every step of a graph; the merged results, as of run_flow.

    The graph is `graph(verilog=..., **parameters)`, with `recording=...` if one is `recorded`.
    Results depend on `code`, a hash of the steps, and on `tools` besides.
    """
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise UserError(f"name {name!r}: letters, digits, and . + - _ only")
    say = on_step or (lambda step, event: None)
    text_hash = hashlib.sha256(verilog.encode()).hexdigest()
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


def _finished(results: Path, wanted: str) -> dict | None:
    """Read the results of an earlier run, if they are of the same digest."""
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(results.read_text())
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


def _run_steps(builder: Build, steps: list[BuildStep], say: Progress) -> list[dict]:
    """Make what is not done, in order; how long each step took, and how to run it by hand."""
    builder.drop_stale(steps)
    run = []
    for step in steps:
        record = step.record()
        if record:
            say(step.name, "up to date")
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


def _summary(steps: list[BuildStep]) -> dict:
    [folder] = (step.folder for step in steps if step.name == "summary")
    return json.loads((folder / "outputs/results.json").read_text())


def _write(path: Path, text: str) -> None:
    """Write the whole file or nothing."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    part.replace(path)
