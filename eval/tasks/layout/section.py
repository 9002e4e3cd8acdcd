"""The tables and pictures of layouts: what came out, beside what synthesis said."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from eval.tasks.grid import Column, Grid, grid, line, numbers, words
from eval.tasks.layout.task import LaidOut, LayoutResult
from eval.tasks.marks import marked
from eval.tasks.section import Picture, Section, measured
from flow.results.energy import Operation

UM_PER_MM = 1000
# Title, unit, metric after synthesis, after layout, digits.
COMPARED = (
    ("cell area", "um2", "area_um2", "layout_area_um2", 1),
    ("cells", "", "cells", "layout_cells", 0),
    ("setup slack", "ns", "setup_slack_ns", "layout_setup_slack_ns", 3),
    ("hold slack", "ns", "hold_slack_ns", "layout_hold_slack_ns", 3),
    ("period reached", "ns", "period_reached_ns", "layout_period_reached_ns", 3),
)
ENERGIES_OF = "d"  # the workload whose energy the table of all layouts has
NOTE = (
    "After synthesis: the library's wire load, ideal clock. After layout: the resistance and "
    "capacitance of the wires, and the clock through its tree; cells with the buffers added. "
    "Energies with glitches; after layout with its buffers, wires and clock tree, whose buffers' "
    "inner power is left out. "
    "Clean: no net open, no two shorted, on our nets and on those read back from the GDS file; no "
    "wire or cut too narrow or too close. Not checked: rules of wide metal, area, density and "
    "antennas. Supply is the rails of the rows, by abutment; there is no grid above them."
)


def layout_grid(result: LayoutResult) -> Grid:
    """Show one layout, a figure per line."""
    metrics, buffers = result.metrics, result.buffers
    width, height = result.core_um
    energies = [
        (f"energy of workload {name}", "nJ", _energy(result.operations_before, name), energy, 2)
        for name in result.operations
        for energy in [_energy(result.operations, name)]
    ]
    gates = (
        [
            ("clock gates", "", gating.clock_gates, gating.clock_gates, 0),
            (
                *("slack of their enables", "ns", gating.enable_slack_ns),
                *(metrics["layout_enable_slack_ns"], 3),
            ),
        ]
        if (gating := result.gating)
        else []
    )
    found = (
        *((title, unit, metrics[a], metrics[b], digits) for title, unit, a, b, digits in COMPARED),
        ("core", "um", None, f"{width:.1f} x {height:.1f}", 1),
        ("core area", "um2", None, metrics["core_area_um2"], 1),
        ("utilisation", "%", None, 100 * metrics["core_utilisation"], 1),
        ("buffers: clock / other", "", None, f"{buffers.clock_buffers} / {buffers.others}", 0),
        *gates,
        ("wire length", "mm", None, metrics["wire_um"] / UM_PER_MM, 2),
        ("wire capacitance", "pF", None, metrics["wire_capacitance_pf"], 2),
        ("open nets", "", None, metrics["open_nets"], 0),
        ("shorted pairs of nets", "", None, metrics["shorted_pairs"], 0),
        ("spacing and width violations", "", None, metrics["drc_violations"], 0),
        *energies,
    )
    lines = (
        line(title, unit, *(Column("", digits).show(value) for value in both))
        for title, unit, *both, digits in found
    )
    headings = ("", "unit", "after synthesis", "after layout")
    return Grid(f"Layout: {result.label}", headings, tuple(lines), words=(0, 1), note=NOTE)


def _energy(operations: Mapping[str, Operation], name: str) -> float | None:
    """Return the energy of an operation with glitches, in nJ."""
    operation = operations.get(name)
    return operation and operation.energy_with_glitches_nj


def files_grid(result: LayoutResult) -> Grid:
    """Show where the layout's files are."""
    lines = [line(name, path) for name, path in result.files.items() if Path(path).exists()]
    return Grid("Files", ("file", "path"), tuple(lines), words=(0, 1))


def layouts_grid(rows: Mapping[LaidOut, LayoutResult | None]) -> Grid | None:
    """Show all layouts, one per line, with what synthesis said; None if there are none."""
    lines = []
    for task, result in measured(rows).items():
        shown = ("area_um2", "layout_area_um2", "setup_slack_ns", "layout_setup_slack_ns")
        cells = (
            marked(task.point, result.metrics["layout_setup_slack_ns"]) + task.how,
            *(result.metrics[name] for name in shown),
            _energy(result.operations_before, ENERGIES_OF),
            _energy(result.operations, ENERGIES_OF),
            result.metrics["core_area_um2"],
            result.metrics["wire_um"] / UM_PER_MM,
            result.label,
        )
        lines.append(line(*cells, commands=(task.command,)))
    return grid(
        "Layouts, beside what synthesis said",
        (
            words("design")
            + numbers(1, "area\num2", "laid\nout")
            + numbers(3, "slack\nns", "laid\nout")
            + numbers(2, f"energy {ENERGIES_OF}\nnJ", "laid\nout")
            + numbers(0, "core\num2")
            + numbers(1, "wires\nmm")
            + words("checks")
        ),
        lines,
        NOTE,
    )


def pictures(rows: Mapping[LaidOut, LayoutResult | None]) -> Iterator[Picture]:
    """Show the amoeba plot of each layout."""
    for task, result in measured(rows).items():
        slack = result.metrics["layout_setup_slack_ns"]
        name = marked(task.point, slack, f"{task.point} {task.unit}")
        file = f"{task.point}-{task.unit}{'-gated' * task.gated}{task.filling}.png"
        yield Picture(f"{name}{task.how}: {result.label}", result.amoeba_png, file)


def alone(rows: Mapping[LaidOut, LayoutResult | None]) -> Iterator[Grid]:
    """Show all that is known of each layout."""
    for result in measured(rows).values():
        yield layout_grid(result)
        yield files_grid(result)


SECTION = Section(results=lambda rows: [layouts_grid(rows)], pictures=pictures, alone=alone)
