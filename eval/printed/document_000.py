"""What document 000 prints of its multipliers, at 180 nm, and exponentiators, on a Cyclone V.

Table 5 compares multipliers of a modulus and of its pseudo-modulus: m2 = 2^n + k with
k = 2^(n-2) + 2^(n-4) + ... + 1, and m1 = 2^(n+2) - 1 = 3*m2. The areas are printed in um, meant in
um2. Its product for 2^4+5, 6.417e6, is a misprint: 407 * 15965 is 6.498e6.

Tables 7 to 18 have logic elements, delay of an iteration, their product, times of an encryption and
a decryption and highest frequency of exponentiators, by key bits and by columns: DM, CM, MM, each
with the modulus and with the pseudo-modulus. Table 2 has accelerators of others in silicon.
"""

from dataclasses import dataclass

from eval.printed.published import Published


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


# The tables of one multiplier repeat those of two for MM.
MM_ELEMENTS = {
    "mm-modulus": (400, 774, 1521, 3015, 6003, 11978),
    "mm-pseudo": (403, 777, 1525, 3022, 6014, 12000),
}
MM_DELAY_NS = {
    "mm-modulus": (4800, 18700, 73600, 292200, 1164600, 4649500),
    "mm-pseudo": (5200, 20200, 80000, 318000, 1268000, 5070000),
}
MM_PRODUCTS = {
    "mm-modulus": (0.00192, 0.01447, 0.11194, 0.881, 6.99, 55.69),
    "mm-pseudo": (0.00209, 0.01569, 0.122, 0.961, 7.63, 60.84),
}
MM_ENCRYPTION_US = {
    "mm-modulus": (82, 318, 1300, 5000, 19800, 79000),
    "mm-pseudo": (88, 343, 1400, 5400, 21600, 86200),
}
MM_DECRYPTION_US = {
    "mm-modulus": (153.6, 1200, 9400, 74800, 596300, 4.8e6),
    "mm-pseudo": (166.4, 1300, 10300, 162800, 649200, 5.2e6),
}
MM_MHZ = {
    "mm-modulus": (6.92, 3.42, 1.756, 0.901, 0.462, 0.237),
    "mm-pseudo": (6.53, 3.354, 1.697, 0.858, 0.434, 0.220),
}

TWO = Exponentiators(
    units=2,
    elements={
        "dm-modulus": (7019, 16890, 75264, 116540, 207202, 291971),
        "dm-pseudo": (7914, 17802, 73577, 119116, 206158, 294094),
        "cm-modulus": (12040, 26215, 90691, 144143, 243042, 299828),
        "cm-pseudo": (6816, 14030, 58425, 110084, 193876, 236353),
    }
    | MM_ELEMENTS,
    delay_ns={
        "dm-modulus": (412, 1200, 3900, 13900, 52300, 202400),
        "dm-pseudo": (435, 1055, 2883, 8887, 30294, 110700),
        "cm-modulus": (98, 123, 148, 173, 198, 223),
        "cm-pseudo": (48, 60, 72, 84, 96, 108),
    }
    | MM_DELAY_NS,
    products={
        "dm-modulus": (0.002891, 0.020268, 0.29353, 1.619, 10.836, 59.094),
        "dm-pseudo": (0.00344, 0.0188, 0.212, 1.048, 6.25, 32.56),
        "cm-modulus": (0.00118, 0.00322, 0.0134, 0.0249, 0.0481, 0.0668),
        "cm-pseudo": (0.000327, 0.00084, 0.0042, 0.00924, 0.0186, 0.0255),
    }
    | MM_PRODUCTS,
    encryption_us={
        "cm-modulus": (1.6, 2, 2.5, 2.9, 3.4, 3.8),
        "cm-pseudo": (0.816, 1, 1.2, 1.4, 1.6, 1.8),
    }
    | MM_ENCRYPTION_US,
    decryption_us={
        "cm-modulus": (3.14, 7.9, 18.9, 44.3, 101.4, 228.3),
        "cm-pseudo": (1.58, 3.9, 9.3, 21.6, 49.2, 110.7),
    }
    | MM_DECRYPTION_US,
    mhz={
        "cm-modulus": (8, 3.2, 1.5, 0.635, 0.348, 0.141),
        "cm-pseudo": (19, 8.3, 3.6, 1.502, 0.842, 0.426),
    }
    | MM_MHZ,
)

ONE = Exponentiators(
    units=1,
    elements={
        "dm-modulus": (3510, 8445, 37632, 58270, 103601, 145986),
        "dm-pseudo": (3957, 8901, 36789, 59558, 103079, 147025),
        "cm-modulus": (6020, 13108, 45346, 72072, 121521, 149914),
        "cm-pseudo": (3408, 7015, 29213, 55042, 96938, 118177),
    }
    | MM_ELEMENTS,
    delay_ns={
        "dm-modulus": (200, 600, 1950, 7000, 26200, 101200),
        "dm-pseudo": (210, 520, 1400, 4400, 15200, 55400),
        "cm-modulus": (40, 60, 70, 80, 100, 110),
        "cm-pseudo": (20, 30, 36, 42, 48, 50),
    }
    | MM_DELAY_NS,
    products={
        "dm-modulus": (0.00072, 0.005, 0.073, 0.407, 2.71, 14.77),
        "dm-pseudo": (0.00086, 0.0047, 0.051, 0.262, 1.566, 8.145),
        "cm-modulus": (0.0003, 0.00079, 0.0033, 0.0061, 0.012, 0.016),
        "cm-pseudo": (0.00008, 0.00021, 0.001, 0.0023, 0.0046, 0.0064),
    }
    | MM_PRODUCTS,
    encryption_us={
        "cm-modulus": (0.93, 1.1, 1.4, 1.6, 1.8, 2.1),
        "cm-pseudo": (0.45, 0.57, 0.68, 0.8, 0.91, 1),
    }
    | MM_ENCRYPTION_US,
    decryption_us={
        "cm-modulus": (2, 6, 14, 33, 76, 170),
        "cm-pseudo": (1, 3, 7, 16, 36, 83),
    }
    | MM_DECRYPTION_US,
    mhz={
        "cm-modulus": (14, 5.3, 2.7, 1.2, 0.56, 0.23),
        "cm-pseudo": (35, 15, 7.3, 2.5, 1.6, 0.75),
    }
    | MM_MHZ,
)
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

# "Logic elements", taken to be ALMs.
MM_FIGURES = tuple(
    Published("alms", "MM (M)", nbits, elements, "000, table 7")
    for nbits, elements in zip(KEY_BITS, MM_ELEMENTS["mm-modulus"], strict=True)
)
