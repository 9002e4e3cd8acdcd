"""What a run of a program on a system gives, and how it can end; the same at every level."""

from dataclasses import dataclass, field
from typing import NamedTuple

from proc.asm.disassembler import disassemble
from proc.isa import decode
from proc.manager import NO_INPUT
from proc.programs.image import DEFAULT_ENTRY, Image
from proc.retire import Cause, Stopped, Trap
from proc.semantics import MEMORY
from sim.errors import UserError

MASK = 0xFFFFFFFF
DEFAULT_LIMIT = 100_000_000
# A word to the manager leaves in X: that instruction is complete this many cycles later.
CYCLES_TO_RETIRE = 2
MISALIGNED = {"load": Cause.MISALIGNED_LOAD, "store": Cause.MISALIGNED_STORE}
REFUSED = {"load": Cause.REFUSED_LOAD, "store": Cause.REFUSED_STORE}


class Window(NamedTuple):
    """Records a part of the program that ran with stats_en set."""

    cycles: int
    instructions: int


@dataclass
class SystemRun:
    """Tells how a program ended, and what it took; cycles and windows' cycles are 0 at FL."""

    exit_code: int
    reason: str
    cycles: int
    instructions: int
    windows: list[Window] = field(default_factory=list)

    @property
    def cpi(self) -> float:
        """Return the cycles per instruction."""
        return self.cycles / self.instructions if self.instructions else 0.0


def check_entry(image: Image) -> None:
    """Raise UserError unless the program starts where the processor does."""
    if image.entry != DEFAULT_ENTRY:
        raise UserError(
            f"{image.name}: starts at {image.entry:#x}, but the RTL processor at"
            f" {DEFAULT_ENTRY:#x}; link it there, or run it at level fl"
        )


def error_of(pc: int, word: int, address: int, memory_size: int) -> Trap:
    """Return the Trap that the processor's error output means, for this instruction in X."""
    ins = decode(word)
    if pc + 4 > memory_size:
        return Trap(Cause.OUTSIDE_FETCH, pc)
    kind = ins.spec.kind if ins else ""
    if kind in ("load", "store"):
        aligned = address % MEMORY[ins.name][0] == 0
        return Trap((REFUSED if aligned else MISALIGNED)[kind], pc, word, address)
    if kind in ("branch", "jump"):
        target = address & ~1 if ins.name == "jalr" else (pc + ins.imm) & MASK
        return Trap(Cause.MISALIGNED_TARGET, pc, word, target)
    if kind == "trap":
        return Trap(Cause.ECALL if ins.name == "ecall" else Cause.EBREAK, pc, word)
    return Trap(Cause.ILLEGAL, pc, word)


def outside(pc: int, word: int, address: int) -> Trap:
    """Return the Trap of a load or store, in X, that the memory does not have."""
    ins = decode(word)
    store = ins is not None and ins.spec.kind == "store"
    return Trap(Cause.OUTSIDE_STORE if store else Cause.OUTSIDE_LOAD, pc, word, address)


def starved() -> Stopped:
    """Return the error of a program that reads a word which the manager does not have."""
    return Stopped(NO_INPUT)


def unfinished(cycles: int, completed: int, pc: int, word: int) -> Stopped:
    """Return the error of a program that did not end in time, with the last of the instructions
    that it completed."""
    last = f"; last done: {disassemble(word, pc)}, pc {pc:#010x}" if completed else ""
    return Stopped(f"the program did not end within {cycles} cycles{last}")
