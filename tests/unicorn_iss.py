"""An independent RV32IM simulator (QEMU's, packaged as unicorn), one instruction at a time."""

from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import (
    UC_RISCV_REG_MCAUSE,
    UC_RISCV_REG_MEPC,
    UC_RISCV_REG_MSTATUS,
    UC_RISCV_REG_MTVEC,
    UC_RISCV_REG_PC,
    UC_RISCV_REG_X0,
)

from proc.programs.image import DEFAULT_MEMORY, Image

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

    def put(self, rd: int, value: int) -> None:
        """Skip the instruction at pc, which it does not know; write what it writes."""
        if rd:
            self._uc.reg_write(UC_RISCV_REG_X0 + rd, value)
        self._uc.reg_write(UC_RISCV_REG_PC, self.pc + 4)
        *self.regs, self.pc = self._uc.reg_read_batch(_STATE)

    def interrupt(self, cause: int) -> None:
        """Enter the handler, as the manual says; it has no interrupt line of its own."""
        status = self._uc.reg_read(UC_RISCV_REG_MSTATUS)
        enabled = status >> 3 & 1
        self._uc.reg_write(UC_RISCV_REG_MSTATUS, status & ~0x1888 | 0x1800 | enabled << 7)
        self._uc.reg_write(UC_RISCV_REG_MEPC, self.pc)
        self._uc.reg_write(UC_RISCV_REG_MCAUSE, cause)
        self.pc = self._uc.reg_read(UC_RISCV_REG_MTVEC)

    @property
    def status(self) -> int:
        """mstatus, what of it a processor of machine mode alone has."""
        return self._uc.reg_read(UC_RISCV_REG_MSTATUS) & 0x1888
