"""Constants that the host gives to a core of others: they cost no area and no cycles.

In simulation a module of the adapter stands for the host. It has no registers: while a request is
taken, it says what the host computed of the operands. Where hardware is mapped, the module is taken
out: its outputs become an input of the adapter, and of all modules around it up to the top, which
the testbench drives with values().
"""

import re
from collections.abc import Mapping, Sequence

from rtl.foreign.constants import DOUBLINGS, M_INV

Constants = Mapping[str, tuple[str, int]]
PREFIX, PORT = "ForeignHost__", "given"
OF_BASE = "base_r"  # base * 2^k mod m
KINDS = (*DOUBLINGS, M_INV, OF_BASE)
_MODULE = re.compile(rf"^module {PREFIX}\w+ .*?^endmodule\n*", re.M | re.S)
_INSTANCE = re.compile(rf"^ *wire \[(\d+):0\] {PORT};\n *{PREFIX}.*\n", re.M)
_ANY_MODULE = re.compile(r"^module\s+(\w+)(\s*\()(.*?)^endmodule", re.M | re.S)


def widths(constants: Constants, nbits: int) -> dict[str, int]:
    """Return the bits of each constant."""
    return {name: k if kind == M_INV else nbits for name, (kind, k) in constants.items()}


def values(constants: Constants, base: int, mod: int) -> dict[str, int]:
    """Compute them."""
    found = {}
    for name, (kind, k) in constants.items():
        if kind == M_INV:
            found[name] = -pow(mod, -1, 1 << k) % (1 << k)
        else:
            found[name] = pow(2, DOUBLINGS.get(kind, 1) * k, mod) * (base if kind == OF_BASE else 1)
            found[name] %= mod
    return found


def joined(constants: Constants, nbits: int, base: int, mod: int) -> int:
    """Put them side by side, as on the port."""
    found = values(constants, base, mod)
    return sum(found[name] << low for name, (low, _) in places(constants, nbits).items())


def places(constants: Constants, nbits: int) -> dict[str, tuple[int, int]]:
    """Say at which bits of the port each one stands: the lowest, and one above the highest."""
    found, low = {}, 0
    for name, bits in widths(constants, nbits).items():
        found[name] = (low, low + bits)
        low += bits
    return found


def module(constants: Constants, core: str, operands: Sequence[str], nbits: int) -> list[str]:
    """Write the module that stands for the host in simulation."""
    base, mod = operands[0], operands[-1]
    total = sum(widths(constants, nbits).values())
    lines = [f"module {PREFIX}{core} (", "  input take,"]
    lines += [f"  input [{nbits - 1}:0] {operand}," for operand in dict.fromkeys((base, mod))]
    lines += [f"  output reg [{total - 1}:0] {PORT}", ");"]
    lines += ["  integer i;", f"  reg [{nbits}:0] x;"]
    wide = max([nbits, *(k for kind, k in constants.values() if kind == M_INV)])
    lines.append(f"  reg [{wide - 1}:0] inverse, sum;")
    lines += ["  always @* begin", f"    {PORT} = 0;", "    x = 0;"]
    lines += ["    inverse = 0;", "    sum = 0;"]
    lines.append("    if (take) begin")
    for name, (kind, k) in constants.items():
        low, high = places(constants, nbits)[name]
        if kind == M_INV:
            lines += _inverse(mod, k)
            lines.append(f"      {PORT}[{high - 1}:{low}] = inverse[{k - 1}:0];")
        else:
            lines += _doubled(base if kind == OF_BASE else "", mod, kind, k, nbits)
            lines.append(f"      {PORT}[{high - 1}:{low}] = x[{nbits - 1}:0];")
    return [*lines, "    end", "  end", "endmodule"]


def instance(constants: Constants, core: str, operands: Sequence[str], nbits: int) -> list[str]:
    """Write the module's place in an adapter, on lines that lifted() finds."""
    total = sum(widths(constants, nbits).values())
    pins = [f".{operand}(in_{operand})" for operand in dict.fromkeys((operands[0], operands[-1]))]
    pins += [".take(in_val && step == 0)", f".{PORT}({PORT})"]
    return [f"  wire [{total - 1}:0] {PORT};", f"  {PREFIX}{core} host ({', '.join(pins)});"]


def _doubled(base: str, mod: str, kind: str, k: int, nbits: int) -> list[str]:
    """Write x = 2^k or base * 2^k modulo m, by doublings."""
    count = DOUBLINGS.get(kind, 1) * k
    reduced = f"if (x >= {mod}) x = x - {mod};"
    lines = [f"      x = {mod} != 1;"]
    if base:
        taken = f"x = {{x[{nbits - 1}:0], {base}[{nbits - 1} - i]}}; {reduced}"
        lines = ["      x = 0;", f"      for (i = 0; i < {nbits}; i = i + 1) begin {taken} end"]
    again = f"x = x << 1; {reduced}"
    return [*lines, f"      for (i = 0; i < {count}; i = i + 1) begin {again} end"]


def _inverse(mod: str, k: int) -> list[str]:
    """Write inverse = -m^-1 modulo 2^k, a bit after the other."""
    step = f"if (sum[i]) begin inverse[i] = 1; sum = sum + ({mod} << i); end"
    return [
        "      inverse = 0;",
        "      sum = 1;",
        f"      for (i = 0; i < {k}; i = i + 1) begin {step} end",
    ]


def lifted(text: str) -> tuple[str, int]:
    """Take the host out of the text of a design: constants come by an input of the top, `given`.
    Return the text, and the bits of that input; 0 if there is no host in it."""
    found = _INSTANCE.search(text)
    if not found:
        return text, 0
    bits = int(found[1]) + 1
    text = _MODULE.sub("", text)
    bodies = {each[1]: each[3] for each in _ANY_MODULE.finditer(text)}
    around = {name for name, body in bodies.items() if f"{PREFIX}" in body}
    new = around
    while new:
        held = re.compile(rf"^\s*({'|'.join(map(re.escape, new))})\s+\w+\s*\(", re.M)
        new = {name for name, body in bodies.items() if held.search(body)} - around
        around |= new
    text = _INSTANCE.sub("", text)
    names = "|".join(map(re.escape, sorted(around)))
    header = re.compile(rf"^(module\s+({names})\s*\()", re.M)
    placed = re.compile(rf"^(\s*({names})\s+\w+\s*\()", re.M)
    text = placed.sub(lambda at: f"{at[1]} .{PORT}({PORT}),", text)
    return header.sub(lambda at: f"{at[1]}\n  input logic [{bits - 1}:0] {PORT},", text), bits
