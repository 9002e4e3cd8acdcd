"""A placed design, as the layout steps hand it on: cells with their places, and nets."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from flow.layout.lef import units
from flow.layout.strips import IO_INPUT, IO_OUTPUT, CellShape
from flow.layout.technology import Stack, stack_of
from flow.netlist import HIGH, Instance, Netlist, Port
from flow.technologies.asked import DEFAULT

SUPPLIES = ("VSS", "VDD")  # of rails of even and of odd numbers, from the bottom
MIRRORED, FLIPPED = ("FN", "S"), ("FS", "S")  # left for right, upside down


class Cell(NamedTuple):
    """A cell: its name, the library's name, its leftmost site, row, and orientation.

    A bit of a port is a cell as well: of the bit's name, and of the library's name IOPORT_I or
    IOPORT_O, with a number for others than the lowest place in a row.
    """

    name: str
    master: str
    site: int = 0
    row: int = 0
    orientation: str = "N"

    @property
    def is_port(self) -> bool:
        """Tell whether it stands for a bit of a port."""
        return self.master.startswith((IO_INPUT, IO_OUTPUT))


class Access(NamedTuple):
    """A pin's strip on the chip: where it is, and where its via to the pin is."""

    x: int
    bottom: int
    top: int
    via: int


@dataclass
class Design:
    """A design on `rows` rows of `sites` sites. Its nets are lists of (index of a cell, pin).

    `shapes` has all cells of the library, which is that of the technology `tech`."""

    top: str
    sites: int
    rows: int
    ports: dict[str, Port]
    cells: list[Cell] = field(default_factory=list)
    nets: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    shapes: dict[str, CellShape] = field(default_factory=dict)
    tech: str = DEFAULT

    @property
    def stack(self) -> Stack:
        """The layers, the site and the cells by their roles."""
        return stack_of(self.tech)

    @property
    def width(self) -> int:
        """The core's width."""
        return self.sites * self.stack.site_width

    @property
    def height(self) -> int:
        """The core's height."""
        return self.rows * self.stack.row_height

    def instances(self) -> list[Cell]:
        """List the cells that are no ports."""
        return [cell for cell in self.cells if not cell.is_port]

    def shape(self, cell: Cell) -> CellShape:
        """Tell the shape of a cell."""
        return self.shapes[cell.master]

    def taps(self) -> list[tuple[int, int]]:
        """Tell the first site and the row of each cell that ties wells, if the technology has such:
        in columns so close that none is too far. Ports are in the first column and in the last."""
        taps, sites = self.stack.rules.taps, self.sites
        if taps is None:
            return []
        reach = units(taps.reach_um) // self.stack.site_width
        columns = [*range(min(reach, sites // 2), sites, 2 * reach)]
        if sites - columns[-1] > reach:
            columns.append(sites - reach)
        return [(at, row) for row in range(self.rows) for at in dict.fromkeys(columns)]

    def strap_sites(self) -> list[tuple[str, int]]:
        """Tell the supply and the site of each strap, those of the two in turn and as far from each
        other; none in a technology without."""
        rules = self.stack.rules.straps
        if rules is None:
            return []
        count = len(SUPPLIES) * -(-self.width // units(rules.pitch_um))
        return [
            (SUPPLIES[strap % len(SUPPLIES)], (2 * strap + 1) * self.sites // (2 * count))
            for strap in range(count)
        ]

    def kept_free(self) -> Iterator[tuple[int, int, int]]:
        """List the sites that no cell of the netlist takes, those of ties of wells and those below
        straps: row, first site, and that behind the last."""
        kept = {(row, site) for site, row in self.taps()}
        if taps := self.stack.rules.taps:
            yield from ((row, site, site + taps.sites) for row, site in kept)
        below = {(row, site) for _, site in self.strap_sites() for row in range(self.rows)}
        yield from ((row, site, site + 1) for row, site in below - kept)

    def routable(self) -> Iterator[tuple[str, list[tuple[int, str]]]]:
        """List the nets with at least two pins."""
        return ((name, pins) for name, pins in self.nets.items() if len(pins) > 1)

    def origin(self, cell: Cell) -> tuple[int, int]:
        """Tell where the lower left corner of a cell lies, once it is turned."""
        stack = self.stack
        x = cell.site * stack.site_width
        if cell.orientation in MIRRORED:
            x += self.shapes[cell.master].width
        return x, (cell.row + (cell.orientation in FLIPPED)) * stack.row_height

    def access(self, cell: int, pin: str) -> Access:
        """Tell where the pin of a placed cell is reached."""
        placed = self.cells[cell]
        shape = self.shape(placed)
        strip = shape.strips[pin]
        x, y = self.origin(placed)
        across = -1 if placed.orientation in MIRRORED else 1
        up = -1 if placed.orientation in FLIPPED else 1
        low, high = sorted((y + up * strip.bottom, y + up * strip.top))
        return Access(x + across * strip.x, low, high, y + up * strip.via)

    def netlist(self) -> Netlist:
        """Make the netlist of a buffered design, in which each port bit that is not constant has a
        net of its own name."""
        bits = {name: [*port.bits(name)] for name, port in self.ports.items()}
        of_ports = (bit for bit, net in chain.from_iterable(bits.values()) if net > HIGH)
        in_order = dict.fromkeys([*of_ports, *self.nets])
        names = {name: net for net, name in enumerate(in_order, HIGH + 1)}
        pins: list[dict[str, int]] = [{} for _ in self.cells]
        for net, connected in self.nets.items():
            for cell, pin in connected:
                pins[cell][pin] = names[net]
        return Netlist(
            self.top,
            {
                name: replace(port, nets=tuple(names.get(bit, net) for bit, net in bits[name]))
                for name, port in self.ports.items()
            },
            [
                Instance(cell.name, cell.master, connections)
                for cell, connections in zip(self.cells, pins, strict=True)
                if not cell.is_port
            ],
            names,
        )

    def powered(self) -> Netlist:
        """Make the netlist with a port of each supply, at the pins of all cells."""
        plain, rails = self.netlist(), self.stack.rules.rails
        free = max([HIGH, *plain.names.values()]) + 1
        nets = {rails.power: free, rails.ground: free + 1}
        pins = nets | {pin: nets[supply] for pin, supply in rails.wells.items()}
        return Netlist(
            plain.top,
            plain.ports | {name: Port(False, (net,)) for name, net in nets.items()},
            [replace(cell, pins=cell.pins | pins) for cell in plain.instances],
            plain.names | nets,
        )

    def save(self, path: Path) -> None:
        """Write the design as JSON."""
        path.write_bytes(msgspec.json.encode(self))

    @staticmethod
    def load(path: Path) -> "Design":
        """Read what `save` wrote."""
        return msgspec.json.decode(path.read_bytes(), type=Design)
