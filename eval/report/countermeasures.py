"""What is done against leakage, what it costs, and what still leaks."""

from eval.report.overview import time_told
from eval.study.results import StudyResult
from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.leakage.levels import RTL
from eval.tasks.leakage.task import Leakage
from eval.tasks.section import Section, tables


def _tested(found: StudyResult) -> list[Row]:
    """List the designs whose power was tested, bare or blinded, with what the study has of them."""
    at = {p.point: p.metrics for p in found.points}
    return [
        Row(row.task, row.result, at=at.get(row.point), time=time_told(found, row.point))
        for row in rows_of(found.of(Leakage))
        if row.task.level == RTL
    ]


def _read(row: Row) -> str | None:
    read = row.result.read
    return read and f"{read.right} / {read.bits}"


COUNTERMEASURES = Table(
    "Countermeasures and their price",
    words({"design": "point", "blinded": "blinding"})
    + numbers(0, {"cycles\nd": "at.xcel_cycles_d"})
    + numbers(1, {"area\num2": "at.area_um2"})
    + numbers(2, {"energy d\nnJ": "at.energy_glitches_d_nj"})
    + words({"time\nleaks": "time"})
    + numbers(1, {"|t|\nbase": lambda row: row.result.tests["base"].most(row.result.work)})
    + numbers(1, {"|t|\nexp": lambda row: row.result.tests["exponent"].most(row.result.work)})
    + numbers(0, {"cycles\nthat leak": lambda row: row.result.tests["exponent"].leaking[0]})
    + words({"exp\nread": _read}),
    "Cycles, area and energy of the accelerator, where the study has them; |t| of power at "
    "RTL, the cycles in which it tells the exponent, and how many of its bits a simple attack "
    "reads. What blinding costs is in the driver: RSA on the processor.",
    rows=_tested,
)


SECTION = Section(results=tables(COUNTERMEASURES))
