"""The functional processor: one instruction per step, the reference for every other level.

Each instruction is bound once to a small function that does it and returns the next pc; a store
to a bound word unbinds it, so programs may write their own instructions.
"""

from proc.fl.csr import CsrFile
from proc.fl.interrupts import Interrupts
from proc.fl.operations import Operation, bind
from proc.fl.xcel_port import NullXcel, XcelPort
from proc.isa import OP_LOAD, OP_STORE, Instruction, decode
from proc.manager import Manager
from proc.programs.image import DEFAULT_MEMORY, Image
from proc.retire import Access, Cause, Retire, Stopped, Trap
from proc.semantics import MASK, MEMORY

_CASTS = {1: "B", 2: "H", 4: "I"}


class ProcessorFL:
    """Runs RV32IM + Zicsr without time: mcycle counts instructions, as minstret does.

    `step` gives a record of every instruction; `run` is several times as fast.
    """

    def __init__(
        self,
        image: Image,
        manager: Manager | None = None,
        xcel: XcelPort | None = None,
        memory_size: int = DEFAULT_MEMORY,
        core_id: int = 0,
        interrupts: Interrupts | None = None,
    ):
        self.memory = image.memory(memory_size)
        self.manager = manager or Manager()
        self.csrs = CsrFile(self.manager, xcel or NullXcel(), core_id, interrupts)
        self.pc = image.entry
        self.regs = [0] * 33  # the last one takes what is written to x0
        self.retired = 0
        self.bound: dict[int, Operation] = {}
        self.views = {size: memoryview(self.memory).cast(c) for size, c in _CASTS.items()}

    @property
    def windows(self) -> list[tuple[int, int]]:
        """Return how many instructions were retired as each stay of stats_en at 1 began and ended.

        Their difference is what ran between.
        """
        return self.csrs.windows

    def step(self) -> Retire:
        """Do one instruction; Trap when it cannot be done."""
        pc, regs = self.pc, self.regs
        word = self._fetch(pc)
        ins = self._decode(pc, word)
        access = None
        if ins.word & 0x7F in (OP_LOAD, OP_STORE):
            access = self._access(ins)
        self.pc = (self.bound.get(pc) or bind(self, pc, ins))()
        self.retired += 1
        rd = ins.rd if ins.spec.writes_rd else 0
        return Retire(pc, word, rd, regs[rd], access)

    def run(self, limit: int = 100_000_000) -> int:
        """Run until the manager is done and return its exit code; Stopped after `limit`
        instructions."""
        bound, manager = self.bound, self.manager
        pc = self.pc
        try:
            while manager.exit_code is None:
                if self.retired >= limit:
                    raise unfinished(limit, pc)
                operation = bound.get(pc)
                if operation is None:
                    operation = bind(self, pc, self._decode(pc, self._fetch(pc)))
                pc = operation()
                self.retired += 1
        finally:
            self.pc = pc
        return manager.exit_code

    def load_outside(self, pc: int, word: int, address: int, size: int) -> int:
        """Trap: there is nothing but memory."""
        raise Trap(Cause.OUTSIDE_LOAD, pc, word, address) from None

    def store_outside(self, pc: int, word: int, address: int, size: int, value: int) -> None:
        """Trap: there is nothing but memory."""
        raise Trap(Cause.OUTSIDE_STORE, pc, word, address) from None

    def _fetch(self, pc: int) -> int:
        if pc + 4 > len(self.memory):
            raise Trap(Cause.OUTSIDE_FETCH, pc)
        return self.views[4][pc >> 2]

    def _decode(self, pc: int, word: int) -> Instruction:
        ins = decode(word)
        if ins is None:
            raise Trap(Cause.ILLEGAL, pc, word)
        return ins

    def _access(self, ins: Instruction) -> Access:
        size, _ = MEMORY[ins.name]
        address = (self.regs[ins.rs1] + ins.imm) & MASK
        write = ins.spec.kind == "store"
        data = self.regs[ins.rs2] & ((1 << 8 * size) - 1) if write else 0
        return Access(write, address, size, data)


def unfinished(limit: int, pc: int) -> Stopped:
    """Return the error of a program that did not end in time."""
    return Stopped(f"the program did not end within {limit} instructions; pc {pc:#010x}")
