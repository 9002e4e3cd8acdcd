"""A card for each point: what it is, its blocks, its numbers with what noise moves, where its area
and power are, its critical path, its layout."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from cl.exponentiator import BASE, BEFORE, BITS, LENGTH, MODULUS
from eval.catalog.workloads import WORKLOADS
from eval.foreign.given import GIVEN, from_host, given_each
from eval.report.blocks import svg
from eval.report.headline import listed
from eval.report.in_technologies import ByTechnology, by_width
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.report.overview import commands
from eval.report.space import WORKLOAD, Place, least_of, places, summary
from eval.report.technologies import CARD, lines_of
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.table import Grid, Table, numbers, ratio, words
from eval.table.units import engineering
from eval.tasks.flow_run.grids import class_name, modules_of_path
from eval.tasks.flow_run.task import POWER, FlowResult
from eval.tasks.layout.section import pictures
from eval.tasks.layout.task import LaidOut
from eval.tasks.metrics import METRICS, Metric
from eval.tasks.section import Picture

# By metric: the band of the noise that moves it.
MOVED = {
    "area_um2": "area",
    "shortest_period_ns": "period",
    **{f"power_{workload}_mw": "energy" for workload in WORKLOADS},
    **{f"energy_{workload}_nj": "energy" for workload in WORKLOADS},
    **{f"energy_glitches_{workload}_nj": "energy" for workload in WORKLOADS},
}
WORDS = {
    **{BASE: "the base", LENGTH: "the exponent's length", BITS: "the exponent's ones"},
    **{MODULUS: "the modulus", BEFORE: "the request before"},
}
WINDOW = list(WORKLOADS)[-1]  # whose power stands beside the areas
MODULES_SHOWN = 10


@dataclass(frozen=True)
class Card:
    """All that the page says of one point in one place."""

    anchor: str
    name: str
    nbits: int
    title: str
    facts: dict[str, str]
    headline: str
    figures: Grid | None
    technologies: Grid | None
    modules: Grid | None
    modules_title: str
    blocks: str
    path: str
    pictures: tuple[Picture, ...]
    commands: tuple[str, ...]
    logs: str


def cards(found: StudyResult) -> list[Card]:
    """Make a card for each point of the study, in its order."""
    noise, mapped = noise_bands_of(found), by_width(found)
    shown: dict[str, list[Place]] = {}
    for place in places(found):
        if place["tech"] == found.study.tech and place["workload"] == WORKLOAD:
            shown.setdefault(place["card"].removeprefix("#"), []).append(place)
    return [_card(found, p, noise, mapped, shown.get(p.card, [])) for p in found.points]


def _card(
    found: StudyResult,
    p: PointResult,
    noise: NoiseBands,
    mapped: list[ByTechnology],
    own: list[Place],
) -> Card:
    design, run = p.point.entry, accelerator_run(found, p)
    result = found.results.get(run)
    layouts = {task: r for task, r in found.of(LaidOut).items() if task.point == p.point}
    energy = result.energy if result else None
    return Card(
        anchor=p.card,
        name=found.name_of(p),
        nbits=p.point.nbits,
        title=design.title,
        facts={
            "family": design.family,
            "moduli": design.moduli.text,
            "order of products": design.schedule,
            "multiplier": design.multiplier.title,
            "domain": design.domain,
            "time": _time(p),
            "widths": f"{design.widths[0]} to {design.widths[1]} bits",
            "from": design.source,
            **_given(p),
            **_wrong(found, p),
        },
        headline=summary(least_of(own, "area-time")) if own else "",
        figures=_figures(p, noise),
        technologies=CARD.of(lines_of(mapped, p.point)),
        modules=_modules(result) if result else None,
        modules_title=_modules_title(result) if result else "",
        blocks=svg(result.modules, f"blocks of {p.point}") if result else "",
        path=modules_of_path(result, delays=True) if result else "",
        pictures=tuple(pictures(layouts)),
        commands=(*commands(found, p), *[run.command_to(POWER)] * bool(energy)),
        logs=f"build/flow/{run.folder}/logs" if result else "",
    )


def _given(p: PointResult) -> dict[str, str]:
    """Say what the host gives to a core of others, or which cycles a host usually saves."""
    model = p.point.entry.at(p.point.nbits)
    if given := from_host(model):
        return {GIVEN: f"{', '.join(given)}: no cycles, no area"}
    each = given_each(model)
    return {GIVEN: f"constants of the modulus: {each[0]} cycles a {each[1]}"} if each else {}


def _wrong(found: StudyResult, p: PointResult) -> dict[str, str]:
    """Say why rows of the point failed, if any did: it has no figures of these."""
    reasons = {why: None for task, why in found.failures.items() if task.about == p.point}
    return {"wrong": "; ".join(reasons)} if reasons else {}


def _figures(p: PointResult, noise: NoiseBands) -> Grid | None:
    """Show every metric, with the part by which noise moves it."""
    shown = [metric for name, metric in METRICS.items() if name in p.metrics]
    moved = [MOVED[metric.name] for metric in shown if metric.name in MOVED]
    lent = any(not noise.is_own(p.point, band) for band in moved)

    def band(metric: Metric) -> str:
        return noise.text(p.point, MOVED[metric.name]) if metric.name in MOVED else ""

    return Table(
        "",
        words({"metric": "title"})
        + numbers(0, {"value": lambda metric: metric.format(p.metrics[metric.name])})
        + words({"unit": "unit", "+-%": band}),
        noise.note * lent,
    ).of(shown)


def _time(p: PointResult) -> str:
    """Say what the cycles of a request depend on."""
    told = p.point.entry.at(p.point.nbits).time_tells
    return f"depends on {listed([WORDS[one] for one in told])}" if told else "always the same"


def _is_flat(result: FlowResult) -> bool:
    """Whether the netlist taken is one module, so that modules have areas in another one only."""
    return result.flat is not None and result.recipe == result.flat.recipe


def _modules_title(result: FlowResult) -> str:
    """Say whose areas are those of the modules."""
    if not _is_flat(result):
        return "Area and power by module"
    whole = engineering(sum(row.area_um2 for row in result.modules), "um2")
    return f"Area by module in the best netlist with hierarchy, of {whole}"


def _modules(result: FlowResult) -> Grid | None:
    """Show the area of each module and its part of all of them, the largest first, and the power
    of each where the netlist taken has it as a module."""
    counts = Counter[str]()
    areas, powers = defaultdict[str, float](float), defaultdict[str, float](float)
    for row in result.modules:
        counts[class_name(row.module)] += row.instances
        areas[class_name(row.module)] += row.area_um2
    has_power = result.energy is not None and not _is_flat(result)
    window = result.energy.windows.get(WINDOW) if result.energy and has_power else None
    for part in window.modules if window else ():
        powers[class_name(part.module)] += part.total
    whole, power = sum(areas.values()), sum(powers.values())
    columns = (
        words({"module": str})
        + numbers(0, {"number": counts.get})
        + numbers(1, {"area\num2": areas.get, "%": lambda name: 100 * areas[name] / whole})
    )
    if powers:
        columns += numbers(3, {f"power {WINDOW}\nmW": powers.get})
        columns += numbers(1, {"%": ratio(powers.get, lambda name: power, 100)})
    in_order = sorted(areas, key=lambda name: -areas[name])
    return Table("", columns, _note(result, len(in_order))).of(in_order[:MODULES_SHOWN])


def _note(result: FlowResult, count: int) -> str:
    """Say what the figures are of."""
    parts = [f"Cells directly inside, of all instances; recipe {result.recipe}."]
    if _is_flat(result):
        parts.append(
            "The netlist taken, whose figures the card has, is another: it is mapped as one "
            "module, whose parts have no areas of their own."
        )
    if count > MODULES_SHOWN:
        parts.append(f"{count - MODULES_SHOWN} smaller ones are left out.")
    return " ".join(parts)
