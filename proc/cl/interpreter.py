"""What proc/fl's operations work on, and the instructions that memory has, for the pipeline."""

from proc.cl.csr import TimedCsrFile
from proc.cl.decode import decoded
from proc.cl.decoded import Decoded
from proc.retire import Cause, Trap

_CASTS = {1: "B", 2: "H", 4: "I"}


class Interpreter:
    """Holds registers, memory and CSRs; retired is what minstret counts, instructions that have
    left X."""

    def __init__(self, memory: bytearray, csrs: TimedCsrFile) -> None:
        self.memory = memory
        self.views = {size: memoryview(memory).cast(cast) for size, cast in _CASTS.items()}
        self.regs = [0] * 33  # the last one takes what is written to x0
        self.bound: dict[int, Decoded] = {}  # a store drops what it overwrites
        self.csrs = csrs
        self.retired = 0

    def read(self, pc: int) -> Decoded:
        """Return the instruction that the memory has at pc."""
        found = self.bound.get(pc)
        if found is None:
            inside = pc + 4 <= len(self.memory)
            found = decoded(self, pc, self.views[4][pc >> 2] if inside else 0)
            if not inside:
                found.trap = Trap(Cause.OUTSIDE_FETCH, pc)
            self.bound[pc] = found
        return found

    def load_outside(self, pc: int, word: int, address: int, size: int) -> int:
        """Trap: there is nothing but memory."""
        raise Trap(Cause.OUTSIDE_LOAD, pc, word, address) from None

    def store_outside(self, pc: int, word: int, address: int, size: int, value: int) -> None:
        """Trap: there is nothing but memory."""
        raise Trap(Cause.OUTSIDE_STORE, pc, word, address) from None
