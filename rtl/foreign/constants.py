"""Constants of the modulus that a core asks for and that a host usually gives: a bit in a cycle.

Here the adapter finds them, by a module of its own, whose area the flow tells apart. `doubled` is
1 modulo m, doubled in each cycle. `inverse` is x with 1 + x*m = 0 modulo 2^found, and `sum` is
1 + x*m.
"""

from collections.abc import Callable, Mapping

Constants = Mapping[str, tuple[str, int]]
DOUBLINGS = {"r": 1, "r2": 2}  # by R = 2^k, times k
M_INV = "m_inv"
KINDS = (*DOUBLINGS, M_INV)


def steps(constants: Constants) -> int:
    """Count the bits until all stand."""
    return max((_at(kind, k) for kind, k in constants.values()), default=0)


def cycles(constants: Constants) -> int:
    """Count the cycles of a request in which they are found: one a bit, and one that keeps them."""
    return steps(constants) + 1 if constants else 0


def module_name(core: str) -> str:
    """Name the module that finds those of a core."""
    return f"ForeignConstants__{core}"


def module(constants: Constants, core: str, nbits: int) -> list[str]:
    """Write the module: `start` comes with the modulus on `first`; it stays on `mod` while `find`
    is high, and as many bits as `found` says stand."""
    doubles, inverts = _doubles(constants), _inverts(constants)
    digit = _digit(constants)
    lines = [f"module {module_name(core)} (", "  input clk, input reset, input start, input find,"]
    lines += [f"  input [{nbits - 1}:0] first," * doubles, f"  input [{nbits - 1}:0] mod,"]
    lines += [f"  output reg [{nbits - 1}:0] doubled," * doubles]
    lines += [f"  output reg [{digit - 1}:0] inverse," * inverts]
    lines += [f"  output reg [{_bits(constants) - 1}:0] found", ");"]
    registers = {"found": ("0", "found + 1")}
    if doubles:
        lines += [
            f"  wire [{nbits}:0] twice = {{doubled, 1'b0}};",
            f"  wire [{nbits}:0] reduced = twice >= mod ? twice - mod : twice;",
        ]
        registers["doubled"] = ("first != 1", "reduced")
    if inverts:
        lines += [f"  reg [{digit - 1}:0] sum;", f"  wire [{digit - 1}:0] low = mod;"]
        registers["inverse"] = ("0", "inverse | (sum & (1 << found))")
        registers["sum"] = ("1", "(sum >> found) & 1 ? sum + (low << found) : sum")
    lines += ["  always @(posedge clk)", "    if (reset) begin"]
    lines += [f"      {name} <= 0;" for name in registers]
    lines.append("    end else if (start) begin")
    lines += [f"      {name} <= {first};" for name, (first, _) in registers.items()]
    lines.append("    end else if (find) begin")
    lines += [f"      {name} <= {after};" for name, (_, after) in registers.items()]
    return [*filter(None, lines), "    end", "endmodule"]


def instance(
    constants: Constants, core: str, mod: str, nbits: int, number: int, kept: Callable[[str], str]
) -> list[str]:
    """Write the module's place in an adapter, which finds them in the state of that number. kept:
    names the register of an operand."""
    wires = {"doubled": nbits} if _doubles(constants) else {}
    wires |= {"inverse": _digit(constants)} if _inverts(constants) else {}
    wires["found"] = _bits(constants)
    joined = [".clk(clk)", ".reset(reset)", ".start(in_val && step == 0)"]
    joined += [f".find(step == {number})", f".mod({kept(mod)})"]
    joined += [f".first(in_{mod})"] if _doubles(constants) else []
    joined += [f".{name}(constants_{name})" for name in wires]
    return [
        *(f"  wire [{bits - 1}:0] constants_{name};" for name, bits in wires.items()),
        f"  {module_name(core)} constants ({', '.join(joined)});",
    ]


def case(constants: Constants, number: int, kept: Callable[[str], str]) -> list[str]:
    """Write the state in which each is kept as it stands, and the first step follows."""
    lines = [f"      {number}: begin"]
    for name, (kind, k) in constants.items():
        value = "inverse" if kind == M_INV else "doubled"
        stands = f"constants_found == {_at(kind, k)}"
        lines.append(f"        if ({stands}) {kept(name)} <= constants_{value};")
    return [
        *lines,
        f"        if (constants_found == {steps(constants)}) step <= 1;",
        "      end",
    ]


def _at(kind: str, k: int) -> int:
    """Say after how many bits a constant stands."""
    return DOUBLINGS.get(kind, 1) * k


def _doubles(constants: Constants) -> bool:
    return any(kind in DOUBLINGS for kind, _ in constants.values())


def _inverts(constants: Constants) -> bool:
    return any(kind == M_INV for kind, _ in constants.values())


def _digit(constants: Constants) -> int:
    """Return the bits of the longest inverse."""
    return max((k for kind, k in constants.values() if kind == M_INV), default=1)


def _bits(constants: Constants) -> int:
    """Return those of the count."""
    return steps(constants).bit_length() + 1
