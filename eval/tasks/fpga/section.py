"""The table of designs on FPGAs: what each takes."""

from collections.abc import Mapping

from eval.table import Table, numbers, words
from eval.tasks.columns import MARKED, NBITS
from eval.tasks.fpga.task import FpgaResult, OnFpga
from eval.tasks.section import Section, measured, tables

Rows = Mapping[OnFpga, FpgaResult | None]
Found = Mapping[OnFpga, FpgaResult]
HEADINGS = {"luts": "LUT", "ffs": "FF", "alms": "ALM", "dsp": "DSP", "bram": "RAM"}
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


SECTION = Section(results=tables(ON_DEVICES))
