"""The peripheral of fl/peripheral_map.py as integers."""

from collections.abc import Callable, Sequence

from fl.axi_lite import OKAY, SLVERR, WHOLE
from fl.peripheral_map import (
    BUSY,
    CAPABILITIES,
    DECRYPT,
    DESIGN,
    DONE,
    ERROR,
    EXPONENT_D,
    EXPONENT_E,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    LOADED,
    MODULUS,
    NEED_FREE,
    OUTPUT_FIFO,
    OUTPUT_LENGTH,
    PADDING,
    READ_ADDRESS,
    READABLE,
    START,
    STATUS,
    WRITABLE,
    WRITE_ADDRESS,
    Fixed,
    capabilities,
    design_number,
    is_padded,
)
from fl.pkcs1 import ENCRYPTION, SIGNATURE, has_blocks, modulus_bytes, pad, unpad
from fl.xcel import WORD_BITS, words


class Registers:
    """Keeps the register map as integers; compute(base, exp, mod) -> (result, status)."""

    def __init__(
        self,
        nbits: int,
        compute: Callable[[int, int, int], tuple[int, int]],
        fixed: Fixed = LOADED,
        design: str = "",
    ) -> None:
        self.nbits, self.compute, self.fixed = nbits, compute, fixed
        self.words = words(nbits)
        self.constants = {
            CAPABILITIES: capabilities(nbits, fixed),
            DESIGN: design_number(design),
        }
        self.reset()

    def reset(self) -> None:
        """Wipe everything."""
        e, d = self.fixed.exponents or (0, 0)
        self.operands = {
            WRITE_ADDRESS: 0,
            MODULUS: self.fixed.modulus or 0,
            EXPONENT_E: e,
            EXPONENT_D: d,
        }
        self.decrypt = self.busy = self.done = self.error = self.enable = False
        self.length = self.word = self.read_address = self.output = self.output_length = 0
        self.kind = ENCRYPTION

    @property
    def irq(self) -> bool:
        """Return whether the interrupt line is set."""
        return self.done and self.enable

    @property
    def k(self) -> int:
        """Return the bytes of the modulus."""
        return modulus_bytes(self.operands[MODULUS])

    @property
    def draws(self) -> int:
        """Count the random bytes, none of them 0, that the operation takes."""
        pads = self.kind == ENCRYPTION and is_padded(self.kind, self.decrypt)
        return self.k if pads and has_blocks(self.kind, self.k) else 0

    def write(self, address: int, data: int, strobes: int = WHOLE) -> int:
        """Perform a write and return its response; a start makes it busy, until `finish`."""
        loads = address not in (MODULUS, EXPONENT_E, EXPONENT_D) or address in self.fixed.loads
        if address not in WRITABLE or not loads or strobes != WHOLE:
            return SLVERR
        if self.busy and address in NEED_FREE:
            return SLVERR
        if (address in self.operands or address == READ_ADDRESS) and data >= self.words:
            return SLVERR
        if address == STATUS and not self.busy:
            self._command(data)
        elif address == INPUT_LENGTH:
            self.length = min(data, 4 * self.words)
        elif address == READ_ADDRESS:
            self.read_address = data
        elif address == INPUT_FIFO:
            self.word = data
        elif address == INTERRUPT_ENABLE:
            self.enable = bool(data & 1)
        elif address == PADDING:
            self.kind = data & 3
        elif address in self.operands:
            self._put(address, data)
        return OKAY

    def _command(self, data: int) -> None:
        self.decrypt, self.done = bool(data & DECRYPT), False
        if data & START:
            self.busy, self.error, self.output_length = True, False, 0

    def _put(self, address: int, place: int) -> None:
        mask = 0xFFFFFFFF << WORD_BITS * place
        changed = self.operands[address] & ~mask | self.word << WORD_BITS * place
        self.operands[address] = changed & (1 << self.nbits) - 1

    def read(self, address: int) -> tuple[int, int]:
        """Return the data and the response of a read."""
        if address not in READABLE:
            return 0, SLVERR
        shown = self.output & (1 << 8 * self.output_length) - 1
        return {
            STATUS: self.decrypt * DECRYPT
            | self.busy * BUSY
            | self.error * ERROR
            | self.done * DONE,
            OUTPUT_LENGTH: self.output_length,
            OUTPUT_FIFO: shown >> WORD_BITS * self.read_address & 0xFFFFFFFF,
            INTERRUPT_ENABLE: int(self.enable),
            PADDING: self.kind,
            **self.constants,
        }[address], OKAY

    def prepare(self, drawn: Sequence[int]) -> tuple[int, int, int]:
        """Pad the input, and return base, exponent and modulus."""
        modulus, k = self.operands[MODULUS], self.k
        content = self.operands[WRITE_ADDRESS] & (1 << 8 * self.length) - 1
        if self.kind in (SIGNATURE, ENCRYPTION) and is_padded(self.kind, self.decrypt):
            content &= (1 << 8 * k) - 1
            if has_blocks(self.kind, k):
                content = pad(self.kind, content, self.length, k, drawn)
        self.operands[WRITE_ADDRESS] = content
        return content, self.operands[EXPONENT_D if self.decrypt else EXPONENT_E], modulus

    def finish(self, base: int, exp: int, modulus: int) -> None:
        """Compute, unpad, and be done."""
        self.output, status = self.compute(base, exp, modulus)
        length: int | None = self.k
        if has_blocks(self.kind, self.k) and not is_padded(self.kind, self.decrypt):
            length = unpad(self.kind, self.output, self.k) if base < modulus else None
        self.error = bool(status) or length is None
        self.output_length = 0 if status or length is None else length
        self.busy, self.done = False, True
