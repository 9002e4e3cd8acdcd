"""What reports show of document 003: its figure 17.4 beside ours."""

from collections.abc import Iterator

from cl.digit_serial import loading_cycles, printed_cycles, serial_products
from eval.catalog.point import Point
from eval.catalog.workloads import key_for
from eval.documents.d003.beside import WORD
from eval.documents.d003.figures import EXPONENT, NBITS, ROWS
from eval.documents.tables import table
from eval.documents.views import ALL
from eval.study.results import StudyResult
from eval.table import Row
from eval.tasks.section import Section, tables
from eval.tasks.simulation import Simulation


def _words(found: StudyResult) -> Iterator[Row]:
    """List the rows of the figure whose words were simulated."""
    products = serial_products(EXPONENT, NBITS, with_z=True)
    for printed in ROWS:
        if (design := WORD.format(printed.word_bits)) not in found.designs:
            continue
        point = Point(design, NBITS)
        if ours := found.cycles_of(point, "e"):
            right = printed_cycles(NBITS, printed.word_bits, products)
            time_ms = right * printed.period_ns / 1e6
            yield Row(
                Simulation(point, "e"),
                None,
                **{"printed": printed, "right": right, "ours": ours},
                loading=loading_cycles(NBITS, printed.word_bits, key_for(NBITS).n),
                **{"time_ms": time_ms, "area_time": printed.slices * time_ms},
            )


SERIAL = table("003", "SERIAL", rows=_words)
SECTIONS = {ALL: Section(results=tables(SERIAL))}
