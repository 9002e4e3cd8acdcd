"""Place and route a mapped design in its shell on an ECP5: outputs/fpga_route.json."""

import os
import statistics
from importlib.metadata import version

from flow.fpga.nextpnr import PACKAGE
from flow.fpga.routing import DEVICE, place_and_route, wrap
from flow.results.fpga import FpgaRoute, Shell
from flow.step import IN, leave, listed, run


def main() -> None:
    """Route with every seed of the step's parameters."""
    env = os.environ
    cells = wrap(IN / "netlist.v", env["design_name"], env["clock_port"])
    runs = []
    for seed in listed("seeds"):
        runs.append(place_and_route(seed, env["target_mhz"]))
        print(runs[-1], flush=True)
    shell = Shell(luts=cells.get("LUT4", 0), ffs=cells.get("TRELLIS_FF", 0))
    found = FpgaRoute(DEVICE, float(env["target_mhz"]), shell, runs)
    metrics = {"fmax_mhz": round(statistics.median(run.fmax_mhz for run in runs), 2)}
    leave("fpga_route", found, metrics, {"nextpnr": version(PACKAGE)})


if __name__ == "__main__":
    run(main)
