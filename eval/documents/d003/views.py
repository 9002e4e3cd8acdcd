"""What reports show of document 003: its figure 17.4 beside ours."""

from collections.abc import Iterator

from cl.digit_serial import loading_cycles, printed_cycles, serial_products
from eval.catalog.point import Point
from eval.catalog.workloads import key_for
from eval.documents.d003.beside import WORD
from eval.documents.d003.figures import EXPONENT, NBITS, ROWS
from eval.documents.views import ALL
from eval.study.results import StudyResult
from eval.table import Row, Table, numbers
from eval.tasks.section import Section, tables
from eval.tasks.simulation import Simulation


def _words(found: StudyResult) -> Iterator[Row]:
    """List the rows of the figure whose words were simulated."""
    products = serial_products(EXPONENT, NBITS, with_z=True)
    for printed in ROWS:
        point = Point(WORD.format(printed.word_bits), NBITS)
        if ours := found.cycles_of(point, "e"):
            right = printed_cycles(NBITS, printed.word_bits, products)
            yield Row(
                Simulation(point, "e"),
                None,
                **{"printed": printed, "right": right, "ours": ours},
                loading=loading_cycles(NBITS, printed.word_bits, key_for(NBITS).n),
                time_ms=right * printed.period_ns / 1e6,
            )


SERIAL = Table(
    "Document 003's figure 17.4: an encryption of 1024 bits, e = 65537",
    numbers(0, {"S": "printed.word_bits", "cycles\n003": "printed.cycles"})
    + numbers(0, {"by its\nformula": "right", "loading\nand R^2": "loading"})
    + numbers(0, {"ours,\nin all": "ours"})
    + numbers(2, {"period\nns, 003": "printed.period_ns", "time ms\n003": "printed.time_ms"})
    + numbers(2, {"cycles x\nperiod": "time_ms"})
    + numbers(0, {"slices x\nms, 003": "printed.area_time"})
    + numbers(0, {"right": lambda row: row.printed.slices * row.time_ms}),
    "Ours simulated (level batch), each result compared with pow; in all = by its formula + "
    "loading and R^2, which the document leaves out. Right: its slices x cycles x period.",
    rows=_words,
)
SECTIONS = {ALL: Section(results=tables(SERIAL))}
