"""The versions of the tools that a result depends on; they are part of a row's key.

Python packages and C++ compilers are not named: no result depends on which is installed.
"""

from functools import cache

from flow.technologies.asked import DEFAULT
from sim.closure import Code, files_in
from sim.errors import RunError
from sim.paths import ROOT


@cache
def simulation_tools() -> dict[str, str]:
    """Name what decides the cycles of a batch simulation, apart from the Verilog: not the C++
    compiler, by any of which they are the same."""
    from sim.toolchain import verilator

    return {"verilator": verilator().version}


@cache
def flow_tools(tech: str = DEFAULT) -> dict[str, str]:
    """Name what decides area and timing in a technology, apart from the Verilog and the clock."""
    from flow.digest import tool_versions
    from flow.technologies.kit import kit_hash

    tools = tool_versions()
    if tools["opensta"] == "not installed":
        raise RunError("OpenSTA is not installed: sudo apt-get install opensta (Debian, Ubuntu)")
    return {**tools, "kit files": kit_hash(tech)[:12]}


@cache
def fpga_tools() -> dict[str, str]:
    """Name what decides figures on an FPGA, apart from the Verilog and the device."""
    from flow.fpga.run import tool_versions

    return tool_versions()


@cache
def processor_tools() -> dict[str, str]:
    """Name what decides the cycles of a program on the processor, apart from the program."""
    from proc.programs.build import compiler

    return {**simulation_tools(), "riscv gcc": compiler()}


def energy_tools() -> dict[str, str]:
    """Name what records workloads and replays them on a netlist."""
    return dict(simulation_tools())


@cache
def all_code() -> str:
    """Hash our code, all of it, as other machines must have it."""
    folders = ("fl", "cl", "rtl", "sim", "proc", "flow", "eval")
    return Code().contents(file for folder in folders for file in files_in(ROOT / folder))[:12]
