"""Close the timing of the routed design, check and draw it: GDS, DEF, SPEF, pictures,
outputs/layout.json."""

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import msgspec

from flow import opensta
from flow.gates.liberty import Library
from flow.layout import antenna, checks
from flow.layout.abstract import write_abstract
from flow.layout.buffering import HOLD_PREFIX, REPEATER_PREFIX, called, differences
from flow.layout.clock_tree import clock_tree
from flow.layout.closing import Closer
from flow.layout.deffile import write_def
from flow.layout.design import Design
from flow.layout.gds import GdsWriter, extract
from flow.layout.ideal_clock import with_ideal_clock
from flow.layout.jumps import Jumper
from flow.layout.layers import layers
from flow.layout.lef import UNITS_PER_UM
from flow.layout.limits import overloaded
from flow.layout.parasitics import Parasitics, extract_wires, write_spef
from flow.layout.placement import illegal
from flow.layout.plot import draw
from flow.layout.routes import load_routes, save_routes
from flow.layout.sdf import write_sdf
from flow.layout.sizing import families, kinds
from flow.layout.slews import slow_pins
from flow.layout.straps import supply_shapes
from flow.layout.technology import Stack
from flow.netlist import Netlist
from flow.opensta import Timed
from flow.results.clock_tree import ClockTree
from flow.results.closing import ClockTreeOf, ClosedLayout, Closing
from flow.results.netlist import InCorner
from flow.results.record import Metrics
from flow.step import (
    HOLD_LIBERTY,
    IN,
    KIT,
    LIBERTY,
    OUT,
    POWER_LIBERTY,
    leave,
    step,
    taken,
    write_json,
)
from flow.technologies.cells import cell_files
from flow.technologies.technology import beside
from flow.technologies.wires import read_tables

FF_PER_PF = 1000
FF_PER_UM = "wire_ff_per_um_"  # and the metal
ENABLE = "layout_enable_slack_ns"


def hold_library() -> Path | None:
    """Find the library by which hold is told, if it is another than that of setup."""
    signoff = beside(LIBERTY).signoff
    return None if signoff.hold == signoff.setup else HOLD_LIBERTY


def timing(
    period: float, clock_port: str, top: str
) -> tuple[list[InCorner], opensta.Summary, dict[str, float | None], list[str]]:
    """Ask OpenSTA about the design with its wires in each corner, about all else in that of setup,
    about the clock tree, and which cells the slowest path goes through."""
    text, corners = opensta.in_corners(
        OUT / "layout.v", top, KIT, period, clock_port, OUT / "layout.spef"
    )
    Path("sta.log").write_text(text)
    report = opensta.path_report(text)
    (OUT / "layout.rpt").write_text(report)
    path = opensta.path_cells(report, beside(LIBERTY))
    return corners, opensta.summary(text, period), opensta.clock_tree(text), path


def write_simulated(
    stack: Stack, netlist: Netlist, wires: dict[str, float], clock_port: str
) -> ClockTree:
    """Write the netlist and the fF of its wires as simulation and power take them, and what the
    clock tree takes besides; that."""
    library = Library(POWER_LIBERTY)
    tree = clock_tree(netlist, wires, library, clock_port)
    found = ClockTreeOf(port=clock_port, **msgspec.structs.asdict(tree))
    write_json("clock_tree", msgspec.to_builtins(found))
    cells = stack.cells
    names = (cells.clock_leaf, cells.clock_trunk)
    buffers = {name: library[name].pins[cells.input] for name in names}
    pin_ff = {name: pin.capacitance for name, pin in buffers.items()}
    ideal, shown = with_ideal_clock(stack, netlist, wires, pin_ff)
    ideal.save(OUT / "flat.json")
    (OUT / "wires.json").write_text(json.dumps(shown, indent=0) + "\n")
    return tree


def area_metrics(design: Design) -> Metrics:
    """Sum up the cells, and say how much of the core they fill."""
    cells = design.instances()
    area = design.stack.row_height * sum(design.shape(cell).width for cell in cells)
    return {
        "layout_cells": len(cells),
        "layout_area_um2": round(area / UNITS_PER_UM**2, 3),
        "core_utilisation": round(area / (design.width * design.height), 4),
    }


def wire_metrics(found: Parasitics) -> Metrics:
    """Sum up what wires have, and say what a um has on each metal."""
    metals = found.metals
    ground, coupling = (
        sum(getattr(on, what) for on in metals.values()) for what in ("ground_ff", "coupling_ff")
    )
    total = sum(rc.total for rc in found.nets.values())
    return {
        "wire_capacitance_pf": round(total / FF_PER_PF, 4),
        "wire_coupling_share": round(coupling / (ground + coupling or 1.0), 4),
        **{f"{FF_PER_UM}{name}": round(on.ff_per_um, 5) for name, on in metals.items()},
    }


