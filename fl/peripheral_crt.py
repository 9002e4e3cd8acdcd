"""The peripheral of a design that makes private operations by CRT: fl/peripheral_map.py's, with a
key in its parts.

    offset  register      access  meaning
    0x00    STATUS        R/W     as ever; written 5: what d does is done by the parts of the key
    0x28    CAPABILITIES  R       26: there is such a bit
    0x38    KEY_PARTS     W *     puts INPUT_FIFO's word at this place of p, q, dP, dQ, qInv

Each part has the words of n / 2 bits, so that those of q follow those of p. Of EXPONENT_E the 32
low bits check each result; one that fails sets the error bit, and there is no output. EXPONENT_D is
for operations without bit 5.
"""

from fl.axi_lite import OKAY, SLVERR, WHOLE
from fl.crt import E_BITS, CrtKey
from fl.peripheral_map import CAPABILITIES, EXPONENT_E, LOADED, START, Fixed
from fl.peripheral_registers import Registers
from fl.xcel import WORD_BITS, words
from fl.xcel_crt import Signs

KEY_PARTS = 0x38
BY_PARTS = 1 << 5  # of STATUS
HAS_PARTS = 1 << 26  # of CAPABILITIES
PARTS = ("p", "q", "dp", "dq", "q_inverse")  # in their order in the register


class CrtRegisters(Registers):
    """Keeps the register map with the parts of a key as integers."""

    def __init__(self, exponentiator: Signs, fixed: Fixed = LOADED, design: str = "") -> None:
        self.exponentiator = exponentiator
        self.half_bits = -(-exponentiator.nbits // 2)
        super().__init__(exponentiator.nbits, self._compute, fixed, design)
        self.constants[CAPABILITIES] |= HAS_PARTS

    def reset(self) -> None:
        """Wipe everything."""
        super().reset()
        self.parts = [0] * (len(PARTS) * words(self.half_bits))
        self.by_parts = False

    @property
    def key(self) -> CrtKey:
        """Return the key in its parts."""
        count, mask = words(self.half_bits), (1 << self.half_bits) - 1
        p, q, dp, dq, q_inverse = (
            sum(word << WORD_BITS * i for i, word in enumerate(self.parts[at : at + count])) & mask
            for at in range(0, len(self.parts), count)
        )
        return CrtKey(p, q, dp, dq, q_inverse, self.operands[EXPONENT_E] & (1 << E_BITS) - 1)

    @property
    def is_private(self) -> bool:
        """Return whether the operation is by the parts of the key."""
        return self.by_parts and self.decrypt

    def write(self, address: int, data: int, strobes: int = WHOLE) -> int:
        """Perform a write and return its response; a start makes it busy, until `finish`."""
        if address != KEY_PARTS:
            return super().write(address, data, strobes)
        if self.busy or strobes != WHOLE or data >= len(self.parts):
            return SLVERR
        self.parts[data] = self.word
        return OKAY

    def _command(self, data: int) -> None:
        super()._command(data)
        if data & START:
            self.by_parts = bool(data & BY_PARTS)

    def _compute(self, base: int, exp: int, modulus: int) -> tuple[int, int]:
        if self.is_private:
            return self.exponentiator.private_value(base, modulus, self.key)
        return self.exponentiator.value(base, exp, modulus)
