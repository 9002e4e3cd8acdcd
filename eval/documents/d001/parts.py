"""What the area of one of our multipliers is made of, beside what document 001 has there."""

from collections import Counter
from dataclasses import dataclass

from eval.catalog.point import Point
from eval.documents.document import written
from eval.documents.published import Published
from eval.table import Grid, Table, numbers, words
from eval.tasks.flow_run.task import FlowResult, multiplier_class, multiplier_row

ALL, REGISTERS, LOGIC = "all", "registers", "logic"


@dataclass(frozen=True)
class Part:
    """A part of a multiplier: the modules that hold it, and what the document has there."""

    title: str
    modules: tuple[str, ...]
    cells: str  # all cells of these modules, only the registers, or only the logic
    document: str


PARTS: dict[str, tuple[Part, ...]] = {
    multiplier: tuple(Part(**one | {"modules": tuple(one["modules"])}) for one in parts)
    for multiplier, parts in written("001")["parts"].items()
}


def part_areas(point: Point, result: FlowResult) -> dict[Part, float]:
    """Find the um2 of each part of the multiplier in an accelerator; empty if nobody has said what
    its parts are."""
    known = "multiplier_area_um2" in result.metrics
    parts = PARTS.get(point.entry.multiplier.name, ()) if known else ()
    areas = areas_inside(point, result) if parts else {}
    return {
        part: sum(
            areas[name][cells]
            for name in part.modules
            if name in areas
            for cells in ((REGISTERS, LOGIC) if part.cells == ALL else (part.cells,))
        )
        for part in parts
    }


def areas_inside(point: Point, result: FlowResult) -> dict[str, dict[str, float]]:
    """Find registers and logic of each module inside one multiplier, by class name, in um2."""
    modules = {row.module: row for row in result.modules}
    counts: Counter[str] = Counter()

    def count(name: str, times: int) -> None:
        counts[name] += times
        for child, n in modules[name].submodules.items():
            count(child, n * times)

    count(multiplier_row(point, result.modules).module, 1)
    areas: dict[str, dict[str, float]] = {}
    for name, times in counts.items():
        row = modules[name]
        registers = times * row.sequential_area_um2 / row.instances
        share = areas.setdefault(name.split("__")[0], {REGISTERS: 0.0, LOGIC: 0.0})
        share[REGISTERS] += registers
        share[LOGIC] += times * row.area_each_um2 - registers
    return areas


def parts_grid(point: Point, result: FlowResult) -> Grid | None:
    """Show the parts as a table; None if there are none."""
    areas = part_areas(point, result)
    if not areas:
        return None
    whole = result.metrics["multiplier_area_um2"]
    found = [(part.title, area, part.document) for part, area in areas.items()]
    if (rest := whole - sum(areas.values())) > 0.05:
        found.append(("the rest", rest, ""))
    return Table(
        f"What {multiplier_class(point).removesuffix('RTL')} is made of, {point}",
        words({"part": 0})
        + numbers(1, {"um2": 1, "share, %": lambda row: 100 * row[1] / whole})
        + words({"the document there": 2}),
    ).of(found)


def parts_reason(point: Point, result: FlowResult, figure: Published) -> list[str]:
    """Say what the difference to a printed area is made of, in a sentence."""
    areas = part_areas(point, result)
    if not areas:
        return []
    ours = result.metrics["multiplier_area_um2"]
    by_size = sorted(((area, part.title) for part, area in areas.items()), reverse=True)
    listed = ", ".join(f"{title} {100 * area / ours:.0f} %" for area, title in by_size)
    change = 100 * (ours / figure.value - 1)
    return [
        f"{figure.of}: ours is {ours:.1f} um2, {abs(change):.1f} % "
        f"{'larger' if change > 0 else 'smaller'} than the printed {figure.value:.1f}, made of: "
        f"{listed}. The table of its parts says what the document has in place of each; it prints "
        "no areas of parts, so the difference cannot be divided among them."
    ]
