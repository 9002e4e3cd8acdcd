"""The tables and pictures of layouts: what came out, beside what synthesis said."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from eval.table import Column, Grid, Table, numbers, words
from eval.tasks.layout.task import LaidOut, LayoutResult
from eval.tasks.marks import marked
from eval.tasks.section import Picture, Section, measured, tables
from flow.results.energy import Operation
from flow.technologies.technology import technology

UM_PER_MM = 1000
# Title, unit, metric after synthesis, after layout, digits.
COMPARED = (
    ("cell area", "um2", "area_um2", "layout_area_um2", 1),
    ("cells", "", "cells", "layout_cells", 0),
    ("setup slack", "ns", "setup_slack_ns", "layout_setup_slack_ns", 3),
    ("hold slack", "ns", "hold_slack_ns", "layout_hold_slack_ns", 3),
    ("minimum period", "ns", "period_ns", "layout_period_ns", 3),
)
SLACK = "layout_setup_slack_ns"
DROP = "supply_drop_mv"
OVERLOADED, SLOW = "overloaded_cells", "slow_pins"
MOST_LOST = 10.0  # % of the supply: slack and energies are those of the full voltage
ANTENNA = "antenna_ratio"  # where cells tell the areas of their gates
ENERGIES_OF = "d"  # the workload whose energy the table of all layouts has
NOTE = (
    "After synthesis: the library's wire load, ideal clock. After layout: the resistance and "
    "capacitance of the wires, also that to wires beside them, which are quiet, and the clock "
    "through its tree; cells with the buffers added. "
    "Energies with glitches; after layout with its buffers, wires and clock tree. "
    "Clean: no net open, no two shorted, on our nets and on those read back from the GDS file; no "
    "wire or cut too narrow or too close{antennas}. Not checked: rules of wide metal, "
    "area and density{not_antennas}. Supply: straps above the rails of the rows, which are its "
    "pins, fed at both ends. Lost on supply: what power and ground together lose on the way from "
    "these to the worst cell, of mean currents in the workload that takes the most power. "
    "Cells that drive too much, and pins with too slow edges: by the "
    "greatest loads and slews of the library; over limits: both."
)


def _note(result: LayoutResult) -> str:
    """Explain a layout; antennas are checked where cells tell the areas of their gates."""
    if ANTENNA in result.metrics:
        return NOTE.format(antennas=", no antenna too large", not_antennas="")
    return NOTE.format(
        antennas="", not_antennas=", and antennas, as the technology's files have no areas of gates"
    )


def _energy(operations: Mapping[str, Operation], name: str) -> float | None:
    """Return the energy of an operation with glitches, in nJ."""
    operation = operations.get(name)
    return operation.energy_with_glitches_nj if operation else None


def over_limits(metrics: Mapping[str, float]) -> int:
    """Count the cells that drive too much and the pins with too slow edges."""
    return round(metrics.get(OVERLOADED, 0) + metrics.get(SLOW, 0))


def _figures(result: LayoutResult) -> Iterator[tuple[str, str, Any, Any, int]]:
    """List title, unit, what synthesis said, what came out, and digits of each figure."""
    metrics, buffers = result.metrics, result.buffers
    width, height = result.core_um
    for title, unit, said, found, digits in COMPARED:
        yield title, unit, metrics[said], metrics[found], digits
    yield "core", "um", None, f"{width:.1f} x {height:.1f}", 1
    yield "core area", "um2", None, metrics["core_area_um2"], 1
    yield "utilisation", "%", None, 100 * metrics["core_utilisation"], 1
    yield "buffers: clock / other", "", None, f"{buffers.clock_buffers} / {buffers.others}", 0
    yield "cells in other sizes", "", None, metrics["layout_resized"], 0
    yield "those after routing", "", None, metrics["closing_resized"], 0
    yield "hold buffers", "", None, metrics["hold_buffers"], 0
    yield "buffers on long nets", "", None, metrics["long_net_buffers"], 0
    if gating := result.gating:
        enables = gating.enable_slack_ns, metrics["layout_enable_slack_ns"]
        yield "clock gates", "", gating.clock_gates, gating.clock_gates, 0
        yield "slack of their enables", "ns", *enables, 3
    yield "wire length", "mm", None, metrics["wire_um"] / UM_PER_MM, 2
    yield "wire capacitance", "pF", None, metrics["wire_capacitance_pf"], 2
    yield "of it to other wires", "%", None, 100 * metrics["wire_coupling_share"], 1
    for metal, um in result.wire_um_by_metal.items():
        of_um = metrics[f"wire_ff_per_um_{metal}"]
        yield f"{metal}: wire length", "mm", None, um / UM_PER_MM, 2
        yield f"{metal}: capacitance of a um", "fF", None, of_um, 3
    yield "open nets", "", None, metrics["open_nets"], 0
    yield "shorted pairs of nets", "", None, metrics["shorted_pairs"], 0
    yield "spacing and width violations", "", None, metrics["drc_violations"], 0
    if ANTENNA in metrics:
        yield "largest antenna ratio", "", None, metrics[ANTENNA], 0
        yield "antennas mended by jumps", "", None, metrics["antennas_mended"], 0
    yield "cells that drive too much", "", None, metrics[OVERLOADED], 0
    yield "pins with too slow edges", "", None, metrics[SLOW], 0
    if DROP in metrics:
        yield "lost on supply", "mV", None, metrics[DROP], 1
    for name in result.operations:
        before, after = (_energy(of, name) for of in (result.operations_before, result.operations))
        yield f"energy of workload {name}", "nJ", before, after, 2


def _written(after: int, figure: tuple) -> str:
    """Write a figure before or after layout with its own digits."""
    return Column("", figure[-1]).show(figure[2 + after])


# One layout, a figure per line.
LAYOUT = Table(
    lambda result: f"Layout: {result.label}",
    words({"": 0, "unit": 1})
    + numbers(0, {"after synthesis": partial(_written, 0), "after layout": partial(_written, 1)}),
    _note,
    rows=_figures,
)
CORNERS = Table(
    "Timing in corners, after layout",
    words({"corner": "corner", "process": "process"})
    + numbers(
        3,
        {
            "setup slack\nns": "setup_slack_ns",
            "hold slack\nns": "hold_slack_ns",
            "minimum\nperiod, ns": "period_ns",
        },
    )
    + words({"worst hold\npath from": "hold_start"}),
    "One netlist and its wires by the library of each corner; wires are typical in all. Inputs "
    "change, and outputs are due, when the clock reaches the registers.",
    rows=lambda result: result.corners,
)
FILES = Table(
    "Files",
    words({"file": 0, "path": 1}),
    rows=lambda result: [file for file in result.files.items() if Path(file[1]).exists()],
)
LAYOUTS = Table(
    "Layouts, beside what synthesis said",
    words({"design": lambda row: marked(row.point, row.metrics[SLACK]) + row.task.how})
    + numbers(1, {"area\num2": "area_um2", "laid\nout": "layout_area_um2"})
    + numbers(3, {"slack\nns": "setup_slack_ns", "laid\nout": f"metrics.{SLACK}"})
    + numbers(
        2,
        {
            f"energy {ENERGIES_OF}\nnJ": lambda r: _energy(r.result.operations_before, ENERGIES_OF),
            "laid\nout": lambda row: _energy(row.result.operations, ENERGIES_OF),
        },
    )
    + numbers(0, {"core\num2": "core_area_um2"})
    + numbers(
        1,
        {
            "wires\nmm": lambda row: row.metrics["wire_um"] / UM_PER_MM,
            "supply\nmV": lambda row: row.metrics.get(DROP),
        },
    )
    + numbers(0, {"over\nlimits": lambda row: over_limits(row.metrics)})
    + words({"checks": "label"}),
    NOTE,
)


def pictures(rows: Mapping[LaidOut, LayoutResult | None]) -> Iterator[Picture]:
    """Show where the cells of each layout are."""
    for task, result in measured(rows).items():
        slack = result.metrics[SLACK]
        name = marked(task.point, slack, f"{task.point} {task.unit}")
        file = f"{task.point}-{task.unit}{'-gated' * task.gated}{task.filling}.png"
        layers = msgspec.to_builtins(result.layers)
        yield Picture(f"{name}{task.how}: {result.label}", result.amoeba_png, file, layers)


def weak_supply(task: LaidOut, result: LayoutResult) -> str:
    """Say that too much of the supply is lost on the way to a cell; "" if it is not."""
    tech = technology(task.tech)
    volt = tech.corners[tech.signoff.power].volt
    percent = result.metrics.get(DROP, 0.0) / volt / 10
    if percent <= MOST_LOST:
        return ""
    return (
        f"{percent:.0f} % of {volt:g} V are lost on the way to a cell: slack and energies, told at "
        "the full voltage, do not hold there. Straps of supply, by layout.toml of the technology, "
        "mend that."
    )


def beyond_tables(task: LaidOut, result: LayoutResult) -> str:
    """Say that cells drive more than the library allows; "" if none does."""
    metrics = result.metrics
    if not over_limits(metrics):
        return ""
    return (
        f"Cells that drive more than the library lets them: {metrics[OVERLOADED]:.0f}; pins whose "
        f"edges are slower than it allows: {metrics[SLOW]:.0f}. Delays and energies there are "
        "beyond what it was measured for."
    )


WARNINGS = (weak_supply, beyond_tables)


def findings(rows: Mapping[LaidOut, LayoutResult | None]) -> list[str]:
    """Say which layouts lose too much of their supply, or drive too much."""
    return [
        f"{task}: {why}"
        for task, result in measured(rows).items()
        for warning in WARNINGS
        if (why := warning(task, result))
    ]


def alone(rows: Mapping[LaidOut, LayoutResult | None]) -> Iterator[Grid | None]:
    """Show all that is known of each layout."""
    for task, result in measured(rows).items():
        layout = LAYOUT.of(result)
        assert layout
        warnings = filter(None, (warning(task, result) for warning in WARNINGS))
        yield replace(layout, note=" ".join((layout.note, *warnings)))
        if len(result.corners) > 1:
            yield CORNERS.of(result)
        yield FILES.of(result)


SECTION = Section(findings=findings, results=tables(LAYOUTS), pictures=pictures, alone=alone)
