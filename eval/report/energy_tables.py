"""Power and energy in the report: accelerators, and document 001's table 3 beside our systems."""

from dataclasses import dataclass
from typing import Any

from eval.catalog.processor import SYSTEM, TABLE_1, Processor
from eval.report.tabulate import Grid, Line, class_name
from eval.study.results import StudyResult
from eval.tasks.harden import POWER
from eval.tasks.measure import Hardening
from eval.tasks.metrics import METRICS

MODULES_SHOWN = 8
PARTS = ("clock", "internal", "switching", "leakage")
METHOD = (
    "Gate-level simulation of the mapped netlist, every output compared with the RTL's in every "
    "cycle; power from the Liberty tables by the toggles of each net; wires by the library's wire "
    "load; ideal clock without buffers and without gating. Energy: power x cycles x clock period, "
    "less that of {dummy}. The simulation without delays misses glitches; with glitches: raised "
    "by what cycles sampled evenly show when the cells' delays are simulated, too."
)


@dataclass(frozen=True)
class Printed:
    """A column of document 001's table 3: mW, nJ of a call less a dummy call, and of that."""

    power_mw: float
    energy_nj: float
    dummy_nj: float


# Document 001's systems by what is attached and the program's variant.
TITLES = {(s.attached, s.variant): s.title for s in TABLE_1}
PRINTED = {
    ("naive C", "e"): Printed(3.46, 35.50, 4.78),
    ("naive C", "d"): Printed(3.38, 81.37, 4.81),
    ("Montgomery C", "e"): Printed(5.33, 58.09, 4.78),
    ("Montgomery C", "d"): Printed(5.71, 89.22, 4.81),
    ("naive accelerator", "e"): Printed(4.55, 11.53, 7.78),
    ("naive accelerator", "d"): Printed(4.20, 19.82, 7.80),
    ("Montgomery accelerator", "e"): Printed(6.93, 2.86, 7.99),
    ("Montgomery accelerator", "d"): Printed(7.08, 4.46, 8.01),
}

POINT_METRICS = (
    *("area_um2", "power_idle_mw", "power_e_mw", "power_d_mw"),
    *("energy_e_nj", "energy_d_nj", "energy_glitches_e_nj", "energy_glitches_d_nj"),
    "toggle_factor_d",
)


def accelerators_grid(found: StudyResult) -> Grid | None:
    """Power and energy of the accelerators; None if the study has none that were measured."""
    lines = [
        Line(
            (
                str(p.point),
                *(METRICS[m].format(p.metrics.get(m)) for m in POINT_METRICS),
            ),
            (energy_command(p.point, found.study.clock_ns),),
        )
        for p in found.points
        if "energy_e_nj" in p.metrics
    ]
    if not lines:
        return None
    return Grid(
        f"Power and energy of the accelerators at {found.study.clock_ns:g} ns",
        (
            *("design", "area\num2", "idle\nmW", "e\nmW", "d\nmW", "e\nnJ", "d\nnJ"),
            *("e with\nglitches\nnJ", "d with\nglitches\nnJ", "toggle\nratio"),
        ),
        tuple(lines),
        note=METHOD.format(dummy="the same accesses without a go")
        + " Toggle ratio: those with delays over those without, workload d.",
    )


@dataclass(frozen=True)
class SystemEnergy:
    """A program on a system: what a call took, less a dummy call."""

    title: str
    processor: Processor
    workload: str
    row: dict[str, Any]
    area_um2: float
    clock_share: float
    printed: Printed | None

    @property
    def cycles(self) -> int:
        """Cycles of the call, less those of the dummy call."""
        return self.row["cycles"]


def system_energies(found: StudyResult) -> list[SystemEnergy]:
    """All that the study measured without gated clocks, document 001's systems first."""
    rows = []
    for task, result in found.processors.items():
        for name, row in result.get("energy", {}).get("operations", {}).items():
            variant, workload = name.rsplit("_", 1)
            processor = task.point
            window = result["energy"]["windows"][name]["power_mw"]
            title = TITLES.get((processor.attached, variant), processor.attached)
            printed = PRINTED.get((title, workload))
            area = result["metrics"]["area_um2"]
            share = window["clock"] / window["total"]
            rows.append(SystemEnergy(title, processor, workload, row, area, share, printed))
    order = [system.title for system in TABLE_1]
    return sorted(rows, key=lambda r: order.index(r.title) if r.title in order else len(order))


