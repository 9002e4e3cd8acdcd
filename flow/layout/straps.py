"""Straps of supply above the wires of a wide core, and the pillars of cuts from them to the rails.

A strap runs from the bottom of the core to its top, on a metal above those of wires. A pillar joins
it to each rail of its supply: one cut of each kind, above each other but for a short wire along the
rail that leads from a track of the strips to one of the wires. Cells keep away from the columns of
sites below.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from flow.layout.design import SUPPLIES, Design
from flow.layout.lef import units
from flow.layout.wires import Cut, Segment, Shape, cut_shapes, segment_shape


class Strap(NamedTuple):
    """A strap: its supply, the middle of the sites kept free below, and its own."""

    supply: str
    x: int
    middle: int


class Pillar(NamedTuple):
    """A pillar of a strap: its wire along the rail, and its cuts from the rail up."""

    supply: str
    lead: Segment
    cuts: tuple[Cut, ...]


def straps(design: Design) -> Iterator[Strap]:
    """List the straps from west to east, each on a track of wires."""
    stack = design.stack
    tracks = next(metal for metal in stack.routed if metal not in stack.horizontal)
    pitch, first = stack.tracks[tracks]
    for supply, site in design.strap_sites():
        x = site * stack.site_width + stack.site_width // 2
        yield Strap(supply, x, first + round((x - first) / pitch) * pitch)


def rails_of(design: Design, supply: str) -> range:
    """Number the rails of a supply, from the bottom of the core."""
    return range(SUPPLIES.index(supply), design.rows + 1, len(SUPPLIES))


def pillars(design: Design) -> Iterator[Pillar]:
    """List the pillars of all straps."""
    stack = design.stack
    metal = stack.routed[0]
    for supply, x, middle in straps(design):
        for rail in rails_of(design, supply):
            y = rail * stack.row_height
            # The cuts up to the first metal of wires are on a track of strips.
            at = (
                x if via.above in (stack.pin_metal, metal) else middle
                for via in stack.vias.values()
            )
            cuts = tuple((cut, up, y) for cut, up in zip(stack.vias, at, strict=True))
            yield Pillar(supply, (metal, x, y, middle, y), cuts)


def strap_shape(design: Design, strap: Strap) -> Shape:
    """Draw a strap, which ends where the outer rails do."""
    rules = design.stack.rules
    assert rules.straps
    half, over = units(rules.straps.width_um) // 2, units(rules.rails.width_um) // 2
    box = strap.middle - half, -over, strap.middle + half, design.height + over
    return rules.straps.metal, *box


def supply_shapes(design: Design) -> dict[str, list[Shape]]:
    """Draw all boxes of straps and pillars, by supply."""
    stack = design.stack
    found: dict[str, list[Shape]] = defaultdict(list)
    for strap in straps(design):
        found[strap.supply].append(strap_shape(design, strap))
    for supply, lead, cuts in pillars(design):
        found[supply].append(segment_shape(stack, lead))
        for cut in cuts:
            found[supply] += cut_shapes(stack, cut)
    return dict(found)
