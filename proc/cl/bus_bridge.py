"""From the processor's data port to AXI4-Lite: proc/rtl/bus_bridge.py's registers.

The processor waits for each answer, so that a bridge is free whenever an access is in X.
"""

from fl.axi_lite import ADDRESS_BITS, WHOLE
from proc.cl.decoded import Decoded
from proc.isa import signed
from proc.semantics import MASK, MEMORY


class BusBridge:
    """Offers an access on the channels from the cycle after it has left X."""

    def __init__(self) -> None:
        self.sends_address = self.sends_data = self.sends_read = False
        self.address = self.data = self.strobes = 0
        self.byte_address = 0  # as the instruction has it
        self._begins: tuple[bool, int, int, int, int] | None = None

    def begin(self, access: Decoded, address: int, value: int) -> None:
        """Take the access of an instruction that leaves X; value is what it would store."""
        size, _ = MEMORY[access.name]
        lane, mask = address & 3, (1 << 8 * size) - 1
        offset = address - lane & (1 << ADDRESS_BITS) - 1
        data = (value & mask) * (MASK // mask)  # a byte or a half is repeated in all lanes
        self._begins = not access.late, address, offset, data, (1 << size) - 1 << lane & WHOLE

    def part(self, access: Decoded, word: int) -> int:
        """Return what a load takes of a word."""
        size, extends = MEMORY[access.name]
        value = word >> 8 * (self.byte_address & 3) & (1 << 8 * size) - 1
        return signed(value, 8 * size) & MASK if extends else value

    def edge(self, address_taken: bool, data_taken: bool, read_taken: bool) -> None:
        """Pass a clock edge: what the slave has taken is offered no longer."""
        if self._begins is not None:
            writes, self.byte_address, self.address, self.data, self.strobes = self._begins
            self.sends_address = self.sends_data = writes
            self.sends_read = not writes
            self._begins = None
            return
        self.sends_address &= not address_taken
        self.sends_data &= not data_taken
        self.sends_read &= not read_taken
