"""AXI4-Lite's five channels: what a slave's ports are called, and what a register map answers.

A write's address and its data come in any order; one write and one read are outstanding. Each is
answered RESPONSE_CYCLES cycles after all of it has come.
"""

from typing import Protocol

OKAY, SLVERR = 0b00, 0b10
WHOLE = 0b1111  # the strobes of a word
RESPONSE_CYCLES = 2

PREFIX = "s_axi_"  # by which tools know the ports of one bus
ADDRESS_BITS = 6
INPUTS = {
    "awvalid": 1,
    "awaddr": ADDRESS_BITS,
    "wvalid": 1,
    "wdata": 32,
    "wstrb": 4,
    "bready": 1,
    "arvalid": 1,
    "araddr": ADDRESS_BITS,
    "rready": 1,
}
OUTPUTS = {
    "awready": 1,
    "wready": 1,
    "bvalid": 1,
    "bresp": 2,
    "arready": 1,
    "rvalid": 1,
    "rdata": 32,
    "rresp": 2,
}


class Mapped(Protocol):
    """Says what a register map answers."""

    def write(self, address: int, data: int, strobes: int) -> int:
        """Perform a write and return its response."""
        ...

    def read(self, address: int) -> tuple[int, int]:
        """Return the data and the response of a read."""
        ...
