"""An instruction as the pipeline sees it: what it does, and what makes it or another one wait."""

from collections.abc import Callable
from typing import Any

from proc.isa import OP_BRANCH, OP_IMM, OP_JALR, OP_LOAD, OP_REG, OP_STORE, OP_SYSTEM
from proc.retire import Trap

# Instead of a register: none is written (what is written nevertheless goes into the last of
# proc/fl's 33, which nothing reads), none is read.
NONE, UNREAD = -1, -2
READ_ONE = frozenset((OP_JALR, OP_LOAD, OP_IMM))
READ_TWO = frozenset((OP_BRANCH, OP_STORE, OP_REG))
WRITE_NONE = frozenset((OP_BRANCH, OP_STORE))


class Decoded:
    """Keeps of a word at pc what is the same each time that it runs.

    leave(processor, self): does its work in X, or returns False if it must wait there;
    operation: proc/fl's, which does what can be done at once.
    """

    __slots__ = (
        *("pc", "word", "name", "operation", "leave", "trap", "first", "second", "rd"),
        *("late", "is_memory", "is_xcel", "is_division", "jumps_to", "sets_stats"),
        *("accesses", "returns", "sleeps", "hidden", "detail"),
    )

    def __init__(self, pc: int, word: int, name: str, leave: Callable[..., bool]) -> None:
        self.pc, self.word, self.name, self.leave = pc, word, name, leave
        self.operation: Callable[[], int] = self.go_on
        self.trap: Trap | None = None  # why it cannot be executed
        self.first = self.second = UNREAD
        self.rd = NONE
        self.late = False  # its result comes in M, with the answer of a port
        self.is_memory = self.is_xcel = self.is_division = self.sets_stats = False
        self.jumps_to: int | None = None  # when it leaves D
        # Of interrupts: it reads or writes their registers, returns, waits for one, or is one.
        self.accesses = self.returns = self.sleeps = self.hidden = False
        self.detail: Any = None  # what `leave` needs besides

    def go_on(self) -> int:
        """Do nothing but go on behind it."""
        return self.pc + 4 & 0xFFFFFFFF

    def use_registers(self) -> None:
        """Take the registers from the fields of the word, as the decoder does of any word."""
        word = self.word
        opcode, first, second, rd = word & 0x7F, word >> 15 & 31, word >> 20 & 31, word >> 7 & 31
        if opcode in READ_TWO:
            self.first, self.second = first, second
        elif opcode in READ_ONE or (opcode == OP_SYSTEM and not word >> 14 & 1):
            self.first = first
        if rd and opcode not in WRITE_NONE:
            self.rd = rd
