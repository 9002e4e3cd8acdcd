"""What document 000 prints of its multipliers, at 180 nm, and exponentiators, on a Cyclone V.

Table 5 compares multipliers of a modulus and of its pseudo-modulus: m2 = 2^n + k with
k = 2^(n-2) + 2^(n-4) + ... + 1, and m1 = 2^(n+2) - 1 = 3*m2. The areas are printed in um, meant in
um2. Its product for 2^4+5, 6.417e6, is a misprint: 407 * 15965 is 6.498e6.

Tables 7 to 18 have logic elements, delay of an iteration, their product, times of an encryption and
a decryption and highest frequency of exponentiators, by key bits and by columns: DM, CM, MM, each
with the modulus and with the pseudo-modulus. Table 2 has accelerators of others in silicon.
"""

from dataclasses import dataclass

from eval.documents.document import written


@dataclass(frozen=True)
class Multiplier:
    """Delay in ps and area in um2 of one multiplier."""

    delay_ps: float
    area_um2: float

    @property
    def product(self) -> float:
        """Area x delay."""
        return self.delay_ps * self.area_um2


@dataclass(frozen=True)
class Pair:
    """The multipliers of a modulus 2^n + k and of its pseudo-modulus."""

    n: int
    modulus: Multiplier
    pseudo: Multiplier

    @property
    def ratio(self) -> float:
        """Area x delay of the pseudo-modulus' multiplier by that of the modulus'."""
        return self.pseudo.product / self.modulus.product


TABLE_5 = (
    Pair(4, Multiplier(407, 15965), Multiplier(393, 15792)),
    Pair(6, Multiplier(463, 24000), Multiplier(457, 22000)),
    Pair(8, Multiplier(509, 32951), Multiplier(480, 24458)),
    Pair(10, Multiplier(525, 38500), Multiplier(501, 32000)),
)

KEY_BITS = (32, 64, 128, 256, 512, 1024)
Table = dict[str, tuple[float, ...]]  # column -> a figure for each of KEY_BITS


@dataclass(frozen=True)
class Exponentiators:
    """Holds the tables of the exponentiators with so many multipliers."""

    units: int
    elements: Table
    delay_ns: Table
    products: Table  # elements x seconds
    encryption_us: Table
    decryption_us: Table
    mhz: Table

    def ratio(self, what: str, way: str, nbits: int) -> float:
        """A figure of the pseudo-modulus by that of the modulus; at most 1024 bits."""
        i = KEY_BITS.index(nbits)
        table: Table = getattr(self, what)
        return table[f"{way}-pseudo"][i] / table[f"{way}-modulus"][i]


def _tables(units: int, name: str) -> Exponentiators:
    """Read the tables of so many multipliers; MM's are the same in both."""
    own, mm = (written("000")["exponentiators"][part] for part in (name, "mm"))
    tables = {
        what: {column: tuple(values) for column, values in (of | mm[what]).items()}
        for what, of in own.items()
    }
    return Exponentiators(units, **tables)


ONE, TWO = _tables(1, "one"), _tables(2, "two")
BY_UNITS = {1: ONE, 2: TWO}


@dataclass(frozen=True)
class Silicon:
    """An accelerator of others in silicon; area in mm2 or in gates."""

    by: str
    year: int
    technology: str
    nbits: int
    mhz: float
    area_mm2: float | None = None
    gates: int | None = None
    power_mw: float | None = None


TABLE_2 = (
    Silicon("Yeh", 2006, "UMC 0.18 um", 1024, 460, area_mm2=5.76, power_mw=830),
    Silicon("Hisakado", 2006, "TSMC 0.18 um", 2048, 60, gates=98500, power_mw=61.5),
    Silicon("Chen", 2007, "UMC 0.18 um", 1024, 370, gates=175000),
    Silicon("Zheng", 2008, "TSMC 0.18 um", 2048, 200, gates=61000, power_mw=32.5),
)
