"""Power and energy of accelerators, and of calls on the processor beside document 001's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.catalog.processor import SYSTEM
from eval.printed.document_001 import Call
from eval.tasks.flow_run.grids import Rows, class_name, plain
from eval.tasks.flow_run.sampling import LONG
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.grid import Grid, Line, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.systems import ALL_SYSTEMS, System, system_of
from eval.tasks.unit import ACCELERATOR
from flow.results.energy import Energy, Operation, Power

MODULES_SHOWN = 8
PARTS = ("clock", "internal", "switching", "leakage")
METHOD = (
    "Gate-level simulation of the mapped netlist, every output compared with the RTL's in every "
    "cycle; power from the Liberty tables by the toggles of each net; wires by the library's wire "
    "load; ideal clock without buffers and without gating. Energy: power x cycles x clock period, "
    "less that of {dummy}. The simulation without delays misses glitches; with glitches: raised "
    "by what cycles sampled evenly show when the cells' delays are simulated, too."
)
SAMPLED = (
    f" Of operations of more than {LONG} cycles pieces are simulated, each from the RTL's state "
    "and back to it; the error, twice the standard error by their spread, is of the energy of d "
    "with glitches."
)
ERROR_D = "energy_error_d_nj"
POINT_METRICS = (
    *("area_um2", "power_idle_mw", "power_e_mw", "power_d_mw"),
    *("energy_e_nj", "energy_d_nj", "energy_glitches_e_nj", "energy_glitches_d_nj"),
    "toggle_factor_d",
)


def accelerators_grid(rows: Rows) -> Grid | None:
    """Show power and energy of the accelerators; None if none were measured."""
    found = {
        task: result
        for task, result in plain(rows).items()
        if task.unit == ACCELERATOR and result.energy
    }
    clocks = {f"{task.clock_ns:g} ns" for task in found}
    sampled = any(ERROR_D in result.metrics for result in found.values())
    errors = [ERROR_D] * sampled
    return grid(
        f"Power and energy of the accelerators at {', '.join(clocks)}",
        (
            words("design")
            + numbers(1, "area\num2")
            + numbers(2, "idle\nmW", "e\nmW", "d\nmW", "e\nnJ", "d\nnJ")
            + numbers(2, "e with\nglitches\nnJ", "d with\nglitches\nnJ", "toggle\nratio")
            + numbers(2, *["error\nof d\nnJ"] * sampled)
        ),
        (
            line(
                marked(task.point, result.metrics.get("setup_slack_ns")),
                *(result.metrics[m] for m in POINT_METRICS),
                *(result.metrics.get(m) for m in errors),
                commands=(task.command_to(POWER),),
            )
            for task, result in found.items()
        ),
        METHOD.format(dummy="the same accesses without a go")
        + " Toggle ratio: those with delays over those without, workload d."
        + SAMPLED * sampled,
    )


@dataclass(frozen=True)
class SystemEnergy:
    """What a call on a system takes, and what document 001 prints of it."""

    system: System | None
    title: str
    task: FlowRun
    workload: str
    row: Operation
    area_um2: float
    clock_share: float

    @property
    def printed(self) -> Call | None:
        """What the document prints of the call."""
        return self.system and self.system.printed.calls[self.workload]


def system_energies(rows: Rows) -> list[SystemEnergy]:
    """List what was measured without gated clocks, document 001's systems first."""
    found = []
    for task, result in plain(rows).items():
        if task.unit != SYSTEM or not result.energy:
            continue
        for name, row in result.energy.operations.items():
            variant, workload = name.rsplit("_", 1)
            system = system_of(task.point.attached, variant)
            title = system.title if system else task.point.attached
            found.append(
                SystemEnergy(
                    system,
                    marked(task.point, result.metrics.get("setup_slack_ns"), title),
                    task,
                    workload,
                    row,
                    result.metrics["area_um2"],
                    result.energy.windows[name].power_mw.clock_share,
                )
            )
    last = len(ALL_SYSTEMS)
    return sorted(found, key=lambda r: ALL_SYSTEMS.index(r.system) if r.system else last)


def systems_grid(rows: Rows) -> Grid | None:
    """Show document 001's table 3: power and energy of a call; None if no system was measured."""
    energies = system_energies(rows)
    if not energies:
        return None
    shares = sorted(energy.clock_share for energy in energies)
    return grid(
        "Power and energy of a call on the processor, beside document 001's table 3",
        (
            words("system", "work-\nload")
            + numbers(0, "area\num2", "cycles")
            + numbers(2, "power\nmW", "energy\nnJ", "with\nglitches\nnJ")
            + numbers(2, "001:\nmW", "001:\nnJ", "ours /\n001")
        ),
        (_system_line(energy) for energy in energies),
        METHOD.format(dummy="the same call returning a constant")
        + " Power: the mean over the whole call. The divider always takes 32 steps. The ratio is "
        f"that of the energies with glitches. Of the power without glitches the clock takes "
        f"{shares[0]:.0%} to {shares[-1]:.0%}: every register is clocked in every cycle; the "
        "document does not say whether its synthesis gates clocks.",
    )


