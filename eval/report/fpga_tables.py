"""The tables of designs on FPGAs: what each takes, and the documents' figures beside ours."""

from typing import Any

from eval.report.tabulate import Grid, Line
from eval.tasks.fpga import OnFpga
from eval.tasks.fpga_printed import PRINTED, SLICES

Found = dict[OnFpga, dict[str, Any]]
RESOURCES = ("luts", "ffs", "alms", "dsp", "bram")
HEADINGS = {"luts": "LUT", "ffs": "FF", "alms": "ALM", "dsp": "DSP", "bram": "RAM"}
WORDS = HEADINGS | {SLICES: "slices"}


def device_grid(found: Found) -> Grid | None:
    """What each unit takes of its device; None if nothing was measured."""
    if not found:
        return None
    lines = []
    for task, result in found.items():
        metrics = result["metrics"]
        fmax = metrics.get("fmax_mhz")
        cells = (
            *(task.point.design, str(task.point.nbits), task.unit, task.device),
            *("-" if metrics.get(name) is None else str(metrics[name]) for name in RESOURCES),
            "-" if fmax is None else f"{fmax:.1f}",
        )
        lines.append(Line(cells, (task.command,)))
    return Grid(
        "On FPGAs",
        ("design", "bits", "unit", "device", *HEADINGS.values(), "MHz"),
        tuple(lines),
        words=(0, 2, 3),
        note=f"{_how(found)}{_shells(found)}{_kept(found)}",
    )


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
    """How large the shells were that the routed designs were in."""
    sizes = [
        f"{task.point.design} {shell['luts']} LUT, {shell['ffs']} FF"
        for task, result in found.items()
        if result["routed"] and (shell := result["routed"]["shell"])
    ]
    return f" The shell around it, not counted: {'; '.join(sizes)}." if sizes else ""


def _kept(found: Found) -> str:
    """Which designs were not mapped as one module."""
    kept = [str(task) for task, result in found.items() if result["hierarchy"] == "kept"]
    return f" Each module mapped by itself, as it is a wide array: {', '.join(kept)}." * bool(kept)


def printed_grid(found: Found) -> Grid | None:
    """The documents' figures beside ours, as far as ours were measured; None if none was."""
    lines = [
        Line(
            (
                *(row.source, row.what, str(row.nbits), WORDS[resource], str(value)),
                *(row.ours.point.design, str(ours), _ratio(ours, value), row.relation),
            ),
            (row.ours.command,),
        )
        for row in PRINTED
        if row.ours in found
        for resource, value in row.figures
        for ours in [in_unit(resource, found[row.ours]["metrics"])]
    ]
    if not lines:
        return None
    return Grid(
        "The documents' FPGA figures beside ours",
        ("printed in", "design", "bits", "of", "docu-\nment")
        + ("ours", "ours,\nyosys", "ratio", "algo-\nrithm"),
        tuple(lines),
        words=(0, 1, 3, 5, 8),
        note="The documents' counts are of the vendors' tools, after placing; ours are mapped by "
        "yosys for the same family. Algorithm: radix is document 002's radix 2^16, whose array "
        "takes the words of a step one after the other with a multiplier for each; ours takes them "
        "in one cycle with two for each. Other is document 003's, which takes S bits of an operand "
        "a cycle, from table memory; ours takes all of them, from registers. Slices of a Virtex-E: "
        "two tables and two "
        "registers make one, so at least half of the larger count. The documents' frequencies "
        "have no counterpart: ours are not placed on these families.",
    )


def in_unit(resource: str, metrics: dict[str, float]) -> int:
    """Our figure in the document's unit."""
    if resource == SLICES:
        return -(-max(metrics["luts"], metrics["ffs"]) // 2)
    return metrics[resource]


def _ratio(ours: float, printed: float) -> str:
    return f"{ours / printed:.2f}"
