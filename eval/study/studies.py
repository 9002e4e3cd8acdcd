"""The studies. A study is one entry here; a Plan has what it is made of."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.catalog.inputs import shorten
from eval.catalog.processor import Processor
from eval.documents.studies import studies, with_added
from eval.study import in_technologies, long_keys
from eval.study.near import did_you_mean
from eval.study.secure import SECURE
from eval.study.study import POWER, TIMING, Study
from sim.errors import UserError

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.study.results import StudyResult
    from eval.tasks.task import Task

EQUIVALENCE = "equivalence"  # how far a unit goes through the flow at most
WIDTHS = (8, 16, 32, 64)
WIDTHS_QUICK = (8, 16, 32)
NOISE_OF = ("ssmm-small", "mont-small", "mul-rem", "ssmm-best", "mont-best", "mont-pipe")
# On the front of time and area by the curves of all designs (study clocks), or near it.
CLOCKS_QUICK = ("tiny", "ssmm-small", "array-4", "array-8")
ON_FRONT = ("array-8",)  # of those that are variants of others
# Fast at their own clocks: d of 32 bits in 0.25 us with 20000 um2, and the fastest that was found.
FASTER = ("mont-digit-12-early", "mont-digit-17-early")
ENERGY_OF = ("mul-rem", "mont-001", "ssmm-best", "mont-best")
SMALLEST = "ssmm-small"
LAID_OUT = ("mont-001", "mul-rem", "mont-best")  # document 001's two, the longest first
ON_ECP5 = (
    *("mul-rem", "ssmm-004", "ssmm-small", "ssmm-best"),
    *("mmm-004", "mm-000", "mont-small", "mont-best"),
)
SPLITS = {
    "mont-001-1x32": "1 x 32",
    "mont-001-2x16": "2 x 16",
    "mont-001": "4 x 8",
    "mont-001-8x4": "8 x 4",
}
DIGITS = (
    *("near-power-4", "scaled-low-4", "scaled-high-4", "mont-digit-4"),
    *("near-power-16", "scaled-low-16", "scaled-high-16", "mont-digit-16"),
)
# Power leakage: square and multiply, always multiplying, a table of powers; those blinded.
LEAKAGE_OF = (
    "mont-best",
    "mont-ct",
    "mont-ladder",
    "array-4",
    "array-4-ct",
    "array-4-window-4",
    "ssmm-ct",
)
BLINDED = ("mont-best", "mont-ct")
MASK_BITS = 16  # of blinded exponents, and the width that leaves 32 bits for the key
WITH_MASK = 48
AT_GATES = 16
SIGNATURE_BITS = 64


def default(plan: "Plan") -> Iterable["Task"]:
    """Choose what `make report` measures."""
    first, *others = plan.for_any_key()
    for nbits in WIDTHS_QUICK:
        to = POWER if nbits == first.nbits else TIMING
        yield from plan.designs(plan.points([first.design], nbits), to)
    yield from plan.designs(others, POWER)
    yield from plan.designs(plan.points(ON_FRONT), POWER)
    yield from plan.systems()
    yield from plan.processors([Processor()], POWER)
    yield from plan.each("clocks", plan.points(CLOCKS_QUICK))
    yield from long_keys.default_rows(plan)


def error_bars(plan: "Plan") -> Iterable["Task"]:
    """Choose what the fronts of the default study are made of, and one design's figures a second
    time."""
    yield from plan.designs(plan.for_any_key(), POWER)
    yield from plan.designs(plan.points(ON_FRONT), POWER)
    yield from plan.each("clocks", plan.points(CLOCKS_QUICK))
    yield from plan.each("crosscheck", plan.points([SMALLEST]))


def noise_of_fronts(plan: "Plan", found: "StudyResult") -> Iterable["Task"]:
    """Measure the noise of each design that stands on a front."""
    from eval.report.pareto import on_fronts

    return plan.each("noise", [p.point for p in on_fronts(found)])


def full(plan: "Plan") -> Iterable["Task"]:
    """Choose what can be measured in a night."""
    fast = plan.points([*ON_FRONT, *FASTER])
    yield from plan.designs(plan.every_design(*WIDTHS), POWER)
    yield from plan.designs(fast, POWER)
    yield from plan.systems()
    yield from plan.processors(to=POWER)
    yield from plan.each("noise", plan.points(NOISE_OF))
    yield from plan.each("clocks", [*plan.for_any_key(), *fast])
    yield from plan.on_printed_fpgas(1024)
    yield from plan.on_fpga("ecp5", plan.points(ON_ECP5))
    yield from plan.layouts(plan.every_design())
    yield from long_keys.default_rows(plan)


def clocks(plan: "Plan") -> Iterable["Task"]:
    """Choose the cycles of all designs, and their areas at many clocks."""
    points = [*plan.for_any_key(), *plan.points([*ON_FRONT, *FASTER])]
    yield from plan.designs(points)
    yield from plan.each("clocks", points)


def energy(plan: "Plan") -> Iterable["Task"]:
    """Choose the same designs as accelerators and on the processor."""
    yield from plan.designs(plan.points(ENERGY_OF), EQUIVALENCE, gated=True)
    yield from plan.systems()
    yield from plan.processors(plan.with_accelerators(ENERGY_OF), EQUIVALENCE, gated=True)


def layouts(plan: "Plan") -> Iterable["Task"]:
    """Choose layouts; sign the smallest off, and place it anew for the noise of layouts."""
    yield from plan.layouts(plan.points([*LAID_OUT, "ssmm-best", SMALLEST]))
    yield from plan.signed_off(plan.points([SMALLEST]))
    yield from plan.each("placements", plan.points([SMALLEST]))


def layout_gated(plan: "Plan") -> Iterable["Task"]:
    """Choose layouts without and with gated clocks."""
    for gated in (False, True):
        yield from plan.layouts(plan.points(["mont-best", "ssmm-best", SMALLEST]), gated)


def fpga(plan: "Plan", nbits: int) -> Iterable["Task"]:
    """Choose FPGA figures of at most so many bits."""
    yield from plan.on_printed_fpgas(nbits)
    yield from plan.on_fpga("ecp5", plan.points(ON_ECP5))


def leakage(plan: "Plan") -> Iterable["Task"]:
    """Choose what time leaks of all designs; power of some, bare and blinded, with their cycles,
    area and energy; and what a signature pays for being checked and blinded."""
    yield from plan.timings(dict.fromkeys([*plan.every_design(), *plan.points(LEAKAGE_OF)]))
    yield from plan.designs(plan.points(LEAKAGE_OF), POWER)
    yield from plan.leakages(plan.points(LEAKAGE_OF))
    yield from plan.leakages(plan.points(BLINDED), blind_base=True)
    yield from plan.leakages(plan.points(BLINDED, WITH_MASK), True, MASK_BITS)
    for level in ("gates", "glitches", "layout"):
        yield from plan.leakages(plan.points(BLINDED, AT_GATES), level=level)
    for design in BLINDED:
        yield from plan.signatures(SIGNATURE_BITS, design, MASK_BITS)


def pseudo_modulus(plan: "Plan") -> Iterable["Task"]:
    """Leave out near-power-16 at 32 bits, whose digit has 4, and trees of 64, which take long."""
    at_32 = [design for design in DIGITS if design != "near-power-16"]
    yield from plan.designs(plan.points([*at_32, "mont-best", "cm-pseudo-2", "cm-pseudo-1"]))
    yield from plan.designs(plan.points([*DIGITS, "mont-best"], 64))


ENTRIES = (
    Study(
        "default",
        "every design for any key at 32 bits, some at 1024, the naive one at 8 and 16, the "
        "processor's systems, document 004's table 1, 3 ns",
        default,
    ),
    Study(
        "full",
        "every design at 8, 16, 32 and 64 bits, those of 32 placed and routed, the processor's "
        "systems, noise and area-delay curves, documents 000's and 004's tables, 3 ns",
        full,
    ),
    Study(
        "quick",
        "the naive design at 8 bits, 3 ns: to try the tools",
        lambda plan: plan.designs(plan.points(["mul-rem"], 8)),
    ),
    Study(
        "systems",
        "document 001's systems: the processor alone and with accelerators, 3 ns",
        lambda plan: [*plan.systems(as_printed=True), *plan.processors()],
    ),
    Study(
        "energy",
        "power and energy of accelerators and of the processor's systems, without and with "
        "gated clocks, at 32 bits, 3 ns",
        energy,
    ),
    Study(
        "mont-split",
        "mont-001 at 32 bits, each multiplier split into stages x steps per stage, 3 ns",
        lambda plan: plan.designs(plan.points(SPLITS)),
        labels=SPLITS,
    ),
    Study(
        "noise",
        "how far synthesis moves a design's figures without cause, 32 bits, 3 ns",
        lambda plan: plan.each("noise", plan.points(NOISE_OF)),
    ),
    Study(
        "error-bars",
        "the fronts of the default study with error bars: noise of each design on one; figures of "
        "one design a second time, by other means, 32 bits, 3 ns",
        error_bars,
        then=noise_of_fronts,
    ),
    *in_technologies.ENTRIES,
    Study(
        "clocks",
        "area-time curves and shortest periods of every design for any key, 32 bits, from 3 ns",
        clocks,
    ),
    Study(
        "pseudo-modulus",
        "products modulo 2^n - k and c*m, and Montgomery's by digits, at 32 and 64 bits, 3 ns",
        pseudo_modulus,
    ),
    *long_keys.ENTRIES,
    Study(
        "leakage",
        "what time leaks of every design's operands at 32 bits, and power of some, bare and "
        "blinded",
        leakage,
    ),
    SECURE,
    Study(
        "layout",
        "document 001's accelerators and the best ones, placed and routed, 3 ns",
        layouts,
    ),
    Study(
        "layout-gated",
        "accelerators without and with gated clocks, placed and routed, 3 ns",
        layout_gated,
    ),
    Study(
        "layout-systems",
        "the processor's systems of document 001, placed and routed, 3 ns: half an hour",
        lambda plan: plan.system_layouts(["mul-rem", "mont-001"]),
    ),
    Study(
        "fpga",
        "documents' FPGA figures up to 1024 bits beside ours, and designs on ECP5 at 32 bits",
        lambda plan: fpga(plan, 1024),
    ),
    Study(
        "fpga-long",
        "the same with the documents' figures at 2048 bits",
        lambda plan: fpga(plan, 2048),
    ),
)


def _all() -> dict[str, Study]:
    """Join these studies and those of documents, which also add tasks to these."""
    return {study.name: with_added(study) for study in (*ENTRIES, *studies())}


STUDIES = _all()


def find_at_one_clock(text: str) -> Study:
    """Find a study or that of a file, which must have one clock, as a report has."""
    found, *others = find_studies(text)
    if others:
        raise UserError(f"study: {text} has several clocks, a report one; give one, or explore it")
    return found


def find_study(name: str) -> Study:
    """Find the study of that name; UserError names those that there are."""
    if name in STUDIES:
        return STUDIES[name]
    if os.path.exists(name):  # Path's raises OSError of a long name
        raise UserError(f"study: {shorten(name)} does not end in .toml, as a study does; rename it")
    hint = did_you_mean(name, STUDIES)
    rest = (
        "`modexplorer list` shows them all" if hint else f"choose from {', '.join(sorted(STUDIES))}"
    )
    raise UserError(f"study: no study named {shorten(name)!r}; {hint}{rest}")


def find_studies(text: str) -> list[Study]:
    """Find the study of a name, or those of a TOML file: one for each clock."""
    if not text.endswith(".toml"):
        return [find_study(text)]
    from eval.study.user_study import from_file

    return from_file(text).studies()
