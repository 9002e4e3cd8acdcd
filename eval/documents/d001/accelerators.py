"""Why our accelerators differ from document 001's, in sentences made of measured numbers."""

from collections.abc import Iterator

from eval.documents.d001.figures import CLOCK, STAGE, TOOLS
from eval.documents.d001.parts import parts_reason
from eval.documents.published import compared
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.tasks.flow_run.grids import modules_of_path
from eval.tasks.flow_run.task import FlowResult
from eval.tasks.unit import MULTIPLIER

DOCUMENT = "001"
# By multiplier: why cycles differ.
CYCLES = {
    "mul-rem": "the document's divider moves the divisor up and down again, 2k+1 cycles for a "
    "quotient of k+1 bits, where ours takes k+1 steps; its figures also hold the processor's "
    "instructions that move the operands",
    "mont-mul-rem-8": "both take 5 for a bit of the exponent, 65 of the printed cycles between the "
    "two exponents; the rest is the way into and out of the domain, and its figures also hold the "
    "processor's instructions that move the operands",
}


def reasons(found: StudyResult) -> list[str]:
    """Say why figures differ. What is said of the document is said once."""
    lines: list[str] = []
    for p in found.points:
        figures, result = compared(p.point), found.results.get(accelerator_run(found, p))
        if not result:
            continue
        for figure in figures:
            if figure.what == "area_um2" and figure.unit == MULTIPLIER:
                lines += parts_reason(p.point, result, figure)
        if any(figure.source.startswith(DOCUMENT) for figure in figures):
            lines += _of_document(found, p, result)
    return list(dict.fromkeys(lines))


def _of_document(found: StudyResult, p: PointResult, result: FlowResult) -> Iterator[str]:
    yield (
        f"Tools: {TOOLS}. Ours are yosys and ABC on NanGate 45 nm, and of several "
        "mapping recipes the smallest result that meets the clock, else the fastest."
    )
    yield (f"Stage: {STAGE}. Ours are those of the mapped cells, before placement.")
    slack = result.metrics["setup_slack_ns"]
    yield (
        f"Timing of {p.point}: {CLOCK}. Ours {'meets' if slack >= 0 else 'misses'} "
        f"{found.study.clock_ns:g} ns by {abs(slack):.3f} ns, with estimated wires; the slowest "
        f"path goes through {modules_of_path(result)}."
    )
    ratios = [
        f"{ours / figure.value:.2f} of the printed {figure.value:g} ({figure.what[-1]})"
        for figure in compared(p.point)
        if figure.what.startswith("cycles_") and (ours := p.get(f"xcel_{figure.what}"))
    ]
    multiplier = p.point.entry.multiplier.name
    if ratios and multiplier in CYCLES:
        yield f"Cycles of {p.point}: {' and '.join(ratios)}: {CYCLES[multiplier]}."
