"""What a run of a program on a system gives, and how it can end; the same at every level."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from proc.asm.disassembler import disassemble
from proc.isa import decode
from proc.manager import NO_INPUT, Manager
from proc.programs.image import DEFAULT_ENTRY, DEFAULT_MEMORY, Image
from proc.retire import Cause, Retire, Stopped, Trap
from proc.run.timing import FAST, Timing
from proc.semantics import MEMORY
from sim.errors import UserError

MASK = 0xFFFFFFFF
DEFAULT_LIMIT = 100_000_000
# A word to the manager leaves in X: that instruction is complete this many cycles later.
SYSTEM = "processor system"  # in messages
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


@dataclass(frozen=True)
class Asked:
    """Says what a system is to run, and who is told what while it does.

    limit: of cycles, at level fl of instructions, after which a run has failed.
    on_retire: gets every instruction that is complete. on_line: a line per cycle, at level fl per
    instruction. on_ports: the ports of every cycle as Sim::record of the batch runner writes them,
    some records at once.
    """

    image: Image
    manager: Manager
    timing: Timing = FAST
    limit: int = DEFAULT_LIMIT
    memory_size: int = DEFAULT_MEMORY
    on_retire: Callable[[Retire], None] | None = None
    on_line: Callable[[str], None] | None = None
    on_ports: Callable[[bytes], None] | None = None


class RunsPrograms(ABC):
    """Runs programs on a processor system, reset before each; `memory` is that of the last one."""

    memory: bytearray
    tells: ClassVar[tuple[str, ...]] = ("on_retire", "on_line")

    def run(self, image: Image, manager: Manager, *how: Any, **named: Any) -> SystemRun:
        """Run a program to its end, asked for as Asked says; Trap when it cannot go on, Stopped
        after `limit` cycles."""
        asked = Asked(image, manager, *how, **named)
        for name in named.keys() - self.tells:
            if name.startswith("on_") and named[name] is not None:
                raise TypeError(f"{type(self).__name__} has nothing to tell {name}")
        return self.run_asked(asked)

    @abstractmethod
    def run_asked(self, asked: Asked) -> SystemRun:
        """Run what is asked for."""


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
