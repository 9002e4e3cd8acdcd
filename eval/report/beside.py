"""Our figures beside those that the documents print, and what the difference is made of."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from eval.catalog.design import Published
from eval.printed.differences import ALL, DOCUMENTS, LOGIC, PARTS, REGISTERS, Part
from eval.report.tabulate import Grid, Line, modules_of_path
from eval.study.results import PointResult, StudyResult, command_for, compared, unit_of
from eval.tasks.harden import multiplier_row
from eval.tasks.measure import Hardening, Simulation
from eval.tasks.metrics import METRICS


@dataclass(frozen=True)
class Comparison:
    """A published figure and ours; ours is None if it was not measured."""

    design: str
    figure: str  # a metric
    of: str
    nbits: int
    document: float
    ours: float | None
    source: str
    command: str


def comparisons(found: StudyResult) -> list[Comparison]:
    """Every published figure of the study's points beside ours."""
    return [
        comparison
        for p in found.points
        for figure in compared(p.point)
        for comparison in _compare(found.study.clock_ns, p, figure)
    ]


def _compare(clock_ns: float, p: PointResult, figure: Published) -> Iterator[Comparison]:
    def beside(of: str, ours: float | None, command: str) -> Comparison:
        source = f"{figure.source} ({figure.note})" if figure.note else figure.source
        design, nbits = p.point.design, p.point.nbits
        return Comparison(design, figure.what, of, nbits, figure.value, ours, source, command)

    whole = command_for(Hardening(p.point, "accelerator", clock_ns))
    if figure.what.startswith("cycles_"):
        task = Simulation(p.point, figure.what.removeprefix("cycles_"))
        ours = p.metrics.get(f"xcel_{figure.what}")
        yield beside(figure.of, ours, command_for(task, through_port=True))
    elif unit_of(figure) == "accelerator":
        yield beside(figure.of, p.metrics.get(figure.what), whole)
    else:
        if figure.what == "area_um2":
            inside = p.metrics.get("multiplier_area_um2")
            yield beside(f"{figure.of} in the accelerator", inside, whole)
        alone = p.units.get("multiplier", {}).get("metrics", {}).get(figure.what)
        command = command_for(Hardening(p.point, "multiplier", clock_ns))
        yield beside(f"{figure.of} by itself", alone, command)


def beside_grid(found: StudyResult) -> Grid | None:
    """The comparisons as a table; None if there are none."""
    lines = [
        Line(
            (
                f"{c.design}-{c.nbits}",
                METRICS[c.figure].heading,
                c.of,
                METRICS[c.figure].format(c.document),
                METRICS[c.figure].format(c.ours),
                "-" if c.ours is None else f"{c.ours / c.document:.2f}",
                c.source,
            ),
            (c.command,),
        )
        for c in comparisons(found)
    ]
    if not lines:
        return None
    return Grid(
        "Ours beside the documents'",
        ("point", "figure", "of", "document", "ours", "ours /\ndocument", "printed in"),
        tuple(lines),
        words=(0, 1, 2, 6),
        note="A document's system is its processor with the accelerator, normalised: the same "
        "call returning a constant is subtracted. Ours beside it is the accelerator through its "
        "port, without a processor.",
    )


def parts_grid(p: PointResult) -> Grid | None:
    """What one multiplier's area is made of; None if nobody has said what its parts are."""
    parts = PARTS.get(p.point.entry.multiplier.name)
    if not parts or "accelerator" not in p.units:
        return None
    areas = areas_inside(p)
    whole = p.metrics["multiplier_area_um2"]
    rows = [(part.title, _area(areas, part), part.document) for part in parts]
    if (rest := whole - sum(area for _, area, _ in rows)) > 0.05:
        rows.append(("the rest", rest, ""))
    name = type(p.point.entry.multiplier.at(p.point.nbits).rtl()).__name__
    return Grid(
        f"What {name.removesuffix('RTL')} is made of, {p.point}",
        ("part", "um2", "share, %", "the document there"),
        tuple(
            Line((title, f"{area:.1f}", f"{100 * area / whole:.1f}", document))
            for title, area, document in rows
        ),
        words=(0, 3),
    )


