"""Turn a technology's rules for layouts into our units: metals, tracks, vias, and the site.

Cells have their pins on the first metal, in shapes too small for a router. Each pin gets a vertical
strip of the second (see strips.py); those above carry the wires.
"""

from dataclasses import dataclass
from functools import cache

from flow.layout.lef import units
from flow.technologies.asked import DEFAULT
from flow.technologies.rules import Cut, Metal, Straps, rules_of
from flow.technologies.technology import technology


@dataclass(frozen=True)
class Layer:
    """A metal or a cut, in our units; its resistance in ohms per square, or per cut. Height, of the
    bottom above the silicon, and thickness are in um; the least area of a shape and of a hole in
    one are in um2."""

    name: str
    width: int
    spacing: int
    resistance: float
    gds: tuple[int, int]
    pitch: int = 0
    area: float = 0.0
    hole: float = 0.0
    height: float = 0.0
    thickness: float = 0.0


@dataclass(frozen=True)
class Via:
    """A via: its cut, the metals below and above, and the half-sizes of the three shapes."""

    cut: str
    below: str
    above: str
    shapes: tuple[tuple[str, int, int], ...]


class Stack:
    """The layers, vias, site and cells of a technology."""

    def __init__(self, tech: str) -> None:
        self.tech, self.rules = tech, rules_of(tech)
        self.entry, self.cells = technology(tech), self.rules.roles
        rules, site = self.rules, self.entry.site
        self.site_width, self.row_height = units(site.width_um), units(site.height_um)
        self.metals = tuple(metal.name for metal in rules.metals)
        self.cuts = tuple(cut.name for cut in rules.cuts)
        # Pins of cells are on the first metal, under a cut to their strips on the second; above
        # these are the wires' metals, reached by the first cut of wires.
        self.cell_metal, self.pin_metal, *routed = self.metals
        self.pin_cut, self.first_cut, *_ = self.cuts
        self.routed = tuple(routed)
        self.layers = {one.name: _metal(one) for one in rules.metals}
        self.layers |= {one.name: _cut(one) for one in rules.cuts}
        between = zip(rules.cuts, self.metals[:-1], self.metals[1:], strict=True)
        self.vias = {cut.name: _via(cut, *metals) for cut, *metals in between}
        if straps := rules.straps:
            self.layers |= {straps.metal: _strap(straps), straps.cut.name: _cut(straps.cut)}
            self.vias[straps.cut.name] = _via(straps.cut, self.metals[-1], straps.metal)
        # Ours, and what cells call them.
        self.supplies = {"VSS": rules.rails.ground, "VDD": rules.rails.power}
        self.horizontal = frozenset(
            metal.name for metal in rules.metals if metal.wires == "horizontal"
        )
        # The metals on which some via of wires is wider, across these, than they are.
        self.wide_pads = frozenset(
            name
            for cut in self.cuts
            for name, *half in self.vias[cut].shapes
            if name in self.metals[1:]
            and half[name in self.horizontal] > self.layers[name].width // 2
        )
        self.with_holes = frozenset(name for name in self.metals if self.layers[name].hole)
        self.half_width = {metal: self.layers[metal].width // 2 for metal in self.metals}
        # Of what is drawn outside of cells: shapes on the first metal lie within pins.
        self.spacing = {
            name: layer.spacing for name, layer in self.layers.items() if name != self.cell_metal
        }
        self.tracks = {
            metal.name: (units(metal.tracks.pitch_um), units(metal.tracks.first_um))
            for metal in rules.metals
            if metal.tracks
        }

    def pitch(self, metal: str) -> int:
        """Tell the pitch of a metal's tracks."""
        return self.tracks[metal][0]

    def rail(self, metal: str) -> str:
        """Tell the direction of a metal's wires: "h" or "v"."""
        return "h" if metal in self.horizontal else "v"

    def half_size(self, cut: str, metal: str) -> tuple[int, int]:
        """Tell half the sizes of what a via has on a metal, along x and y."""
        return next((x, y) for name, x, y in self.vias[cut].shapes if name == metal)

    @property
    def reach(self) -> int:
        """How far from the end of a strip, or the edge of the core, the middle of a via is."""
        return self.half_size(self.first_cut, self.pin_metal)[1]

    @property
    def delay(self) -> str:
        """The cell that is put before a register that data reaches too early."""
        return self.entry.cells.buffer.cell if self.entry.cells.buffer else ""

    @property
    def buffers(self) -> frozenset[str]:
        """All cells that layouts add to a netlist."""
        cells = self.cells
        found = (cells.clock_leaf, cells.clock_trunk, cells.fanout, cells.port, self.delay)
        return frozenset(found)

    @property
    def gated(self) -> str:
        """The pin of a gated clock: of the cells only clock gates have one of this name."""
        return self.entry.cells.clock_gate.output if self.entry.cells.clock_gate else ""


def _metal(said: Metal) -> Layer:
    return Layer(
        name=said.name,
        width=units(said.width_um),
        spacing=units(said.spacing_um),
        resistance=said.ohm_per_square,
        gds=said.gds,
        pitch=units(said.pitch_um),
        area=said.area_um2,
        hole=said.hole_um2,
        height=said.height_um,
        thickness=said.thickness_um,
    )


def _strap(said: Straps) -> Layer:
    spacing = units(said.spacing_um)  # and the least width
    return Layer(said.metal, spacing, spacing, said.ohm_per_square, said.gds)


def _cut(said: Cut) -> Layer:
    return Layer(said.name, units(said.width_um), units(said.spacing_um), said.ohm, said.gds)


def _via(said: Cut, below: str, above: str) -> Via:
    sizes = (said.below_um, (said.width_um / 2,) * 2, said.above_um)
    shapes = zip((below, said.name, above), sizes, strict=True)
    return Via(said.name, below, above, tuple((n, units(x), units(y)) for n, (x, y) in shapes))


@cache
def stack_of(tech: str = DEFAULT) -> Stack:
    """Make the stack of a technology."""
    return Stack(tech)
