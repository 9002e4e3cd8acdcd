"""Place the netlist: outputs/placed.json, outputs/layout.v, outputs/place.json."""

from importlib.metadata import version
from pathlib import Path

from flow import opensta
from flow.layout.buffering import add_buffers, differences
from flow.layout.lef import UNITS_PER_UM
from flow.layout.placement import half_perimeter_um, illegal, legalise, place, unplaced
from flow.layout.sizing import families, kinds, resize
from flow.layout.straps import read_cells
from flow.layout.technology import ROW_HEIGHT, SITE_WIDTH
from flow.netlist import read_netlist
from flow.results.layout import Placement
from flow.results.netlist import Timing
from flow.step import IN, KIT, LIBERTY, OUT, leave, step, taken

ROUNDS = 2  # of sizes and places, since each changes the other


@step
def main(clock_port: str, utilisation: float) -> None:
    """Place the netlist."""
    netlist = read_netlist(IN / "flat.json")
    design = unplaced(netlist, read_cells(KIT / "stdcells.lef"), utilisation)
    place(design, utilisation)
    buffers = add_buffers(design, clock_port)
    legalise(design, utilisation)
    period, resized = taken("timing", Timing).clock_period_ns, 0
    for _ in range(ROUNDS):
        if not (changed := resize(design, LIBERTY, period, clock_port, Path())):
            break
        resized += changed
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
        differences=differences(netlist, buffered, kinds(families(design, LIBERTY))),
    )
    metrics = {
        "layout_cells": len(cells),
        "layout_area_um2": round(area, 3),
        "layout_resized": resized,
        "core_area_um2": round(core, 3),
        "core_utilisation": round(area / core, 4),
    }
    tools = {"coloquinte": version("coloquinte"), "opensta": opensta.version()}
    leave("place", found, metrics, tools)
