"""The mflowgen graph of a design: the kit, then each step in order, then a summary of them all.

A step is a folder of `flow/steps`: `configure.yml` says what it takes, makes and checks, and a
script does the work and leaves `outputs/<step>.json` with its `metrics`. Steps are connected by
file name, so that a new step is a new folder and its name in order.py. What replays a recording
runs twice if the energy of a layout is wanted: on the netlist, and cloned on that of the layout.

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
from typing import Any

from mflowgen.components import Graph, Step

from flow.order import LAYOUT_ENERGY, REPLAY, SUMMARY, names_to
from flow.request import Asked, Request
from flow.technologies.kit import kit

STEP_FOLDER = Path(__file__).parent / "steps"


def steps_to(request: Request, with_recording: bool) -> list[Step]:
    """List the steps on the way to the last: those that replay a recording if there is one, the
    proof only if it is the aim. Before layout_energy come clones of the replay, for the layout."""
    *on_the_way, last = names_to(request.to, with_recording)
    steps = [step_named(name, request) for name in on_the_way]
    if last == LAYOUT_ENERGY:
        for step in [step for step in steps if step.get_name() in REPLAY]:
            steps.append(step.clone())
            steps[-1].set_name(f"layout_{step.get_name()}")
    return [*steps, step_named(last, request)]


def step_named(name: str, asked: Asked) -> Step:
    """Make a new step of a folder, with what it is asked for."""
    step = Step(str(STEP_FOLDER / name))
    step.update_params(asked.of_step(name), allow_new=True)
    return step


def asic_graph(
    design_name: str, verilog: Path | str, recording: Path | str | None = None, **asked: Any
) -> Graph:
    """Make the graph of module `design_name` of the file `verilog`, as the Request asks.

    Without a `recording`, steps that replay one are left out.
    """
    request = Request(design_name, **asked)
    graph = Graph()
    steps = steps_to(request, recording is not None)
    connect_in_line(graph, steps, request, kit_step(graph, request))
    if request.to == LAYOUT_ENERGY:
        before = graph.get_step("power").o("power.json")
        graph.connect(before, steps[-1].i("before.json"))
    graph.update_params(file_parameters("verilog", verilog))
    if recording:
        graph.update_params(file_parameters("recording", recording))
    return graph


def kit_step(graph: Graph, request: Request) -> Step:
    """Add the step that hands out the files of the technology that is asked for."""
    step = Step(str(kit(request.tech)), default=False)
    graph.add_step(step)
    return step


def file_parameters(name: str, path: Path | str) -> dict[str, str]:
    """The parameters by which a step finds a file, and notices that it changed."""
    path = Path(path).absolute()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {name: shlex.quote(str(path)), f"{name}_sha256": digest}


def connect_in_line(
    graph: Graph, steps: Sequence[Step], asked: Asked, kit: Step | None = None
) -> None:
    """Add the steps, then a summary of their results.

    What a step takes comes from the last before it that makes a file of this name, or the kit. A
    result is a file of its step's name; what a clone makes has the name of what was cloned.
    """
    summary = step_named(SUMMARY, asked)
    made_by = dict.fromkeys(kit.all_outputs(), kit) if kit else {}
    for step in [*steps, summary]:
        graph.add_step(step)
        for file in step.all_inputs():
            if file in made_by:
                graph.connect(made_by[file].o(file), step.i(file))
        made_by |= dict.fromkeys(step.all_outputs(), step)
    for step in steps:
        result = f"{step.get_name()}.json"
        if result in step.all_outputs():
            summary.extend_inputs([result])
            graph.connect(step.o(result), summary.i(result))
    graph.update_params({"python": shlex.quote(sys.executable)})
