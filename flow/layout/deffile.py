"""Write the layout as DEF: rows, components, pins, and routed nets."""

import re
from collections.abc import Iterator
from pathlib import Path

from flow.layout.design import Design
from flow.layout.gds import fillers
from flow.layout.lef import UNITS_PER_UM
from flow.layout.placement import row_orientation
from flow.layout.ports import is_input, ports_of
from flow.layout.straps import USES, pillars, strap_shape, strap_shapes, straps
from flow.layout.technology import Stack
from flow.layout.wires import Shape, Wires

HEADER = """VERSION 5.8 ;
DIVIDERCHAR "/" ;
BUSBITCHARS "[]" ;
DESIGN {top} ;
UNITS DISTANCE MICRONS {units} ;
DIEAREA ( 0 0 ) ( {width} {height} ) ;
"""


def escaped(name: str) -> str:
    """Spell a name as DEF takes it: brackets and slashes mean something, if not escaped."""
    return re.sub(r"([\[\]/\\])", r"\\\1", name)


def _rows(design: Design) -> Iterator[str]:
    site, height, width = (
        *(design.stack.cells.site, design.stack.row_height, design.stack.site_width),
    )
    for row in range(design.rows):
        where = f"0 {row * height} {row_orientation(row)}"
        yield f"ROW row_{row} {site} {where} DO {design.sites} BY 1 STEP {width} 0 ;"


def _vias(stack: Stack) -> Iterator[str]:
    yield f"VIAS {len(stack.vias)} ;"
    for cut, via in stack.vias.items():
        boxes = " ".join(f"+ RECT {n} ( {-x} {-y} ) ( {x} {y} )" for n, x, y in via.shapes)
        yield f" - our_{cut} {boxes} ;"
    yield "END VIAS"


def _components(design: Design) -> Iterator[str]:
    cells = [*design.instances(), *fillers(design)]
    width, height = design.stack.site_width, design.stack.row_height
    yield f"COMPONENTS {len(cells)} ;"
    for cell in cells:
        place = f"( {cell.site * width} {cell.row * height} ) {cell.orientation}"
        yield f" - {escaped(cell.name)} {cell.master} + PLACED {place} ;"
    yield "END COMPONENTS"


def _pins(design: Design) -> Iterator[str]:
    """Write the ports, and the straps as pins of the supplies."""
    ports, boxes = list(ports_of(design)), strap_shapes(design)
    yield f"PINS {len(ports) + len(boxes)} ;"
    for cell, net, at, shape in ports:
        way = "INPUT" if is_input(design, cell) else "OUTPUT"
        about = f" - {cell.name} + NET {escaped(net)} + DIRECTION {way} + USE SIGNAL"
        yield f"{about} {_layer(shape, at.x, at.via)} + PLACED ( {at.x} {at.via} ) N ;"
    for supply, shapes in boxes.items():
        name = design.stack.supplies[supply]
        yield f" - {name} + NET {name} + SPECIAL + DIRECTION INOUT + USE {USES[supply]}"
        for shape in shapes:
            yield f"   + PORT {_layer(shape, 0, 0)} + PLACED ( 0 0 ) N"
        yield "   ;"
    yield "END PINS"


def _layer(shape: Shape, x: int, y: int) -> str:
    """Write a shape as it is from a place."""
    metal, left, low, right, high = shape
    return f"+ LAYER {metal} ( {left - x} {low - y} ) ( {right - x} {high - y} )"


def _supplies(design: Design, stack: Stack) -> Iterator[str]:
    """Write straps and pillars; rails are the cells' own."""
    pieces: dict[str, list[str]] = {}
    for strap in straps(design):
        metal, left, low, right, high = strap_shape(design, strap)
        wire = f"{metal} {right - left} ( {strap.middle} {low} ) ( * {high} )"
        pieces.setdefault(strap.supply, []).append(wire)
    for supply, (metal, x, y, middle, _), cuts in pillars(design):
        wire = f"{metal} {stack.layers[metal].width} ( {x} {y} ) ( {middle} * )"
        vias = (f"{stack.vias[cut].below} 0 ( {x} {y} ) our_{cut}" for cut, x, y in cuts)
        pieces[supply] += [wire, *vias]
    if pieces:
        yield f"SPECIALNETS {len(pieces)} ;"
        for supply, of in pieces.items():
            name = stack.supplies[supply]
            yield f" - {name} ( PIN {name} ) ( * {name} ) + USE {USES[supply]}"
            yield "   + ROUTED " + "\n     NEW ".join(of) + " ;"
        yield "END SPECIALNETS"


def _nets(design: Design, stack: Stack, nets: dict[str, Wires]) -> Iterator[str]:
    yield f"NETS {len(nets)} ;"
    for name, wires in nets.items():
        yield f" - {escaped(name)}"
        for pin in wires.pins:
            cell = design.cells[pin.cell].name
            yield f"   ( {f'PIN {cell}' if pin.is_port else f'{escaped(cell)} {pin.pin}'} )"
        pieces = [
            f"{metal} ( {x0} {y0} ) ( {'*' if x0 == x1 else x1} {'*' if y0 == y1 else y1} )"
            for metal, x0, y0, x1, y1 in wires.segments()
        ]
        pieces += [
            f"{stack.vias[cut].below} ( {x} {y} ) our_{cut}" for cut, x, y in sorted(wires.cuts)
        ]
        yield "   " + ("+ ROUTED " if pieces else "") + "\n     NEW ".join(pieces) + " ;"
    yield "END NETS"


def write_def(path: Path, stack: Stack, design: Design, nets: dict[str, Wires]) -> None:
    """Write the file."""
    with path.open("w") as out:
        out.write(
            HEADER.format(
                top=design.top, units=UNITS_PER_UM, width=design.width, height=design.height
            )
        )
        for part in (
            _rows(design),
            _vias(stack),
            _components(design),
            _pins(design),
            _supplies(design, stack),
            _nets(design, stack, nets),
        ):
            out.writelines(f"{line}\n" for line in part)
        out.write("END DESIGN\n")
