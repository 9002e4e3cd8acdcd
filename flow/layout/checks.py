"""Count what is wrong with a layout: open nets, shorts, and shapes too close or too narrow.

Nets are checked as we made them (opens, shorts); the geometry of the GDS file is checked by
KLayout, which knows nothing of our nets. Distances are Euclidean, by one rule per layer: that of
narrow wires, and areas of shapes and holes where the technology says the least. Rules for wide
metal and density are not checked; the cells' own shapes are taken to be right.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import klayout.db as kdb

from flow.layout.conflicts import NOTHING, index
from flow.layout.connected import is_open
from flow.layout.gds import layer_of, read_gds
from flow.layout.lef import UNITS_PER_UM
from flow.layout.strips import CellShape
from flow.layout.technology import Stack
from flow.layout.wires import Shape, Wires, cut_shapes, segment_shape


def open_nets(stack: Stack, nets: dict[str, Wires]) -> list[str]:
    """Find the nets with pins that are not connected to each other."""
    return sorted(net for net, wires in nets.items() if is_open(stack, wires))


def shorted_pairs(
    stack: Stack, nets: dict[str, Wires], supply: Mapping[str, Iterable[Shape]] = NOTHING
) -> list[tuple[str, str]]:
    """Find the pairs of nets, or of a net and supply, whose shapes touch or overlap."""
    touching = index(stack, nets, dict.fromkeys(stack.spacing, 1), supply)
    return sorted(touching.pairs(nets))


def geometry(gds: Path, stack: Stack) -> dict[str, int]:
    """Count violations by kind, such as "metal3 spacing", in the GDS file's own wires."""
    layout = read_gds([gds])
    top = layout.top_cell()
    regions = {
        name: kdb.Region(top.shapes(layer_of(layout, stack, name))).merged()
        for name in stack.layers
    }
    unit = 1 / UNITS_PER_UM / layout.dbu
    found = {}
    for name, region in regions.items():
        if name == stack.cell_metal:
            continue
        layer = stack.layers[name]
        close = region.space_check(round(layer.spacing * unit), False, kdb.Metrics.Euclidian)
        found[f"{name} spacing"] = close.count()
        found[f"{name} width"] = region.width_check(round(layer.width * unit)).count()
        if layer.area:
            small = region.with_area(0, round(layer.area / layout.dbu**2), False)
            found[f"{name} area"] = small.count()
        if layer.hole:
            small = region.holes().with_area(0, round(layer.hole / layout.dbu**2), False)
            found[f"{name} hole"] = small.count()
    for cut, via in stack.vias.items():
        for metal in (via.below, via.above):
            outside = regions[cut] - regions[metal]
            found[f"{cut} outside {metal}"] = outside.count()
    return {kind: count for kind, count in found.items() if count}


def pin_geometry(
    library: Iterable[Path], stack: Stack, shapes: dict[str, CellShape], used: set[str]
) -> dict[str, int]:
    """Count the same in the cells used: on their pins' metal with the vias that we put there, and
    on that of the strips with these as long as they may be."""
    layout = read_gds(library)
    unit = 1 / UNITS_PER_UM / layout.dbu
    metal, above, pin_cut = stack.cell_metal, stack.pin_metal, stack.pin_cut
    counts = dict.fromkeys((f"{metal} spacing in cells", f"{above} spacing in cells"), 0)
    outside = 0
    for master in sorted(used):
        cell = layout.cell(master)
        own = {
            name: kdb.Region(cell.begin_shapes_rec(layer_of(layout, stack, name)))
            for name in (metal, above)
        }
        ours = {name: kdb.Region() for name in (metal, pin_cut, above)}
        for pin in shapes[master].strips.values():
            strip = segment_shape(stack, (above, pin.x, pin.bottom, pin.x, pin.top))
            half = stack.half_width[above]  # which is drawn beyond the ends of a wire
            boxes = [(above, strip[1], strip[2] + half, strip[3], strip[4] - half)]
            for layer, *corners in [*boxes, *cut_shapes(stack, (pin_cut, pin.x, pin.via))]:
                ours[layer].insert(kdb.Box(*(round(corner * unit) for corner in corners)))
        for name, shapes_of_cell in own.items():
            merged, rule = (shapes_of_cell + ours[name]).merged(), stack.layers[name]
            close = merged.space_check(round(rule.spacing * unit), False, kdb.Metrics.Euclidian)
            counts[f"{name} spacing in cells"] += close.count()
        outside += (ours[pin_cut] - own[metal]).count()
    counts[f"{pin_cut} outside pins"] = outside
    return {kind: count for kind, count in counts.items() if count}


def label(opens: int, shorts: int, geometric: dict[str, int]) -> str:
    """Say "clean", or what is not, in one line."""
    wrong = [f"{opens} open nets"] * bool(opens) + [f"{shorts} shorted pairs"] * bool(shorts)
    wrong += [f"{count} {kind}" for kind, count in geometric.items()]
    return f"not clean: {', '.join(wrong)}" if wrong else "clean"
