"""Make cells of full adders: of those of the RTL if it has any, or else of what is found in gates.

`extract_fa` finds three inputs in any order. The RTL knows better which one comes last: z of its
vectors of full adders, which becomes CI, from where the cell is the fastest. So a vector is read as
instances of a black box, which stay as they are until they are mapped. Chains of adders beside them
are left to ABC, which sees no path through a cell with two outputs.
"""

import re
from pathlib import Path

from pyosys import libyosys as ys

from flow.technologies.technology import FullAdder

ADDER = "ModExplorerFullAdder"
# What rtl.leaf.compression.FullAdders is translated to, word by word: nothing else is a vector.
VECTOR = re.compile(
    r"^module (FullAdders__count_(\d+))\s*(\([^)]*\);)\s*logic \[\d+:0\] half;\s*"
    r"always_comb begin : add\s*half = x \^ y;\s*sum = half \^ z;\s*"
    r"carry = \( x & y \) \| \( half & z \);\s*end\s*endmodule$",
    re.MULTILINE,
)
COMMENT = re.compile(r"//[^\n]*")
BLACK_BOX = f"(* blackbox *)\nmodule {ADDER}(input x, y, z, output sum, carry);\nendmodule\n"
WITH_CONSTANT, AS_CELL = "constant_adder.v", "full_adder.v"


def as_cell(adder: FullAdder) -> str:
    """Write the map of full adders to the cell of a library."""
    x, y, z = adder.inputs
    pins = {"CELL": adder.cell, "X": x, "Y": y, "Z": z, "CARRY": adder.carry, "SUM": adder.sum}
    text = Path(__file__).with_name(AS_CELL).read_text()
    for name, pin in pins.items():
        text = text.replace(f"`{name}`", pin)
    return text


def as_instances(text: str) -> str:
    """Write the vectors of full adders of a design as black boxes, if there are any."""
    found, vectors = VECTOR.subn(_instances, COMMENT.sub("", text))
    return f"{BLACK_BOX}\n{found}" if vectors else text


def _instances(vector: re.Match[str]) -> str:
    ports = ("x", "y", "z", "sum", "carry")
    adders = [
        f"  {ADDER} adder_{i} ({', '.join(f'.{port}({port}[{i}])' for port in ports)});"
        for i in range(int(vector[2]))
    ]
    return "\n".join([f"module {vector[1]} {vector[3]}", *adders, "endmodule"])


def set_adders(design: ys.Design) -> None:
    """Make cells of the RTL's full adders, where there are any, or else of those among gates.

    Those with a constant input become gates, and so do those that these leave with one.
    """
    left = _number(design)
    if not left:
        ys.run_pass("extract_fa -fa", design)
    before = 0
    while left != before:
        for command in (f"techmap -map {WITH_CONSTANT}", "simplemap", "opt_expr", "opt_clean"):
            ys.run_pass(command, design)
        before, left = left, _number(design)
    ys.run_pass(f"techmap -map {AS_CELL}; opt_clean -purge", design)


def _number(design: ys.Design) -> int:
    return sum(
        cell.type.str() == f"\\{ADDER}"
        for module in design.selected_modules()
        for cell in module.selected_cells()
    )
