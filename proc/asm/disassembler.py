"""Words to text that the assembler turns back into the same words."""

from collections.abc import Iterator

from proc.csr import CSR_NAMES
from proc.isa import ABI_NAMES, Instruction, decode, encode
from proc.programs.image import Image

_CSR_BY_NUMBER = {number: name for name, number in CSR_NAMES.items()}


def _operand(name: str, ins: Instruction, pc: int) -> str:
    match name:
        case "rd" | "rs1" | "rs2":
            return ABI_NAMES[getattr(ins, name)]
        case "zimm":
            return str(ins.rs1)
        case "upper":
            return f"{ins.imm:#x}"
        case "target":
            return f"{pc + ins.imm & 0xFFFFFFFF:#x}"
        case "csr":
            return _CSR_BY_NUMBER.get(ins.imm, f"{ins.imm:#x}")
        case "imm(rs1)":
            return f"{ins.imm}({ABI_NAMES[ins.rs1]})"
    return str(ins.imm)


def disassemble(word: int, pc: int = 0) -> str:
    """Return the instruction at pc as the assembler reads it; `.word` when it is not one."""
    ins = decode(word)
    if ins is None or (ins.spec.format == "N" and word != encode(ins.name)):
        return f".word {word:#010x}"
    if ins.spec.format == "N":
        return ins.name
    operands = ", ".join(_operand(name, ins, pc) for name in ins.spec.syntax.split(", "))
    return f"{ins.name} {operands}"


def listing(image: Image) -> Iterator[str]:
    """Yield a line per executable word: address, word, text, and the target's name."""
    names: dict[int, list[str]] = {}
    for name, address in image.symbols.items():
        names.setdefault(address, []).append(name)
    for segment in image.segments:
        if not segment.executable:
            continue
        for offset, word, size in _cut(segment.data, image.compressed):
            pc = segment.address + offset
            yield from (f"{pc:08x} <{name}>:" for name in names.get(pc, ()))
            text = disassemble(word, pc) if size == 4 else f".half {word:#06x}"
            line = f"{pc:8x}:  {word:0{2 * size}x}{'':{10 - 2 * size}}{text}"
            ins = decode(word)
            if ins and "target" in ins.spec.syntax and pc + ins.imm in names:
                line += f"  # {names[pc + ins.imm][0]}"
            yield line


def _cut(data: bytes, compressed: bool) -> Iterator[tuple[int, int, int]]:
    """Yield offset, word and size of each instruction; the low two bits of one of 32 are ones."""
    offset = 0
    while offset < len(data):
        size = 2 if compressed and data[offset] & 3 != 3 else 4
        if offset + size <= len(data):
            yield offset, int.from_bytes(data[offset : offset + size], "little"), size
        offset += size
