"""A toy layout of the library's cells with wires drawn by hand, and what can be wrong with it.

One row of cells; below it, flipped, one of fillers; above it the wires. Each pin has a strip of
metal2 up to the track of its net on metal3. To the right of the cells rails lead to a strap of each
supply on metal7, its pin.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import klayout.db as kdb

from flow.layout.strips import CellShape, read_cells
from flow.layout.technology import stack_of
from flow.layout.wires import cut_shapes
from flow.signoff.rulefile import RuleFile, read_rules, rules_path
from flow.signoff.signed import Signed, sign_off
from tests.flow.toys import KIT

LIBRARY = KIT / "stdcells.gds"
DBU = 0.0001  # um, of the library's file
NUMBERS = {"metal1": 11, "via1": 12, "metal2": 13, "via2": 14, "metal3": 15, "via3": 16}
NUMBERS |= {"metal4": 17, "via4": 18, "metal5": 19, "via5": 20, "metal6": 21, "via6": 22}
NUMBERS |= {"metal7": 23}
PORTS, SUPPLIES = 239, 23
ROW = 1.4
RAILS = {"VDD": (-ROW, ROW), "VSS": (0.0,)}  # where they are
RIGHT = {"VDD": 1.0, "VSS": 3.0}  # of the cells, where their straps are
SITE = 0.19
FIRST_TRACK, PITCH = 1.75, 0.28
HALF, LONG = 0.035, 0.07

# Each cell with the nets at its pins, from left to right.
Cells = list[tuple[str, dict[str, str]]]
CELLS: Cells = [
    ("OAI21_X1", {"A": "a", "B1": "b", "B2": "c", "ZN": "inner"}),
    ("NAND2_X1", {"A1": "inner", "A2": "d", "ZN": "y"}),
    ("INV_X1", {"A": "inner", "ZN": "z"}),
]
PORT_NETS = ("a", "b", "c", "d", "y", "z")
VERILOG = """
module toy(VDD, VSS, a, b, c, d, y, z);
  input VDD, VSS;
  input a, b, c, d;
  output y, z;
  wire inner;
  OAI21_X1 first (.VDD(VDD), .VSS(VSS), .A(a), .B1(b), .B2(c), .ZN(inner));
  NAND2_X1 second (.VDD(VDD), .VSS(VSS), .A1(inner), .A2(d), .ZN(y));
  INV_X1 third (.VDD(VDD), .VSS(VSS), .A(inner), .ZN(z));
endmodule
"""


@cache
def cells_of_kit() -> dict[str, CellShape]:
    """The shapes of the library's cells."""
    return read_cells(stack_of(), [KIT / "stdcells.lef"])


@dataclass(frozen=True)
class Piece:
    """A rectangle of a net, um, and the pin that it leads to."""

    layer: str
    net: str
    pin: str
    box: tuple[float, float, float, float]


