"""The peripheral: an exponentiator on an AXI4-Lite bus, with padding (document 000, table 6).

    offset  register          access  meaning
    0x00    STATUS            R/W     0 decrypt, 1 busy, 2 start, 3 error, 4 done
    0x04    INPUT_LENGTH      W *     bytes of the input; more than there can be are as many
    0x08    OUTPUT_LENGTH     R       bytes of the output, 0 until it is there
    0x0C    WRITE_ADDRESS     W *     puts INPUT_FIFO's word at this place of the input
    0x10    READ_ADDRESS      W       the place of OUTPUT_FIFO's word
    0x14    INPUT_FIFO        W       a word, for WRITE_ADDRESS, MODULUS, EXPONENT_E or EXPONENT_D
    0x18    OUTPUT_FIFO       R       the output's word at READ_ADDRESS; 0 beyond OUTPUT_LENGTH
    0x1C    MODULUS           W *     puts INPUT_FIFO's word at this place of the modulus
    0x20    EXPONENT_E        W *     the same of the exponent that encrypts and verifies
    0x24    EXPONENT_D        W *     the same of the exponent that decrypts and signs
    0x28    CAPABILITIES      R       15..0 width, 23..16 version; loads: 24 modulus, 25 exponents
    0x2C    DESIGN            R       CRC-32 of the design's name
    0x30    INTERRUPT_ENABLE  R/W     bit 0
    0x34    PADDING           R/W *   1..0: 2 encryption (after reset), 1 signature, else none

From 0x1C on they are ours. Words have 32 bits, the least significant at place 0. An access that a
register does not have, a place outside the operand, an unaligned address and a write of less than
a word get SLVERR and change nothing; so does a write to * while busy. A write to STATUS sets
decrypt, clears done and starts if it says so; while busy it does nothing. The interrupt line is
done, if enabled. A reset wipes the key and all that the bus can read.

Encryption pads with kind 2, decryption unpads; with signatures d pads and e unpads. The input's
bytes from INPUT_LENGTH on are 0, and those of a message that do not fit its block are left out.
Under a modulus of less than 12 bytes there is no padding. One error bit stands for all that can be
wrong: the input not below the modulus or the output no block, where one is expected; a modulus that
the design does not take. The output's length is 0 then, otherwise the message's or the modulus'.
"""

from dataclasses import dataclass
from zlib import crc32

from fl.pkcs1 import SIGNATURE

STATUS, INPUT_LENGTH, OUTPUT_LENGTH, WRITE_ADDRESS = 0x00, 0x04, 0x08, 0x0C
READ_ADDRESS, INPUT_FIFO, OUTPUT_FIFO = 0x10, 0x14, 0x18
MODULUS, EXPONENT_E, EXPONENT_D, CAPABILITIES = 0x1C, 0x20, 0x24, 0x28
DESIGN, INTERRUPT_ENABLE, PADDING = 0x2C, 0x30, 0x34

READABLE = (
    STATUS,
    OUTPUT_LENGTH,
    OUTPUT_FIFO,
    CAPABILITIES,
    DESIGN,
    INTERRUPT_ENABLE,
    PADDING,
)
NEED_FREE = (INPUT_LENGTH, WRITE_ADDRESS, MODULUS, EXPONENT_E, EXPONENT_D, PADDING)
WRITABLE = (STATUS, READ_ADDRESS, INPUT_FIFO, INTERRUPT_ENABLE, *NEED_FREE)

DECRYPT, BUSY, START, ERROR, DONE = (1 << bit for bit in range(5))  # of STATUS
VERSION = 1
LEAST_BITS = 32


@dataclass(frozen=True)
class Fixed:
    """Holds what of the key is constant in the hardware; what is None is loaded."""

    modulus: int | None = None
    exponents: tuple[int, int] | None = None  # e and d

    @property
    def loads(self) -> tuple[int, ...]:
        """Return the registers by which the rest is loaded."""
        return (MODULUS,) * (self.modulus is None) + (EXPONENT_E, EXPONENT_D) * (
            self.exponents is None
        )


LOADED = Fixed()


def capabilities(nbits: int, fixed: Fixed) -> int:
    """Return the word that tells what a peripheral is."""
    loads = (fixed.modulus is None) | (fixed.exponents is None) << 1
    return nbits | VERSION << 16 | loads << 24


def design_number(design: str) -> int:
    """Return the word that stands for the name of a design."""
    return crc32(design.encode())


def is_padded(kind: int, decrypt: bool) -> bool:
    """Return whether an operation under a kind of padding pads; otherwise it unpads."""
    return decrypt == (kind == SIGNATURE)
