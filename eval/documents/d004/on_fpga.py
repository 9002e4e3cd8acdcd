"""Document 004's table 1 on FPGAs: its clocks and times, and what shift-sub saves."""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from eval.catalog.point import Point
from eval.documents.d004.figures import WIDTHS, cells
from eval.documents.d004.table_1 import ALGORITHMS, DESIGNS, requests_for
from eval.documents.tables import table
from eval.tasks.fpga.task import FpgaResult, OnFpga
from eval.tasks.section import measured

Rows = Mapping[OnFpga, FpgaResult | None]
PRINTED_ON, ROUTED_ON = "cyclonev", "ecp5"


def cycles(algorithm: str, nbits: int) -> float:
    """Find the mean cycles of both operations on our design, by its formula."""
    design = Point(DESIGNS[algorithm], nbits).entry
    requests = requests_for(nbits)
    return sum(design.cycles(nbits, r.base, r.exp, r.mod) for r in requests) / len(requests)


def ours_on(rows: Rows, device: str, nbits: int) -> dict[str, tuple[OnFpga, FpgaResult]]:
    """Find what was measured of our designs on a device by algorithm."""
    tasks = {name: OnFpga(Point(design, nbits), device) for name, design in DESIGNS.items()}
    found = measured(rows)
    return {name: (task, found[task]) for name, task in tasks.items() if task in found}


def _clocks(rows: Rows) -> Iterator[SimpleNamespace]:
    """List the printed clocks of each width at which one of ours was routed, and ours."""
    for nbits in WIDTHS:
        routed = ours_on(rows, ROUTED_ON, nbits)
        for algorithm, cell in cells(nbits).items() if routed else ():
            task, result = routed.get(algorithm, (None, None))
            if task or cell.mhz:
                mhz = result and result.metrics["fmax_mhz"]
                yield SimpleNamespace(
                    **{"algorithm": algorithm, "design": ALGORITHMS[algorithm], "nbits": nbits},
                    **{"printed": cell, "mhz": mhz},
                    ms=mhz and cycles(algorithm, nbits) / mhz / 1000,
                    commands=(task.command,) if task else (),
                )


CLOCKS = table("004", "CLOCKS", rows=_clocks)


def _savings(rows: Rows) -> Iterator[SimpleNamespace]:
    """List the widths at which algo 4 and 6 were both mapped."""
    for nbits in WIDTHS:
        ours = ours_on(rows, PRINTED_ON, nbits)
        printed = {name: vars(cell) for name, cell in cells(nbits).items()}
        if {"Algo 4", "Algo 6"} <= ours.keys():
            (four, of_four), (six, of_six) = ours["Algo 4"], ours["Algo 6"]
            yield SimpleNamespace(
                nbits=nbits,
                printed=_shares(printed["Algo 6"], printed["Algo 4"], "alms", "registers"),
                ours=_shares(of_six.metrics, of_four.metrics, "alms", "ffs"),
                commands=(four.command, six.command),
            )


def _shares(six: Mapping[str, Any], four: Mapping[str, Any], *names: str) -> dict[str, float]:
    """Divide what algo 6 takes by what algo 4 does, in %."""
    return {name: 100 * six[name] / four[name] for name in names}


SAVINGS = table("004", "SAVINGS", rows=_savings)
