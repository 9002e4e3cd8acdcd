"""Lab 4: the flow, from Verilog to area, slack, the slowest path and energy."""

from random import Random
from typing import Any

from eval.labs.lab import Lab, Question

NBITS = 8
DESIGNS = ("mont-small", "ssmm-small", "mont-best")
CLOCKS = (2.5, 3.0)  # ns
TIGHT = 0.6  # ns, for which synthesis spends area


PERIOD, SLACK = "period_ns", "setup_slack_ns"


def number(result: Any, name: str) -> float:
    """Return a metric; of a design that has none, nothing that is equal to an answer."""
    return float(result.metrics.get(name, "nan"))


def flow(design: str, clock_ns: float, to: str) -> Any:
    """Return the row of a flow run, measured if the store has none."""
    from eval.catalog.point import Point
    from eval.tasks.flow_run.task import FlowRun
    from eval.tasks.task import measure
    from eval.tasks.unit import ACCELERATOR

    return measure(FlowRun(Point(design, NBITS), ACCELERATOR, clock_ns, to)).result


def port_cycles(design: str, workload: str) -> int:
    """Count the cycles of a workload through the port."""
    from cl.xcel import xcel_cycles
    from eval.catalog.point import Point
    from eval.catalog.workloads import request_for

    entry = Point(design, NBITS).entry
    request = request_for(NBITS, workload, None, None, None, entry.moduli.key)
    return xcel_cycles(NBITS, entry.at(NBITS).latency(**vars(request)))


def slowest(result: Any) -> str:
    """Name the module in which the critical path spends most."""
    spent: dict[str, float] = {}
    for piece in result.critical_path.through:
        name = piece.module.split("__")[0]
        spent[name] = spent.get(name, 0.0) + piece.delay_ns
    return max(spent, key=lambda name: spent[name])


def ask(rng: Random) -> list[Question]:
    """Draw a design and its clock."""
    design, clock = rng.choice(DESIGNS), rng.choice(CLOCKS)

    def usual(name: str) -> float:
        return number(flow(design, clock, "power"), name)

    def window() -> Any:
        return flow(design, clock, "power").energy.windows["e"]

    def tight(name: str) -> float:
        return number(flow(design, TIGHT, "timing"), name)

    def larger() -> float:
        return 100 * (tight("area_um2") / usual("area_um2") - 1)

    asked = f"{design} at {NBITS} bits and {clock:g} ns"
    return [
        Question(
            "area",
            f"{asked}: the area in um2?",
            2,
            lambda: usual("area_um2"),
            (
                ("the number of cells, which differ in size", lambda: usual("cells")),
                ("of the multiplier alone", lambda: usual("multiplier_area_um2")),
                (
                    "of the best netlist with hierarchy: the flow chose another",
                    lambda: flow(design, clock, "power").hierarchical.area_um2,
                ),
                ("at another clock: give --clock", lambda: tight("area_um2")),
            ),
            0.001,
        ),
        Question(
            "slack",
            f"{asked}: the slack in ns?",
            2,
            lambda: usual(SLACK),
            (
                ("the minimum period: the slack is what is left", lambda: usual(PERIOD)),
                ("with the wrong sign", lambda: -usual(SLACK)),
            ),
            0.01,
        ),
        Question(
            "frequency",
            f"{asked}: the highest frequency of this netlist in MHz?",
            2,
            lambda: 1000 / usual(PERIOD),
            (
                ("of the clock that was asked for: the slack is left", lambda: 1000 / clock),
                ("1 / slack: take the period, clock - slack", lambda: _per(usual(SLACK))),
                ("1 / (clock + slack)", lambda: _per(clock + usual(SLACK))),
                ("in GHz", lambda: 1 / usual(PERIOD)),
            ),
            0.01,
        ),
        Question(
            "slowest",
            f"{asked}: in which module does the critical path spend most of its time? (its name "
            "as in the table, such as DigitLoop)",
            2,
            lambda: slowest(flow(design, clock, "power")),
            (
                (
                    "where the path begins",
                    lambda: (
                        flow(design, clock, "power").critical_path.through[0].module.split("__")[0]
                    ),
                ),
            ),
        ),
        Question(
            "time",
            f"{asked}: how many ns does workload e take through the port, at this clock?",
            2,
            lambda: port_cycles(design, "e") * clock,
            (
                ("at the minimum period", lambda: port_cycles(design, "e") * usual(PERIOD)),
                ("workload d", lambda: port_cycles(design, "d") * clock),
                ("of the window of the power analysis", lambda: window().cycles * clock),
                ("a number of cycles: multiply by the period", lambda: port_cycles(design, "e")),
            ),
            0.002,
        ),
        Question(
            "energy",
            f"{asked}: the energy of workload e in pJ, without glitches, less its dummy call?",
            2,
            lambda: 1000 * usual("energy_e_nj"),
            (
                ("in nJ", lambda: usual("energy_e_nj")),
                ("with glitches", lambda: 1000 * usual("energy_glitches_e_nj")),
                ("of workload d", lambda: 1000 * usual("energy_d_nj")),
                ("with the dummy call: subtract it", lambda: 1000 * window().energy_nj),
                ("a power, in uW: energy is power times time", lambda: 1000 * usual("power_e_mw")),
            ),
            0.01,
        ),
        Question(
            "tight",
            f"{design} at {NBITS} bits and {TIGHT:g} ns: by how many per cent is it larger than at "
            f"{clock:g} ns?",
            2,
            larger,
            (
                ("the ratio of the areas", lambda: tight("area_um2") / usual("area_um2")),
                ("in um2", lambda: tight("area_um2") - usual("area_um2")),
                (
                    "a part of the larger area",
                    lambda: 100 * (1 - usual("area_um2") / tight("area_um2")),
                ),
            ),
            0.02,
        ),
        Question(
            "tight_slack",
            f"{design} at {NBITS} bits and {TIGHT:g} ns: the slack in ns? (negative if missed)",
            2,
            lambda: tight(SLACK),
            (
                ("of the wrong sign", lambda: -tight(SLACK)),
                ("the minimum period", lambda: tight(PERIOD)),
                ("at the other clock", lambda: usual(SLACK)),
            ),
            0.02,
        ),
    ]


def _per(ns: float) -> float:
    return 1000 / ns if ns else 0.0


LAB = Lab("4", "the flow: area, slack, slowest path, energy, and what a clock does", "1", ask)