@step
def main(design_name: str, clock_period: float, clock_port: str) -> None:
    """Write, check, time and draw the design."""
    design = Design.load(IN / "placed.json")
    stack = design.stack
    cells = cell_files(stack.tech, KIT)
    routes, _ = load_routes(IN / "routes.json", design, stack)
    tables, areas = read_tables(stack.tech), antenna.read_gate_areas(cells.lef)
    mended = Jumper(stack, design, areas, routes).mend_all()
    closer = Closer(stack, tables, LIBERTY, clock_period, clock_port, Path(), hold_library())
    closed = closer.close(design, routes, lambda text: print(text, flush=True))
    alike = kinds(families(design.shapes, LIBERTY))
    changed = differences(stack, design.netlist(), closed.routed.design.netlist(), alike)
    design, nets, extracted = closed.routed.design, closed.routed.nets, closed.routed.wires
    again = Jumper(stack, design, areas, nets).mend_all()  # what closing left
    if again.before:
        extracted = extract_wires(stack, tables, design, nets)
    design.save(OUT / "placed.json")
    save_routes(nets, OUT / "routes.json")
    design.netlist().write_verilog(OUT / "layout.v")
    design.powered().write_verilog(OUT / "powered.v")

    GdsWriter(cells.gds, stack).write(design, nets, OUT / "layout.gds")
    write_def(OUT / "layout.def", stack, design, nets)
    write_abstract(OUT / "layout.lef", design)
    write_spef(OUT / "layout.spef", design, nets, extracted)
    capacitance = {net: round(rc.total, 4) for net, rc in extracted.nets.items()}
    tree = write_simulated(stack, design.netlist(), capacitance, clock_port)
    opens, shorts = (
        checks.open_nets(stack, nets),
        checks.shorted_pairs(stack, nets, supply_shapes(design)),
    )
    violations = checks.geometry(OUT / "layout.gds", stack)
    masters = {cell.master for cell in design.instances()}
    violations |= checks.pin_geometry(cells.gds, stack, design.shapes, masters)
    found_antennas = antenna.antennas(stack, design, areas, nets)
    large = antenna.too_large(found_antennas, antenna.ratios_of(stack))
    read_back = extract(OUT / "layout.gds", design)
    corners, timed, clock, path = timing(clock_period, clock_port, design_name)
    said = beside(LIBERTY)
    spef = OUT / "layout.spef"
    laid_out = Timed(OUT / "layout.v", design_name, LIBERTY, clock_period, clock_port, spef)
    overloads = overloaded(design, closer.limits, extracted.nets)
    slow = slow_pins(laid_out)
    write_sdf(design.netlist(), laid_out, OUT / "layout.sdf", OUT / "simulated.v")
    violations |= {"antennas": len(large)} if large else {}
    label = checks.label(len(opens), len(shorts), violations)
    parts, legend = draw(
        design,
        taken("cells", dict[str, tuple[str, str]]),
        f"{design.top}: {len(design.instances()):,} cells, "
        f"{design.width / UNITS_PER_UM:.0f} x {design.height / UNITS_PER_UM:.0f} um, {label}",
        (OUT / "amoeba.png", OUT / "amoeba.svg"),
        path,
    )
    write_json("layers", msgspec.to_builtins(layers(design, parts, path, nets)))
    lengths = {
        metal: sum(wires.length(metal) for wires in nets.values()) / UNITS_PER_UM
        for metal in stack.metals[1:]
    }
    found = ClosedLayout(
        label=label,
        violations=violations
        | ({"open nets": len(opens)} if opens else {})
        | ({"shorted pairs": len(shorts)} if shorts else {}),
        read_back=asdict(read_back),
        wire_um_by_metal={metal: round(length, 1) for metal, length in lengths.items()},
        modules=legend,
        closing=Closing(
            rounds=closed.rounds,
            illegal=illegal(design),
            differences=changed,
            setup_slack_before_ns=closed.before.setup,
            hold_slack_before_ns=closed.before.hold,
        ),
        corners=corners,
        untimed=[*timed.untimed],
    )
    checked = {
        "antenna_ratio": round(max((one.ratio for one in found_antennas), default=0.0), 1),
        "antennas": len(large),
        "antennas_mended": mended.before + again.before - mended.after - again.after,
    }
    metrics = area_metrics(design) | {
        "closing_resized": closed.resized,
        "hold_buffers": called(design, HOLD_PREFIX),
        "long_net_buffers": called(design, REPEATER_PREFIX),
        **(checked if areas else {}),
        "wire_um": round(sum(lengths.values()), 1),
        **wire_metrics(extracted),
        "open_nets": len(opens),
        "shorted_pairs": len(shorts),
        "drc_violations": sum(violations.values()) - len(large),
        "overloaded_cells": len(overloads),
        "slow_pins": len(slow),
        "layout_setup_slack_ns": timed.setup_slack_ns,
        "layout_hold_slack_ns": opensta.hold_slack(corners, said),
        "layout_period_ns": timed.period_ns,
        **{f"layout_{name}": ns for name, ns in opensta.typical_period(corners, said).items()},
        **({} if timed.enable_slack_ns is None else {ENABLE: timed.enable_slack_ns}),
        **{f"layout_{key}": value for key, value in clock.items()},
        "layout_clock_slew_ns": round(tree.slew_ns, 4),
        "clock_tree_fj": round(tree.all_fj, 2),
    }
    leave("layout", found, metrics, {"klayout": version("klayout"), "opensta": opensta.version()})
