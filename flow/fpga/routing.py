"""Place and route a mapped design in its shell on an ECP5 with nextpnr."""

import json
import re
from pathlib import Path

from flow.fpga.nextpnr import run_nextpnr
from flow.fpga.shell import NAME, Port, shell
from flow.fpga.yosys import named, run_yosys
from flow.results.fpga import RouterRun
from sim.errors import RunError

CELLS = "read_verilog -lib +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v"
DEVICE = "LFE5U-85F, package CABGA756, speed grade 6"
PLACED_ON = ("--85k", "--package", "CABGA756", "--speed", "6")


def ports_of(netlist: Path, top: str) -> list[Port]:
    """List the ports of the mapped design."""
    run_yosys(f"read_verilog -lib {netlist}", "write_json ports.json")
    modules = json.loads(Path("ports.json").read_text())["modules"]
    return [
        Port(name, port["direction"] == "input", len(port["bits"]))
        for name, port in modules[top]["ports"].items()
    ]


def wrap(netlist: Path, top: str, clock: str) -> dict[str, int]:
    """Write shell.json, the design in its shell for nextpnr; the shell's own cells by type."""
    Path("shell.v").write_text(shell(top, ports_of(netlist, top), clock))
    stat = run_yosys(
        f"read_verilog -lib {netlist}",
        "read_verilog shell.v",
        f"synth_ecp5 -noiopad -top {NAME}",
        "write_verilog -noattr shell-mapped.v",
    )
    # Both are mapped: they are only put together.
    run_yosys(
        f"{CELLS}; read_verilog {netlist}; read_verilog shell-mapped.v",
        f"hierarchy -check -top {NAME}; flatten; blackbox =A:whitebox; opt_clean -purge",
        "write_json shell.json",
    )
    cells = named(stat["design"]["num_cells_by_type"])
    return {kind: n for kind, n in cells.items() if kind != top}


def place_and_route(seed: str, target_mhz: str) -> RouterRun:
    """Run nextpnr once; what it says of frequency and cells. RunError if it fails."""
    report, log = Path(f"report-{seed}.json"), Path(f"nextpnr-{seed}.log")
    options = ["--seed", seed, "--freq", target_mhz, "--timing-allow-fail"]
    files = ["--json", "shell.json", "--report", str(report), "--lpf-allow-unconstrained"]
    arguments = [*PLACED_ON, *options, *files, "--log", str(log), "--quiet"]
    if code := run_nextpnr(arguments, Path.cwd()):
        found = re.findall(r"^ERROR: (.*)", log.read_text(), re.MULTILINE)
        raise RunError("\n".join(found or [f"nextpnr ended with code {code}"]))
    said = json.loads(report.read_text())
    [fmax] = said["fmax"].values()
    used = {name: entry["used"] for name, entry in said["utilization"].items()}
    return RouterRun(int(seed), fmax["achieved"], used["TRELLIS_COMB"], used["TRELLIS_FF"])
