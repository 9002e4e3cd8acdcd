"""A device for the processor's bus that interrupts after so many cycles, in RTL and as integers.

0x00  written: the line falls, and rises after this many cycles (0: never); read: reads before
0x04  written: added to a sum; read: the sum
"""

from pymtl3 import connect, update, update_ff

from fl.axi_lite import INPUTS, OKAY, OUTPUTS, PREFIX, SLVERR, WHOLE
from fl.component.peripheral import PeripheralPorts
from rtl.leaf.register import Register
from rtl.port.axi_lite import AxiLiteRTL

COUNT_BITS = 8


class AlarmRTL(PeripheralPorts):
    """Counts cycles, reads and what is written."""

    def construct(s):
        super().construct()
        s.bus = AxiLiteRTL()
        for name in (*INPUTS, *OUTPUTS):
            connect(getattr(s, PREFIX + name), getattr(s.bus, PREFIX + name))
        s.random_ready //= 0
        s.left = Register(COUNT_BITS)
        s.reads = Register(32)
        s.sum = Register(32)

        @update
        def access():
            s.bus.write_refused @= (s.bus.to != 0) & (s.bus.to != 4)
            s.bus.read_refused @= (s.bus.from_ != 0) & (s.bus.from_ != 4)
            s.bus.read_data @= s.reads
            if s.bus.from_ == 4:
                s.bus.read_data @= s.sum

        @update_ff
        def count():
            if s.reset:
                s.reads <<= 0
                s.sum <<= 0
            else:
                if s.s_axi_rvalid & s.s_axi_rready:
                    s.reads <<= s.reads + 1
                if s.bus.write & (s.bus.to == 4):
                    s.sum <<= s.sum + s.bus.data

        @update_ff
        def ring():
            if s.reset:
                s.irq <<= 0
                s.left <<= 0
            elif s.bus.write & (s.bus.to == 0):
                s.irq <<= 0
                s.left <<= s.bus.data[0:COUNT_BITS]
            elif s.left != 0:
                s.left <<= s.left - 1
                s.irq <<= s.left == 1


class AlarmFL:
    """Does the same without time: the line rises at once."""

    def __init__(self) -> None:
        self.irq, self.reads, self.sum = False, 0, 0

    def read(self, address: int) -> tuple[int, int]:
        """Return the data and the response of a read."""
        if address not in (0, 4):
            return 0, SLVERR
        data = self.sum if address else self.reads
        self.reads += 1
        return data, OKAY

    def write(self, address: int, data: int, strobes: int = WHOLE) -> int:
        """Perform a write and return its response."""
        if address not in (0, 4) or strobes != WHOLE:
            return SLVERR
        if address:
            self.sum = (self.sum + data) & 0xFFFFFFFF
        else:
            self.irq = data & (1 << COUNT_BITS) - 1 != 0
        return OKAY
