"""The mflowgen graph of a design on an FPGA: check, map to the device, place and route, summarise.

Cyclone V, Artix-7 and Virtex-E are mapped by yosys: their cells are counted, not placed, so no
frequency is known. ECP5 is placed and routed by nextpnr, too.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mflowgen.components import Graph

from flow.graph import connect_in_line, file_parameters, step_named
from flow.request import FpgaRequest


@dataclass(frozen=True)
class Device:
    """An FPGA family, and the steps that a design can go through for it."""

    title: str
    steps: tuple[str, ...]


DEVICES = {
    "cyclonev": Device("Cyclone V", ("rtl", "fpga_map")),
    "artix7": Device("Artix-7", ("rtl", "fpga_map")),
    "virtexe": Device("Virtex-E", ("rtl", "fpga_map")),
    "ecp5": Device("ECP5 LFE5U-85F", ("rtl", "fpga_map", "fpga_route")),
}


def fpga_graph(design_name: str, verilog: Path | str, **asked: Any) -> Graph:
    """Make the graph of module `design_name` of the file `verilog`, as the FpgaRequest asks."""
    graph, request = Graph(), FpgaRequest(design_name, **asked)
    steps = [step_named(name, request) for name in DEVICES[request.device].steps]
    connect_in_line(graph, steps, request)
    graph.update_params(file_parameters("verilog", verilog))
    return graph
