"""What gated clocks are worth: energies, areas and slacks of the same design without and with them,
beside document 001's table 3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from eval.catalog.processor import Processor
from eval.catalog.workloads import WORKLOADS
from eval.report.energy_tables import PRINTED, TITLES, energy_command
from eval.report.tabulate import Grid, Line
from eval.study.results import StudyResult
from eval.tasks.harden import Target

ENERGY = "energy_with_glitches_nj"


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


@dataclass(frozen=True)
class Pair:
    """What the flow says of a unit without and with gated clocks."""

    target: Target
    plain: dict[str, Any]
    gated: dict[str, Any]

    def commands(self, clock_ns: float) -> tuple[str, ...]:
        """The commands that reproduce both."""
        return tuple(energy_command(self.target, clock_ns, option) for option in (False, True))


def pairs(found: StudyResult) -> list[Pair]:
    """All units of the study that were measured without and with gated clocks."""
    results = found.hardened
    return [
        Pair(task.point, results[without], result)
        for task, result in results.items()
        if task.gated and (without := replace(task, gated=False)) in results
    ]


def gating_grids(found: StudyResult) -> tuple[Grid, ...]:
    """Areas and energies of each pair; none if there are no pairs."""
    both = pairs(found)
    if not both:
        return ()
    clock = found.study.clock_ns
    with_energy = [pair for pair in both if "energy" in pair.plain and "energy" in pair.gated]
    return (
        _areas(both, clock),
        *([_energies(with_energy, clock)] if with_energy else []),
    )


def _areas(both: list[Pair], clock_ns: float) -> Grid:
    lines = []
    for pair in both:
        gating, results = pair.gated["gating"], (pair.plain, pair.gated)
        slack = gating["enable_slack_ns"]
        cells = (
            *(f"{result['metrics']['area_um2']:.0f}" for result in results),
            *(f"{result['metrics']['setup_slack_ns']:.2f}" for result in results),
            "-" if slack is None else f"{slack:.2f}",
            *(str(gating[name]) for name in ("clock_gates", "gated_registers", "registers")),
        )
        lines.append(Line((str(pair.target), *cells), pair.commands(clock_ns)))
    return Grid(
        f"Gated clocks: area and slack without and with them, at {clock_ns:g} ns",
        (
            *("design", "area\num2", "\ngated", "slack\nns", "\ngated", "of\nenables"),
            *("gates", "regis-\nters\ngated", "of"),
        ),
        tuple(lines),
        note="A gate clocks registers with one enable, as yosys finds it. The clock is ideal in "
        "front of gates and behind them: the slack does not have what a clock tree behind a gate "
        "would want of its enable.",
    )


def _energies(both: list[Pair], clock_ns: float) -> Grid:
    lines = []
    for pair in both:
        for title, name, workload in _operations(pair):
            printed = PRINTED.get((title, workload))
            energies = [
                result["energy"]["operations"][name][ENERGY] for result in (pair.plain, pair.gated)
            ]
            cells = (
                *(f"{100 * _clock_share(result, name):.0f}" for result in (pair.plain, pair.gated)),
                f"{100 * pair.gated['clocked'][name]:.0f}",
                *(f"{energy:.2f}" for energy in energies),
                f"{energies[1] / energies[0]:.2f}",
                f"{printed.energy_nj:.2f}" if printed else "-",
                *(f"{energy / printed.energy_nj:.2f}" if printed else "-" for energy in energies),
            )
            lines.append(Line((title, workload, *cells)))
    return Grid(
        f"Gated clocks: energy of an operation without and with them, at {clock_ns:g} ns",
        (
            *("design", "work-\nload", "clock\n%", "\ngated", "clock-\ned, %", "energy\nnJ"),
            *("\ngated", "gated\n/ plain", "001:\nnJ", "plain\n/ 001", "gated\n/ 001"),
        ),
        tuple(lines),
        words=(0, 1),
        note="Energies with glitches, less those of a dummy call. Clock: its share of the power in "
        "the window, without glitches. Clocked: in how many of all cycles a register is clocked, "
        "the mean over all registers with gates.",
    )


def _operations(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """Title, operation and workload; systems of document 001 by its titles."""
    target, attached = pair.target, None
    name = str(target)
    if isinstance(target, Processor):
        attached, name = target.attached, f"with {target.attached}-{target.nbits}"
    names = pair.plain["energy"]["operations"]
    for variant in dict.fromkeys(name.rpartition("_")[0] for name in sorted(names, reverse=True)):
        title = TITLES.get((attached, variant), name)
        for workload in WORKLOADS:
            yield title, f"{variant}_{workload}" if variant else workload, workload


def _clock_share(result: dict[str, Any], window: str) -> float:
    power = result["energy"]["windows"][window]["power_mw"]
    return power["clock"] / power["total"]
