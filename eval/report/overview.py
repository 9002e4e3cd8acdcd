"""One line a design: all that tells designs of one width apart."""

from collections import Counter

from eval.report.tabulate import Grid, Line
from eval.study.results import StudyResult, command_for
from eval.tasks.measure import Hardening, Simulation
from eval.tasks.metrics import METRICS

SHOWN = ("xcel_cycles_e", "xcel_cycles_d", "area_um2", "setup_slack_ns", "time_d_us")
HEADINGS = ("cycles\ne", "cycles\nd", "area\num2", "slack\nns", "time d\nus")


def overview_grids(found: StudyResult) -> tuple[Grid, ...]:
    """A table for each width at which the study has several designs."""
    return tuple(_overview(found, nbits) for nbits in compared_widths(found))


def compared_widths(found: StudyResult) -> list[int]:
    """The widths at which the study has several designs."""
    counts = Counter(p.point.nbits for p in found.points)
    return [nbits for nbits, count in counts.items() if count > 1]


def _overview(found: StudyResult, nbits: int) -> Grid:
    lines = []
    for p in found.points:
        if p.point.nbits != nbits:
            continue
        design = p.point.entry
        tasks = [Hardening(p.point, "accelerator", found.study.clock_ns)]
        ports = [Simulation(p.point, w) for w in p.requests]
        lines.append(
            Line(
                (
                    found.study.label(design.name),
                    design.family,
                    "yes" if design.constant_time else "no",
                    design.moduli.kind,
                    *(METRICS[m].format(p.metrics.get(m)) for m in SHOWN),
                ),
                (
                    *(command_for(task) for task in tasks),
                    *(command_for(task, through_port=True) for task in ports),
                ),
            )
        )
    return Grid(
        f"Designs at {nbits} bits",
        ("design", "family", "const.\ntime", "moduli", *HEADINGS),
        tuple(lines),
        words=(0, 1, 2, 3),
        note="Cycles of an encryption (e) and a decryption (d) through the accelerator's port; "
        f"area and slack of the accelerator for a clock of {found.study.clock_ns:g} ns, where a "
        "negative slack misses it. Time: cycles x shortest period. Constant time: the "
        "cycles are the same for every base and exponent. Moduli: any or odd ones, from 1 on.",
    )
