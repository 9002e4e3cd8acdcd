"""RSA at the sizes in use: what a verification and a signature take, design beside design, beside
the processor in software, and beside what others print."""

from collections.abc import Iterator
from typing import Any

from eval.documents.accelerator import Accelerator, accelerators
from eval.report.pareto import ENERGY_VIEW, TIME_VIEW, View, pareto
from eval.report.signers import (
    LEAST_BITS,
    SIGN,
    VERIFY,
    Signer,
    key_widths,
    per,
    points_in,
    signers,
    times,
)
from eval.study.results import PointResult, StudyResult
from eval.table import Grid, Table, numbers, words
from eval.tasks.section import Section

FRONTS = {"area - time of a signature": TIME_VIEW, "energy - time of a signature": ENERGY_VIEW}


def times_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what a verification and a signature take in time."""
    return Table(
        f"RSA of {nbits} bits: time",
        words({"by": "name", "const.\ntime": lambda s: "yes" if s.constant_time else "no"})
        + numbers(0, {"cycles\ne": f"cycles.{VERIFY}", "cycles\nd": f"cycles.{SIGN}"})
        + numbers(3, {"period\nreached\nns": "reached_ns"})
        + numbers(1, {"verifi-\ncation\nus": lambda s: s.time_us(VERIFY)})
        + numbers(3, {"signa-\nture\nms": "sign_ms"})
        + numbers(1, {"signa-\ntures\na second": lambda s: per(1000, s.sign_ms)}),
        "Verification: workload e, e = 65537. Signature: workload d, modulo n; by p and q in two "
        "powers of half the bits, checked, where an accelerator makes them. Accelerators: cycles "
        "through the port. Software, and what stands with p and q: from operand to result in the "
        f"processor's memory. Time: cycles x {found.study.clock_ns:g} ns, or the minimum period "
        "where that is missed. Constant time: of a signature.",
    ).of(signers(found, nbits))


def _area_time(s: Signer) -> float | None:
    return times(s.area_um2, per(s.sign_ms, 1e6))


def costs_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what they take in area and energy."""
    return Table(
        f"RSA of {nbits} bits: area and energy",
        words({"by": "name"})
        + numbers(0, {"area\num2": "area_um2"})
        + numbers(3, {"area x\nsignature\nmm2 ms": _area_time})
        + numbers(2, {"verifi-\ncation\nuJ": lambda s: per(s.energies.get(VERIFY), 1000)})
        + numbers(2, {"signa-\nture\nuJ": "sign_uj"})
        + numbers(1, {"signa-\ntures\na joule": lambda s: per(1e6, s.sign_uj)})
        + numbers(2, {"energy x\nsignature\nuJ ms": lambda s: times(s.sign_uj, s.sign_ms)}),
        "Area: of the accelerator with its port, or of the processor with what is attached, "
        "without memories. Energy: with glitches, at the clock asked for, less the same accesses "
        "without a go; the error of a signature's, where pieces stand for it, is in the table of "
        "power and energy.",
    ).of(s for s in signers(found, nbits) if s.area_um2 is not None)


def front_names(found: StudyResult, points: list[PointResult], view: View) -> str | None:
    """Name the designs that no other of the points beats in both metrics of a view."""
    best = pareto({p: view.spots(found, p, SIGN) for p in points}).best
    return ", ".join(found.name_of(p) for p in best) or None


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
    "Designs for any RSA key that no other of them beats in both, at one clock; those of which "
    "both are measured.",
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
    + numbers(0, {"cycles": "cycles", "MHz": "mhz"})
    + numbers(2, {"time\nms": "time_ms"})
    + words({"takes": lambda a: a.takes or None, "printed in": "source"}),
    lambda found: (
        "Exponent: e is 65537, d as long as the modulus. Time: as printed, or cycles by MHz. "
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


SECTION = Section(results=signature_grids)
