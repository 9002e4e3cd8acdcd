"""One instruction's written operands to its word, after the syntax in the table."""

import re

from proc.asm.symbols import Symbols
from proc.csr import CSR_ALIASES, CSR_NAMES
from proc.isa import ABI_NAMES, SPECS, encode, signed

REGISTERS = {name: i for i, name in enumerate(ABI_NAMES)}
REGISTERS |= {f"x{i}": i for i in range(32)} | {"fp": 8}
CSRS = CSR_NAMES | CSR_ALIASES
_MEMORY = re.compile(r"(.*)\(\s*([\w.]+)\s*\)$")


def instruction_word(name: str, operands: tuple[str, ...], pc: int, symbols: Symbols) -> int:
    """Return the word of an instruction at pc; ValueError says which operand is wrong."""
    spec = SPECS[name]
    fields = spec.syntax.split(", ") if spec.syntax else []
    if len(fields) != len(operands):
        wanted = f"{len(fields)} operands ({spec.syntax})" if fields else "no operands"
        raise ValueError(f"{name} takes {wanted}, {len(operands)} given")
    values: dict[str, int] = {}
    for kind, text in zip(fields, operands, strict=True):
        match kind:
            case "rd" | "rs1" | "rs2":
                values[kind] = _register(text)
            case "imm(rs1)":
                match = _MEMORY.match(text)
                if not match:
                    raise ValueError(f"'{text}' is not an address: write offset(register)")
                values["imm"] = symbols.value(match[1] or "0", pc)
                values["rs1"] = _register(match[2])
            case "target":
                values["imm"] = signed(symbols.value(text, pc) - pc)
            case "csr":
                values["imm"] = CSRS[text] if text in CSRS else symbols.value(text, pc)
            case "zimm":
                values["rs1"] = symbols.value(text, pc)
                if not 0 <= values["rs1"] <= 31:
                    raise ValueError(f"immediate {text} of {name} is outside 0..31")
            case _:
                values["imm"] = symbols.value(text, pc)
    return encode(name, **values)


def _register(name: str) -> int:
    if name not in REGISTERS:
        raise ValueError(f"'{name}' is not a register")
    return REGISTERS[name]
