"""An independent RV32IM simulator (QEMU's, packaged as unicorn), one instruction at a time."""

from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import UC_RISCV_REG_PC, UC_RISCV_REG_X0

from proc.image import DEFAULT_MEMORY, Image

_STATE = [*(UC_RISCV_REG_X0 + i for i in range(32)), UC_RISCV_REG_PC]


class UnicornISS:
    """Registers, pc and memory of a program that is stepped through."""

    def __init__(self, image: Image, memory_size: int = DEFAULT_MEMORY):
        self._uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        self._uc.mem_map(0, memory_size)
        self._uc.mem_write(0, bytes(image.memory(memory_size)))
        self._size = memory_size
        self.pc = image.entry
        self.regs = [0] * 32

    def step(self) -> None:
        """Do the instruction at pc."""
        self._uc.emu_start(self.pc, self._size, count=1)
        *self.regs, self.pc = self._uc.reg_read_batch(_STATE)

    def memory(self) -> bytes:
        """The whole memory."""
        return bytes(self._uc.mem_read(0, self._size))
