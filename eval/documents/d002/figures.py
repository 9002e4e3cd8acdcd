"""What document 002 prints of its systolic array of radix 2^16 on an Artix-7."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """What a unit takes of the device: look-up tables, registers, DSP blocks."""

    table: int
    luts: int
    ffs: int
    dsp: int


TAKEN = {
    ("multiplier", 512): Taken(1, 3098, 2670, 34),
    ("multiplier", 1024): Taken(2, 6736, 5337, 66),
    ("multiplier", 2048): Taken(3, 12854, 10648, 130),
    ("exponentiator", 1024): Taken(5, 7587, 9499, 66),
}
MULTIPLIER, WHOLE = TAKEN["multiplier", 1024], TAKEN["exponentiator", 1024]
# By bits: the cycles of a product, 3s + 2, and of an exponentiation, (2n + 2)(3s + 2).
PRODUCT_CYCLES = {512: 98, 1024: 194, 2048: 386, 4096: 770}
EXPONENTIATION_CYCLES = {512: 100548, 1024: 397700, 2048: 1581828, 4096: 6309380}
CYCLES_BEFORE = 407950  # of an exponentiation of 1024 bits, by the works that it compares with
PRODUCTS = {1023: 2050}  # equation 3, by t
DSP_AT_4096 = 258
# By table: slices, and per cent of the device's tables, registers, slices and DSP blocks.
SLICES = {1: 1471, 2: 3429, 3: 5132, 5: 4253}
PER_CENT = {
    1: (4.89, 2.11, 9.28, 14.17),
    2: (10.62, 4.21, 21.63, 27.50),
    3: (20.27, 8.40, 32.38, 54.17),
    5: (11.97, 7.49, 26.83, 27.50),
}
AVAILABLE = (63400, 126800, 15850, 240)


@dataclass(frozen=True)
class Compared:
    """A multiplier of 1024 bits in the document's table 4."""

    of: str
    mhz: int
    cycles: int
    luts: int | None = None
    ffs: int | None = None
    dsp: int | None = None
    slices: int | None = None

    @property
    def time_us(self) -> float:
        """The time of a product."""
        return self.cycles / self.mhz


OWN = Compared("002, Artix-7", 100, 194, 6736, 5337, 66, 3429)
SAME_DEVICE = Compared("Mrabet, Artix-7", 65, 66, 5242, 4208, 161, 2072)
WANG = Compared("Wang, Virtex-5", 120, 199, 14440, 7826, 66)
TABLE_4 = (
    Compared("Perin, Virtex-4", 110, 384, dsp=130, slices=7012),
    Compared("Perin, Virtex-5", 130, 384, dsp=130, slices=6642),
    WANG,
    Compared("McIvor, Virtex-2", 104, 199, dsp=131, slices=5709),
    SAME_DEVICE,
    Compared("Mrabet, Virtex-5", 65, 66, 5824, 6072),
    OWN,
)
FASTER = [work for work in TABLE_4 if work.time_us < OWN.time_us]
SLOWER = [work for work in TABLE_4 if work.time_us > OWN.time_us]
SAVED_CYCLES = CYCLES_BEFORE - EXPONENTIATION_CYCLES[1024]
TABLES_PER_SLICE = MULTIPLIER.luts / SLICES[2]
