"""Where a processor with a bus finds what.

    0x0000_0000 to 0x3fff_ffff  memory, as much as there is
    0x4000_0000 to 0x4000_003f  the peripheral: a register per word

Document 000's example has its peripheral at 0x0004_0000, where our memory is.
"""

from fl.axi_lite import ADDRESS_BITS
from proc.programs.image import LARGEST_MEMORY

WINDOW = LARGEST_MEMORY
WINDOW_BYTES = 1 << ADDRESS_BITS
WINDOW_NUMBER = WINDOW >> ADDRESS_BITS  # the upper bits of its addresses


def in_window(address: int) -> bool:
    """Return whether an access goes to the bus."""
    return WINDOW <= address < WINDOW + WINDOW_BYTES
