"""What document 004 prints: table 1, its misprints marked, and the cycles of its example.

A cycles figure is the mean of an encryption and a decryption, cut to a whole number, with a key
that the document does not print but for 128 bits. Algo 4 depends on the key through the
exponent's length k and bitlen(2^n - m) only, T4 = k(n+5) + 2n + bitlen(2^n - m) + 13, so its
column tells the mean k of each key. No k explains the row of 2048 bits: T4 would need a modulus
within 2^1110 of 2^2048, and the figure of algo 6 is above the most that T6 can be.
"""

from dataclasses import dataclass

from fl.rsa_keys import EXAMPLES, KEY_004

SOURCE = "004, table 1"
MISPRINT_4 = "misprint: needs a modulus within 2^1110 of 2^2048"
MOST_2048 = 2048 * 2053 - 1  # T6 is never above n(n+5) - 1
MISPRINT_6 = f"misprint: above 2048*2053 - 1 = {MOST_2048}, the most that T6 can be"
# Algo 6's encryption and decryption of the example of 128 bits. The document prints their mean
# only; its Verilog takes these, run with its test bench in Icarus Verilog.
EXAMPLE_CYCLES = (16612, 16893)
MESSAGE, CIPHER = next((x.message, x.ciphertext) for x in EXAMPLES if x.key is KEY_004)
# The example of algo 0: z, -m^-1 mod 2^128 by the extended Euclidean algorithm, and z/2^128 mod m.
ALGO_0_Z = 14579150005006265062948136954012885300
ALGO_0_M_PRIME = -133419654858893623771608150101834274859
ALGO_0_T = 179441695220040973036856247560209845703
# The time axis of figure 2 where the decryption ends. The test bench, which is printed for algo 6,
# has a clock of 2 ns, and 360 ns beside the cycles of both operations.
FIGURE_2_NS = (69460, 69540)
CLOCK_NS, BESIDE_NS = 2, 360
# What abstract and section IV say of algo 6 beside algo 4: ALMs and registers, in %.
CLAIMED_SHARES = {"alms": (55, 59), "registers": (69, 85)}


@dataclass(frozen=True)
class Cell:
    """One implementation at one width, on a Cyclone V; None where it did not fit, or was not
    placed."""

    cycles: int
    alms: int | None = None
    registers: int | None = None
    mhz: float | None = None
    ms: float | None = None
    misprint: str = ""  # of the cycles


@dataclass(frozen=True)
class PrintedRow:
    """One width: the mean exponent length of its key, and its columns."""

    nbits: int
    exp_bits: float
    algo_2: Cell
    algo_4: Cell
    algo_6: Cell


TABLE_1 = (
    PrintedRow(
        *(64, 61),
        Cell(4413, 1391, 1043, 42.32, 0.104),
        Cell(4413, 1018, 1112, 103.52, 0.043),
        Cell(4076, 564, 874, 103.98, 0.039),
    ),
    PrintedRow(
        *(128, 127),
        Cell(17286, 4982, 1354, 27.66, 0.625),
        Cell(17286, 1952, 1646, 81.31, 0.213),
        Cell(16752, 1084, 1334, 81.82, 0.205),
    ),
    PrintedRow(
        *(256, 255),
        Cell(67334, 71884, 2619),
        Cell(67334, 3812, 3242, 58.35, 1.154),
        Cell(66226, 2130, 2667, 59.30, 1.117),
    ),
    PrintedRow(
        *(512, 508.5),
        Cell(264442),
        Cell(264442, 7071, 6420, 37.55, 7.042),
        Cell(261996, 4195, 5118, 35.82, 7.314),
    ),
    PrintedRow(
        *(1024, 1020.5),
        Cell(1053178),
        Cell(1053178, 16237, 12772, 23.40, 45.008),
        Cell(1048412, 8863, 10809, 23.38, 44.842),
    ),
    PrintedRow(
        *(2048, 2046),
        Cell(4204630, misprint=MISPRINT_4),
        Cell(4204630, 27312, 24630, misprint=MISPRINT_4),
        Cell(4206448, 16397, 18450, misprint=MISPRINT_6),
    ),
)
WIDTHS = tuple(row.nbits for row in TABLE_1)


def cells(nbits: int) -> dict[str, Cell]:
    """List the cells of a width by algorithm."""
    row = TABLE_1[WIDTHS.index(nbits)]
    return {"Algo 2": row.algo_2, "Algo 4": row.algo_4, "Algo 6": row.algo_6}


def shares_of_algo_6(what: str) -> list[float]:
    """Return what algo 6 takes of algo 4's "alms" or "registers", in %, at each width."""
    return [100 * getattr(row.algo_6, what) / getattr(row.algo_4, what) for row in TABLE_1]
