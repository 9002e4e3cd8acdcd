"""RV32IM assembler: text to a program image, and errors that name file and line.

Text starts at 0x200, data follows it on a 16-byte boundary; `.org` moves on in either. Comments
start with # or //. Numeric labels (`1:`, then `1b` or `1f`) may be used again and again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proc.asm.expressions import unescape
from proc.asm.operands import instruction_word
from proc.asm.pseudo import PSEUDO, PSEUDO_NAMES, expand_li
from proc.asm.source import Statement, statements
from proc.asm.symbols import Symbols, near
from proc.isa import NOP, SPECS
from proc.programs.image import DEFAULT_ENTRY, LARGEST_MEMORY, Image, Segment
from sim.errors import UserError

DATA_BYTES = {".byte": 1, ".half": 2, ".short": 2, ".word": 4, ".long": 4}
TEXTS = {".ascii": "", ".asciz": "\0", ".string": "\0"}
IGNORED = {".globl", ".global", ".type", ".size", ".option"}
SPACING = {".org", ".align", ".balign", ".space", ".zero", ".skip"}
DIRECTIVES = {".text", ".data", ".section", ".equ", ".set", *DATA_BYTES, *TEXTS, *IGNORED, *SPACING}
DATA_SECTIONS = {"data", "rodata", "bss", "sdata", "sbss"}


class AssemblyError(UserError):
    """Tells of a line that cannot be assembled: file, line and what is wrong with it."""


@dataclass(frozen=True)
class _Item:
    """Puts `size` bytes at `address`; `emit` makes them once every label has its place."""

    line: int
    address: int
    size: int
    code: bool
    emit: Callable[[], bytes]


def assemble(source: str, name: str = "program.S", entry: int = DEFAULT_ENTRY) -> Image:
    """Assemble a text; AssemblyError at the first line that is wrong."""
    return _Assembler(name, entry).run(source)


def assemble_file(path: Path | str) -> Image:
    """Assemble a file."""
    return assemble(Path(path).read_text(), str(path))


class _Assembler:
    def __init__(self, name: str, entry: int):
        self.name = name
        self.entry = entry
        self.symbols = Symbols()
        self.line = 0

    def run(self, source: str) -> Image:
        try:
            sections = self.read(source)
            items, end = self.place(sections["text"], self.entry)
            items += self.place(sections["data"], -(-end // 16) * 16)[0]
            segments = self.emit(items)
        except ValueError as error:
            raise AssemblyError(f"{self.name}:{self.line}: {error}") from None
        entry = self.symbols.values.get("_start", self.entry)
        return Image(segments, entry, self.symbols.values, self.name)

    # Reading: sort the statements by section; .equ takes effect here, in the order written.

    def read(self, source: str) -> dict[str, list[Statement]]:
        sections: dict[str, list[Statement]] = {"text": [], "data": []}
        current = "text"
        for statement in statements(source):
            self.line, name, operands = statement.line, statement.name, statement.operands
            if name.startswith("#"):
                raise ValueError(f"'{name}' is for the C preprocessor: build this file with gcc")
            if name in (".text", ".data"):
                current = name[1:]
            elif name == ".section":
                current = _section(operands)
            elif name in (".equ", ".set"):
                _count(name, operands, 2)
                self.symbols.define(operands[0], self.symbols.value(operands[1]))
            elif name not in IGNORED:
                sections[current].append(statement)
        return sections

    # Placing: statements to items with addresses; labels get their values.

    def place(self, section: list[Statement], here: int) -> tuple[list[_Item], int]:
        items = []
        for statement in section:
            self.line = statement.line
            if statement.name.endswith(":"):
                self.symbols.label(statement.name[:-1], here)
                continue
            make = self.directive if statement.name.startswith(".") else self.instructions
            item = make(statement, here)
            items.append(item)
            here = item.address + item.size
            if here > LARGEST_MEMORY:
                raise ValueError(f"ends at {here:#x}, outside the largest memory")
        return items, here

    def directive(self, statement: Statement, here: int) -> _Item:
        name, operands, line = statement.name, statement.operands, statement.line
        if name not in DIRECTIVES:
            raise ValueError(f"unknown directive '{name}'{near(name, DIRECTIVES)}")
        if name in DATA_BYTES:
            width = DATA_BYTES[name]

            def emit() -> bytes:
                values = (self.symbols.value(operand, here) for operand in operands)
                return b"".join(_bytes(value, width, name) for value in values)

            return _Item(line, here, width * len(operands), False, emit)
        if name in TEXTS:
            data = b"".join(_text(operand, TEXTS[name]) for operand in operands)
            return _Item(line, here, len(data), False, lambda: data)
        _count(name, operands, 1)
        value = self.symbols.value(operands[0])
        if value < 0:
            raise ValueError(f"{name} {value} is negative")
        if name == ".org":
            if value < here:
                raise ValueError(f".org {value:#x} goes back: the next address is {here:#x}")
            return _Item(line, value, 0, False, bytes)
        if name in (".align", ".balign"):
            step = 1 << min(value, 20) if name == ".align" else max(value, 1)
            padding = _padding(here, -here % step)
            return _Item(line, here, len(padding), len(padding) % 4 == 0, lambda: padding)
        return _Item(line, here, value, False, lambda: bytes(value))

    def instructions(self, statement: Statement, here: int) -> _Item:
        if here % 4:
            raise ValueError(f"an instruction cannot be at address {here:#x}: put .align 2 first")
        parts = self.expand(statement.name, statement.operands)

        def emit() -> bytes:
            # `.` is the address of the statement in all of them; none counts from its own.
            words = (instruction_word(*part, here, self.symbols) for part in parts)
            return b"".join(word.to_bytes(4, "little") for word in words)

        return _Item(statement.line, here, 4 * len(parts), True, emit)

    def expand(self, name: str, operands: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        """Return the instructions that a statement stands for."""
        if name == "li" and len(operands) == 2:
            known = self.symbols.knows(operands[1])
            value = self.symbols.value(operands[1]) if known else None
            lines = expand_li(operands[0], value, operands[1])
        elif (name, len(operands)) in PSEUDO:
            lines = tuple(line.format(*operands) for line in PSEUDO[name, len(operands)])
        elif name in SPECS:
            return [(name, operands)]
        elif name in PSEUDO_NAMES:
            wanted = next((n for p, n in PSEUDO if p == name), 2)
            raise ValueError(f"{name} takes {wanted} operands, {len(operands)} given")
        else:
            raise ValueError(f"unknown instruction '{name}'{near(name, [*SPECS, *PSEUDO_NAMES])}")
        pairs = (line.partition(" ") for line in lines)
        return [(first, tuple(rest.split(", "))) for first, _, rest in pairs]

    # Emitting: everything is placed, so every expression has its value.

    def emit(self, items: list[_Item]) -> tuple[Segment, ...]:
        segments: list[Segment] = []
        for item in items:
            self.line = item.line
            data = item.emit()
            last = segments[-1] if segments else None
            if last and last.end == item.address and last.executable == item.code:
                segments[-1] = Segment(last.address, last.data + data, last.executable)
            elif data:
                segments.append(Segment(item.address, data, item.code))
        return tuple(segments)


def _section(operands: tuple[str, ...]) -> str:
    kind = operands[0].split(".")[1:2] if operands else []
    if kind == ["text"]:
        return "text"
    if kind and kind[0] in DATA_SECTIONS:
        return "data"
    raise ValueError(f"unknown section '{', '.join(operands)}': .text or .data")


def _count(name: str, operands: tuple[str, ...], wanted: int) -> None:
    if len(operands) != wanted:
        raise ValueError(f"{name} takes {wanted} operands, {len(operands)} given")


def _bytes(value: int, width: int, name: str) -> bytes:
    bits = 8 * width
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise ValueError(f"{value} does not fit in {name}, {bits} bits")
    return (value & (1 << bits) - 1).to_bytes(width, "little")


def _text(operand: str, end: str) -> bytes:
    if len(operand) < 2 or not operand[0] == operand[-1] == '"':
        raise ValueError(f"{operand} is not a text in double quotes")
    return (unescape(operand[1:-1]) + end).encode("latin-1")


def _padding(here: int, size: int) -> bytes:
    """Fill up to an alignment, with instructions that do nothing where they fit."""
    odd = min(-here % 4, size)
    return bytes(odd) + NOP.to_bytes(4, "little") * ((size - odd) // 4) + bytes((size - odd) % 4)
