"""What tables 7, 8, 11 to 14, 17 and 18 of document 000 print of its exponentiators.

Logic elements, delay of an iteration, time of a decryption and highest frequency on a Cyclone V,
by key bits and by columns: DM, CM, MM, each with the modulus and with the pseudo-modulus.
"""

from dataclasses import dataclass

KEY_BITS = (32, 64, 128, 256, 512, 1024)
COLUMNS = tuple(f"{way}-{form}" for way in ("dm", "cm", "mm") for form in ("modulus", "pseudo"))

Table = dict[str, tuple[float, ...]]  # column -> a figure for each of KEY_BITS


@dataclass(frozen=True)
class Printed:
    """The tables of an architecture with so many multipliers."""

    units: int
    elements: Table
    delay_ns: Table
    decryption_us: Table
    mhz: Table

    def ratio(self, what: str, way: str, nbits: int) -> float:
        """A figure of the pseudo-modulus by that of the modulus; at most 1024 bits."""
        i = KEY_BITS.index(nbits)
        table: Table = getattr(self, what)
        return table[f"{way}-pseudo"][i] / table[f"{way}-modulus"][i]


def _table(*rows: tuple[float, ...]) -> Table:
    return dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))


_MM_DECRYPTION_US = (
    (153.6, 1200, 9400, 74800, 596300, 4.8e6),
    (166.4, 1300, 10300, 162800, 649200, 5.2e6),
)
_MM_MHZ = ((6.92, 3.42, 1.756, 0.901, 0.462, 0.237), (6.53, 3.354, 1.697, 0.858, 0.434, 0.220))

TWO = Printed(
    units=2,
    elements=_table(
        (7019, 7914, 12040, 6816, 400, 403),
        (16890, 17802, 26215, 14030, 774, 777),
        (75264, 73577, 90691, 58425, 1521, 1525),
        (116540, 119116, 144143, 110084, 3015, 3022),
        (207202, 206158, 243042, 193876, 6003, 6014),
        (291971, 294094, 299828, 236353, 11978, 12000),
    ),
    delay_ns=_table(
        (412, 435, 98, 48, 4800, 5200),
        (1200, 1055, 123, 60, 18700, 20200),
        (3900, 2883, 148, 72, 73600, 80000),
        (13900, 8887, 173, 84, 292200, 318000),
        (52300, 30294, 198, 96, 1164600, 1268000),
        (202400, 110700, 223, 108, 4649500, 5070000),
    ),
    decryption_us={
        "cm-modulus": (3.14, 7.9, 18.9, 44.3, 101.4, 228.3),
        "cm-pseudo": (1.58, 3.9, 9.3, 21.6, 49.2, 110.7),
        "mm-modulus": _MM_DECRYPTION_US[0],
        "mm-pseudo": _MM_DECRYPTION_US[1],
    },
    mhz={
        "cm-modulus": (8, 3.2, 1.5, 0.635, 0.348, 0.141),
        "cm-pseudo": (19, 8.3, 3.6, 1.502, 0.842, 0.426),
        "mm-modulus": _MM_MHZ[0],
        "mm-pseudo": _MM_MHZ[1],
    },
)

ONE = Printed(
    units=1,
    elements=_table(
        (3510, 3957, 6020, 3408, 400, 403),
        (8445, 8901, 13108, 7015, 774, 777),
        (37632, 36789, 45346, 29213, 1521, 1525),
        (58270, 59558, 72072, 55042, 3015, 3022),
        (103601, 103079, 121521, 96938, 6003, 6014),
        (145986, 147025, 149914, 118177, 11978, 12000),
    ),
    delay_ns=_table(
        (200, 210, 40, 20, 4800, 5200),
        (600, 520, 60, 30, 18700, 20200),
        (1950, 1400, 70, 36, 73600, 80000),
        (7000, 4400, 80, 42, 292200, 318000),
        (26200, 15200, 100, 48, 1164600, 1268000),
        (101200, 55400, 110, 50, 4649500, 5070000),
    ),
    decryption_us={
        "cm-modulus": (2, 6, 14, 33, 76, 170),
        "cm-pseudo": (1, 3, 7, 16, 36, 83),
        "mm-modulus": _MM_DECRYPTION_US[0],
        "mm-pseudo": _MM_DECRYPTION_US[1],
    },
    mhz={
        "cm-modulus": (14, 5.3, 2.7, 1.2, 0.56, 0.23),
        "cm-pseudo": (35, 15, 7.3, 2.5, 1.6, 0.75),
        "mm-modulus": _MM_MHZ[0],
        "mm-pseudo": _MM_MHZ[1],
    },
)
PRINTED = {1: ONE, 2: TWO}