def areas_inside(p: PointResult) -> dict[str, dict[str, float]]:
    """Registers and logic of each module inside one multiplier, by class name, in um2."""
    modules = {row["module"]: row for row in p.units["accelerator"]["modules"]}
    counts: Counter[str] = Counter()

    def count(name: str, times: int) -> None:
        counts[name] += times
        for child, n in modules[name]["submodules"].items():
            count(child, n * times)

    count(multiplier_row(p.point, p.units["accelerator"]["modules"])["module"], 1)
    areas: dict[str, dict[str, float]] = {}
    for name, times in counts.items():
        row = modules[name]
        registers = times * row["sequential_area_um2"] / row["instances"]
        share = areas.setdefault(name.split("__")[0], {REGISTERS: 0.0, LOGIC: 0.0})
        share[REGISTERS] += registers
        share[LOGIC] += times * row["area_each_um2"] - registers
    return areas


def _area(areas: dict[str, dict[str, float]], part: Part) -> float:
    kinds = (REGISTERS, LOGIC) if part.cells == ALL else (part.cells,)
    return sum(areas.get(name, {}).get(kind, 0.0) for name in part.modules for kind in kinds)


def reasons(found: StudyResult) -> list[str]:
    """Sentences on the differences; their numbers are the measured ones."""
    lines: list[str] = []
    for p in found.points:
        figures = compared(p.point)
        for figure in figures:
            if figure.what == "area_um2" and unit_of(figure) == "multiplier":
                lines += _parts_reason(p, figure)
        for name in dict.fromkeys(f.source[:3] for f in figures):
            if name in DOCUMENTS and "accelerator" in p.units:
                lines += _document_reasons(found, p, name)
    return list(dict.fromkeys(lines))  # what is said of a document is said once


def _parts_reason(p: PointResult, figure: Published) -> list[str]:
    parts = PARTS.get(p.point.entry.multiplier.name)
    ours = p.metrics.get("multiplier_area_um2")
    if not parts or ours is None:
        return []
    areas = areas_inside(p)
    measured = sorted(((_area(areas, part), part.title) for part in parts), reverse=True)
    listed = ", ".join(f"{title} {100 * area / ours:.0f} %" for area, title in measured)
    change = 100 * (ours / figure.value - 1)
    direction = "larger" if change > 0 else "smaller"
    return [
        f"{figure.of}: ours is {ours:.1f} um2, {abs(change):.1f} % {direction} than the printed "
        f"{figure.value:.1f}, made of: {listed}. The table of its parts says what the document "
        "has in place of each; it prints no areas of parts, so the difference cannot be divided "
        "among them."
    ]


def _document_reasons(found: StudyResult, p: PointResult, name: str) -> list[str]:
    document, result = DOCUMENTS[name], p.units["accelerator"]
    clock, slack = found.study.clock_ns, result["metrics"]["setup_slack_ns"]
    met = "meets" if slack >= 0 else "misses"
    lines = [
        f"Tools: {document.tools}. Ours are yosys and ABC on NanGate 45 nm, and of several "
        "mapping recipes the smallest result that meets the clock, else the fastest.",
        f"Stage: {document.stage}. Ours are those of the mapped cells, before placement.",
        f"Timing of {p.point}: {document.clock}. Ours {met} {clock:g} ns by "
        f"{abs(slack):.3f} ns, with estimated wires; the slowest path goes through "
        f"{modules_of_path(result)}.",
    ]
    multiplier = p.point.entry.multiplier.name
    ratios = [
        f"{p.metrics[f'xcel_{f.what}'] / f.value:.2f} of the printed {f.value:g} ({f.what[-1]})"
        for f in compared(p.point)
        if f.what.startswith("cycles_") and f"xcel_{f.what}" in p.metrics
    ]
    if ratios and multiplier in document.cycles:
        lines.append(f"Cycles of {p.point}: {' and '.join(ratios)}: {document.cycles[multiplier]}.")
    return lines
