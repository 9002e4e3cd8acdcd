"""What a processor model says about each instruction that it completes, and how it stops."""

from enum import StrEnum
from typing import NamedTuple

from proc.asm.disassembler import disassemble
from proc.isa import ABI_NAMES
from sim.errors import RunError


class Access(NamedTuple):
    """Records a memory access of 1, 2 or 4 bytes; `data` is what a store wrote (0 for a load)."""

    write: bool
    address: int
    size: int
    data: int


RETIRE_KEY = "pc, word, instruction, register=value, [address], =what a store wrote there"


class Retire(NamedTuple):
    """Records a completed instruction; rd = 0 and value = 0 when no register was written."""

    pc: int
    word: int
    rd: int
    value: int
    access: Access | None

    def __str__(self) -> str:
        line = f"{self.pc:08x} {self.word:08x} {disassemble(self.word, self.pc):32}"
        if self.rd:
            line += f" {ABI_NAMES[self.rd]}={self.value:08x}"
        if self.access:
            line += f" [{self.access.address:08x}]"
            if self.access.write:
                line += f"={self.access.data:0{2 * self.access.size}x}"
        return line.rstrip()


class Cause(StrEnum):
    """Says why a run ends with an error."""

    ILLEGAL = "illegal instruction"
    ECALL = "ecall: there is no operating system"
    EBREAK = "ebreak: there is no debugger"
    MISALIGNED_LOAD = "misaligned load"
    MISALIGNED_STORE = "misaligned store"
    MISALIGNED_TARGET = "misaligned jump target"
    OUTSIDE_LOAD = "load outside the memory"
    OUTSIDE_STORE = "store outside the memory"
    REFUSED_LOAD = "load refused by the bus"
    REFUSED_STORE = "store refused by the bus"
    OUTSIDE_FETCH = "instruction fetch outside the memory"


class Stopped(RunError):
    """Tells that a program was stopped before it ended by itself."""


class Trap(Stopped):
    """Tells that the program did something that ends its run, at `pc` by the instruction `word`.

    `address` is the data address or jump target that is at fault, where there is one.
    """

    def __init__(self, cause: Cause, pc: int, word: int = 0, address: int | None = None):
        at = "" if address is None else f" {address:#010x}"
        text = f", word {word:#010x} ({disassemble(word, pc)})"
        if cause == Cause.OUTSIDE_FETCH:
            text = ""
        elif cause == Cause.ILLEGAL and word & 3 != 3 and word & 0xFFFF:
            text += "; what begins so has 16 bits, and the processor knows 32-bit instructions only"
        super().__init__(f"{cause}{at}, at pc {pc:#010x}{text}")
        self.cause = cause
        self.pc = pc
        self.word = word
        self.address = address
