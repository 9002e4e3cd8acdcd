"""Write Verilog models of cells from their functions in the library, for any simulator.

A register takes its data with the rising edge of its clock. A clock gate holds its enable while the
clock is high. There are no delays.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase

from flow.gates.cells import Cell
from flow.gates.liberty import LibertyError, Library
from flow.gates.logic import Logic


def models_of(library: Library) -> str:
    """Write a module for each cell that a netlist of ours may have: one that logic is mapped to, or
    one with a role."""
    cells = library.technology.cells
    parts = (cells.full_adder, cells.clock_gate, cells.high, cells.low)
    roles = {part.cell for part in parts if part}
    lines: list[str] = []
    for name in library.names:
        if name in roles or not any(fnmatchcase(name, pattern) for pattern in cells.unused):
            with suppress(LibertyError):  # a latch, or a register with set or reset
                lines += _model(library[name])
    return "\n".join(lines)


def _model(cell: Cell) -> Iterator[str]:
    yield f"module {cell.name}({', '.join(cell.pins)});"
    for name, pin in cell.pins.items():
        yield f"  {'output' if pin.output else 'input'} {name};"
    if cell.next_state:
        state, inverse = cell.states
        yield f"  reg {state};"
        yield f"  wire {inverse} = ~{state};"
        yield f"  always @(posedge {cell.clock_pin}) {state} <= {expression(cell.next_state)};"
    if cell.enable:
        [output] = cell.outputs
        yield "  reg open;"
        yield f"  always @* if (!{cell.clock_pin}) open = {cell.enable};"
        yield f"  assign {output} = {cell.clock_pin} & open;"
    else:
        for name in filter(lambda name: cell.pins[name].function, cell.outputs):
            yield f"  assign {name} = {expression(cell.pins[name].function)};"
    yield "endmodule\n"


def expression(function: str) -> str:
    """Write a function of a Liberty file in Verilog."""
    return re.sub(r"\b([01])\b", r"1'b\1", Logic(function).plain)
