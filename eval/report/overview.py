"""The tables of designs that join cycles and area: an overview per width, and every point."""

from cl.exponentiator import BASE, BEFORE, BITS, FACTORS, LENGTH, MODULUS
from eval.catalog.point import Point
from eval.report.noise_bands import noise_bands_of
from eval.report.pareto import compared_widths, fronts_grid
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.table import Grid, Row, Table, numbers, words
from eval.tasks.clocks import Curve
from eval.tasks.columns import NBITS, metrics
from eval.tasks.leakage.task import Leakage, LeakageResult
from eval.tasks.section import Section
from eval.tasks.simulation import Simulation
from eval.tasks.timing import TimeTells

SHORT = {BASE: "base", LENGTH: "len", BITS: "bits", MODULUS: "mod", BEFORE: "before"}


def overview(found: StudyResult) -> list[Grid | None]:
    """Compare designs at each width at which there are several."""
    return [overview_grid(found, nbits) for nbits in compared_widths(found)]


def fronts(found: StudyResult) -> list[Grid | None]:
    """Say which designs are best at each of these widths."""
    return [
        fronts_grid(found, [p for p in found.points if p.point.nbits == nbits])
        for nbits in compared_widths(found)
    ]


def commands(found: StudyResult, p: PointResult, flow: str = "") -> tuple[str, ...]:
    """List the commands that reproduce a point's area, by its flow run at the study's clock if no
    command is given, and its cycles through the port."""
    simulations = [
        task.port_command
        for task, result in found.of(Simulation).items()
        if task.point == p.point and result
    ]
    if p.point.entry.assumed:
        return tuple(simulations)
    return flow or accelerator_run(found, p).command, *simulations


def point_rows(found: StudyResult) -> list[Row]:
    """List all points of a study, with their metrics."""
    return [
        Row(
            *(p.point, p),
            **{"name": found.name_of(p), "marked": p.marked()},
            **{"commands": commands(found, p), "run": accelerator_run(found, p)},
        )
        for p in found.points
    ]


def overview_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show all that tells designs of one width apart, a line per design."""
    powers = {t.point: r for t, r in found.of(Leakage).items() if r and t.blinding == "-"}
    noise = noise_bands_of(found)
    power = {"power\nleaks": lambda row: power_told(powers.get(row.point))} if powers else {}
    return Table(
        f"Designs at {nbits} bits",
        words({"design": "name", "family": "point.entry.family"})
        + words({"time\nleaks": lambda row: time_told(found, row.point)})
        + words(power)
        + words({"moduli": "point.entry.moduli.kind"})
        + numbers(0, {"cycles\ne": "xcel_cycles_e", "cycles\nd": "xcel_cycles_d"})
        + numbers(1, {"area\num2": "area_um2", "\n+-%": lambda row: noise.text(row.point, "area")})
        + numbers(3, {"slack\nns": "setup_slack_ns", "time d\nus": "time_d_us"}),
        "Cycles of an encryption (e) and a decryption (d) through the accelerator's port; "
        f"area and slack of the accelerator for a clock of {found.study.clock_ns:g} ns, where a "
        "negative slack misses it. Time: cycles x that clock, or the minimum period where it is "
        "missed. Time leaks: "
        "whether cycles depend on the base, on length and bits of the exponent, on the modulus, as "
        "the design declares; =: found by experiment, too. "
        + "Power leaks: by a t-test of register toggles, without noise. " * bool(powers)
        + "Moduli: any or odd ones, from 1 on. "
        + f"+-%: what renaming nets moves the area by. {noise.note}",
    ).of(row for row in point_rows(found) if row.point.nbits == nbits)


def time_told(found: StudyResult, point: Point) -> str:
    """Say what a design's cycles tell, and whether the study has found the same."""
    declared = point.entry.at(point.nbits).time_tells
    said = "all" if declared == FACTORS[:-1] else ",".join(SHORT[one] for one in declared) or "-"
    told = [result for task, result in found.of(TimeTells).items() if task.point == point]
    return said + "".join("=" if set(t.found) == set(declared) else "?" for t in told if t)


def power_told(result: LeakageResult | None) -> str | None:
    """Say what a design's power tells; None if that was not measured."""
    if result is None:
        return None
    return ",".join(name for name, test in result.tests.items() if test.leaking[0]) or "-"


MARKED = words({"design": "marked"})
AREAS = Table(
    lambda found: (
        f"Area and timing of the accelerators, for a clock of {found.study.clock_ns:g} ns"
    ),
    MARKED
    + NBITS
    + metrics("area_um2", "multiplier_area_um2", "cells", "setup_slack_ns")
    + metrics("period_ns", "time_e_us", "time_d_us"),
    "Multiplier: one of the modular multipliers inside, in the best netlist that keeps "
    "hierarchy; a dash where none is a module of its own. Where the netlist taken is mapped as "
    "one module, that is another netlist, in which the multiplier may be larger than here the "
    "whole. Minimum period: by the netlist taken, the smallest that meets the clock; no "
    "shortest period. Time: cycles of the accelerator x the clock asked for, or the period "
    "reached where it is missed.",
    rows=point_rows,
    logs=lambda row: f"build/flow/{row.run.folder}/logs",
)


def periods_grid(found: StudyResult) -> Grid | None:
    """Show what each design's netlist for the study's clock reaches beside its shortest period;
    None if no period was searched."""
    noise, clock_ns = noise_bands_of(found), found.study.clock_ns
    return Table(
        "Shortest periods of the accelerators",
        MARKED
        + NBITS
        + numbers(3, {f"reached\n(asked:\n{clock_ns:g} ns)": "period_ns"})
        + numbers(3, {"shortest\nns": "shortest_period_ns"})
        + numbers(1, {"\n+-%": lambda row: noise.text(row.point, "period")})
        + numbers(1, {"area\num2": "area_um2", "at short-\nest, um2": "fastest_area_um2"})
        + numbers(3, {"least\ntime e\nus": "least_time_e_us"})
        + numbers(3, {"least\ntime d\nus": "least_time_d_us"}),
        "Searched by asking for clocks that no netlist meets, and for some between. Least time: "
        "cycles of the accelerator x shortest period. "
        f"+-%: what renaming nets moves the shortest period by. {noise.note}",
        commands=lambda row: Curve(row.point, clock_ns).command,
    ).of(row for row in point_rows(found) if "shortest_period_ns" in row.metrics)


SECTION = Section(
    overview=overview,
    fronts=fronts,
    designs=lambda found: [AREAS.of(found), periods_grid(found)],
)
