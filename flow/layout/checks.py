"""Count what is wrong with a layout: open nets, shorts, and shapes too close or too narrow.

Nets are checked as we made them (opens, shorts); the geometry of the GDS file is checked by
KLayout, which knows nothing of our nets. Distances are Euclidean, by one rule per layer: that of
narrow wires. Rules for wide metal, area and density are not checked; the cells' own shapes are
taken to be right.
"""

from pathlib import Path

import klayout.db as kdb

from flow.layout.conflicts import index, pairs
from flow.layout.connected import is_open
from flow.layout.lef import UNITS_PER_UM
from flow.layout.straps import CellShape
from flow.layout.technology import CUTS, GDS_LAYERS, METALS, Stack
from flow.layout.wires import Wires, cut_shapes


def open_nets(stack: Stack, nets: dict[str, Wires]) -> list[str]:
    """Find the nets with pins that are not connected to each other."""
    return sorted(net for net, wires in nets.items() if is_open(stack, wires))


def shorted_pairs(stack: Stack, nets: dict[str, Wires]) -> list[tuple[str, str]]:
    """Find the pairs of nets whose shapes touch or overlap."""
    touching = index(stack, nets, dict.fromkeys(stack.spacing, 1))
    return sorted(pairs(stack, nets, touching))


def geometry(gds: Path, stack: Stack) -> dict[str, int]:
    """Count violations by kind, such as "metal3 spacing", in the GDS file's own wires."""
    layout = kdb.Layout()
    layout.read(str(gds))
    top = layout.top_cell()
    regions = {
        name: kdb.Region(top.shapes(layout.layer(GDS_LAYERS[name], 0))).merged()
        for name in (*METALS, *CUTS)
    }
    unit = 1 / UNITS_PER_UM / layout.dbu
    found = {}
    for name, region in regions.items():
        if name == METALS[0]:
            continue
        layer = stack.layers[name]
        close = region.space_check(round(layer.spacing * unit), False, kdb.Metrics.Euclidian)
        found[f"{name} spacing"] = close.count()
        found[f"{name} width"] = region.width_check(round(layer.width * unit)).count()
    for cut in CUTS:
        for metal in (stack.vias[cut].below, stack.vias[cut].above):
            outside = regions[cut] - regions[metal]
            found[f"{cut} outside {metal}"] = outside.count()
    return {kind: count for kind, count in found.items() if count}


def pin_geometry(
    library: Path, stack: Stack, shapes: dict[str, CellShape], used: set[str]
) -> dict[str, int]:
    """Count the same in the metal1 of the cells used, with the vias that we put on their pins."""
    layout = kdb.Layout()
    layout.read(str(library))
    unit = 1 / UNITS_PER_UM / layout.dbu
    metal, rule = METALS[0], stack.layers[METALS[0]]
    spacing = outside = 0
    for master in sorted(used):
        cell = layout.cell(master)
        own = kdb.Region(cell.begin_shapes_rec(layout.layer(GDS_LAYERS[metal], 0)))
        pads, cuts = kdb.Region(), kdb.Region()
        for strap in shapes[master].straps.values():
            for layer, *corners in cut_shapes(stack, (CUTS[0], strap.x, strap.via)):
                box = kdb.Box(*(round(corner * unit) for corner in corners))
                if layer == metal:
                    pads.insert(box)
                elif layer == CUTS[0]:
                    cuts.insert(box)
        merged = (own + pads).merged()
        close = merged.space_check(round(rule.spacing * unit), False, kdb.Metrics.Euclidian)
        spacing += close.count()
        outside += (cuts - own).count()
    counts = {f"{metal} spacing in cells": spacing, f"{CUTS[0]} outside pins": outside}
    return {kind: count for kind, count in counts.items() if count}


def label(opens: int, shorts: int, geometric: dict[str, int]) -> str:
    """Say "clean", or what is not, in one line."""
    wrong = [f"{opens} open nets"] * bool(opens) + [f"{shorts} shorted pairs"] * bool(shorts)
    wrong += [f"{count} {kind}" for kind, count in geometric.items()]
    return f"not clean: {', '.join(wrong)}" if wrong else "clean"