@dataclass
class Toy:
    """The layout before it is written: cells, their places, pieces of wires, labels of ports."""

    cells: Cells = field(default_factory=lambda: list(CELLS))
    pieces: list[Piece] = field(default_factory=list)
    labels: dict[str, tuple[float, float]] = field(default_factory=dict)
    edit: Callable[[kdb.Layout, kdb.Cell], None] = lambda layout, top: None

    def __post_init__(self) -> None:
        self.pieces = [*self._wires(), *self._supplies()]

    @property
    def widths(self) -> list[float]:
        """The cells' widths, um."""
        shapes = cells_of_kit()
        return [shapes[master].width / 2000 for master, _ in self.cells]

    def left(self, number: int) -> float:
        """Where a cell begins."""
        return sum(self.widths[:number])

    def _wires(self) -> Iterator[Piece]:
        stack, shapes = stack_of(), cells_of_kit()
        nets = list(dict.fromkeys(net for _, pins in self.cells for net in pins.values()))
        reach: dict[str, list[float]] = {}
        for number, (master, pins) in enumerate(self.cells):
            for pin, net in pins.items():
                strip, name = shapes[master].strips[pin], f"{number}.{pin}"
                x = self.left(number) + strip.x / 2000
                track = FIRST_TRACK + PITCH * nets.index(net)
                for layer, *corners in cut_shapes(stack, ("via1", 0, strip.via)):
                    low, bottom, right, top = (corner / 2000 for corner in corners)
                    yield Piece(layer, net, name, (low + x, bottom, right + x, top))
                yield Piece(
                    "metal2", net, name, (x - HALF, strip.bottom / 2000, x + HALF, track + LONG)
                )
                yield Piece("via2", net, name, (x - HALF, track - HALF, x + HALF, track + HALF))
                reach.setdefault(net, []).append(x)
                if net in PORT_NETS:
                    self.labels.setdefault(net, (x, track))
        for net, xs in reach.items():
            track = FIRST_TRACK + PITCH * nets.index(net)
            yield Piece(
                "metal3", net, "", (min(xs) - LONG, track - HALF, max(xs) + LONG, track + HALF)
            )

    def _supplies(self) -> Iterator[Piece]:
        """Lead rails to straps."""
        end = sum(self.widths)
        for supply, heights in RAILS.items():
            x = end + RIGHT[supply]
            for y in heights:
                yield Piece("metal1", supply, "", (end - 0.01, y - 0.085, x + 0.085, y + 0.085))
                for cut in stack_of().vias:
                    for layer, *corners in cut_shapes(stack_of(), (cut, 0, 0)):
                        left, low, right, high = (corner / 2000 for corner in corners)
                        yield Piece(layer, supply, "", (left + x, low + y, right + x, high + y))
            yield Piece(
                "metal7", supply, "", (x - 0.2, min(heights) - 0.2, x + 0.2, max(heights) + 0.2)
            )

    def piece(self, layer: str, net: str, pin: str = "") -> Piece:
        """The first piece of a net on a layer."""
        return next(
            one for one in self.pieces if (one.layer, one.net) == (layer, net) and pin in one.pin
        )

    def draw(self, layer: str, *box: float) -> None:
        """Add a rectangle of no net."""
        self.pieces.append(Piece(layer, "", "", box))

    def write(self, path: Path) -> None:
        """Write the GDS file."""
        layout = kdb.Layout()
        layout.read(str(LIBRARY))
        top = layout.create_cell("toy")

        def place(master: str, x: float, flipped: bool) -> None:
            at = kdb.Trans(0, flipped, round(x / DBU), 0)
            top.insert(kdb.CellInstArray(layout.cell(master).cell_index(), at))

        for number, (master, _) in enumerate(self.cells):
            place(master, self.left(number), False)
        for site in range(round(sum(self.widths) / SITE)):
            place("FILLCELL_X1", site * SITE, True)
        for piece in self.pieces:
            box = kdb.DBox(*piece.box).to_itype(DBU)
            top.shapes(layout.layer(NUMBERS[piece.layer], 0)).insert(box)
        for name, (x, y) in self.labels.items():
            text = kdb.Text(name, kdb.Trans(round(x / DBU), round(y / DBU)))
            top.shapes(layout.layer(PORTS, 0)).insert(text)
        for name, heights in RAILS.items():
            x, y = sum(self.widths) + RIGHT[name], heights[0]
            text = kdb.Text(name, kdb.Trans(round(x / DBU), round(y / DBU)))
            top.shapes(layout.layer(SUPPLIES, 0)).insert(text)
        self.edit(layout, top)
        for cell in layout.top_cells():
            if cell.name != "toy":
                cell.delete()
        layout.write(str(path))

    def signed(self, folder: Path, verilog: str = VERILOG, rules: RuleFile | None = None) -> Signed:
        """What sign-off says of it."""
        (folder / "layout.v").write_text(verilog)
        self.write(folder / "layout.gds")
        rules = rules or read_rules(rules_path("nangate45"))
        return sign_off(folder / "layout.gds", folder / "layout.v", [LIBRARY], rules)
