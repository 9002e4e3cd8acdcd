"""Accelerators of others in silicon, as document 000's table 2 has them, beside ours."""

from collections.abc import Iterator
from typing import Any

from eval.documents.d000.figures import TABLE_2
from eval.study.results import StudyResult, accelerator_run
from eval.table import Table, numbers, words

LEAST_BITS = min(row.nbits for row in TABLE_2)
GATE_UM2 = 0.798  # NAND2_X1 of the library
TECHNOLOGY = "NanGate 45 nm"


def _circuits(found: StudyResult) -> Iterator[dict[str, Any]]:
    """List those of the table and ours of such widths, if any of ours was mapped."""
    ours = [p for p in found.points if p.point.nbits >= LEAST_BITS and p.get("area_um2")]
    yield from (vars(row) for row in TABLE_2 if ours)
    for p in ours:
        area = p.get("area_um2")
        yield {
            **{"by": found.name_of(p), "year": "", "technology": TECHNOLOGY},
            **{"nbits": p.point.nbits, "area_mm2": area / 1e6, "gates": area / GATE_UM2},
            **{"mhz": 1000 / p.get("period_reached_ns"), "power_mw": p.get("power_d_mw")},
            "command": accelerator_run(found, p).command,
        }


SILICON = Table(
    "RSA in silicon elsewhere (document 000, table 2)",
    words({"by": "by", "year": "year", "technology": "technology"})
    + numbers(0, {"bits": "nbits"})
    + numbers(2, {"area\nmm2": "area_mm2"})
    + numbers(0, {"gates": "gates", "MHz": "mhz"})
    + numbers(1, {"power\nmW": "power_mw"}),
    "The document names neither cycles nor exponents. Ours: the accelerator with its port, "
    "mapped, not placed; gates: by the area of a NAND2_X1; MHz: by the minimum period; power: "
    "of workload d, where it was measured.",
    rows=_circuits,
    commands=lambda row: row.get("command", ()),
)
