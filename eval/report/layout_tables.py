"""The tables and pictures of layouts: what came out, beside what synthesis said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.report.tabulate import Grid, Line
from eval.tasks.layout import PICTURE, Layout

UM_PER_MM = 1000
# Title, unit, metric after synthesis, after layout, digits.
COMPARED = (
    ("cell area", "um2", "area_um2", "layout_area_um2", 1),
    ("cells", "", "cells", "layout_cells", 0),
    ("setup slack", "ns", "setup_slack_ns", "layout_setup_slack_ns", 3),
    ("hold slack", "ns", "hold_slack_ns", "layout_hold_slack_ns", 3),
    ("shortest period", "ns", "shortest_period_ns", "layout_shortest_period_ns", 3),
)
ENERGY = "energy_with_glitches_nj"
ENERGIES_OF = "d"  # the workload whose energy the table of all layouts has
IN_STUDIES = ("area_um2", "setup_slack_ns")
NOTE = (
    "After synthesis: the library's wire load, ideal clock. After layout: the resistance and "
    "capacitance of the wires, and the clock through its tree; cells with the buffers added. "
    "Energies with glitches; after layout with its buffers, wires and clock tree, whose buffers' "
    "inner power is left out. "
    "Clean: no net open, no two shorted, on our nets and on those read back from the GDS file; no "
    "wire or cut too narrow or too close. Not checked: rules of wide metal, area, density and "
    "antennas. Supply is the rails of the rows, by abutment; there is no grid above them."
)


def _shown(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def layout_grid(result: Mapping[str, Any]) -> Grid:
    """One layout, a figure a line."""
    metrics = result["metrics"]
    lines = [
        (title, unit, _shown(metrics.get(before), digits), _shown(metrics.get(after), digits))
        for title, unit, before, after, digits in COMPARED
    ]
    width, height = result["core_um"]
    buffers = result["buffers"]
    added = f"{buffers['clock_buffers']} / {buffers['fanout_buffers'] + buffers['port_buffers']}"
    lines += [
        ("core", "um", "-", f"{width:.1f} x {height:.1f}"),
        ("core area", "um2", "-", _shown(metrics["core_area_um2"], 1)),
        ("utilisation", "%", "-", _shown(100 * metrics["core_utilisation"], 1)),
        ("buffers: clock / other", "", "-", added),
        ("wire length", "mm", "-", _shown(metrics["wire_um"] / UM_PER_MM, 2)),
        ("wire capacitance", "pF", "-", _shown(metrics["wire_capacitance_pf"], 2)),
        ("open nets", "", "-", str(metrics["open_nets"])),
        ("shorted pairs of nets", "", "-", str(metrics["shorted_pairs"])),
        ("spacing and width violations", "", "-", str(metrics["drc_violations"])),
    ]
    lines += energy_lines(result)
    return Grid(
        f"Layout: {result['label']}",
        ("", "unit", "after synthesis", "after layout"),
        tuple(Line(line) for line in lines),
        words=(0, 1),
        note=NOTE,
    )


def energy_lines(result: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Energy of each operation, with glitches: after synthesis, and after layout."""
    before = result["operations_before"]
    return [
        (
            f"energy of workload {name}",
            "nJ",
            _shown(before[name][ENERGY], 2),
            _shown(row[ENERGY], 2),
        )
        for name, row in result["operations"].items()
    ]


def files_grid(result: Mapping[str, Any]) -> Grid:
    """Where the layout's files are."""
    lines = [Line((name, path)) for name, path in result["files"].items() if Path(path).exists()]
    return Grid("Files", ("file", "path"), tuple(lines), words=(0, 1))


def layouts_grid(found: Mapping[Layout, Mapping[str, Any]]) -> Grid | None:
    """All layouts of a study, one a line, with what synthesis said; None if there are none."""
    if not found:
        return None
    lines = []
    for task, result in found.items():
        metrics = result["metrics"]
        cells = [str(task.point)]
        for _, _, before, after, digits in COMPARED:
            if before in IN_STUDIES:
                cells += [_shown(metrics.get(before), digits), _shown(metrics.get(after), digits)]
        for operations in (result["operations_before"], result["operations"]):
            cells.append(_shown(operations.get(ENERGIES_OF, {}).get(ENERGY), 2))
        cells += [
            _shown(metrics["core_area_um2"], 0),
            _shown(metrics["wire_um"] / UM_PER_MM, 1),
            result["label"],
        ]
        lines.append(Line(tuple(cells), (task.command,)))
    return Grid(
        "Layouts, beside what synthesis said",
        ("accelerator", "area\num2", "laid\nout", "slack\nns", "laid\nout")
        + (f"energy {ENERGIES_OF}\nnJ", "laid\nout", "core\num2", "wires\nmm", "checks"),
        tuple(lines),
        words=(0, 9),
        note=NOTE,
    )


@dataclass(frozen=True)
class Picture:
    """A picture of a report: its title, and the PNG in base64."""

    title: str
    png: str


def pictures(found: Mapping[Layout, Mapping[str, Any]]) -> Sequence[Picture]:
    """The amoeba plot of each layout."""
    return [
        Picture(f"{task.point} {task.unit}: {result['label']}", result[PICTURE])
        for task, result in found.items()
    ]


def without_picture(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result as JSON shows it."""
    return {key: value for key, value in result.items() if key != PICTURE}
