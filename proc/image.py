"""A program as the memory sees it: segments of bytes, where it starts, and what is named."""

from dataclasses import dataclass, field

from sim.errors import UserError

DEFAULT_ENTRY = 0x200  # where the processor starts after reset
DEFAULT_MEMORY = 1 << 20  # bytes, from address 0


@dataclass(frozen=True)
class Segment:
    """Holds bytes at an address; `executable` says that they are instructions."""

    address: int
    data: bytes
    executable: bool = False

    @property
    def end(self) -> int:
        """Return the address after the last byte."""
        return self.address + len(self.data)


@dataclass(frozen=True)
class Image:
    """Holds what a loader or the assembler makes, and every processor model starts from."""

    segments: tuple[Segment, ...]
    entry: int = DEFAULT_ENTRY
    symbols: dict[str, int] = field(default_factory=dict)
    name: str = "program"

    def memory(self, size: int = DEFAULT_MEMORY) -> bytearray:
        """Return `size` bytes of memory holding the program; UserError when it does not fit."""
        if size < 4 or size % 4:
            raise UserError(f"memory size {size}: give a positive multiple of 4 bytes")
        memory = bytearray(size)
        for segment in self.segments:
            if segment.end > size:
                raise UserError(
                    f"{self.name}: bytes {segment.address:#x}..{segment.end - 1:#x} do not fit"
                    f" in a memory of {size:#x} bytes from 0; link it lower or give more memory"
                )
            memory[segment.address : segment.end] = segment.data
        return memory

    def words(self, size: int = DEFAULT_MEMORY) -> list[int]:
        """Return the memory as little-endian 32-bit words."""
        return list(memoryview(bytes(self.memory(size))).cast("I"))
