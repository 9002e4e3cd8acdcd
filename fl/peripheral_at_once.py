"""The peripheral for models without time: an operation is over as soon as it is started."""

from itertools import islice

from fl.axi_lite import WHOLE
from fl.peripheral_registers import Registers
from fl.random_bytes import random_bytes


class PeripheralAtOnce:
    """Answers accesses as Registers do; random bytes are those of fl/random_bytes.py."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.random = (byte for byte in random_bytes() if byte)

    @property
    def irq(self) -> bool:
        """Return whether the interrupt line is set."""
        return self.registers.irq

    def read(self, address: int) -> tuple[int, int]:
        """Return the data and the response of a read."""
        return self.registers.read(address)

    def write(self, address: int, data: int, strobes: int = WHOLE) -> int:
        """Perform a write, and the operation that it starts; return its response."""
        response = self.registers.write(address, data, strobes)
        if self.registers.busy:
            drawn = bytes(islice(self.random, self.registers.draws))
            self.registers.finish(*self.registers.prepare(drawn))
        return response
