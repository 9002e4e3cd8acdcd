"""What gated clocks are worth: energies, areas and slacks of the same design without and with them,
beside document 001's table 3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.printed.document_001 import Call
from eval.tasks.flow_run.grids import Rows
from eval.tasks.flow_run.task import POWER, FlowResult, FlowRun, GatedClocks
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.section import measured
from eval.tasks.systems import system_of


def gating_text(gating: GatedClocks) -> str:
    """Say how many clock gates a netlist has, what they clock, and how early their enables are."""
    if not gating.clock_gates:
        return f"Gated clocks: none, no enable has {gating.least_registers} registers or more"
    return (
        f"Gated clocks: {gating.clock_gates} gates clock {gating.gated_registers} of "
        f"{gating.registers} registers, {gating.least_registers} each at least; slack of "
        f"their enables {gating.enable_slack_ns:.3f} ns"
    )


@dataclass(frozen=True)
class Pair:
    """What the flow says of a unit without and with gated clocks."""

    task: FlowRun  # without
    plain: FlowResult
    gated: FlowResult

    @property
    def both(self) -> tuple[FlowResult, FlowResult]:
        """The result without gated clocks, and that with them."""
        return self.plain, self.gated

    @property
    def slack(self) -> float:
        """The worse of the two slacks."""
        return min(result.metrics["setup_slack_ns"] for result in self.both)

    @property
    def commands(self) -> tuple[str, str]:
        """The commands that reproduce both."""
        return self.task.command_to(POWER), replace(self.task, gated=True).command_to(POWER)

    def operations(self) -> Iterator[tuple[str, str, str, Call | None]]:
        """List title, workload, name and what is printed of each operation; systems of document 001
        have its titles."""
        target = self.task.point
        names = sorted(self.plain.energy.operations, reverse=True)
        for variant in dict.fromkeys(name.rpartition("_")[0] for name in names):
            system, title = None, marked(target, self.slack)
            if self.task.unit == SYSTEM:
                system = system_of(target.attached, variant)
                name = system.title if system else f"with {target.attached}-{target.nbits}"
                title = marked(target, self.slack, name)
            for workload in WORKLOADS:
                name = f"{variant}_{workload}" if variant else workload
                yield title, workload, name, system and system.printed.calls[workload]


def gating_grids(rows: Rows) -> tuple[Grid | None, ...]:
    """Compare areas and energies of all units that were measured without and with gated clocks."""
    found = measured(rows)
    pairs = [
        Pair(without, found[without], result)
        for task, result in found.items()
        if task.gated and (without := replace(task, gated=False)) in found
    ]
    if not pairs:
        return ()
    clock = f"at {pairs[0].task.clock_ns:g} ns"
    return _areas(pairs, clock), _energies(pairs, clock)


def _areas(pairs: list[Pair], clock: str) -> Grid | None:
    lines = []
    for pair in pairs:
        gating = pair.gated.gating
        cells = (
            *(
                marked(pair.task.point, pair.slack),
                *(result.metrics["area_um2"] for result in pair.both),
            ),
            *(*(result.metrics["setup_slack_ns"] for result in pair.both), gating.enable_slack_ns),
            *(gating.clock_gates, gating.gated_registers, gating.registers),
        )
        lines.append(line(*cells, commands=pair.commands))
    return grid(
        f"Gated clocks: area and slack without and with them, {clock}",
        (
            words("design")
            + numbers(0, "area\num2", "\ngated")
            + numbers(2, "slack\nns", "\ngated", "of\nenables")
            + numbers(0, "gates", "regis-\nters\ngated", "of")
        ),
        lines,
        "A gate clocks registers with one enable, as yosys finds it. The clock is ideal in "
        "front of gates and behind them: the slack does not have what a clock tree behind a gate "
        "would want of its enable.",
    )


def _energies(pairs: list[Pair], clock: str) -> Grid | None:
    return grid(
        f"Gated clocks: energy of an operation without and with them, {clock}",
        (
            words("design", "work-\nload")
            + numbers(0, "clock\n%", "\ngated", "clock-\ned, %")
            + numbers(2, "energy\nnJ", "\ngated", "gated\n/ plain")
            + numbers(2, "001:\nnJ", "plain\n/ 001", "gated\n/ 001")
        ),
        (
            line(title, workload, *_figures(pair, name, printed), commands=pair.commands)
            for pair in pairs
            if pair.plain.energy and pair.gated.energy
            for title, workload, name, printed in pair.operations()
        ),
        "Energies with glitches, less those of a dummy call. Clock: its share of the power in "
        "the window, without glitches. Clocked: in how many of all cycles a register is clocked, "
        "the mean over all registers with gates.",
    )


def _figures(pair: Pair, name: str, printed: Call | None) -> Iterator[float | None]:
    """List the figures of an operation, as the table has them."""
    for result in pair.both:
        yield 100 * result.energy.windows[name].power_mw.clock_share
    yield 100 * pair.gated.clocked[name]
    plain, gated = (r.energy.operations[name].energy_with_glitches_nj for r in pair.both)
    yield from (plain, gated, gated / plain)
    of_001 = printed and printed.energy_nj
    yield from (of_001, of_001 and plain / of_001, of_001 and gated / of_001)
