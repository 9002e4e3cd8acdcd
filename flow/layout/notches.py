"""Draw the shapes of a net, and fill notches and holes that are too small.

Where pads of vias are wider than wires, two pads beside each other on a wire leave a notch that is
narrower than the spacing of their metal, which holds within a net, too. So does a wire that goes
across its metal's direction to a place between two tracks, and back.

Pads and wires of a net may also enclose a hole, whose area has a lower limit on some metals. No
other net fits into a hole below the limit: it is narrower than a wire with its spacing on both
sides, so it can always be filled.
"""

from collections import defaultdict
from collections.abc import Iterator, Set

import klayout.db as kdb

from flow.layout.lef import UNITS_PER_UM, units
from flow.layout.technology import Stack
from flow.layout.wires import Shape, Wires, shapes

ROUNDS = 30  # at most, since what fills one notch may make another


def drawn(stack: Stack, wires: Wires) -> Iterator[Shape]:
    """List all boxes of a net, as they are drawn."""
    found = list(shapes(stack, wires))
    yield from found
    across = {metal for metal, _ in wires.h if stack.rail(metal) == "v"}
    across |= {metal for metal, _ in wires.v if stack.rail(metal) == "h"}
    if metals := stack.wide_pads | stack.with_holes | across.intersection(stack.routed):
        yield from filled(stack, found, metals)


def filled(stack: Stack, boxes: list[Shape], metals: Set[str]) -> Iterator[Shape]:
    """List the boxes that fill notches and small holes between boxes of one net on these metals."""
    grid = units(stack.rules.routing.grid_um)
    regions: dict[str, kdb.Region] = defaultdict(kdb.Region)
    for layer, *corners in boxes:
        if layer in metals:
            regions[layer].insert(kdb.Box(*corners))
    for metal, region in regions.items():
        space = stack.spacing[metal]
        for _ in range(ROUNDS):
            close = region.merged().space_check(space, False, kdb.Metrics.Euclidian)
            found = [_on_grid(pair.bbox(), grid) for pair in close.each()]
            if not found:
                break
            for box in found:
                region.insert(box)
                yield metal, box.left, box.bottom, box.right, box.top
        if limit := stack.layers[metal].hole:
            holes = region.merged().holes().with_area(0, round(limit * UNITS_PER_UM**2), False)
            for part in holes.decompose_trapezoids_to_region().each():
                box = part.bbox()
                yield metal, box.left, box.bottom, box.right, box.top


def _on_grid(box: kdb.Box, grid: int) -> kdb.Box:
    """Make a box as large as it takes for its corners to be on the grid."""
    low = (box.left // grid * grid, box.bottom // grid * grid)
    return kdb.Box(*low, -(-box.right // grid) * grid, -(-box.top // grid) * grid)
