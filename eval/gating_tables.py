"""What gated clocks are worth: energies, areas and slacks of the same design without and with them,
beside document 001's table 3."""

from dataclasses import replace
from typing import Any

from eval.energy_tables import PRINTED, energy_command
from eval.harden import Target
from eval.measure import Hardening
from eval.results import StudyResult
from eval.systems import TABLE_1, Processor
from eval.tabulate import Grid, Line

ENERGY = "energy_with_glitches_nj"
TITLES = {(s.attached, s.variant): s.title for s in TABLE_1}


def gating_text(gating: dict[str, Any]) -> str:
    """How many clock gates a netlist has, what they clock, and how early their enables are."""
    if not gating["clock_gates"]:
        least = gating["least_registers"]
        return f"Gated clocks: none, no enable has {least} registers or more"
    return (
        f"Gated clocks: {gating['clock_gates']} gates clock {gating['gated_registers']} of "
        f"{gating['registers']} registers, {gating['least_registers']} each at least; slack of "
        f"their enables {gating['enable_slack_ns']:.3f} ns"
    )


def gating_grid(found: StudyResult) -> Grid | None:
    """Each operation of what was measured both without gates and with; None if nothing was."""
    plain_results = {
        **{
            Hardening(p.point, unit, found.study.clock_ns): result
            for p in found.points
            for unit, result in p.units.items()
        },
        **found.processors,
    }
    lines = []
    for task, gated in found.of(Hardening).items():
        plain = plain_results.get(replace(task, gated=False), {})
        if "energy" in plain and "energy" in gated:
            lines += _lines(task.point, found.study.clock_ns, plain, gated)
    if not lines:
        return None
    return Grid(
        f"Gated clocks: energy of an operation without and with them, at {found.study.clock_ns:g} "
        "ns",
        (
            *("design", "work-\nload", "area\num2", "\ngated", "slack\nns", "\ngated"),
            *("clock\n%", "\ngated", "clocked\n%", "energy\nnJ", "\ngated"),
            *("gated /\nplain", "001:\nnJ", "gated /\n001"),
        ),
        tuple(lines),
        words=(0, 1),
        note="Energies with glitches, less those of a dummy call. Clock: its share of the power in "
        "the window. Clocked: the cycles in which a register is clocked, the mean over all "
        "registers with gates. A gate opens for registers with one enable, as yosys finds it; the "
        "clock is ideal in front of gates and behind them: the slack does not have the delay "
        "that a tree would put behind a gate.",
    )


def _lines(
    target: Target, clock_ns: float, plain: dict[str, Any], gated: dict[str, Any]
) -> list[Line]:
    commands = tuple(energy_command(target, clock_ns, option) for option in (False, True))
    lines = []
    for name, row in plain["energy"]["operations"].items():
        variant, _, workload = name.rpartition("_")
        printed = None
        title = str(target)
        if isinstance(target, Processor):
            title = TITLES.get((target.attached, variant), target.attached)
            printed = PRINTED.get((title, workload))
        ours, with_gates = row[ENERGY], gated["energy"]["operations"][name][ENERGY]
        both = (plain, gated)
        cells = [
            *(f"{result['metrics']['area_um2']:.0f}" for result in both),
            *(f"{result['metrics']['setup_slack_ns']:.2f}" for result in both),
            *(f"{100 * _clock_share(result, name):.0f}" for result in both),
            f"{100 * gated['clocked'][name]:.0f}",
            *(f"{energy:.2f}" for energy in (ours, with_gates)),
            f"{with_gates / ours:.2f}",
            f"{printed.energy_nj:.2f}" if printed else "-",
            f"{with_gates / printed.energy_nj:.2f}" if printed else "-",
        ]
        lines.append(Line((title, workload, *cells), commands if not lines else ()))
    return lines


def _clock_share(result: dict[str, Any], window: str) -> float:
    power = result["energy"]["windows"][window]["power_mw"]
    return power["clock"] / power["total"]
