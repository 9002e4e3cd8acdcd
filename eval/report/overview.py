"""The tables of designs that join cycles and area: an overview per width, and every point."""

from cl.exponentiator import BASE, BEFORE, BITS, FACTORS, LENGTH, MODULUS
from eval.catalog.point import Point
from eval.report.doubt import doubt_of
from eval.report.pareto import compared_widths, fronts_grid
from eval.study.results import PointResult, StudyResult
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.leakage.task import Leakage, LeakageResult
from eval.tasks.metrics import METRICS
from eval.tasks.simulation import Simulation
from eval.tasks.timing import TimeTells
from eval.tasks.unit import ACCELERATOR

BEFORE_NOISE = ("xcel_cycles_e", "xcel_cycles_d", "area_um2")
AFTER_NOISE = ("setup_slack_ns", "time_d_us")
AREA_METRICS = (
    *("area_um2", "multiplier_area_um2", "cells", "setup_slack_ns"),
    *("period_reached_ns", "time_e_us", "time_d_us"),
)
SHORT = {BASE: "base", LENGTH: "len", BITS: "bits", MODULUS: "mod", BEFORE: "before"}
PERIODS = (
    *("period_reached_ns", "shortest_period_ns", "area_um2", "fastest_area_um2"),
    *("least_time_e_us", "least_time_d_us"),
)


def overview(found: StudyResult) -> tuple[Grid | None, ...]:
    """Compare designs at each width at which there are several, and say which are best."""
    widths = compared_widths(found)
    fronts = (
        fronts_grid(found, [p for p in found.points if p.point.nbits == nbits]) for nbits in widths
    )
    return *(overview_grid(found, nbits) for nbits in widths), *fronts


def accelerator_run(found: StudyResult, p: PointResult) -> FlowRun:
    """Name the flow run of a point's accelerator."""
    return FlowRun(p.point, ACCELERATOR, found.study.clock_ns)


def commands(found: StudyResult, p: PointResult) -> tuple[str, ...]:
    """List the commands that reproduce a point's area and its cycles through the port."""
    simulations = [
        task.port_command
        for task, result in found.of(Simulation).items()
        if task.point == p.point and result
    ]
    return accelerator_run(found, p).command, *simulations


def overview_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show all that tells designs of one width apart, a line per design."""
    powers = {t.point: r for t, r in found.of(Leakage).items() if r and t.blinding == "-"}
    doubt = doubt_of(found)
    return grid(
        f"Designs at {nbits} bits",
        (
            words("design", "family", "time\ntells")
            + (words("power\ntells") if powers else [])
            + words("moduli")
            + numbers(0, "cycles\ne", "cycles\nd")
            + numbers(1, "area\num2", "\n+-%")
            + numbers(3, "slack\nns", "time d\nus")
        ),
        (
            line(
                *(found.name_of(p), design.family),
                time_told(found, p.point),
                *([power_told(powers.get(p.point))] if powers else []),
                design.moduli.kind,
                *(p.get(metric) for metric in BEFORE_NOISE),
                doubt.text(p.point, "area"),
                *(p.get(metric) for metric in AFTER_NOISE),
                commands=commands(found, p),
                card=p.card,
            )
            for p in found.points
            if p.point.nbits == nbits
            for design in [p.point.entry]
        ),
        "Cycles of an encryption (e) and a decryption (d) through the accelerator's port; "
        f"area and slack of the accelerator for a clock of {found.study.clock_ns:g} ns, where a "
        "negative slack misses it. Time: cycles x that clock, or the period reached where it is "
        "missed. Time tells: "
        "whether cycles depend on the base, on length and bits of the exponent, on the modulus, as "
        "the design declares; =: found by experiment, too. "
        + "Power tells: by a t-test of register toggles, without noise. " * bool(powers)
        + "Moduli: any or odd ones, from 1 on. "
        + f"+-%: what renaming nets moves the area by. {doubt.note}",
    )


def time_told(found: StudyResult, point: Point) -> str:
    """Say what a design's cycles tell, and whether the study has found the same."""
    declared = point.entry.at(point.nbits).time_tells
    said = "all" if declared == FACTORS[:-1] else ",".join(map(SHORT.get, declared)) or "-"
    told = [result for task, result in found.of(TimeTells).items() if task.point == point]
    return said + "".join("=" if set(t.found) == set(declared) else "?" for t in told if t)


def power_told(result: LeakageResult | None) -> str | None:
    """Say what a design's power tells; None if that was not measured."""
    if result is None:
        return None
    return ",".join(name for name, test in result.tests.items() if test.leaking[0]) or "-"


def area_grid(found: StudyResult) -> Grid | None:
    """Show area and timing of every point's accelerator, and the time of the workloads; None if the
    study has no points."""
    return grid(
        f"Area and timing of the accelerators, for a clock of {found.study.clock_ns:g} ns",
        (
            words("design")
            + numbers(0, "bits")
            + [METRICS[metric].column for metric in AREA_METRICS]
        ),
        (
            line(
                p.marked(),
                p.point.nbits,
                *(p.get(metric) for metric in AREA_METRICS),
                commands=commands(found, p),
                card=p.card,
                logs=f"build/flow/{accelerator_run(found, p).folder}/logs",
            )
            for p in found.points
        ),
        "Multiplier: one of the modular multipliers inside, in the best netlist that keeps "
        "hierarchy; a dash where none is a module of its own. Where the netlist taken is mapped as "
        "one module, that is another netlist, in which the multiplier may be larger than here the "
        "whole. Period reached: by the netlist taken, the smallest that meets the clock; no "
        "shortest period. Time: cycles of the accelerator x the clock asked for, or the period "
        "reached where it is missed.",
    )


def periods_grid(found: StudyResult) -> Grid | None:
    """Show what each design's netlist for the study's clock reaches beside its shortest period;
    None if no period was searched."""
    doubt = doubt_of(found)
    return grid(
        "Shortest periods of the accelerators",
        (
            words("design")
            + numbers(0, "bits")
            + numbers(3, f"reached\n(asked:\n{found.study.clock_ns:g} ns)", "shortest\nns")
            + numbers(1, "\n+-%", "area\num2", "at short-\nest, um2")
            + numbers(3, "least\ntime e\nus", "least\ntime d\nus")
        ),
        (
            line(
                *(p.marked(), p.point.nbits, *(p.get(metric) for metric in PERIODS[:2])),
                doubt.text(p.point, "period"),
                *(p.get(metric) for metric in PERIODS[2:]),
                commands=(Curve(p.point, found.study.clock_ns).command,),
                card=p.card,
            )
            for p in found.points
            if "shortest_period_ns" in p.metrics
        ),
        "Searched by asking for clocks that no netlist meets, and for some between. Least time: "
        "cycles of the accelerator x shortest period. "
        f"+-%: what renaming nets moves the shortest period by. {doubt.note}",
    )
