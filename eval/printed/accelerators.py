"""What others print of RSA on accelerators of their own, and which of the documents tells it.

Of projects outside the documents there are cycles, as these projects state them; clocks are
whatever the hardware is built for.
"""

from dataclasses import dataclass

from eval.printed import document_002, document_003, document_004

PUBLIC, PRIVATE = "e", "d"
PRODUCTS_002 = 2050  # of document 002's exponentiation of 1024 bits: two a bit, and two more
EXPONENTIATOR_LUTS = next(
    figure.value
    for figure in document_002.FIGURES
    if (figure.of, figure.what) == ("exponentiator", "luts")
)
PROJECT = "its project"


@dataclass(frozen=True)
class Accelerator:
    """An exponentiation of so many bits by e = 65537 or by an exponent as long as the modulus: the
    cycles, the clock in MHz, the time in ms, what it takes of its device."""

    by: str
    on: str
    nbits: int
    exponent: str
    source: str
    cycles: int | None = None
    mhz: float | None = None
    time_ms: float | None = None
    takes: str = ""


def _of_002(row: document_002.Compared) -> Accelerator:
    """Take an exponentiation to be the products of the document's, its own as table 5 has it."""
    cycles, own = PRODUCTS_002 * row.cycles, row is document_002.OWN
    luts = EXPONENTIATOR_LUTS if own else row.luts
    takes = ", ".join(f"{n} {what}" for n, what in ((luts, "LUT"), (row.dsp, "DSP")) if n)
    by, on = row.of.split(", ")
    source = f"002, table {5 if own else 4}"
    time_ms = cycles / row.mhz / 1000
    return Accelerator(by, on, 1024, PRIVATE, source, cycles, row.mhz, time_ms, takes)


def _of_003(row: document_003.Row) -> Accelerator:
    """Take the cycles by the printed time: those of two rows stand in each other's."""
    cycles = min(
        (other.cycles for other in document_003.ROWS),
        key=lambda cycles: abs(cycles * row.period_ns / 1e6 - row.time_ms),
    )
    by, takes = f"003, S = {row.word_bits}", f"{row.slices} slices"
    return Accelerator(
        *(by, "Virtex-E", document_003.NBITS, PUBLIC, "003, fig. 17.4"),
        *(cycles, 1000 / row.period_ns, row.time_ms, takes),
    )


def _of_004() -> list[Accelerator]:
    """List the widths of its table 1 whose cycles are no misprint."""
    return [
        Accelerator(
            *(f"004, {name}", "Cyclone V", row.nbits, PRIVATE, document_004.SOURCE, cell.cycles),
            *(cell.mhz, cell.cycles / cell.mhz / 1000, f"{cell.alms} ALM"),
        )
        for row in document_004.TABLE_1
        for name, cell in (("Algo 4", row.algo_4), ("Algo 6", row.algo_6))
        if not cell.misprint
    ]


ACCELERATORS = (
    *_of_004(),
    *(_of_002(row) for row in document_002.TABLE_4),
    *(_of_003(row) for row in document_003.ROWS),
    Accelerator(
        *("Blum and Paar", "XC40250XV", 1024, PUBLIC, "003, sec. 17.4"),
        time_ms=0.75,
        takes="4865 CLB",
    ),
    Accelerator(
        *("Blum and Paar, smallest", "XC40250XV", 1024, PUBLIC, "003, sec. 17.4"),
        takes="3786 slices",
    ),
    Accelerator("OTBN", "OpenTitan", 1024, PUBLIC, PROJECT, 39279),
    Accelerator("OTBN", "OpenTitan", 1024, PRIVATE, PROJECT, 2920527),
    Accelerator("OTBN", "OpenTitan", 2048, PUBLIC, PROJECT, 132035),
    Accelerator("OTBN", "OpenTitan", 2048, PRIVATE, PROJECT, 19714191),
    Accelerator("ModExpA7", "CrypTech", 1024, PUBLIC, PROJECT, 25500, takes="462 DSP"),
    Accelerator("ModExpA7", "CrypTech", 1024, PRIVATE, PROJECT, 1450000, takes="462 DSP"),
    Accelerator("ModExpA7, CRT", "CrypTech", 2048, PRIVATE, PROJECT, 2910000),
)
