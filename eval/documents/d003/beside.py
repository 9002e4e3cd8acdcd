"""What of document 003's figures stands beside ours."""

from eval.documents.accelerator import PUBLIC, Accelerator
from eval.documents.d003.figures import BLUM_PAAR, NBITS, ROWS, Row
from eval.documents.published import ByWord, Published

SOURCE, WORD = "003, fig. 17.4", "serial-pz-{}"


def _cycles(row: Row) -> int:
    """Take the cycles by the printed time: those of two rows stand in each other's."""
    by_time = [other.cycles for other in ROWS]
    return min(by_time, key=lambda cycles: abs(cycles * row.period_ns / 1e6 - row.time_ms))


PUBLISHED = tuple(
    Published(
        *(WORD.format(row.word_bits), "slices", f"S = {row.word_bits}", NBITS, row.slices),
        *(SOURCE, "", "virtexe"),
    )
    for row in ROWS
)
ACCELERATORS = (
    *(
        Accelerator(
            *(f"003, S = {row.word_bits}", "Virtex-E", NBITS, PUBLIC, SOURCE, _cycles(row)),
            *(1000 / row.period_ns, row.time_ms, f"{row.slices} slices"),
        )
        for row in ROWS
    ),
    *(
        Accelerator(by, "XC40250XV", 1024, PUBLIC, "003, sec. 17.4", time_ms=time_ms, takes=takes)
        for by, time_ms, takes in (
            ("Blum and Paar", BLUM_PAAR.time_ms, f"{BLUM_PAAR.slices} CLB"),
            ("Blum and Paar, smallest", None, f"{BLUM_PAAR.least_slices} slices"),
        )
    ),
)
STATEMENTS = tuple(
    ByWord(
        *("003, figure 17.4", f"{of}, over S", WORD, metric, None),
        {row.word_bits: figure(row) for row in ROWS},
        NBITS,
    )
    for of, metric, figure in (
        ("cycles", "cycles_e", _cycles),
        ("slices", "area_um2", lambda row: row.slices),
        ("period", "period_ns", lambda row: row.period_ns),
    )
)
