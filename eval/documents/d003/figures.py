"""What document 003 prints of its processor in words of S bits, 1024-bit operands, Virtex-E."""

from dataclasses import dataclass

NBITS = 1024
EXPONENT_BITS, EXPONENT = 17, 65537


@dataclass(frozen=True)
class Row:
    """A row of figure 17.4: clock period, slices, cycles and time of an encryption, area x time."""

    word_bits: int
    period_ns: float
    slices: int
    cycles: int
    time_ms: float
    area_time: int
    # Of figure 17.3: the periods of its memory, its adder and its write-back.
    parts_ns: tuple[float, float, float]
    parts_slices: tuple[int, int, int]

    @property
    def limits(self) -> str:
        """Which part has the longest period."""
        parts = dict(zip(("memory", "adder", "write-back"), self.parts_ns, strict=True))
        return max(parts, key=lambda part: parts[part])


# The cycles of 64 and 128 bits stand in each other's row in the document.
ROWS = (
    Row(32, 8.74, 995, 645288, 5.64, 5612, (8.7, 7.4, 8.6), (627, 32, 336)),
    Row(64, 11.6, 1188, 176016, 3.86, 4586, (10.7, 11.6, 11.5), (563, 64, 561)),
    Row(128, 18.6, 1870, 332440, 3.27, 6115, (17.5, 18.6, 17.8), (688, 132, 1050)),
    Row(256, 30.9, 2902, 97804, 2.99, 8677, (30.5, 30.9, 30.2), (553, 264, 2085)),
)


@dataclass(frozen=True)
class BlumPaar:
    """What section 17.4 says of the work that it compares with, in slices and ms of figure 17.4."""

    slices: int = 4865  # of its fastest
    time_ms: float = 0.75
    least_slices: int = 3786
    area_time: int = 3511  # of its best


LEAST, *_, WIDEST = ROWS
SWAPPED = [row.word_bits for row in ROWS if row.word_bits in (64, 128)]
RIGHT_TIME = WIDEST.cycles * WIDEST.period_ns / 1e6
SUMS_SAVED = -(-(NBITS + 2) // LEAST.word_bits) * ((NBITS + 3) / 4 - 1)  # cycles of a product
# Products in turn with the Z-processor and without: e = 2^16 + 1 has two ones.
TOGETHER, IN_TURN = EXPONENT_BITS + 2, EXPONENT_BITS + 2 + 3
# Section 17.4: how many times slower, and per cent of area saved, at S = 256.
BLUM_PAAR, SLOWER, SAVED = BlumPaar(), 4, 40
