"""Map a design to an FPGA family: outputs/netlist.v, outputs/fpga_map.json."""

from importlib.metadata import version

from flow.fpga.devices import FAMILIES
from flow.fpga.mapping import map_design, modules_in
from flow.fpga.repeated import repeated
from flow.results.fpga import FpgaMap
from flow.results.netlist import Rtl
from flow.step import IN, OUT, leave, step, taken
from sim.errors import RunError

ESTIMATE = "mapped by yosys, not placed: an estimate"


@step
def main(device: str, design_name: str, most_operators: int) -> None:
    """Map for the device of the step's parameters; exit 1 if a cell is none of its own."""
    family, source = FAMILIES[device], IN / "design.v"
    operators = sum(taken("rtl", Rtl).operators.values())
    kept: list[str] | None = []
    if operators > most_operators:
        kept = repeated(modules_in(source, design_name), design_name, most_operators)
    cells = map_design(source, design_name, family, kept, OUT / "netlist.v")
    if unknown := family.unknown(cells):
        raise RunError(f"no resource is known for cells {', '.join(unknown)}")
    found = FpgaMap(
        device=device,
        method=ESTIMATE,
        hierarchy="kept" if kept is None else "repeated" if kept else "flattened",
        mapped_once=kept or [],
        operators=operators,
        cells=dict(sorted(cells.items())),
    )
    leave("fpga_map", found, family.metrics(cells), {"yosys": version("pyosys")})
