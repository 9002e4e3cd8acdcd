"""Document 004's table 1 on FPGAs: its clocks and times, and what shift-sub saves."""

from collections.abc import Iterator, Mapping

from eval.catalog.point import Point
from eval.printed.document_004 import TABLE_1, Cell
from eval.tasks.fpga.task import FpgaResult, OnFpga
from eval.tasks.grid import Grid, Line, grid, line, numbers, words
from eval.tasks.section import measured
from eval.tasks.table_004 import ALGORITHMS, DESIGNS, requests_for

Rows = Mapping[OnFpga, FpgaResult | None]
COLUMNS = {"Algo 2": "algo_2", "Algo 4": "algo_4", "Algo 6": "algo_6"}
PRINTED_ON, ROUTED_ON = "cyclonev", "ecp5"
RESOURCES = {"alms": "ALM", "ffs": "FF"}


def cells(nbits: int) -> dict[str, Cell]:
    """List the printed cells of a width by algorithm."""
    row = next(row for row in TABLE_1 if row.nbits == nbits)
    return {name: getattr(row, column) for name, column in COLUMNS.items()}


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


def clocks_grid(rows: Rows) -> Grid | None:
    """Set the printed clocks and times beside ours after routing; None if none was routed."""
    widths = [row.nbits for row in TABLE_1 if ours_on(rows, ROUTED_ON, row.nbits)]
    return grid(
        "Clock and time of table 1 of document 004",
        (
            words("algorithm", "design")
            + numbers(0, "bits")
            + numbers(2, "004:\nMHz", "ours:\nMHz")
            + numbers(3, "004:\nms", "ours:\nms")
            + numbers(2, "ours /\n004")
        ),
        (line for nbits in widths for line in _clocks(rows, nbits)),
        "Means of an encryption and a decryption. The document's clocks are those of a vendor's "
        "tool on a Cyclone V; ours of nextpnr on an ECP5, another device, with the ports on "
        "registers. A printed time is its cycles by its clock.",
    )


def _clocks(rows: Rows, nbits: int) -> Iterator[Line]:
    ours = ours_on(rows, ROUTED_ON, nbits)
    for algorithm, cell in cells(nbits).items():
        if not (algorithm in ours or cell.mhz):
            continue
        task, result = ours.get(algorithm, (None, None))
        mhz = result and result.metrics["fmax_mhz"]
        ms = mhz and cycles(algorithm, nbits) / mhz / 1000
        yield line(
            *(algorithm, ALGORITHMS[algorithm], nbits, cell.mhz, mhz, cell.ms, ms),
            ms and cell.ms and ms / cell.ms,
            commands=(task.command,) if task else (),
        )


def savings_grid(rows: Rows) -> Grid | None:
    """Show what algo 6 takes of algo 4's elements, printed and ours; None without ours."""
    return grid(
        "Document 004: elements of algo 6 as part of algo 4's, %",
        numbers(0, "bits")
        + numbers(1, *(f"{whose}\n{r}" for whose in ("004:", "ours:") for r in RESOURCES.values())),
        (line for row in TABLE_1 for line in _savings(rows, row.nbits)),
        "The document says 55 to 59 % of the ALMs and 69 to 85 % of the registers; its table has "
        "54.6 to 60.0 and 74.9 to 84.6. Ours: algo 4 as printed, on a Cyclone V, as yosys counts.",
    )


def _savings(rows: Rows, nbits: int) -> Iterator[Line]:
    printed, ours = cells(nbits), ours_on(rows, PRINTED_ON, nbits)
    if not {"Algo 4", "Algo 6"} <= ours.keys():
        return
    (task_4, of_4), (task_6, of_6) = ours["Algo 4"], ours["Algo 6"]
    yield line(
        nbits,
        100 * printed["Algo 6"].alms / printed["Algo 4"].alms,
        100 * printed["Algo 6"].registers / printed["Algo 4"].registers,
        *(100 * of_6.metrics[r] / of_4.metrics[r] for r in RESOURCES),
        commands=(task_4.command, task_6.command),
    )
