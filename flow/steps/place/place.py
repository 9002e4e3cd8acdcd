"""Place the netlist: outputs/placed.json, outputs/layout.v, outputs/place.json."""

from importlib.metadata import version

from flow.layout.buffering import add_buffers, differences
from flow.layout.lef import UNITS_PER_UM
from flow.layout.placement import half_perimeter_um, illegal, legalise, place, unplaced
from flow.layout.straps import read_cells
from flow.layout.technology import ROW_HEIGHT, SITE_WIDTH
from flow.netlist import read_netlist
from flow.results.layout import Placement
from flow.step import IN, KIT, OUT, leave, step


@step
def main(clock_port: str, utilisation: float) -> None:
    """Place the netlist."""
    netlist = read_netlist(IN / "flat.json")
    design = unplaced(netlist, read_cells(KIT / "stdcells.lef"), utilisation)
    place(design, utilisation)
    buffers = add_buffers(design, clock_port)
    legalise(design, utilisation)

    site_um2 = SITE_WIDTH * ROW_HEIGHT / UNITS_PER_UM**2
    cells = design.instances()
    area = site_um2 * sum(design.shape(cell).sites for cell in cells)
    core = site_um2 * design.sites * design.rows
    design.save(OUT / "placed.json")
    buffered = design.netlist()
    buffered.write_verilog(OUT / "layout.v")
    found = Placement(
        core_um=(design.width / UNITS_PER_UM, design.height / UNITS_PER_UM),
        rows=design.rows,
        half_perimeter_um=half_perimeter_um(design),
        buffers=buffers,
        illegal=illegal(design),
        differences=differences(netlist, buffered),
    )
    metrics = {
        "layout_cells": len(cells),
        "layout_area_um2": round(area, 3),
        "core_area_um2": round(core, 3),
        "core_utilisation": round(area / core, 4),
    }
    leave("place", found, metrics, {"coloquinte": version("coloquinte")})
