"""What reports show of document 002: its cycles and its table 4 beside ours."""

from collections.abc import Iterator
from types import SimpleNamespace

from cl.systolic import array_cycles
from eval.catalog.point import Point
from eval.documents.d002.figures import EXPONENTIATION_CYCLES, PRODUCT_CYCLES, TABLE_4, Compared
from eval.documents.tables import table
from eval.documents.views import ALL
from eval.study.results import StudyResult
from eval.table import Row
from eval.tasks.fpga.task import OnFpga
from eval.tasks.section import Section, tables
from eval.tasks.simulation import Simulation
from eval.tasks.unit import MULTIPLIER
from fl.systolic import printed_words, sound_words

DIGIT = 16  # of the printed array
ARRAYS = ("systolic-printed", "systolic-16", "systolic-given")


def _widths(found: StudyResult) -> Iterator[SimpleNamespace]:
    """List the widths at which an exponentiation of ours was simulated."""
    if not found.designs & set(ARRAYS):
        return
    for nbits, printed in EXPONENTIATION_CYCLES.items():
        tasks = [Simulation(Point(name, nbits), "d") for name in ARRAYS]
        ours = [found.cycles_of(task.point, task.workload) for task in tasks]
        if any(ours):
            counts = printed_words(nbits, DIGIT), sound_words(nbits, DIGIT)
            own, longer = (array_cycles(count, count) + 2 for count in counts)
            yield SimpleNamespace(
                **{"nbits": nbits, "product": PRODUCT_CYCLES[nbits], "own": own, "longer": longer},
                **{"printed": printed, "ours": dict(zip(ARRAYS, ours, strict=True))},
                commands=tuple(task.command for task in tasks),
            )


CYCLES = table("002", "CYCLES", rows=_widths)


def _works(found: StudyResult) -> Iterator[Compared | Row]:
    """List table 4 and our array; nothing if that was not mapped."""
    nbits = 1024
    if "systolic-printed" not in found.designs:
        return
    task = OnFpga(Point("systolic-printed", nbits), "artix7", MULTIPLIER)
    if ours := found.results.get(task):
        yield from TABLE_4
        counts = {name: ours.metrics[name] for name in ("luts", "ffs", "dsp")}
        own = {"mhz": None, "cycles": PRODUCT_CYCLES[nbits], "time_us": None}
        yield Row(task, ours, of="ours, Artix-7", **own, **counts)


WORKS = table("002", "WORKS", rows=_works)
SECTIONS = {ALL: Section(results=tables(CYCLES, WORKS))}
