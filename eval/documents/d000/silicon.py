"""Accelerators of others in silicon, as document 000's table 2 has them, beside ours."""

from collections.abc import Iterator
from typing import Any

from eval.documents.d000.figures import TABLE_2
from eval.documents.tables import table
from eval.study.results import StudyResult, accelerator_run
from flow.technologies.technology import technology

LEAST_BITS = min(row.nbits for row in TABLE_2)


def _circuits(found: StudyResult) -> Iterator[dict[str, Any]]:
    """List those of the table and ours of such widths, if any of ours was mapped."""
    found_in = technology(found.study.tech)
    ours = [p for p in found.points if p.point.nbits >= LEAST_BITS and p.get("area_um2")]
    yield from (vars(row) for row in TABLE_2 if ours)
    for p in ours:
        area = p.get("area_um2")
        yield {
            **{"by": found.name_of(p), "year": "", "technology": found_in.title},
            **{"nbits": p.point.nbits, "area_mm2": area / 1e6, "gates": area / found_in.gate_um2},
            **{"mhz": 1000 / p.get("period_ns"), "power_mw": p.get("power_d_mw")},
            "command": accelerator_run(found, p).command,
        }


SILICON = table("000", "SILICON", rows=_circuits, commands=lambda row: row.get("command", ()))
