"""Place and route a mapped design in its shell on an ECP5: outputs/fpga_route.json."""

import json
import os
import statistics
from importlib.metadata import version

from flow.fpga.nextpnr import PACKAGE
from flow.fpga.routing import DEVICE, place_and_route, wrap
from flow.step import IN, leave, listed, run


def main() -> None:
    """Route with every seed of the step's parameters."""
    env = os.environ
    cells = wrap(IN / "netlist.v", env["design_name"], env["clock_port"])
    runs = []
    for seed in listed("seeds"):
        runs.append(place_and_route(seed, env["target_mhz"]))
        print(json.dumps(runs[-1]), flush=True)
    data = {
        "metrics": {"fmax_mhz": round(statistics.median(run["fmax_mhz"] for run in runs), 2)},
        "device": DEVICE,
        "target_mhz": float(env["target_mhz"]),
        "shell": {"luts": cells.get("LUT4", 0), "ffs": cells.get("TRELLIS_FF", 0)},
        "runs": runs,
        "tools": {"nextpnr": version(PACKAGE)},
    }
    leave("fpga_route", data)


if __name__ == "__main__":
    run(main)
