"""The mflowgen graph of a design on an FPGA: check, map to the device, place and route, summarise.

Cyclone V, Artix-7 and Virtex-E are mapped by yosys: their cells are counted, not placed, so no
frequency is known. ECP5 is placed and routed by nextpnr, too.
"""

from dataclasses import dataclass
from pathlib import Path

from mflowgen.components import Graph

from flow.graph import connect_in_line, file_parameters, step_named

MOST_OPERATORS = 2000  # a wide array has more: as one module it would take minutes to map


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


def fpga_graph(
    design_name: str,
    verilog: Path | str,
    device: str,
    clock_port: str = "clk",
    most_operators: int = MOST_OPERATORS,
) -> Graph:
    """Make the graph of module `design_name` of the file `verilog` on a device of DEVICES.

    Of a design of more word-level operators than `most_operators` repeated modules are mapped once.
    """
    graph = Graph()
    connect_in_line(graph, [step_named(name) for name in DEVICES[device].steps])
    graph.update_params(
        {
            "design_name": design_name,
            "device": device,
            "clock_port": clock_port,
            "most_operators": int(most_operators),
            **file_parameters("verilog", verilog),
        }
    )
    return graph
