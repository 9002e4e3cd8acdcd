"""Our figures beside those that the documents print."""

from collections.abc import Iterator
from dataclasses import dataclass

from eval.documents.published import Published, compared
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.table import Row, Table, numbers, ratio, words
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.metrics import METRICS
from eval.tasks.section import Section, tables
from eval.tasks.simulation import Simulation
from eval.tasks.unit import ACCELERATOR, MULTIPLIER


@dataclass(frozen=True)
class Comparison:
    """A published figure and ours; ours is None if it was not measured."""

    design: str
    figure: str  # a metric
    of: str
    nbits: int
    document: float
    ours: float | None
    source: str
    command: str


def comparisons(found: StudyResult) -> list[Comparison]:
    """Set every published figure of the study's points beside ours."""
    return [
        comparison
        for p in found.points
        for figure in compared(p.point)
        for comparison in _compare(found, p, figure)
    ]


def _compare(found: StudyResult, p: PointResult, figure: Published) -> Iterator[Comparison]:
    def beside(of: str, ours: float | None, command: str) -> Comparison:
        source = f"{figure.source} ({figure.note})" if figure.note else figure.source
        design, nbits = p.point.design, p.point.nbits
        return Comparison(design, figure.what, of, nbits, figure.value, ours, source, command)

    whole = accelerator_run(found, p).command
    if figure.what.startswith("cycles_"):
        task = Simulation(p.point, figure.what.removeprefix("cycles_"))
        yield beside(figure.of, p.get(f"xcel_{figure.what}"), task.port_command)
    elif figure.unit == ACCELERATOR:
        yield beside(figure.of, p.get(figure.what), whole)
    else:
        if figure.what == "area_um2":
            yield beside(f"{figure.of} in the accelerator", p.get("multiplier_area_um2"), whole)
        run = FlowRun(p.point, MULTIPLIER, found.study.clock_ns)
        alone = found.results.get(run)
        ours = alone.metrics.get(figure.what) if alone else None
        yield beside(f"{figure.of} by itself", ours, run.command)


def _rows(found: StudyResult) -> list[Row]:
    names = {(p.point.design, p.point.nbits): p.marked(str(p.point)) for p in found.points}
    compared = comparisons(found)
    return [Row(METRICS[c.figure], c, name=names[c.design, c.nbits]) for c in compared]


BESIDE = Table(
    "Ours beside the documents'",
    words({"point": "name", "figure": "heading", "of": "of"})
    + numbers(2, {"document": lambda row: row.task.format(row.document)})
    + numbers(2, {"ours": lambda row: row.task.format(row.ours)})
    + numbers(2, {"ours /\ndocument": ratio("ours", "document")})
    + words({"printed in": "source"}),
    "A document's system is its processor with the accelerator, normalised: the same "
    "call returning a constant is subtracted. Ours beside it is the accelerator through its "
    "port, without a processor.",
    rows=_rows,
)


SECTION = Section(beside=tables(BESIDE))
