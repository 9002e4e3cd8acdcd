"""Power and energy of accelerators, and of calls on the processor."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.catalog.processor import SYSTEM
from eval.table import Columns, Grid, Row, Table, numbers, words
from eval.tasks.columns import SLACK, marked_by
from eval.tasks.flow_run.grids import Rows, class_name, plain
from eval.tasks.flow_run.task import LONG, POWER
from eval.tasks.marks import marked
from eval.tasks.unit import ACCELERATOR
from flow.results.energy import Energy, Window

MODULES_SHOWN = 8
PARTS = ("clock", "internal", "switching", "leakage")
METHOD = (
    "Gate-level simulation of the mapped netlist, every output compared with the RTL's in every "
    "cycle; power from the Liberty tables by the toggles of each net; wires by the library's wire "
    "load; ideal clock without buffers and without gating. Energy: power x cycles x clock period, "
    "less that of {dummy}. The simulation without delays misses glitches; with glitches: the "
    "cells' delays are simulated, too, in all cycles unless there is an error."
)
ERROR = "Error: twice the standard error of a mean, of the energy with glitches."
SAMPLED = (
    f" Of operations of more than {LONG} cycles pieces are simulated, each from the RTL's state "
    "and back to it; of those of more than 10^9 cycles x nets, some cycles with delays. " + ERROR
)
ERROR_OF = "energy_error_{}_nj"


class SystemEnergy(Row):
    """What a call on a system takes, and what a document prints of it."""


def system_energies(rows: Rows) -> list[SystemEnergy]:
    """List what was measured without gated clocks, the benchmark's systems first."""
    from eval.documents.systems import printed_call
    from eval.tasks.systems import ALL_SYSTEMS, system_of

    found = []
    for task, result in plain(rows).items():
        if task.unit != SYSTEM or not result.energy:
            continue
        for name, row in result.energy.operations.items():
            variant, workload = name.rsplit("_", 1)
            system = system_of(task.point.attached, variant)
            title = system.title if system else task.point.attached
            energy = SystemEnergy(
                *(task, row),
                **{"system": system, "workload": workload, "row": row},
                title=marked(task.point, result.metrics.get("setup_slack_ns"), title),
                printed=printed_call(system, workload),
                area_um2=result.metrics["area_um2"],
                clock_share=result.energy.windows[name].power_mw.clock_share,
            )
            found.append(energy)
    last = len(ALL_SYSTEMS)
    return sorted(found, key=lambda r: ALL_SYSTEMS.index(r.system) if r.system else last)


def accelerators_grid(rows: Rows) -> Grid | None:
    """Show power and energy of the accelerators; None if none were measured."""
    found = {
        task: result
        for task, result in plain(rows).items()
        if task.unit == ACCELERATOR and result.energy
    }
    clocks = {f"{task.clock_ns:g} ns" for task in found}
    sampled = [
        operation
        for operation in ("e", "d")
        if any(ERROR_OF.format(operation) in result.metrics for result in found.values())
    ]
    return Table(
        f"Power and energy of the accelerators at {', '.join(clocks)}",
        marked_by(SLACK, "point")
        + numbers(1, {"area\num2": "area_um2"})
        + numbers(2, {"idle\nmW": "power_idle_mw", "e\nmW": "power_e_mw", "d\nmW": "power_d_mw"})
        + numbers(2, {"e\nnJ": "energy_e_nj", "d\nnJ": "energy_d_nj"})
        + numbers(2, {"e with\nglitches\nnJ": "energy_glitches_e_nj"})
        + numbers(2, {"d with\nglitches\nnJ": "energy_glitches_d_nj"})
        + numbers(2, {"toggle\nratio": "toggle_factor_d"})
        + numbers(
            2, {f"error\nof {one}\nnJ": f"metrics.{ERROR_OF.format(one)}" for one in sampled}
        ),
        METHOD.format(dummy="the same accesses without a go")
        + " Toggle ratio: those with delays over those without, workload d."
        + SAMPLED * bool(sampled),
        commands=to_power,
    ).of(found)


def to_power(row: Row) -> str:
    """Return the command that reproduces the energies of a row."""
    return row.task.command_to(POWER)


def _parts(power: str, digits: int) -> Columns:
    """Show the power of each part, and of all."""
    return numbers(digits, {part: power + part for part in PARTS} | {"all": f"{power}total"})


def energy_grids(target: str, energy: Energy) -> Sequence[Grid | None]:
    """Show all that is known of one unit: its windows, its modules, its operations."""
    return windows_grid(target, energy), modules_grid(target, energy), operations_grid(energy)


def _named(found: Mapping[str, Any]) -> list[Row]:
    return [Row(None, of, name=name.replace("_", " ")) for name, of in found.items()]


def windows_grid(target: str, energy: Energy) -> Grid | None:
    """Show the power of each window by component, with and without glitches."""
    return Table(
        f"Power of {target} in each window, mW",
        words({"window": "name"})
        + numbers(0, {"cycles": "cycles"})
        + _parts("power_mw.", 2)
        + numbers(2, {"energy\nnJ": "energy_nj", "with\nglitches\nnJ": "energy_with_glitches_nj"})
        + numbers(2, {"toggle\nratio": "sampled.toggle_factor"}),
        "Energies of the whole window. Toggles: with delays over without, in the sampled cycles.",
    ).of(_named(energy.windows))


def modules_grid(target: str, energy: Energy) -> Grid | None:
    """Show power by module in the last window, of the cells directly inside all instances."""
    name, window = list(energy.windows.items())[-1]
    return Table(
        f"Power of {target} by module, window {name.replace('_', ' ')}, mW",
        words({"module": lambda m: class_name(m.module)})
        + _parts("", 3)
        + numbers(1, {"share, %": lambda m: 100 * m.total / window.power_mw.total}),
    ).of(window.modules[:MODULES_SHOWN])


def operations_grid(energy: Energy) -> Grid | None:
    """Show the energy of each operation, less its dummy call, and, if not all cycles of some were
    simulated with delays, by how much theirs may be off."""
    some = [window for name in energy.operations if (window := energy.windows[name]).pieces]
    return Table(
        "Energy of an operation, less its dummy call",
        words({"operation": "name"})
        + numbers(0, {"cycles": "cycles"})
        + numbers(3, {"energy\nnJ": "energy_nj", "with glitches\nnJ": "energy_with_glitches_nj"})
        + numbers(3, {"error\nnJ": "energy_error_nj"} if some else {})
        + numbers(3, {"dummy call\nnJ": "dummy_energy_nj"}),
        " ".join([*dict.fromkeys(map(_simulated, some)), ERROR * bool(some)]).rstrip(),
    ).of(_named(energy.operations))


def _simulated(window: Window) -> str:
    """Say of which cycles the energy of a long window is."""
    pieces, sampled = window.pieces, window.sampled
    assert pieces, "a window of pieces"
    assert sampled, "pieces have sampled cycles"
    if pieces.cycles == window.cycles:
        return (
            f"Simulated with delays: {sampled.cycles} of {window.cycles} cycles, in stretches "
            f"at random places in {pieces.count} equal parts; without: all."
        )
    return (
        f"Simulated: {pieces.count} pieces of {pieces.cycles // pieces.count} cycles, one at a "
        "random place in each of as many equal parts, registers as in the RTL before and after."
    )
