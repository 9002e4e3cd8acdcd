"""What gated clocks are worth: energies, areas and slacks of the same design without and with them,
beside document 001's table 3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.documents.systems import printed_call
from eval.table import Row, Table, numbers, percent, ratio, words
from eval.tasks.at_clock import GatedClocks
from eval.tasks.columns import WORKLOAD
from eval.tasks.flow_run.grids import Rows
from eval.tasks.flow_run.task import POWER, FlowResult, FlowRun
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

    def operations(self) -> Iterator[Row]:
        """List the operations with their energies and what is printed of them; systems of document
        001 have its titles."""
        target = self.task.point
        energies = [result.energy for result in self.both if result.energy]
        names = sorted(energies[0].operations, reverse=True)
        for variant in dict.fromkeys(name.rpartition("_")[0] for name in names):
            system, title = None, marked(target, self.slack)
            if self.task.unit == SYSTEM:
                system = system_of(target.attached, variant)
                name = system.title if system else f"with {target.attached}-{target.nbits}"
                title = marked(target, self.slack, name)
            for workload in WORKLOADS:
                name = f"{variant}_{workload}" if variant else workload
                plain, gated = (energy.operations[name] for energy in energies)
                clock, with_gates = (
                    energy.windows[name].power_mw.clock_share for energy in energies
                )
                yield Row(
                    *(self.task, self),
                    **{"title": title, "workload": workload, "plain": plain, "gated": gated},
                    **{"clock": clock, "clock_gated": with_gates},
                    clocked=(self.gated.clocked or {})[name],
                    printed=printed_call(system, workload),
                )


def pairs_of(rows: Rows) -> list[Pair]:
    """List the units that were measured without and with gated clocks."""
    found = measured(rows)
    return [
        Pair(without, found[without], result)
        for task, result in found.items()
        if task.gated and (without := replace(task, gated=False)) in found
    ]


def _clock(rows: Rows) -> str:
    return f"at {pairs_of(rows)[0].task.clock_ns:g} ns"


GATED_AREAS = Table(
    lambda rows: f"Gated clocks: area and slack without and with them, {_clock(rows)}",
    words({"design": lambda pair: marked(pair.task.point, pair.slack)})
    + numbers(0, {"area\num2": "plain.metrics.area_um2", "\ngated": "gated.metrics.area_um2"})
    + numbers(2, {"slack\nns": "plain.metrics.setup_slack_ns"})
    + numbers(2, {"\ngated": "gated.metrics.setup_slack_ns"})
    + numbers(2, {"of\nenables": "gated.gating.enable_slack_ns"})
    + numbers(0, {"gates": "gated.gating.clock_gates"})
    + numbers(0, {"regis-\nters\ngated": "gated.gating.gated_registers"})
    + numbers(0, {"of": "gated.gating.registers"}),
    "A gate clocks registers with one enable, as yosys finds it. The clock is ideal in "
    "front of gates and behind them: the slack does not have what a clock tree behind a gate "
    "would want of its enable.",
    rows=pairs_of,
)
PLAIN, GATED = "plain.energy_with_glitches_nj", "gated.energy_with_glitches_nj"
GATED_ENERGIES = Table(
    lambda rows: f"Gated clocks: energy of an operation without and with them, {_clock(rows)}",
    words({"design": "title"})
    + WORKLOAD
    + numbers(0, {"clock\n%": percent("clock"), "\ngated": percent("clock_gated")})
    + numbers(0, {"clock-\ned, %": percent("clocked")})
    + numbers(2, {"energy\nnJ": PLAIN, "\ngated": GATED})
    + numbers(2, {"gated\n/ plain": ratio(GATED, PLAIN), "001:\nnJ": "printed.energy_nj"})
    + numbers(2, {"plain\n/ 001": ratio(PLAIN, "printed.energy_nj")})
    + numbers(2, {"gated\n/ 001": ratio(GATED, "printed.energy_nj")}),
    "Energies with glitches, less those of a dummy call. Clock: its share of the power in "
    "the window, without glitches. Clocked: in how many of all cycles a register is clocked, "
    "the mean over all registers with gates.",
    rows=lambda rows: [
        row
        for pair in pairs_of(rows)
        if pair.plain.energy and pair.gated.energy
        for row in pair.operations()
    ],
)
