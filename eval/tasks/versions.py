"""The versions of the tools that a result depends on; they are part of a row's key.

Code of ours and packages of Python are not named here: eval/tasks/closure.py finds them.
"""

from functools import cache
from importlib.metadata import version

from flow.technologies.asked import DEFAULT
from sim.closure import Code, files_in
from sim.errors import RunError
from sim.paths import ROOT


@cache
def simulation_tools() -> dict[str, str]:
    """Name what decides the cycles of a batch simulation, apart from the Verilog: not the C++
    compiler, by any of which they are the same."""
    from sim.toolchain import verilator

    return {"pymtl3": version("pymtl3"), "verilator": verilator().version}


@cache
def flow_tools(tech: str = DEFAULT) -> dict[str, str]:
    """Name what decides area and timing in a technology, apart from the Verilog and the clock."""
    from flow.digest import tool_versions
    from flow.technologies.kit import kit_hash

    tools = tool_versions()
    if tools["opensta"] == "not installed":
        raise RunError("OpenSTA is not installed: sudo apt-get install opensta (Debian, Ubuntu)")
    return {"pymtl3": version("pymtl3"), **tools, "kit files": kit_hash(tech)[:12]}


@cache
def fpga_tools() -> dict[str, str]:
    """Name what decides figures on an FPGA, apart from the Verilog and the device."""
    from flow.fpga.run import tool_versions

    return {"pymtl3": version("pymtl3"), **tool_versions()}


@cache
def processor_tools() -> dict[str, str]:
    """Name what decides the cycles of a program on the processor, apart from the program."""
    from proc.programs.build import compiler

    return {**simulation_tools(), "riscv gcc": compiler()}


def energy_tools() -> dict[str, str]:
    """Name what records workloads and replays them on a netlist: the compiler, not the processor
    that it compiles for, by any of which energies are the same."""
    from sim.toolchain import compiler

    return {**simulation_tools(), "g++": compiler().version.split(" for ")[0]}


@cache
def all_code() -> str:
    """Hash our code, all of it, as other machines must have it."""
    folders = ("fl", "cl", "rtl", "sim", "proc", "flow", "eval")
    return Code().hash(file for folder in folders for file in files_in(ROOT / folder))[:12]
