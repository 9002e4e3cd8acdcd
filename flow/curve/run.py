"""Compose the curve of Verilog text, and get one dictionary with all results."""

from pathlib import Path
from typing import Any

from mflowgen.components import Graph, Step

from flow.digest import tool_versions
from flow.graph import STEP_FOLDER, connect_in_line, file_parameters, kit_step, step_named
from flow.request import Request
from flow.run import Progress, run_graph
from flow.technologies.kit import kit_hash

STEPS = ("rtl", "curve", "summary")


def curve_graph(design_name: str, verilog: Path | str, **asked: Any) -> Graph:
    """Make the graph that composes the curve of module `design_name` of the file `verilog`, as the
    Request asks of synthesis."""
    graph, request = Graph(), Request(design_name, **asked)
    curve = Step(str(STEP_FOLDER / "curve"))
    curve.update_params(request.of_step("curve"), allow_new=True)
    connect_in_line(graph, [step_named("rtl", request), curve], request, kit_step(graph, request))
    graph.update_params(file_parameters("verilog", verilog))
    return graph


def run_curve(
    name: str,
    verilog: str,
    top: str,
    build: Path,
    on_step: Progress | None = None,
    *,
    wait: bool = False,
    **asked: Any,
) -> dict[str, Any]:
    """Compose the curve of module `top` of the Verilog text, from the clock period on that the
    Request asks for; the merged results, as of run_flow."""
    request = Request(top, **asked)
    tools = tool_versions() | {"kit": kit_hash(request.tech)}
    return run_graph(curve_graph, name, verilog, build, request, tools, on_step, wait=wait)
