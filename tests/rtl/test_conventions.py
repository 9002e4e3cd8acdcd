"""What every file of hardware keeps: registers declared as such, constants that yosys reads."""

import ast
import re

import pytest

from eval.catalog import DESIGNS, find
from sim.translate import translate
from tests.places import ROOT

FILES = sorted([*(ROOT / "rtl").rglob("*.py"), *(ROOT / "proc/rtl").glob("*.py")])


def signal(target):
    """The name of the signal of the component that an assignment writes, or a part of it."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        if isinstance(target.value, ast.Name) and target.value.id == "s":
            return target.attr
        target = target.value
    return None


@pytest.mark.quick
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_registers_are_declared_as_such(path):
    """A Register is what an update_ff block writes; a Wire is not."""
    for holder in ast.walk(ast.parse(path.read_text())):
        if not isinstance(holder, ast.ClassDef):
            continue
        nodes = list(ast.walk(holder))
        clocked = {
            signal(node.target)
            for node in nodes
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.LShift)
        }
        declared = {
            node.targets[0].attr: node.value.func.id
            for node in nodes
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Attribute)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
        }
        for name, kind in declared.items():
            if kind in ("Wire", "Register"):
                assert (kind == "Register") == (name in clocked), f"{holder.name}.{name}"


# A constant that is cut to fewer bits as part of a sum: as 4 is in `2'(4) - 2'd1`.
PART_OF_A_SUM = re.compile(r"(\d+)'\( *(__const__\w+) *\) *[-+]")
CONSTANT = re.compile(r"(__const__\w+) *= *\d+'d(\d+)")


@pytest.mark.parametrize("name", [*DESIGNS, "mont-window-4"])
def test_no_constant_is_cut(name):
    """yosys takes a difference of constants for a wider one, so that 4 - 1 of 2 bits is not 3."""
    text = translate(find(name).at(8).rtl(), "Unit").text
    for module in text.split("endmodule"):
        values = dict(CONSTANT.findall(module))
        for bits, constant in PART_OF_A_SUM.findall(module):
            assert int(values[constant]) < 1 << int(bits), constant
