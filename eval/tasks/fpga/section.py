"""The tables of designs on FPGAs: what each takes, and the documents' figures beside ours."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, ratio, words
from eval.tasks.columns import MARKED, NBITS
from eval.tasks.fpga.printed import PRINTED
from eval.tasks.fpga.table_004 import clocks_grid, savings_grid
from eval.tasks.fpga.task import FpgaResult, OnFpga
from eval.tasks.section import Chart, Section, measured, tables
from flow.results.record import Metrics

Rows = Mapping[OnFpga, FpgaResult | None]
Found = Mapping[OnFpga, FpgaResult]
SLICES = "slices"
HEADINGS = {"luts": "LUT", "ffs": "FF", "alms": "ALM", "dsp": "DSP", "bram": "RAM"}
WORDS = HEADINGS | {SLICES: "slices"}
KEPT = {
    "kept": "Each module mapped by itself, as it is a wide array",
    "repeated": "Elements of a wide array mapped once, apart from all else",
}


def _how(found: Found) -> str:
    notes = ["Counted after mapping by yosys, without pads: a vendor's tool packs and shares more."]
    devices = {task.device for task in found}
    if "cyclonev" in devices:
        notes.append(
            "ALM: a table of six inputs takes one, two others share one; no tool has packed them."
        )
    if "ecp5" in devices:
        notes.append(
            "ECP5 (LFE5U-85F, speed grade 6): LUT of four inputs; MHz after placing and routing by "
            "nextpnr with the ports on registers."
        )
    return " ".join(notes)


def _shells(found: Found) -> str:
    """Say how large the shells were that the routed designs were in."""
    sizes = [
        f"{task.point.design} {shell.luts} LUT, {shell.ffs} FF"
        for task, result in found.items()
        if result.routed and (shell := result.routed.shell)
    ]
    return f" The shell around it, not counted: {'; '.join(sizes)}." if sizes else ""


def _kept(found: Found) -> str:
    """Say which designs were not mapped as one module."""
    notes = []
    for hierarchy, said in KEPT.items():
        kept = [str(task) for task, result in found.items() if result.hierarchy == hierarchy]
        notes += [f" {said}: {', '.join(kept)}."] if kept else []
    return "".join(notes)


def _note(rows: Rows) -> str:
    found = measured(rows)
    return f"{_how(found)}{_shells(found)}{_kept(found)}"


ON_DEVICES = Table(
    "On FPGAs",
    MARKED
    + NBITS
    + words({"unit": "unit", "device": "device"})
    + numbers(0, {heading: f"metrics.{name}" for name, heading in HEADINGS.items()})
    + numbers(1, {"MHz": "fmax_mhz"}),
    _note,
)


def in_unit(resource: str, metrics: Metrics) -> int:
    """Convert our figure to the document's unit."""
    if resource == SLICES:
        return -(-max(metrics["luts"], metrics["ffs"]) // 2)
    return metrics[resource]


def _printed(rows: Rows) -> Iterator[Row]:
    """Go through the documents' figures of which ours was measured."""
    found = measured(rows)
    for figure, task, relation in PRINTED:
        if task in found:
            ours = in_unit(figure.what, found[task].metrics)
            yield Row(task, found[task], figure=figure, ours=ours, relation=relation)


BESIDE = Table(
    "The documents' FPGA figures beside ours",
    words({"printed in": "figure.source", "design": "figure.of"})
    + numbers(0, {"bits": "figure.nbits"})
    + words({"of": lambda row: WORDS[row.figure.what]})
    + numbers(0, {"docu-\nment": "figure.value"})
    + words({"ours": "point.design"})
    + numbers(0, {"ours,\nyosys": "ours"})
    + numbers(2, {"ratio": ratio("ours", "figure.value")})
    + words({"algo-\nrithm": "relation"}),
    "The documents' counts are of the vendors' tools, after placing; ours are mapped by "
    "yosys for the same family. Algorithm: radix is a unit of document 002's radix 2^16 that "
    "takes the words of a step in one cycle, with two multipliers for each, where the array "
    "takes them one after the other with one. Slices of a Virtex-E: "
    "two tables and two registers make one, so at least half of the larger count. The "
    "documents' frequencies have no counterpart: ours are not placed on these families.",
    rows=_printed,
)


def charts(rows: Rows) -> Iterator[Chart | None]:
    """Draw what document 004 draws."""
    from eval.tasks.fpga.chart_004 import cost_chart

    yield cost_chart(rows)


SECTION = Section(
    results=lambda rows: [
        ON_DEVICES.of(rows),
        BESIDE.of(rows),
        clocks_grid(rows),
        savings_grid(rows),
    ],
    charts=charts,
    alone=tables(ON_DEVICES),
)
