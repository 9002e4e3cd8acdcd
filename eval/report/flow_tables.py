"""The tables of the flow's noise, of the area-delay curves and of proofs of equivalence."""

from typing import Any

from eval.report.energy_tables import energy_command
from eval.report.tabulate import Grid, Line
from eval.study.results import StudyResult, command_for
from eval.tasks.clocks import Curve
from eval.tasks.harden import EQUIVALENCE
from eval.tasks.measure import Hardening
from eval.tasks.noise import SEEDS, Noise, area_band


def noise_grid(found: dict[Noise, dict[str, Any]]) -> Grid | None:
    """Each point's figures, and how far the seeds moved them; None if nothing was measured."""
    if not found:
        return None
    lines = []
    for task, result in found.items():
        cells = [task.point.design, str(task.point.nbits)]
        for name, digits in (("area_um2", 1), ("setup_slack_ns", 3)):
            values = [run[name] for run in result["runs"]]
            cells += [f"{value:.{digits}f}" for value in (result["own"][name], *_ends(values))]
        cells.append(f"{100 * area_band([result]):.1f}")
        lines.append(Line(tuple(cells), (task.command,)))
    band = 100 * area_band(found.values())
    return Grid(
        "Noise of the synthesis",
        ("design", "bits", "area,\num2", "\nleast", "\nmost")
        + ("slack,\nns", "\nleast", "\nmost", "area\n+-%"),
        tuple(lines),
        note=f"The same design with nets renamed and modules reordered, {len(SEEDS)} seeds. Areas "
        f"that differ by less than {band:.1f} % are equal as far as this flow can tell.",
    )


def _ends(values: list[float]) -> tuple[float, float]:
    return min(values), max(values)


def clocks_grid(found: dict[Curve, dict[str, Any]]) -> Grid | None:
    """Area and reached period at every clock asked for; None if nothing was measured."""
    if not found:
        return None
    lines = [
        Line(
            (
                task.point.design,
                str(task.point.nbits),
                f"{run['clock_ns']:.3f}",
                f"{run['area_um2']:.1f}",
                f"{run['shortest_period_ns']:.3f}",
                "yes" if run["setup_slack_ns"] >= 0 else "no",
                "shortest" if run["shortest_period_ns"] == result["shortest_period_ns"] else "",
            ),
            (command_for(Hardening(task.point, "accelerator", run["clock_ns"])),),
        )
        for task, result in found.items()
        for run in result["runs"]
    ]
    return Grid(
        "Area for each clock period",
        ("design", "bits", "asked,\nns", "area,\num2", "reached,\nns", "met", ""),
        tuple(lines),
        words=(0, 5, 6),
        note="The smallest netlist of the portfolio that meets the clock, else the fastest.",
    )


def proofs_grid(found: StudyResult) -> Grid | None:
    """Whether each netlist was proved equal to its RTL; None if the study has no proofs."""
    lines = []
    for task, result in found.hardened.items():
        if proof := result.get("equivalence"):
            command = energy_command(task.point, task.clock_ns, task.gated, EQUIVALENCE)
            clocks = "gated" if task.gated else "plain"
            lines.append(Line((str(task.point), clocks, proof["outcome"]), (command,)))
    if not lines:
        return None
    return Grid(
        "Whether netlist and RTL are equal for all inputs and states",
        ("unit", "clocks", "proof"),
        tuple(lines),
        words=(0, 1, 2),
        note="All of them were compared in every cycle of the workloads, too. Registers find their "
        "partners by name.",
    )
