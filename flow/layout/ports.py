"""The shapes of ports: from the edge of the core to the strip that the router reaches."""

from collections.abc import Iterator

from flow.layout.design import Access, Cell, Design
from flow.layout.strips import IO_PIN, widest
from flow.layout.technology import Stack
from flow.layout.wires import Shape


def port_shape(stack: Stack, width: int, at: Access) -> Shape:
    """Draw a port of a core of this width: as high as its strip, and as wide as vias on that."""
    half = widest(stack)
    left, right = (0, at.x + half) if 2 * at.x < width else (at.x - half, width)
    return stack.pin_metal, left, at.bottom, right, at.top


def is_input(design: Design, port: Cell) -> bool:
    """Tell whether a port is an input: its cell then drives its net."""
    return design.shape(port).directions[IO_PIN] == "output"


def ports_of(design: Design) -> Iterator[tuple[Cell, str, Access, Shape]]:
    """List all ports: each with its net, where it is reached, and its shape."""
    nets = {cell: net for net, pins in design.nets.items() for cell, _ in pins}
    for number, cell in enumerate(design.cells):
        if cell.is_port:
            at = design.access(number, IO_PIN)
            yield cell, nets[number], at, port_shape(design.stack, design.width, at)
