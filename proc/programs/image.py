"""A program as the memory sees it: segments of bytes, where it starts, and what is named."""

from dataclasses import dataclass, field

from sim.errors import UserError

DEFAULT_ENTRY = 0x200  # where the processor starts after reset
DEFAULT_MEMORY = 1 << 20  # bytes, from address 0
LARGEST_MEMORY = 1 << 30


@dataclass(frozen=True)
class Segment:
    """Holds bytes at an address; `executable` says that they are instructions. As many `zeros`
    follow them in memory."""

    address: int
    data: bytes
    executable: bool = False
    zeros: int = 0

    @property
    def end(self) -> int:
        """Return the address after the last byte."""
        return self.address + len(self.data) + self.zeros


@dataclass(frozen=True)
class Image:
    """Holds what a loader or the assembler makes, and every processor model starts from.

    Where it may have `compressed` instructions, of 16 bits, only those of 32 are executed.
    """

    segments: tuple[Segment, ...]
    entry: int = DEFAULT_ENTRY
    symbols: dict[str, int] = field(default_factory=dict)
    name: str = "program"
    compressed: bool = False

    def __post_init__(self) -> None:
        if self.entry % 4:
            raise UserError(
                f"{self.name}: starts at {self.entry:#x}; instructions are at multiples of 4"
            )

    def check_fits(self, size: int) -> None:
        """UserError when the program does not fit in `size` bytes of memory."""
        if size < 4 or size % 4:
            raise UserError(f"memory size {size}: give a positive multiple of 4 bytes")
        for segment in self.segments:
            if segment.end > size:
                can_be_larger = segment.end <= LARGEST_MEMORY
                advice = "give more memory" if can_be_larger else "link it lower"
                raise UserError(
                    f"{self.name}: bytes {segment.address:#x}..{segment.end - 1:#x} do not fit"
                    f" in a memory of {size:#x} bytes from 0; {advice}"
                )

    def memory(self, size: int = DEFAULT_MEMORY) -> bytearray:
        """Return `size` bytes of memory holding the program; UserError when it does not fit."""
        self.check_fits(size)
        memory = bytearray(size)
        for segment in self.segments:
            memory[segment.address : segment.end] = segment.data + bytes(segment.zeros)
        return memory

    def words(self, size: int = DEFAULT_MEMORY) -> list[int]:
        """Return the memory as little-endian 32-bit words."""
        return list(memoryview(bytes(self.memory(size))).cast("I"))
