"""What is done against leakage, what it costs, and what still leaks."""

from eval.report.overview import time_told
from eval.study.results import StudyResult
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.leakage.task import RTL, Leakage

PRICE = ("xcel_cycles_d", "area_um2", "energy_glitches_d_nj")


def countermeasures_grid(found: StudyResult) -> Grid | None:
    """Set each design whose power was tested, bare or blinded, beside its price; None if none
    was."""
    of_point = {p.point: p for p in found.points}
    lines = []
    for task, result in found.of(Leakage).items():
        if result is None or task.level != RTL:
            continue
        at, tests, read = of_point.get(task.point), result.tests, result.read
        cells = (
            *(str(task.point), task.blinding),
            *(at and at.get(name) for name in PRICE),
            time_told(found, task.point),
            *(tests[name].most(result.work) for name in ("base", "exponent")),
            tests["exponent"].leaking[0],
            read and f"{read.right} / {read.bits}",
        )
        lines.append(line(*cells, commands=(task.command,)))
    return grid(
        "Countermeasures and their price",
        (
            words("design", "blinded")
            + numbers(0, "cycles\nd")
            + numbers(1, "area\num2")
            + numbers(2, "energy d\nnJ")
            + words("time\ntells")
            + numbers(1, "|t|\nbase", "|t|\nexp")
            + numbers(0, "cycles\nthat leak")
            + words("exp\nread")
        ),
        lines,
        "Cycles, area and energy of the accelerator, where the study has them; |t| of power at "
        "RTL, the cycles in which it tells the exponent, and how many of its bits a simple attack "
        "reads. What blinding costs is in the driver: RSA on the processor.",
    )
