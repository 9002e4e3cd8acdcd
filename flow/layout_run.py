"""Run the flow up to a layout, in any technology that has rules for it.

The steps and their order are those of flow/graph.py. That a technology has a layout is said by its
folder, and what its rules and cells are decides the steps of a layout, but none before.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mflowgen.components import Graph

from flow.digest import tool_versions
from flow.graph import connect_in_line, file_parameters, kit_step, steps_to
from flow.order import BACK_END, LAYOUT_ENERGY, NEED_RECORDING
from flow.recording import Recording
from flow.request import Asked, Request, parameter
from flow.run import Progress, run_graph
from flow.technologies.cells import not_fetched
from flow.technologies.kit import kit_hash
from flow.technologies.rules import layout_hash, no_layout
from flow.technologies.technology import no_gates
from sim.errors import RunError, UserError

OF_LAYOUT = (*BACK_END, LAYOUT_ENERGY)


@dataclass(frozen=True)
class LayoutRequest(Request):
    """What is asked of the flow where a layout is made, whatever the technology's own entry says
    of layouts: its rules say it."""

    placement_seed: int = parameter(
        0, "place", "Not 0: cells are given to the placer in another order, to see what that moves."
    )

    def __post_init__(self) -> None:
        Asked.__post_init__(self)
        if self.to not in OF_LAYOUT:
            raise UserError(
                f"step {self.to!r}: makes no layout, take one of {', '.join(OF_LAYOUT)}"
            )
        for asked, lacking in ((True, no_layout), (self.gated, no_gates)):
            if asked and (why := lacking(self.tech)):
                raise UserError(why)


def layout_graph(
    design_name: str, verilog: Path | str, recording: Path | str | None = None, **asked: Any
) -> Graph:
    """Make the graph of module `design_name` of the file `verilog` up to a layout, as the
    LayoutRequest asks; without a `recording`, steps that replay one are left out."""
    request = LayoutRequest(design_name, **asked)
    graph = Graph()
    steps = steps_to(request, recording is not None)
    decides = {"layout_sha256": layout_hash(request.tech)}
    for step in steps:
        if step.get_name() in OF_LAYOUT:
            step.update_params(decides, allow_new=True)
    connect_in_line(graph, steps, request, kit_step(graph, request))
    if request.to == LAYOUT_ENERGY:
        before = graph.get_step("power").o("power.json")
        graph.connect(before, steps[-1].i("before.json"))
    graph.update_params(file_parameters("verilog", verilog))
    if recording:
        graph.update_params(file_parameters("recording", recording))
    return graph


def run_layout(
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
    """Run module `top` of the Verilog text up to a layout, as the LayoutRequest asks; the merged
    results, as of run_flow. RunError says how the technology's cells come if they are missing."""
    request = LayoutRequest(top, **asked)
    if request.to in NEED_RECORDING and recording is None:
        raise UserError(f"step {request.to!r}: needs a recording, and none is given")
    if why := not_fetched(request.tech):
        raise RunError(why)
    tools = tool_versions() | {"kit": kit_hash(request.tech)}
    recorded = recording.to_json() if recording else None
    return run_graph(
        layout_graph, name, verilog, build, request, tools, on_step, recorded=recorded, wait=wait
    )
