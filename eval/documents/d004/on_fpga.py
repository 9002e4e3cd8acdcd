"""Document 004's table 1 on FPGAs: its clocks and times, and what shift-sub saves."""

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace

from eval.catalog.point import Point
from eval.documents.d004.figures import WIDTHS, cells
from eval.documents.d004.table_1 import ALGORITHMS, DESIGNS, requests_for
from eval.table import Row, Table, numbers, ratio, words
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


CLOCKS = Table(
    "Clock and time of table 1 of document 004",
    words({"algorithm": "algorithm", "design": "design"})
    + numbers(0, {"bits": "nbits"})
    + numbers(2, {"004:\nMHz": "printed.mhz", "ours:\nMHz": "mhz"})
    + numbers(3, {"004:\nms": "printed.ms", "ours:\nms": "ms"})
    + numbers(2, {"ours /\n004": ratio("ms", "printed.ms")}),
    "Means of an encryption and a decryption. The document's clocks are those of a vendor's "
    "tool on a Cyclone V; ours of nextpnr on an ECP5, another device, with the ports on "
    "registers. A printed time is its cycles by its clock.",
    rows=_clocks,
)


def _savings(rows: Rows) -> Iterator[SimpleNamespace]:
    """List the widths at which algo 4 and 6 were both mapped."""
    for nbits in WIDTHS:
        ours = ours_on(rows, PRINTED_ON, nbits)
        if {"Algo 4", "Algo 6"} <= ours.keys():
            both = [Row(*ours[name], printed=cells(nbits)[name]) for name in ("Algo 4", "Algo 6")]
            commands = tuple(row.task.command for row in both)
            yield SimpleNamespace(nbits=nbits, four=both[0], six=both[1], commands=commands)


def _share(what: str) -> Callable[[SimpleNamespace], float | None]:
    return ratio(f"six.{what}", f"four.{what}", 100)


SAVINGS = Table(
    "Document 004: elements of algo 6 as part of algo 4's, %",
    numbers(0, {"bits": "nbits"})
    + numbers(1, {"004:\nALM": _share("printed.alms"), "004:\nFF": _share("printed.registers")})
    + numbers(1, {"ours:\nALM": _share("metrics.alms"), "ours:\nFF": _share("metrics.ffs")}),
    "The document says 55 to 59 % of the ALMs and 69 to 85 % of the registers; its table has "
    "54.6 to 60.0 and 74.9 to 84.6. Ours: algo 4 as printed, on a Cyclone V, as yosys counts.",
    rows=_savings,
)
clocks_grid, savings_grid = CLOCKS.of, SAVINGS.of
