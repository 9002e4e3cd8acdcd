"""The functional processor with interrupts and a device on a bus."""

from typing import Protocol

from fl.axi_lite import OKAY, WHOLE, Mapped
from proc.bus_map import WINDOW, in_window
from proc.fl.interrupts import Interrupts
from proc.fl.processor import ProcessorFL, unfinished
from proc.manager import Manager
from proc.programs.image import DEFAULT_MEMORY, Image
from proc.retire import Cause, Retire, Trap


class Device(Mapped, Protocol):
    """Says what stands on the bus: registers, and an interrupt line."""

    irq: bool


class BusProcessorFL(ProcessorFL):
    """Runs as ProcessorFL, with interrupts; accesses to the window are the device's."""

    def __init__(
        self,
        image: Image,
        manager: Manager | None = None,
        device: Device | None = None,
        memory_size: int = DEFAULT_MEMORY,
    ):
        self.device = device
        line = (lambda: device.irq) if device else (lambda: False)
        self.interrupts = Interrupts(line)
        super().__init__(image, manager, None, memory_size, interrupts=self.interrupts)

    def step(self) -> Retire:
        """Do one instruction, of an interrupt handler if an interrupt comes before the next."""
        if self.interrupts.pending:
            self.pc = self.interrupts.enter(self.pc)
        return super().step()

    def run(self, limit: int = 100_000_000) -> int:
        """Run as ProcessorFL.run does."""
        while self.manager.exit_code is None:
            if self.retired >= limit:
                raise unfinished(limit, self.pc)
            self.step()
        return self.manager.exit_code

    def load_outside(self, pc: int, word: int, address: int, size: int) -> int:
        """Load part of a register, or Trap."""
        if self.device is None or not in_window(address):
            return super().load_outside(pc, word, address, size)
        lane = address & 3
        data, response = self.device.read(address - WINDOW - lane)
        if response != OKAY:
            raise Trap(Cause.REFUSED_LOAD, pc, word, address) from None
        return data >> 8 * lane & (1 << 8 * size) - 1

    def store_outside(self, pc: int, word: int, address: int, size: int, value: int) -> None:
        """Store to a register, or Trap."""
        if self.device is None or not in_window(address):
            super().store_outside(pc, word, address, size, value)
        lane = address & 3
        strobes = (1 << size) - 1 << lane & WHOLE
        # A processor repeats a byte or a half in all lanes.
        data = value * (0xFFFFFFFF // ((1 << 8 * size) - 1))
        if self.device.write(address - WINDOW - lane, data, strobes) != OKAY:
            raise Trap(Cause.REFUSED_STORE, pc, word, address) from None
