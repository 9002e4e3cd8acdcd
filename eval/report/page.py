"""The report of a study: one self-contained page, and the same tables on the terminal."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from eval.catalog.processor import Processor
from eval.catalog.workloads import RULE
from eval.report.beside import beside_grid, comparisons, parts_grid, reasons
from eval.report.energy_tables import accelerators_grid as energy_grid
from eval.report.energy_tables import systems_grid as systems_energy_grid
from eval.report.flow_tables import clocks_grid, noise_grid, proofs_grid
from eval.report.fpga_tables import device_grid, printed_grid
from eval.report.gating_tables import gating_grids
from eval.report.grid_000 import fixed_multiplier_grids
from eval.report.grid_000_exp import exponentiator_grid, reasons_000
from eval.report.grid_004 import table_004_grid
from eval.report.layout_tables import layouts_grid, pictures
from eval.report.overview import compared_widths, overview_grids
from eval.report.pareto import fronts_grid
from eval.report.systems_reasons import system_reasons
from eval.report.systems_tables import processors_grid, systems_grid
from eval.report.tabulate import (
    Grid,
    area_grid,
    cycles_grid,
    mapping_grid,
    module_grid,
    path_grid,
    tools_grid,
)
from eval.study.results import StudyResult, as_json, compared
from eval.tasks.clocks import Curve
from eval.tasks.fpga import OnFpga
from eval.tasks.layout import Layout
from eval.tasks.noise import Noise

TEMPLATES = Path(__file__).parent / "templates"
# The parts of the page in their order, with their heading; one that is tables has theirs.
PAGE = {
    "overview": None,
    "chart": "Designs beside each other",
    "results": None,
    "energy_chart": "Where energy goes",
    "pictures": "Where the cells are",
    "beside": None,
    "reasons": "Why ours differ",
    "details": None,
    "rule": "Workloads",
}


@dataclass(frozen=True)
class Report:
    """What the report shows, in its order: an overview, results, the documents' beside, why,
    details."""

    overview: tuple[Grid, ...]
    results: tuple[Grid, ...]
    beside: tuple[Grid, ...]
    reasons: tuple[str, ...]
    details: tuple[Grid, ...]


def result_overview(found: StudyResult) -> tuple[Grid, ...]:
    """Designs beside each other, and which of them are best."""
    fronts = (
        fronts_grid(found, [p for p in found.points if p.point.nbits == nbits])
        for nbits in compared_widths(found)
    )
    return (*overview_grids(found), *(grid for grid in fronts if grid))


def result_grids(found: StudyResult) -> tuple[Grid, ...]:
    """The tables of all that the study measures."""
    points = (cycles_grid(found), area_grid(found)) if found.study.points else ()
    energies = (
        energy_grid(found),
        systems_energy_grid(found),
        *gating_grids(found),
        proofs_grid(found),
    )
    others = (
        *(systems_grid(found), processors_grid(found), *energies, table_004_grid(found)),
        *(clocks_grid(found.of(Curve)), noise_grid(found.of(Noise))),
        *(device_grid(found.of(OnFpga)), printed_grid(found.of(OnFpga))),
        layouts_grid(found.of(Layout)),
        *fixed_multiplier_grids(found),
        exponentiator_grid(found),
    )
    return tuple(grid for grid in (*points, *others) if grid)


def build_report(found: StudyResult) -> Report:
    """All grids of a study."""
    beside = [beside_grid(found), *(parts_grid(p) for p in found.points if compared(p.point))]
    hardened = [(task, result) for task, result in found.hardened.items() if not task.gated]
    modules = [
        module_grid(task, result)
        for task, result in hardened
        if task.point == Processor() or (task.unit == "accelerator" and compared(task.point))
    ]
    return Report(
        overview=result_overview(found),
        results=result_grids(found),
        beside=tuple(grid for grid in beside if grid),
        reasons=tuple(all_reasons(found)),
        details=(
            *modules,
            *([mapping_grid(hardened), path_grid(hardened)] if hardened else []),
            tools_grid(found),
        ),
    )


def all_reasons(found: StudyResult) -> list[str]:
    """Sentences on the documents' figures beside ours."""
    return [*reasons(found), *system_reasons(found), *reasons_000(found)]


def html(found: StudyResult) -> str:
    """The page: no date, nothing loaded from elsewhere; equal for equal results."""
    from eval.report.chart import svg
    from eval.report.energy_chart import energy_svg

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["j2", "html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["slug"] = lambda title: re.sub(r"\W+", "-", title.lower())
    report = build_report(found)
    parts: dict[str, Any] = {
        "chart": Markup(svg(found)) if found.study.points else "",
        "energy_chart": Markup(energy_svg(found)),
        "pictures": pictures(found.of(Layout)),
        "rule": RULE,
        **vars(report),
    }
    return environment.get_template("report.html.j2").render(
        study=found.study,
        command=f"modexplorer report {found.study.name}",
        headings=PAGE,
        titles=[
            title
            for part, heading in PAGE.items()
            for title in ([heading] if heading else [grid.title for grid in parts[part]])
            if parts[part]
        ],
        **parts,
    )


def report_json(found: StudyResult) -> dict[str, Any]:
    """The study's results, the documents' figures beside them, and the reasons."""
    return as_json(found) | {
        "beside": [vars(comparison) for comparison in comparisons(found)],
        "reasons": all_reasons(found),
    }
