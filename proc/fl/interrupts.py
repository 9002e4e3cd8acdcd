"""External interrupts in machine mode: their registers, and what changes these.

    mstatus   3 MIE: interrupts are taken; 7 MPIE: MIE before the last one; 12..11 always 3
    mie       11: the external interrupt is enabled
    mip       11: its line is set; read only
    mtvec     where handlers begin, a multiple of 4
    mepc      the instruction before which the interrupt was taken, a multiple of 4
    mcause    31 and 3..0: 0x8000000b after an external interrupt
    mscratch  32 bits of the handler's own

All are 0 after reset but for mstatus' constant. An interrupt is taken before an instruction is
begun, and as soon as MIE, bit 11 of mie and the line are set: also right behind the instruction
that sets one of these. wfi waits for mie and the line, whatever MIE is; the instruction behind it
is the one that is interrupted. mret goes on at mepc.
"""

from collections.abc import Callable

from proc import csr

MIE_BIT, MPIE_BIT, EXTERNAL_BIT = 3, 7, 11
MACHINE_MODE = 3 << 11  # of mstatus: the mode that was interrupted, always the same
EXTERNAL_CAUSE = 1 << 31 | EXTERNAL_BIT
WRITABLE_CAUSE = 1 << 31 | 15
ADDRESS = 0xFFFFFFFC


class Interrupts:
    """Keeps the registers of interrupts; line() is the external interrupt line."""

    def __init__(self, line: Callable[[], bool] = lambda: False) -> None:
        self.line = line
        self.on = self.before = self.enabled = False  # MIE, MPIE, bit 11 of mie
        self.kept = dict.fromkeys((csr.MTVEC, csr.MEPC, csr.MCAUSE, csr.MSCRATCH), 0)

    @property
    def wakes(self) -> bool:
        """Return whether wfi goes on."""
        return self.enabled and self.line()

    @property
    def pending(self) -> bool:
        """Return whether an interrupt comes before the next instruction."""
        return self.on and self.wakes

    def enter(self, pc: int) -> int:
        """Interrupt the instruction at pc, and return where to go on."""
        self.before, self.on = self.on, False
        self.kept[csr.MEPC], self.kept[csr.MCAUSE] = pc, EXTERNAL_CAUSE
        return self.kept[csr.MTVEC]

    def leave(self) -> int:
        """Return where mret goes on."""
        self.on, self.before = self.before, True
        return self.kept[csr.MEPC]

    def read(self, number: int) -> int:
        """Return the value of a register."""
        if number == csr.MSTATUS:
            return MACHINE_MODE | self.on << MIE_BIT | self.before << MPIE_BIT
        if number == csr.MIE:
            return self.enabled << EXTERNAL_BIT
        if number == csr.MIP:
            return self.line() << EXTERNAL_BIT
        return self.kept[number]

    def write(self, number: int, value: int) -> None:
        """Write what can be written of a register."""
        if number == csr.MSTATUS:
            self.on, self.before = bool(value >> MIE_BIT & 1), bool(value >> MPIE_BIT & 1)
        elif number == csr.MIE:
            self.enabled = bool(value >> EXTERNAL_BIT & 1)
        elif number == csr.MCAUSE:
            self.kept[number] = value & WRITABLE_CAUSE
        elif number in (csr.MTVEC, csr.MEPC):
            self.kept[number] = value & ADDRESS
        elif number == csr.MSCRATCH:
            self.kept[number] = value
