"""The tool versions that a result depends on; they are part of a row's key."""

from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import cl
import fl
import proc
import sim
from sim.errors import RunError


@lru_cache(None)
def simulation_tools() -> dict[str, str]:
    """What decides the cycles of a batch simulation, apart from the Verilog."""
    from sim.toolchain import verilator

    return {
        "pymtl3": version("pymtl3"),
        "verilator": verilator().version,
        "sim code": sim_hash()[:12],
        "our code": measuring_hash()[:12],
    }


@lru_cache(None)
def flow_tools() -> dict[str, str]:
    """What decides area and timing, apart from the Verilog and the clock."""
    from flow.digest import flow_hash, tool_versions

    tools = tool_versions()
    if tools["opensta"] == "not installed":
        raise RunError("OpenSTA is not installed: sudo apt-get install opensta (Debian, Ubuntu)")
    return {"pymtl3": version("pymtl3"), **tools, "flow code": flow_hash()[:12]}


@lru_cache(None)
def fpga_tools() -> dict[str, str]:
    """What decides a design's figures on an FPGA, apart from the Verilog and the device."""
    from flow.fpga import fpga_hash, tool_versions

    return {"pymtl3": version("pymtl3"), **tool_versions(), "FPGA flow code": fpga_hash()[:12]}


@lru_cache(None)
def processor_tools() -> dict[str, str]:
    """The same for a program on the processor, apart from the program."""
    from flow.digest import hash_files

    folder = Path(proc.__file__).parent
    code = hash_files(folder, [*folder.glob("*.py"), *folder.glob("*.cpp")])
    return {**simulation_tools(), "proc code": code[:12]}


@lru_cache(None)
def energy_tools() -> dict[str, str]:
    """What decides the workloads whose energy is measured, apart from the Verilog."""
    from flow.digest import hash_files
    from proc.build import compiler

    here = Path(__file__).parent
    files = [here / "energy_workload.py", *(Path(proc.__file__).parent / "app").glob("*")]
    code = hash_files(here.parent, files)
    return {**processor_tools(), "riscv gcc": compiler(), "workload code": code[:12]}


@lru_cache(None)
def formula_hash() -> str:
    """A hash of the code of the cycle formulas."""
    from flow.digest import hash_files

    folders = [Path(package.__file__).parent for package in (cl, fl)]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    return hash_files(folders[0].parent, files)


@lru_cache(None)
def measuring_hash() -> str:
    """A hash of the code that makes requests and counts cycles."""
    from flow.digest import hash_files

    here = Path(__file__).parent
    fl_files = Path(fl.__file__).parent.rglob("*.py")
    ours = [here / name for name in ("run.py", "measure.py", "systems_run.py", "workloads.py")]
    return hash_files(here.parent, [*fl_files, *ours])


def sim_hash() -> str:
    """A hash of our simulation code."""
    from flow.digest import hash_files

    folder = Path(sim.__file__).parent
    return hash_files(folder, folder.rglob("*"))
