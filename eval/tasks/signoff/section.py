"""What a report shows of a sign-off: rules, density, and how layout and netlist compare."""

from collections.abc import Iterator, Mapping, Sequence

from eval.table import Grid, Row, Table, numbers, percent, rows_of, words
from eval.tasks.layout.section import CORNERS
from eval.tasks.section import Section, measured, tables
from eval.tasks.signoff.task import Signoff, SignoffResult
from flow.signoff.compare import Compared
from flow.signoff.rules import Checked

Rows = Mapping[Signoff, SignoffResult | None]
CLEAN = "clean"
SHOWN = 10  # faults in words


def places(found: Sequence[tuple[float, float]]) -> str:
    """Write places, um."""
    return ", ".join(f"({x:g}, {y:g})" for x, y in found)


def limits(row: Row) -> str:
    """Write what a density has to be, in %."""
    if row.result.limits is None:
        return "-"
    least, most = (100 * limit for limit in row.result.limits)
    return f"{least:g} to {most:g}"


def _layers(rows: Rows) -> Iterator[Row]:
    """Go through the layers that rules speak of."""
    for row in rows_of(rows):
        by_layer: dict[str, list[Checked]] = {}
        for one in row.result.signed.rules:
            by_layer.setdefault(one.layer, []).append(one)
        for layer, rules in by_layer.items():
            yield Row(
                row.task,
                None,
                layer=layer,
                rules=len(rules),
                violations=sum(one.violations for one in rules),
                sources=", ".join(dict.fromkeys(one.source for one in rules)),
            )


def _broken(rows: Rows) -> Iterator[Row]:
    """Go through the rules that are broken."""
    for row in rows_of(rows):
        for one in row.result.signed.rules:
            if one.violations:
                yield Row(row.task, one, at=places(one.places))


def _densities(rows: Rows) -> Iterator[Row]:
    for row in rows_of(rows):
        for one in row.result.signed.densities:
            yield Row(row.task, one, at=places(one.places))


def _compared(rows: Rows) -> Iterator[Row]:
    for row in rows_of(rows):
        found: Compared = row.result.signed.compared
        for what in ("nets", "cells", "ports"):
            layout, schematic, matched = getattr(found, what)
            yield Row(
                row.task, None, what=what, layout=layout, schematic=schematic, matched=matched
            )


def _supplies(rows: Rows) -> Iterator[Row]:
    for row in rows_of(rows):
        for one in row.result.signed.supplies:
            yield Row(row.task, one, broken=len(one.breaks), at=places(one.breaks[:3]))


def faults(result: SignoffResult) -> list[str]:
    """List the faults of connection, of comparison and of cells, in words."""
    signed = result.signed
    return [*signed.connections, *signed.compared.mismatches, *signed.cells]


def _faults(rows: Rows) -> Iterator[Row]:
    for row in rows_of(rows):
        found = faults(row.result)
        for fault in found[:SHOWN]:
            yield Row(row.task, None, fault=fault)
        if len(found) > SHOWN:
            yield Row(row.task, None, fault=f"and {len(found) - SHOWN} more")


LAYERS = Table(
    "Design rules",
    words({"layer": "layer"})
    + numbers(0, {"rules": "rules", "violations": "violations"})
    + words({"figures from": "sources"}),
    "On all layers of the GDS file, cells and wires merged. Figures are from the kit's LEF file, "
    "the published rules of FreePDK45, or inferred from the cells; --json has all rules.",
    rows=_layers,
)
BROKEN = Table(
    "Rules that are broken",
    words({"rule": "rule", "layer": "layer", "asks, um": "asks", "from": "source"})
    + numbers(0, {"violations": "violations"})
    + words({"first at, um": "at"}),
    rows=_broken,
)
DENSITIES = Table(
    "Density",
    words({"layer": "layer"})
    + numbers(0, {"windows": "windows"})
    + numbers(
        1,
        {
            "least\n%": percent("least"),
            "most\n%": percent("most"),
            "mean\n%": percent("mean"),
        },
    )
    + words({"allowed\n%": limits})
    + numbers(0, {"beyond": "violations"})
    + words({"first at, um": "at"}),
    "Windows have about the size that the rule file says, and overlap by half; a place is a lower "
    "left corner. Layers without a limit are shown alone.",
    rows=_densities,
)
COMPARED = Table(
    "Layout beside netlist",
    words({"": "what"})
    + numbers(0, {"layout": "layout", "netlist": "schematic", "matched": "matched"}),
    "Extracted from the GDS file by KLayout, cells as black boxes with pins, and matched with "
    "powered.v, which has the supplies, by how they are connected. Fillers are left out.",
    rows=_compared,
)
SUPPLIES = Table(
    "Supply rails",
    words({"supply": "name"})
    + numbers(0, {"rails": "rails", "parts": "parts", "breaks": "broken"})
    + words({"first at, um": "at"}),
    "A supply is one part: its straps join all of its rails.",
    rows=_supplies,
)
FAULTS = Table("Faults", words({"fault": "fault"}), rows=_faults)
VERDICTS = Table(
    "Sign-off",
    words(
        {
            "design": "point",
            "layout": lambda row: "; ".join(row.result.wrong) or CLEAN,
        }
    )
    + numbers(
        0,
        {
            "rules": lambda row: len(row.result.signed.rules),
            "nets": lambda row: row.result.signed.compared.nets[2],
            "cells": lambda row: row.result.signed.compared.cells[2],
        },
    ),
    "By the files alone: design rules on all layers, density, supply rails, the netlist extracted "
    "from the GDS file, nets and cells that match counted; and setup and hold in each corner.",
)


def alone(rows: Rows) -> Iterator[Grid | None]:
    """Show all that is known of each layout."""
    for task, result in measured(rows).items():
        for table in (LAYERS, BROKEN, DENSITIES, COMPARED, SUPPLIES, FAULTS):
            yield table.of({task: result})
        yield CORNERS.of(result)


SECTION = Section(results=tables(VERDICTS), alone=alone)
