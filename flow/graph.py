"""The mflowgen graph of a design: the kit, then each of STEPS, then a summary of them all.

A step is a folder of `flow/steps`: `configure.yml` says what it takes, makes and checks, and a
script does the work and leaves `outputs/<step>.json` with its `metrics`. Steps are connected by
file name, so that a new step is a new folder and its name in STEPS.

A design folder is a construct.py that calls `asic_graph`; then, in an empty folder:

    mflowgen run --design path/to/design/folder
    make list
    make
"""

import hashlib
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from mflowgen.components import Graph, Step

FRONT_END = ("rtl", "synthesis", "timing")
NEED_RECORDING = ("simulation", "power")
PROOF = ("equivalence",)
BACK_END = ("place", "route", "layout")
LAYOUT_ENERGY = "layout_energy"  # needs a recording, too
STEPS = (*FRONT_END, *NEED_RECORDING, *PROOF, *BACK_END, LAYOUT_ENERGY)
LAST = FRONT_END[-1]  # of the steps that every design can go through
STEP_FOLDER = Path(__file__).parent / "steps"
KIT = "freepdk-45nm"


def steps_to(to: str, with_recording: bool) -> list[str]:
    """The steps on the way to `to`: those of a recording if there is one, the proof only if it is
    the aim."""
    on_the_way = STEPS[: STEPS.index(to)]
    left_out = PROOF if with_recording else (*PROOF, *NEED_RECORDING)
    return [*(name for name in on_the_way if name not in left_out), to]


def asic_graph(
    design_name: str,
    verilog: Path | str,
    clock_period: float = 3.0,
    clock_port: str = "clk",
    recipes: Sequence[str] = (),
    dissolve: Sequence[str] = (),
    seed: int = 0,
    gated: bool = False,
    gate_registers: int | None = None,
    to: str = LAST,
    recording: Path | str | None = None,
) -> Graph:
    """The graph up to step `to` for the module `design_name` of the file `verilog`.

    `clock_period` is in ns; no `recipes` means all those of the synthesis step; modules of the
    classes `dissolve` are mapped as part of those that hold them; a `seed` changes what should not
    matter, to see how much it does; `gated` clocks registers that share an enable through gates,
    `gate_registers` by each at least, if not as the step says. Steps that need the file `recording`
    are left out without one.
    """
    graph = Graph()
    graph.set_adk(KIT)
    connect_in_line(graph, steps_to(to, recording is not None), [graph.get_adk_step()])

    parameters = {
        "design_name": design_name,
        "verilog": shlex.quote(str(Path(verilog).absolute())),
        "verilog_sha256": hashlib.sha256(Path(verilog).read_bytes()).hexdigest(),
        "clock_period": float(clock_period),
        "clock_port": clock_port,
        "seed": int(seed),
        "gated": bool(gated),
        "python": shlex.quote(sys.executable),
    }
    if recording is not None:
        parameters["recording"] = shlex.quote(str(Path(recording).absolute()))
        parameters["recording_sha256"] = hashlib.sha256(Path(recording).read_bytes()).hexdigest()
    if recipes:
        parameters["recipes"] = list(recipes)
    if gate_registers is not None:
        parameters["gate_registers"] = int(gate_registers)
    if dissolve:
        parameters["dissolve"] = list(dissolve)
    graph.update_params(parameters)
    return graph


def connect_in_line(graph: Graph, steps: Sequence[str], done: list[Step]) -> None:
    """Add the steps, each connected to all before it and to those `done`, then a summary."""
    summary = Step(str(STEP_FOLDER / "summary"))
    done = list(done)
    for name in steps:
        step = Step(str(STEP_FOLDER / name))
        graph.add_step(step)
        for earlier in done:
            graph.connect_by_name(earlier, step)
        done.append(step)
        summary.extend_inputs([f"{name}.json"])
    graph.add_step(summary)
    for step in done:
        graph.connect_by_name(step, summary)
