"""Write the layout as a LEF macro: its outline, its pins, and where wires over it may not be."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import klayout.db as kdb

from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.ports import is_input, ports_of
from flow.layout.straps import USES, strap_shapes, supply_shapes
from flow.layout.wires import Shape

HEADER = """VERSION 5.8 ;
BUSBITCHARS "[]" ;
DIVIDERCHAR "/" ;
MACRO {top}
  CLASS BLOCK ;
  FOREIGN {top} 0 0 ;
  ORIGIN 0 0 ;
  SIZE {width:.10g} BY {height:.10g} ;
  SYMMETRY X Y R90 ;
"""


def _rectangle(corners: Iterable[int]) -> str:
    return f"RECT {' '.join(f'{corner / UNITS_PER_UM:.10g}' for corner in corners)} ;"


def _pin(name: str, direction: str, use: str, shapes: Iterable[Shape]) -> Iterator[str]:
    yield from (f"  PIN {name}", f"    DIRECTION {direction} ;", f"    USE {use} ;")
    for metal, *corners in shapes:
        yield from (
            "    PORT",
            f"      LAYER {metal} ;",
            f"        {_rectangle(corners)}",
            "    END",
        )
    yield f"  END {name}"


def _pins(design: Design) -> Iterator[str]:
    for cell, _, _, shape in ports_of(design):
        yield from _pin(
            cell.name, "INPUT" if is_input(design, cell) else "OUTPUT", "SIGNAL", [shape]
        )
    for supply, shapes in strap_shapes(design).items():
        yield from _pin(design.stack.supplies[supply], "INOUT", USES[supply], shapes)


def _obstructions(design: Design) -> Iterator[str]:
    """Keep wires off the core on all metals but that of the straps, and as far from pins as wires
    must be."""
    stack = design.stack
    pins: dict[str, kdb.Region] = defaultdict(kdb.Region)
    for *_, (metal, *corners) in ports_of(design):
        pins[metal].insert(kdb.Box(*corners))
    used: dict[str, kdb.Region] = defaultdict(kdb.Region)  # pillars reach beyond the core
    for metal, *corners in chain.from_iterable(supply_shapes(design).values()):
        used[metal].insert(kdb.Box(*corners))
    yield "  OBS"
    for metal in stack.metals:
        free = pins[metal].sized(stack.layers[metal].spacing)
        covered = used[metal] + kdb.Region(kdb.Box(0, 0, design.width, design.height)) - free
        yield f"    LAYER {metal} ;"
        for part in covered.decompose_trapezoids_to_region().each():
            box = part.bbox()
            yield f"      {_rectangle((box.left, box.bottom, box.right, box.top))}"
    yield "  END"


def write_abstract(path: Path, design: Design) -> None:
    """Write the file."""
    size = {"width": design.width / UNITS_PER_UM, "height": design.height / UNITS_PER_UM}
    with path.open("w") as out:
        out.write(HEADER.format(top=design.top, **size))
        out.writelines(f"{line}\n" for line in (*_pins(design), *_obstructions(design)))
        out.write(f"END {design.top}\nEND LIBRARY\n")
