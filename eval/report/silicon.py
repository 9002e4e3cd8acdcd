"""Accelerators of others in silicon, as document 000's table 2 has them, beside ours."""

from eval.printed.document_000 import TABLE_2
from eval.report.overview import accelerator_run
from eval.study.results import StudyResult
from eval.tasks.grid import Grid, grid, line, numbers, words

LEAST_BITS = min(row.nbits for row in TABLE_2)
GATE_UM2 = 0.798  # NAND2_X1 of the library
TECHNOLOGY = "NanGate 45 nm"


def silicon_grid(found: StudyResult) -> Grid | None:
    """Show the table with our accelerators of such widths; None if none was mapped."""
    ours = [p for p in found.points if p.point.nbits >= LEAST_BITS and p.get("area_um2")]
    lines = [
        line(
            *(row.by, str(row.year), row.technology, row.nbits),
            *(row.area_mm2, row.gates, row.mhz, row.power_mw),
        )
        for row in TABLE_2
    ]
    lines += [
        line(
            *(found.name_of(p), "", TECHNOLOGY, p.point.nbits),
            *(p.get("area_um2") / 1e6, p.get("area_um2") / GATE_UM2),
            *(1000 / p.get("period_reached_ns"), p.get("power_d_mw")),
            commands=(accelerator_run(found, p).command,),
        )
        for p in ours
    ]
    return grid(
        "RSA in silicon elsewhere (document 000, table 2)",
        words("by", "year", "technology")
        + numbers(0, "bits")
        + numbers(2, "area\nmm2")
        + numbers(0, "gates", "MHz")
        + numbers(1, "power\nmW"),
        lines if ours else (),
        "The document names neither cycles nor exponents. Ours: the accelerator with its port, "
        "mapped, not placed; gates: by the area of a NAND2_X1; MHz: by the period reached; power: "
        "of workload d, where it was measured.",
    )
