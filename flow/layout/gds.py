"""Write the layout as GDS, with the library's cells, fillers and our wires; read its nets back."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import klayout.db as kdb

from flow.layout.design import Cell, Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.notches import drawn
from flow.layout.placement import row_orientation
from flow.layout.ports import ports_of
from flow.layout.routes import pins_of
from flow.layout.straps import strap_shape, straps, supply_shapes
from flow.layout.technology import Stack
from flow.layout.wires import Shape, Wires
from flow.technologies.rules import Numbers

TURNED = {"N": kdb.Trans.R0, "FS": kdb.Trans.M0, "FN": kdb.Trans.M90, "S": kdb.Trans.R180}


def fillers(design: Design) -> Iterator[Cell]:
    """Fill the free sites with cells that carry supply rails and wells on, and tie these.

    A filler ends where its cell does, which may have fewer sites than the role says, if the LEF
    tells.
    """
    masters = design.stack.cells.fillers.items()
    rows: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for cell in design.instances():
        rows[cell.row].append((cell.site, cell.site + design.shape(cell).sites))
    if taps := design.stack.rules.taps:
        for number, (site, row) in enumerate(design.taps()):
            rows[row].append((site, site + taps.sites))
            yield Cell(f"tap_{number}", taps.cell, site, row, row_orientation(row))
    number = 0
    for row in range(design.rows):
        site = 0
        for start, end in [*sorted(rows[row]), (design.sites, design.sites)]:
            while site < start:
                width, master = next(one for one in masters if one[0] <= start - site)
                known = design.shapes.get(master)
                yield Cell(f"filler_{number}", master, site, row, row_orientation(row))
                number += 1
                site += known.sites if known else width
            site = max(site, end)


def read_gds(files: Iterable[Path]) -> kdb.Layout:
    """Read files of cells into one layout."""
    layout = kdb.Layout()
    for file in files:
        layout.read(str(file))
    return layout


def layer_of(layout: kdb.Layout, stack: Stack, name: str) -> int:
    """Find the layer of a metal or cut in a layout."""
    return layout.layer(*stack.layers[name].gds)


class GdsWriter:
    """A GDS file to be, with the cells of the library."""

    def __init__(self, library: Iterable[Path], stack: Stack) -> None:
        self.layout = read_gds(library)
        self.stack = stack

    def _length(self, units: int) -> int:
        return round(units / UNITS_PER_UM / self.layout.dbu)

    def write(self, design: Design, nets: dict[str, Wires], path: Path) -> None:
        """Write the file of a routed design, which is its only top cell."""
        top = self.layout.create_cell(design.top)
        for cell in [*design.instances(), *fillers(design)]:
            self._place(top, cell, design)
        layers = {name: layer_of(self.layout, self.stack, name) for name in self.stack.layers}
        for wires in nets.values():
            for layer, *corners in drawn(self.stack, wires):
                top.shapes(layers[layer]).insert(kdb.Box(*map(self._length, corners)))
        for boxes in supply_shapes(design).values():
            for layer, *corners in boxes:
                top.shapes(layers[layer]).insert(kdb.Box(*map(self._length, corners)))
        drawn_as = self.stack.rules.drawn
        for cell, _, at, shape in ports_of(design):
            self._pin(top, cell.name, shape, (at.x, at.via), (drawn_as.label, drawn_as.pin))
        if said := self.stack.rules.straps:
            for strap in straps(design):
                name, middle = self.stack.supplies[strap.supply], (strap.middle, design.height // 2)
                self._pin(top, name, strap_shape(design, strap), middle, (said.label, said.pin))
        border = top.shapes(self.layout.layer(*self.stack.rules.drawn.border))
        border.insert(kdb.Box(0, 0, self._length(design.width), self._length(design.height)))
        self._drop_unused(top)
        options = kdb.SaveLayoutOptions()
        options.gds2_write_timestamps = False
        self.layout.write(str(path), options)

    def _pin(
        self,
        top: kdb.Cell,
        name: str,
        shape: Shape,
        at: tuple[int, int],
        layers: tuple[Numbers, Numbers | None],
    ) -> None:
        """Draw a pin: its shape on its metal and, if pins have a layer, on that, and its name."""
        metal, *corners = shape
        box = kdb.Box(*map(self._length, corners))
        label, pin = layers
        top.shapes(layer_of(self.layout, self.stack, metal)).insert(box)
        if pin:
            top.shapes(self.layout.layer(*pin)).insert(box)
        for layer in {label, pin or label}:
            text = kdb.Text(name, kdb.Trans(*map(self._length, at)))
            top.shapes(self.layout.layer(*layer)).insert(text)

    def _place(self, top: kdb.Cell, cell: Cell, design: Design) -> None:
        master = self.layout.cell(cell.master)
        if master is None:
            raise ValueError(f"the library's GDS has no {cell.master}")
        place = kdb.Trans(TURNED[cell.orientation], *map(self._length, design.origin(cell)))
        top.insert(kdb.CellInstArray(master.cell_index(), place))

    def _drop_unused(self, top: kdb.Cell) -> None:
        unused = [c.cell_index() for c in self.layout.top_cells() if c.name != top.name]
        while unused:
            self.layout.delete_cells(unused)
            unused = [c.cell_index() for c in self.layout.top_cells() if c.name != top.name]


@dataclass(frozen=True)
class Extracted:
    """What the wires of a GDS file connect: nets in several parts, and nets that are one."""

    nets: int
    opens: list[str]
    shorts: list[str]
    missing: list[str]


def extract(gds: Path, design: Design) -> Extracted:
    """Read the nets back from the file: the cells' own metals, vias and wires above.

    A label on the metal of each pin, and on the strip of each port, says which net should be there.
    """
    stack = design.stack
    read = kdb.Layout()
    read.read(str(gds))
    top = read.top_cell()
    flat = kdb.Layout()
    flat.dbu = read.dbu
    cell = flat.create_cell("flat")
    layers = {}
    for name in stack.layers:
        layers[name] = layer_of(flat, stack, name)
        region = kdb.Region(top.begin_shapes_rec(layer_of(read, stack, name)))
        cell.shapes(layers[name]).insert(region)
    label_layers = {
        metal: flat.layer(f"labels on {metal}") for metal in (stack.cell_metal, stack.pin_metal)
    }
    expected = _label(cell, label_layers, design, 1 / UNITS_PER_UM / flat.dbu)

    tool = kdb.LayoutToNetlist(kdb.RecursiveShapeIterator(flat, cell, []))
    regions = {name: tool.make_layer(layer, name) for name, layer in layers.items()}
    for region in regions.values():
        tool.connect(region)
    for cut, via in stack.vias.items():
        tool.connect(regions[via.below], regions[cut])
        tool.connect(regions[cut], regions[via.above])
    for metal, layer in label_layers.items():
        tool.connect(regions[metal], tool.make_text_layer(layer, f"labels on {metal}"))
    tool.extract_netlist()
    [circuit] = list(tool.netlist().each_circuit())
    # KLayout names a net after all different labels on it, and leaves those without nameless.
    found = [net.name.split(",") for net in circuit.each_net() if net.name]
    parts = Counter(name for names in found for name in names)
    return Extracted(
        nets=len(parts),
        opens=sorted(name for name, count in parts.items() if count > 1),
        shorts=sorted("+".join(names) for names in found if len(names) > 1),
        missing=sorted(expected - parts.keys()),
    )


def _label(cell: kdb.Cell, layers: dict[str, int], design: Design, scale: float) -> set[str]:
    """Label all pins of nets with at least two by their net's number; the labels."""
    labels, stack = set(), design.stack
    for number, (_, pins) in enumerate(design.routable()):
        for pin in pins_of(design, pins):
            layer = layers[stack.pin_metal if pin.is_port else stack.cell_metal]
            place = kdb.Trans(round(pin.access.x * scale), round(pin.access.via * scale))
            cell.shapes(layer).insert(kdb.Text(f"n{number}", place))
        labels.add(f"n{number}")
    return labels