def table_3_grid(rows: Rows) -> Grid | None:
    """Show document 001's table 3 as it stands: energies of whole calls, and of the dummy call;
    None if none of its systems was measured."""
    energies = [energy for energy in system_energies(rows) if energy.system]
    return grid(
        "Table 3 of document 001: energies of whole calls and of the dummy call, nJ",
        (
            words("system", "work-\nload")
            + numbers(2, "001:\nenergy", "ours")
            + numbers(2, "001:\ndummy", "ours")
            + numbers(2, "001:\nnormalised", "ours")
        ),
        (_table_3_line(energy) for energy in energies),
        "With glitches. The dummy call returns a constant, on the same system. Normalised: the "
        "difference.",
    )


def _table_3_line(energy: SystemEnergy) -> Line:
    row, printed = energy.row, energy.printed
    normalised, dummy = row.energy_with_glitches_nj, row.dummy_energy_with_glitches_nj
    return line(
        *(energy.title, energy.workload),
        *(printed.energy_nj + printed.dummy_nj, normalised + dummy),
        *(printed.dummy_nj, dummy, printed.energy_nj, normalised),
        commands=(energy.task.command_to(POWER),),
    )


def _system_line(energy: SystemEnergy) -> Line:
    row, printed = energy.row, energy.printed
    ours = row.energy_with_glitches_nj
    cells = (
        *(energy.title, energy.workload, energy.area_um2, row.cycles),
        *(row.power_mw, row.energy_nj, ours, printed and printed.power_mw),
        *(printed and printed.energy_nj, printed and ours / printed.energy_nj),
    )
    return line(*cells, commands=(energy.task.command_to(POWER),))


def energy_grids(target: str, energy: Energy) -> Sequence[Grid | None]:
    """Show all that is known of one unit: its windows, its modules, its operations."""
    return windows_grid(target, energy), modules_grid(target, energy), operations_grid(energy)


def _parts(power: Power) -> Iterator[float]:
    """List the power of each part, and of all."""
    return (getattr(power, part) for part in (*PARTS, "total"))


def windows_grid(target: str, energy: Energy) -> Grid | None:
    """Show the power of each window by component, with and without glitches."""
    return grid(
        f"Power of {target} in each window, mW",
        (
            words("window")
            + numbers(0, "cycles")
            + numbers(2, *PARTS, "all")
            + numbers(2, "energy\nnJ", "with\nglitches\nnJ", "toggle\nratio")
        ),
        (
            line(
                *(name.replace("_", " "), window.cycles, *_parts(window.power_mw)),
                *(window.energy_nj, window.energy_with_glitches_nj),
                window.sampled and window.sampled.toggle_factor,
            )
            for name, window in energy.windows.items()
        ),
        "Energies of the whole window. Toggles: with delays over without, in the sampled cycles.",
    )


def modules_grid(target: str, energy: Energy) -> Grid | None:
    """Show power by module in the last window, of the cells directly inside all instances."""
    name, window = list(energy.windows.items())[-1]
    return grid(
        f"Power of {target} by module, window {name.replace('_', ' ')}, mW",
        (words("module") + numbers(3, *PARTS, "all") + numbers(1, "share, %")),
        (
            line(class_name(m.module), *_parts(m), 100 * m.total / window.power_mw.total)
            for m in window.modules[:MODULES_SHOWN]
        ),
    )


def operations_grid(energy: Energy) -> Grid | None:
    """Show the energy of each operation, less its dummy call, and, if some are long ones of which
    pieces were simulated, by how much theirs may be off."""
    pieces = [energy.windows[name].pieces for name in energy.operations]
    some = [found for found in pieces if found]
    note = ""
    if some:
        note = (
            f"Simulated: {some[0].count} pieces of {some[0].cycles // some[0].count} cycles, one "
            "at a random place in each of as many equal parts, registers as in the RTL before and "
            "after. Error: twice the standard error of their mean, of the energy with glitches."
        )
    return grid(
        "Energy of an operation, less its dummy call",
        (
            words("operation")
            + numbers(0, "cycles")
            + numbers(3, "energy\nnJ", "with glitches\nnJ", *["error\nnJ"] * bool(some))
            + numbers(3, "dummy call\nnJ")
        ),
        (
            line(
                *(name.replace("_", " "), row.cycles, row.energy_nj, row.energy_with_glitches_nj),
                *[row.energy_error_nj] * bool(some),
                row.dummy_energy_nj,
            )
            for name, row in energy.operations.items()
        ),
        note,
    )
