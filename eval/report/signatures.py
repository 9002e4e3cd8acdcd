"""RSA at the sizes in use: what a verification and a signature take, design beside design, beside
the processor in software, and beside what others print."""

from collections.abc import Iterator

from eval.printed.accelerators import ACCELERATORS, PRODUCTS_002
from eval.report.pareto import ENERGY_VIEW, TIME_VIEW, View, pareto
from eval.report.signers import LEAST_BITS, SIGN, VERIFY, key_widths, per, points_in, signers, times
from eval.study.results import PointResult, StudyResult
from eval.tasks.grid import Grid, grid, line, numbers, words

FRONTS = {"area - time of a signature": TIME_VIEW, "energy - time of a signature": ENERGY_VIEW}


def times_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what a verification and a signature take in time."""
    return grid(
        f"RSA of {nbits} bits: time",
        (
            words("by", "const.\ntime")
            + numbers(0, "cycles\ne", "cycles\nd")
            + numbers(3, "period\nreached\nns")
            + numbers(1, "verifi-\ncation\nus")
            + numbers(3, "signa-\nture\nms")
            + numbers(1, "signa-\ntures\na second")
        ),
        (
            line(
                *(s.name, "yes" if s.constant_time else "no"),
                *(s.cycles.get(VERIFY), s.cycles.get(SIGN), s.reached_ns),
                *(s.time_us(VERIFY), s.sign_ms, per(1000, s.sign_ms)),
                commands=s.commands,
            )
            for s in signers(found, nbits)
        ),
        "Verification: workload e, e = 65537. Signature: workload d, modulo n; by p and q in two "
        "powers of half the bits, checked, where an accelerator makes them. Accelerators: cycles "
        "through the port. Software, and what stands with p and q: from operand to result in the "
        f"processor's memory. Time: cycles x {found.study.clock_ns:g} ns, or the period reached "
        "where that is missed. Constant time: of a signature.",
    )


def costs_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what they take in area and energy."""
    return grid(
        f"RSA of {nbits} bits: area and energy",
        (
            words("by")
            + numbers(0, "area\num2")
            + numbers(3, "area x\nsignature\nmm2 ms")
            + numbers(2, "verifi-\ncation\nuJ", "signa-\nture\nuJ")
            + numbers(1, "signa-\ntures\na joule")
            + numbers(2, "energy x\nsignature\nuJ ms")
        ),
        (
            line(
                *(s.name, s.area_um2, times(s.area_um2, per(s.sign_ms, 1e6))),
                *(per(s.energies.get(VERIFY), 1000), s.sign_uj, per(1e6, s.sign_uj)),
                times(s.sign_uj, s.sign_ms),
                commands=s.commands,
            )
            for s in signers(found, nbits)
            if s.area_um2 is not None
        ),
        "Area: of the accelerator with its port, or of the processor with what is attached, "
        "without memories. Energy: with glitches, at the clock asked for, less the same accesses "
        "without a go; the error of a signature's, where pieces stand for it, is in the table of "
        "power and energy.",
    )


def front_names(found: StudyResult, points: list[PointResult], view: View) -> str | None:
    """Name the designs that no other of the points beats in both metrics of a view."""
    best = pareto({p: view.spots(found, p, SIGN) for p in points}).best
    return ", ".join(found.name_of(p) for p in best) or None


def signature_fronts(found: StudyResult) -> Grid | None:
    """Show the Pareto fronts of signatures, and those of designs of constant time."""
    lines = []
    for nbits in key_widths(found):
        for title, view in FRONTS.items():
            points = points_in(found, nbits, view)
            constant = [p for p in points if p.point.entry.constant_time]
            if len(points) > 1:
                names = (front_names(found, of, view) for of in (points, constant))
                lines.append(line(nbits, title, *names))
    return grid(
        "Pareto fronts of signatures",
        numbers(0, "bits") + words("front", "among all designs", "among those of constant time"),
        lines,
        "Designs for any RSA key that no other of them beats in both, at one clock; those of which "
        "both are measured.",
    )


def elsewhere_grid(found: StudyResult) -> Grid | None:
    """Show what others print; None where no designs are compared at such sizes."""
    long = [a for a in ACCELERATORS if a.nbits >= LEAST_BITS and key_widths(found)]
    return grid(
        "RSA on accelerators elsewhere",
        (
            words("by", "on")
            + numbers(0, "bits")
            + words("expo-\nnent")
            + numbers(0, "cycles")
            + numbers(0, "MHz")
            + numbers(2, "time\nms")
            + words("takes", "printed in")
        ),
        (
            line(
                *(a.by, a.on, a.nbits, a.exponent, a.cycles, a.mhz, a.time_ms),
                *(a.takes or None, a.source),
            )
            for a in sorted(long, key=lambda a: (a.nbits, a.exponent))
        ),
        "Exponent: e is 65537, d as long as the modulus; document 004 prints the mean of both. "
        "Time: as printed, or cycles by MHz. "
        f"Document 002's table 4 is of products: an exponentiation is {PRODUCTS_002} of them, as "
        "that document counts. Its project: what OpenTitan and CrypTech state of theirs.",
    )


def signature_grids(found: StudyResult) -> Iterator[Grid | None]:
    """Show RSA at each width of keys in use, the fronts, and what others print."""
    for nbits in key_widths(found):
        yield times_grid(found, nbits)
        yield costs_grid(found, nbits)
    yield signature_fronts(found)
    yield elsewhere_grid(found)
