"""RSA at the sizes in use: what a verification and a signature take, design beside design, beside
the processor in software, and beside what others print."""

from collections.abc import Iterator
from typing import Any

from eval.documents.accelerator import OURS_NM, Accelerator, accelerators
from eval.report.pareto import (
    CURVES_VIEW,
    ENERGY_CURVES_VIEW,
    LEAST_BITS,
    SIGN,
    VERIFY,
    View,
    key_widths,
    pareto,
)
from eval.report.signers import (
    Signer,
    per,
    points_in,
    signer,
    signers,
    times,
)
from eval.study.results import PointResult, StudyResult
from eval.table import Grid, Table, numbers, words
from eval.tasks.section import Section

FRONTS = {
    "area - time of a signature": CURVES_VIEW,
    "energy - time of a signature": ENERGY_CURVES_VIEW,
}
LEAST = (
    "Each netlist is at the shortest period at which it works. Least: of a design's netlists for "
    "several clocks, that of the least time, area x time (a x t), energy. "
)
BY = words({"by": "marked", "least": "least"})


def _area_time(s: Signer) -> float | None:
    return times(s.area_mm2, s.sign_ms)


def times_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what a verification and a signature take in time, and what area that needs."""
    return Table(
        f"RSA of {nbits} bits: time",
        BY
        + words({"const.\ntime": lambda s: "yes" if s.constant_time else "no"})
        + numbers(3, {"period\nns": "period_ns", "area\nmm2": "area_mm2"})
        + numbers(1, {"verifi-\ncation\nus": lambda s: s.time_us(VERIFY)})
        + numbers(3, {"signa-\nture\nms": "sign_ms"})
        + numbers(1, {"signa-\ntures\na second": lambda s: per(1000, s.sign_ms)})
        + numbers(0, {"a second\nand\nmm2": lambda s: per(1000, times(s.sign_ms, s.area_mm2))}),
        LEAST + "Verification: workload e, e = 65537. Signature: workload d, modulo n; by p and q "
        "in two powers of half the bits, checked, where an accelerator makes them. Accelerators: "
        "cycles through the port. Software, and what stands with p and q: from operand to result "
        "in the processor's memory. Area: of the accelerator with its port, or of the processor "
        "with what is attached, without memories. Constant time: of a signature.",
    ).of(s for s in signers(found, nbits) if s.period_ns is not None)


def costs_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what they take in cycles, area x time and energy."""
    return Table(
        f"RSA of {nbits} bits: cycles, area x time and energy",
        BY
        + numbers(0, {"cycles\nd": f"cycles.{SIGN}"})
        + numbers(3, {"area x\nsignature\nmm2 ms": _area_time})
        + numbers(2, {"verifi-\ncation\nuJ": lambda s: per(s.energies.get(VERIFY), 1000)})
        + numbers(2, {"signa-\nture\nuJ": "sign_uj"})
        + numbers(0, {"signa-\ntures\na joule": lambda s: per(1e6, s.sign_uj)})
        + numbers(2, {"energy x\nsignature\nuJ ms": lambda s: times(s.sign_uj, s.sign_ms)}),
        "Of the same netlists. Energy: with glitches, at the period of the table above, less the "
        "same accesses without a go; of netlists without one it was not measured. The error of a "
        "signature's, where pieces stand for it, is in the tables of energy.",
    ).of(signers(found, nbits))


def front_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show the netlists that no other beats in area and time of a signature, the smallest first;
    None if they are of one design."""
    points = points_in(found, nbits, CURVES_VIEW)
    where = {p: CURVES_VIEW.netlists(found, p, SIGN) for p in points}
    rows = [
        signer(found, p, where[p][spot])
        for spot in pareto({p: [*spots] for p, spots in where.items()}).corners
        for p in points
        if spot in where[p] and not p.point.entry.moduli.some
    ]
    return Table(
        f"RSA of {nbits} bits: the front of area and time of a signature",
        words({"by": "marked", "const.\ntime": lambda s: "yes" if s.constant_time else "no"})
        + numbers(3, {"period\nns": "period_ns", "area\nmm2": "area_mm2"})
        + numbers(3, {"signature\nms": "sign_ms"})
        + numbers(3, {"area x\nsignature\nmm2 ms": _area_time})
        + numbers(2, {"signature\nuJ": "sign_uj"}),
        "No other netlist of a design for any RSA key that was measured is as small and as fast. "
        "Each at the shortest period at which it works.",
    ).of(rows if len({row.name for row in rows}) > 1 else [])


def front_names(found: StudyResult, points: list[PointResult], view: View) -> str | None:
    """Name the designs that no other of the points beats in both metrics of a view."""
    best = pareto({p: view.spots(found, p, SIGN) for p in points}).best
    return ", ".join(map(found.called, best)) or None


def _fronts(found: StudyResult) -> Iterator[dict[str, Any]]:
    """Go through the widths of keys in use and the views of several points."""
    for nbits in key_widths(found):
        for title, view in FRONTS.items():
            points = points_in(found, nbits, view)
            constant = [p for p in points if p.point.entry.constant_time]
            if len(points) > 1:
                yield {
                    **{"nbits": nbits, "front": title},
                    "all": front_names(found, points, view),
                    "constant": front_names(found, constant, view),
                }


BEST = Table(
    "Pareto fronts of signatures",
    numbers(0, {"bits": "nbits"})
    + words({"front": "front", "among all designs": "all"})
    + words({"among those of constant time": "constant"}),
    "Designs for any RSA key that no other of them beats in both, each at the periods of its own "
    "netlists; those of which both are measured.",
    rows=_fronts,
)


def _elsewhere(found: StudyResult) -> list[Accelerator]:
    """List what others print, where designs are compared at such sizes."""
    long = [a for a in accelerators() if a.nbits >= LEAST_BITS and key_widths(found)]
    return sorted(long, key=lambda a: (a.nbits, a.exponent))


ELSEWHERE = Table(
    "RSA on accelerators elsewhere",
    words({"by": "by", "on": "on"})
    + numbers(0, {"bits": "nbits"})
    + words({"expo-\nnent": "exponent"})
    + numbers(0, {"node\nnm": "node_nm", "cycles": "cycles", "MHz": "mhz"})
    + numbers(2, {"time\nms": "time_ms", "scaled\nms": "scaled_ms"})
    + words({"takes": lambda a: a.takes or None, "printed in": "source"}),
    lambda found: (
        "Exponent: e is 65537, d as long as the modulus. Time: as printed, or cycles by MHz. "
        f"Scaled: time x {OURS_NM} nm / node, as if delay were in proportion to the node. That is "
        "doubtful: delays shrank less than so below 90 nm, and logic on an FPGA is several times "
        "as slow as cells of its node. "
        + " ".join(filter(None, dict.fromkeys(a.note for a in _elsewhere(found))))
    ),
    rows=_elsewhere,
)


def signature_grids(found: StudyResult) -> Iterator[Grid | None]:
    """Show RSA at each width of keys in use, the fronts, and what others print."""
    for nbits in key_widths(found):
        yield times_grid(found, nbits)
        yield costs_grid(found, nbits)
    yield BEST.of(found)
    yield ELSEWHERE.of(found)


def front_grids(found: StudyResult) -> list[Grid | None]:
    """Show the front at each width of keys in use."""
    return [front_grid(found, nbits) for nbits in key_widths(found)]


SECTION = Section(fronts=front_grids, results=signature_grids)
