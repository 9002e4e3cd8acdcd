"""The tool versions that a result depends on; they are part of a row's key."""

from functools import cache
from importlib.metadata import version

from sim.errors import RunError
from sim.paths import ROOT

# What makes requests and counts cycles, besides fl.
MEASURING = (
    *(f"eval/tasks/{name}.py" for name in ("exponentiation", "simulation", "execution")),
    "eval/catalog/workloads.py",
)
# Whose code makes Verilog.
HARDWARE = ("fl", "cl", "rtl", "proc", "sim", "eval/catalog")


@cache
def hardware_tools() -> dict[str, str]:
    """Name what decides the Verilog of our designs."""
    code = code_hash(*(f"{folder}/**/*.py" for folder in HARDWARE))
    return {"pymtl3": version("pymtl3"), "hardware code": code}


@cache
def simulation_tools() -> dict[str, str]:
    """Name what decides the cycles of a batch simulation, apart from the Verilog."""
    from sim.toolchain import verilator

    return {
        "pymtl3": version("pymtl3"),
        "verilator": verilator().version,
        "sim code": code_hash("sim/*"),
        "our code": code_hash("fl/**/*.py", *MEASURING),
    }


@cache
def flow_tools() -> dict[str, str]:
    """Name what decides area and timing, apart from the Verilog and the clock."""
    from flow.digest import flow_hash, tool_versions

    tools = tool_versions()
    if tools["opensta"] == "not installed":
        raise RunError("OpenSTA is not installed: sudo apt-get install opensta (Debian, Ubuntu)")
    return {"pymtl3": version("pymtl3"), **tools, "flow code": flow_hash()[:12]}


@cache
def fpga_tools() -> dict[str, str]:
    """Name what decides figures on an FPGA, apart from the Verilog and the device."""
    from flow.fpga import fpga_hash, tool_versions

    return {"pymtl3": version("pymtl3"), **tool_versions(), "FPGA flow code": fpga_hash()[:12]}


@cache
def processor_tools() -> dict[str, str]:
    """Name what decides the cycles of a program on the processor, apart from the program."""
    return {**simulation_tools(), "proc code": code_hash("proc/*.py", "proc/*.cpp")}


@cache
def energy_tools() -> dict[str, str]:
    """Name what decides the workloads whose energy is measured, apart from the Verilog."""
    from proc.build import compiler

    code = code_hash("eval/tasks/flow_run/*recording.py", "proc/app/*")
    return {**processor_tools(), "riscv gcc": compiler(), "workload code": code}


@cache
def formula_tools() -> dict[str, str]:
    """Name what decides the cycles that the formulas give."""
    return {"formula code": code_hash("cl/**/*.py", "fl/**/*.py")}


def code_hash(*patterns: str) -> str:
    """Hash our files that the patterns name, from the folder of all packages."""
    from flow.digest import hash_files

    found = {pattern: list(ROOT.glob(pattern)) for pattern in patterns}
    if missing := [pattern for pattern, files in found.items() if not files]:
        raise FileNotFoundError(f"no file of ours is {', '.join(missing)}")
    return hash_files(ROOT, {file for files in found.values() for file in files})[:12]
