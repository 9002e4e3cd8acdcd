"""The combinational cells of a Liberty library as Verilog, from their functions: for netlists."""

import re

CELL = re.compile(r"^\s*cell\s*\(\s*(\w+)\s*\)\s*\{", re.MULTILINE)
PIN = re.compile(r"^\s*pin\s*\(\s*(\w+)\s*\)\s*\{", re.MULTILINE)
FUNCTION = re.compile(r'^\s*function\s*:\s*"([^"]*)"', re.MULTILINE)
SEQUENTIAL = re.compile(r"^\s*(ff|latch|statetable)\s*\(", re.MULTILINE)


def verilog_cells(liberty: str) -> str:
    """A module for every cell whose outputs are functions of its inputs."""
    parts = CELL.split(liberty)[1:]
    made = [_cell(name, body) for name, body in zip(parts[::2], parts[1::2], strict=True)]
    return "\n".join(filter(None, made))


def _cell(name: str, body: str) -> str:
    parts = PIN.split(body)[1:]
    pins = dict(zip(parts[::2], parts[1::2], strict=True))
    functions = {pin: found[1] for pin, text in pins.items() if (found := FUNCTION.search(text))}
    if SEQUENTIAL.search(body) or not functions:
        return ""
    ports = ", ".join(f"{'output' if pin in functions else 'input'} {pin}" for pin in pins)
    lines = [f"  assign {pin} = {function};" for pin, function in functions.items()]
    return "\n".join([f"module {name}({ports});", *lines, "endmodule"])
