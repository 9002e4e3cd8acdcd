"""Straps of supply above the wires, and the pillars of cuts from them to the rails.

A strap runs from the bottom of the core to its top, on a metal above those of wires: the two ends
are where the core is fed. A pillar joins it to each rail of its supply: one cut of each kind, above
each other but for a short wire along the rail that leads from a track of the strips to one of the
wires. Cells keep away from the columns of sites below.
"""

from collections.abc import Iterator
from typing import NamedTuple

from flow.layout.design import SUPPLIES, Design
from flow.layout.lef import units
from flow.layout.technology import Stack
from flow.layout.wires import Cut, Segment, Shape, cut_shapes, segment_shape

USES = {"VDD": "POWER", "VSS": "GROUND"}  # as LEF and DEF say them
OFF = 4  # sites that two straps may be closer than their pitch, being at sites and on tracks


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


def least_sites(stack: Stack) -> int:
    """Tell how many sites a core must have for two straps, at least as wide as their spacing."""
    if stack.rules.straps is None:
        return 0
    spacing = -(-units(stack.rules.straps.spacing_um) // stack.site_width)
    return len(SUPPLIES) * (2 * spacing + OFF)


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


def cuts_up(stack: Stack) -> list[str]:
    """List the cuts of a pillar from a rail up, which may be above the first ones."""
    return [*stack.vias][stack.metals.index(stack.rules.rails.metal) :]


def pillars(design: Design) -> Iterator[Pillar]:
    """List the pillars of all straps."""
    stack = design.stack
    metal = stack.routed[0]
    all_cuts = cuts_up(stack)
    for supply, x, middle in straps(design):
        for rail in rails_of(design, supply):
            y = rail * stack.row_height
            # The cuts up to the first metal of wires are on a track of strips.
            at = (
                x if stack.vias[cut].above in (stack.pin_metal, metal) else middle
                for cut in all_cuts
            )
            cuts = tuple((cut, up, y) for cut, up in zip(all_cuts, at, strict=True))
            yield Pillar(supply, (metal, x, y, middle, y), cuts)


def strap_shape(design: Design, strap: Strap) -> Shape:
    """Draw a strap, which ends where the outer pillars do, as wide as there is room for."""
    stack, rules = design.stack, design.stack.rules
    assert rules.straps
    _, above = stack.half_size(rules.straps.cut.name, rules.straps.metal)
    grid, over = units(rules.routing.grid_um), max(units(rules.rails.width_um) // 2, above)
    # No wider than they are apart: so they keep the spacings of wide shapes.
    apart = design.width // len(design.strap_sites()) - OFF * design.stack.site_width
    half = min(units(rules.straps.width_um), apart // 2) // 2 // grid * grid
    box = strap.middle - half, -over, strap.middle + half, design.height + over
    return rules.straps.metal, *box


def strap_shapes(design: Design) -> dict[str, list[Shape]]:
    """Draw the straps of each supply, which are its pins."""
    found: dict[str, list[Shape]] = {}
    for strap in straps(design):
        found.setdefault(strap.supply, []).append(strap_shape(design, strap))
    return found


def supply_shapes(design: Design) -> dict[str, list[Shape]]:
    """Draw all boxes of straps and pillars, by supply."""
    stack = design.stack
    found = strap_shapes(design)
    for supply, lead, cuts in pillars(design):
        found[supply].append(segment_shape(stack, lead))
        for cut in cuts:
            found[supply] += cut_shapes(stack, cut)
    return found
