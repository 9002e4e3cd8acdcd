"""Place and route a mapped design in its shell on an ECP5: outputs/fpga_route.json."""

import statistics
from importlib.metadata import version

from flow.fpga.nextpnr import PACKAGE
from flow.fpga.routing import DEVICE, place_and_route, wrap
from flow.results.fpga import FpgaRoute, Shell
from flow.step import IN, leave, step


@step
def main(design_name: str, clock_port: str, seeds: tuple[str, ...], target_mhz: str) -> None:
    """Route with every seed of the step's parameters."""
    cells = wrap(IN / "netlist.v", design_name, clock_port)
    runs = []
    for seed in seeds:
        runs.append(place_and_route(seed, target_mhz))
        print(runs[-1], flush=True)
    shell = Shell(luts=cells.get("LUT4", 0), ffs=cells.get("TRELLIS_FF", 0))
    found = FpgaRoute(DEVICE, float(target_mhz), shell, runs)
    metrics = {"fmax_mhz": round(statistics.median(run.fmax_mhz for run in runs), 2)}
    leave("fpga_route", found, metrics, {"nextpnr": version(PACKAGE)})
