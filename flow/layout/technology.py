"""Describe the metals that we route on: tracks, vias, GDS layers, and the kit's rules for them.

Cells have their pins on metal1, in shapes too small for a router. Each pin gets a vertical strip of
metal2 (see straps.py); metal3 to metal6 carry the wires.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flow.layout.lef import Layer, Technology, read_technology, units
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import technology

FOUND = technology(DEFAULT)
assert FOUND.layout, "layouts are made in the default technology"
CELLS = FOUND.layout
SITE = CELLS.site
GATE = FOUND.cells.clock_gate
GATED = GATE.output if GATE else ""  # of the cells only clock gates have a pin of this name
SITE_WIDTH = units(0.19)
ROW_HEIGHT = units(1.4)

METALS = tuple(f"metal{number}" for number in range(1, 7))
CUTS = tuple(f"via{number}" for number in range(1, 6))
ROUTED = METALS[2:]
HORIZONTAL = frozenset({"metal1", "metal3", "metal5"})

# Track pitch and the offset of the first track, um. The pitch of metal2 is that of the sites. On
# metal4 to metal6 cuts of two nets must not be on neighbouring tracks beside each other: they would
# be 0.14 um apart, where 0.16 is the least. Wider tracks would mend that, but a row has room for
# five of these and four of those; repair moves the few cuts that are.
TRACKS = {
    "metal2": (0.19, 0.095),
    "metal3": (0.14, 0.0),
    "metal4": (0.28, 0.0),
    "metal5": (0.28, 0.0),
    "metal6": (0.28, 0.0),
}
# Which of the kit's vias we use for each cut: long pads along the wires.
VIA_SHAPES = {
    "via1": "via1_4",
    "via2": "via2_5",
    "via3": "via3_2",
    "via4": "via4_0",
    "via5": "via5_0",
}
GDS_LAYERS = {f"metal{n}": 9 + 2 * n for n in range(1, 7)} | {
    f"via{n}": 10 + 2 * n for n in range(1, 6)
}
GDS_BORDER, GDS_LABEL = 235, 239

# The LEF gives metal5 a tenth of the edge capacitance of its neighbours: a slip, as metal6, made
# and placed alike, shows. We take that of metal6.
SLIP, INSTEAD = "metal5", "metal6"


@dataclass(frozen=True)
class Via:
    """A via: its cut, the metals below and above, and the half-sizes of the three shapes."""

    cut: str
    below: str
    above: str
    shapes: tuple[tuple[str, int, int], ...]


def track_pitch(metal: str) -> int:
    """Tell the pitch of the metal's tracks, which start at 0."""
    return units(TRACKS[metal][0])


def rail(metal: str) -> str:
    """Tell the direction of a metal's wires: "h" or "v"."""
    return "h" if metal in HORIZONTAL else "v"


class Stack:
    """The kit's rules for the layers that we use."""

    def __init__(self, technology: Technology) -> None:
        self.layers: dict[str, Layer] = {n: technology.layers[n] for n in (*METALS, *CUTS)}
        self.layers[SLIP].edge_capacitance = self.layers[INSTEAD].edge_capacitance
        self.vias = {cut: self._via(cut, technology) for cut in CUTS}
        self.half_width = {metal: self.layers[metal].width // 2 for metal in METALS}
        self.spacing = {name: layer.spacing for name, layer in self.layers.items()}

    @staticmethod
    def _via(cut: str, technology: Technology) -> Via:
        index = CUTS.index(cut)
        below, above = METALS[index], METALS[index + 1]
        shapes = technology.vias[VIA_SHAPES[cut]]
        return Via(cut, below, above, tuple((n, *shapes[n]) for n in (below, cut, above)))


@cache
def read_stack(technology_lef: Path) -> Stack:
    """Read the kit's technology LEF."""
    return Stack(read_technology(technology_lef))