def systems_grid(found: StudyResult) -> Grid | None:
    """Document 001's table 3: power and energy of a call; None if no system was measured."""
    clock = found.study.clock_ns
    energies, lines = system_energies(found), []
    for energy in energies:
        row, printed = energy.row, energy.printed
        ours = row["energy_with_glitches_nj"]
        lines.append(
            Line(
                (
                    energy.title,
                    energy.workload,
                    f"{energy.area_um2:.0f}",
                    str(energy.cycles),
                    f"{row['power_mw']:.2f}",
                    f"{row['energy_nj']:.2f}",
                    f"{ours:.2f}",
                    f"{printed.power_mw:.2f}" if printed else "-",
                    f"{printed.energy_nj:.2f}" if printed else "-",
                    f"{ours / printed.energy_nj:.2f}" if printed else "-",
                ),
                (energy_command(energy.processor, clock),),
            )
        )
    if not lines:
        return None
    shares = sorted(energy.clock_share for energy in energies)
    return Grid(
        "Power and energy of a call on the processor, beside document 001's table 3",
        (
            *("system", "work-\nload", "area\num2", "cycles", "power\nmW", "energy\nnJ"),
            *("with\nglitches\nnJ", "001:\nmW", "001:\nnJ", "ours /\n001"),
        ),
        tuple(lines),
        words=(0, 1),
        note=METHOD.format(dummy="the same call returning a constant")
        + " Power: the mean over the whole call. The divider always takes 32 steps. The ratio is "
        f"that of the energies with glitches. Of the power without glitches the clock takes "
        f"{shares[0]:.0%} to {shares[-1]:.0%}: every register is clocked in every cycle; the "
        "document does not say whether its synthesis gates clocks.",
    )


def windows_grid(target: str, energy: dict[str, Any]) -> Grid:
    """Power of each window by component, with and without glitches."""
    lines = []
    for name, window in energy["windows"].items():
        power, sampled = window["power_mw"], window.get("sampled", {})
        lines.append(
            Line(
                (
                    name.replace("_", " "),
                    str(window["cycles"]),
                    *(f"{power[part]:.2f}" for part in PARTS),
                    f"{power['total']:.2f}",
                    f"{window['energy_nj']:.2f}",
                    f"{window['energy_with_glitches_nj']:.2f}",
                    f"{sampled['toggle_factor']:.2f}" if sampled else "-",
                )
            )
        )
    return Grid(
        f"Power of {target} in each window, mW",
        (
            *("window", "cycles", *PARTS, "all", "energy\nnJ"),
            *("with\nglitches\nnJ", "toggle\nratio"),
        ),
        tuple(lines),
        note="Energies of the whole window. Toggles: with delays over without, in the sampled "
        "cycles.",
    )


def modules_grid(target: str, energy: dict[str, Any]) -> Grid:
    """Power by module in the last window, the cells directly inside all instances."""
    name, window = list(energy["windows"].items())[-1]
    total = window["power_mw"]["total"]
    lines = [
        Line(
            (
                class_name(row["module"]),
                *(f"{row[part]:.3f}" for part in (*PARTS, "total")),
                f"{100 * row['total'] / total:.1f}",
            )
        )
        for row in window["modules"][:MODULES_SHOWN]
    ]
    return Grid(
        f"Power of {target} by module, window {name.replace('_', ' ')}, mW",
        ("module", *PARTS, "all", "share, %"),
        tuple(lines),
    )


def operations_grid(energy: dict[str, Any]) -> Grid:
    """Energy of each operation, less its dummy call."""
    lines = [
        Line(
            (
                name.replace("_", " "),
                str(row["cycles"]),
                f"{row['energy_nj']:.3f}",
                f"{row['energy_with_glitches_nj']:.3f}",
                f"{row['dummy_energy_nj']:.3f}",
            )
        )
        for name, row in energy["operations"].items()
    ]
    return Grid(
        "Energy of an operation, less its dummy call",
        ("operation", "cycles", "energy\nnJ", "with glitches\nnJ", "dummy call\nnJ"),
        tuple(lines),
    )


def energy_command(point: Any, clock_ns: float, gated: bool = False, to: str = POWER) -> str:
    """The command that reproduces power and energy, or what is after that."""
    option = " --gated" if gated else ""
    return f"modexplorer flow {point.arguments} --clock {clock_ns:.10g} --to {to}{option}"


def energy_task(task: Hardening) -> bool:
    """Whether a unit's energy can be measured: of an accelerator, or a processor with one."""
    return task.unit == "accelerator" or (
        task.unit == SYSTEM and isinstance(task.point, Processor) and task.point.attached != ""
    )
