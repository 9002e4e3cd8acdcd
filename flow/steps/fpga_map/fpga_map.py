"""Map a design to an FPGA family: outputs/netlist.v, outputs/fpga_map.json."""

import os
from importlib.metadata import version

from flow.fpga.devices import FAMILIES
from flow.fpga.mapping import map_design, modules_in
from flow.fpga.repeated import repeated
from flow.results.fpga import FpgaMap
from flow.results.netlist import Rtl
from flow.step import IN, OUT, leave, run, taken
from sim.errors import RunError

ESTIMATE = "mapped by yosys, not placed: an estimate"


def main() -> None:
    """Map for the device of the step's parameters; exit 1 if a cell is none of its own."""
    env = os.environ
    family, source, top = FAMILIES[env["device"]], IN / "design.v", env["design_name"]
    operators, most = sum(taken("rtl", Rtl).operators.values()), int(env["most_operators"])
    kept = [] if operators <= most else repeated(modules_in(source, top), top, most)
    cells = map_design(source, top, family, kept, OUT / "netlist.v")
    if unknown := family.unknown(cells):
        raise RunError(f"no resource is known for cells {', '.join(unknown)}")
    found = FpgaMap(
        device=env["device"],
        method=ESTIMATE,
        hierarchy="kept" if kept is None else "repeated" if kept else "flattened",
        mapped_once=kept or [],
        operators=operators,
        cells=dict(sorted(cells.items())),
    )
    leave("fpga_map", found, family.metrics(cells), {"yosys": version("pyosys")})


if __name__ == "__main__":
    run(main)
