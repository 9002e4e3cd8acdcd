"""Does a ranking hold in another technology? Fronts side by side, areas in gates, periods in delays
of an inverter that drives four, the ranks' correlation, which designs change places, and by how
much figures scale: of that, what times would be that others print at other nodes.

Each design is a curve in each technology: its netlists are those of its `clocks` and `flow` rows.
"""

from collections.abc import Iterator
from typing import Any

from eval.catalog.point import Point
from eval.documents.accelerator import OURS_NM, accelerators
from eval.report.in_technologies import (
    ENERGY,
    PERIOD,
    WORKLOAD,
    ByTechnology,
    Compared,
    InTechnology,
    by_width,
    slowness,
)
from eval.report.pareto import (
    CURVES_VIEW,
    TYPICAL_VIEW,
    UNCERTAIN,
    Front,
    View,
    has_typical,
    pareto,
)
from eval.report.rank_order import kendall, spearman
from eval.study.results import StudyResult
from eval.table import Grid, Table, numbers, words
from eval.tasks.section import Section
from flow.technologies.technology import technology

Lines = Iterator[dict[str, Any]]
NBITS = numbers(0, {"bits": "nbits"})


def _front(by: ByTechnology, tech: str, view: View) -> Front:
    """Find the front of a technology by area and time, of the designs that all have."""
    found = by.founds[tech]
    points = [one.p for one in by.techs[tech].values()]
    return pareto(
        {p: view.spots(found, p, WORKLOAD) for p in points},
        {p: view.band(by.noise, p) for p in points},
    )


def _corners(by: ByTechnology, tech: str) -> Iterator[tuple[str, View]]:
    """Go through the corners whose periods are known: that of setup, and the typical one."""
    typical = has_typical(by.founds[tech])
    yield f"{tech}, {technology(tech).signoff.setup}" if typical else tech, CURVES_VIEW
    if typical:
        yield f"{tech}, typical", TYPICAL_VIEW


def _fronts(widths: list[ByTechnology]) -> Lines:
    for by in widths:
        for tech in by.techs:
            called = by.founds[tech].called
            for corner, view in _corners(by, tech):
                front = _front(by, tech, view)
                names = (UNCERTAIN * (p in front.uncertain) + called(p) for p in front.best)
                maybe = ", ".join(map(called, front.maybe))
                yield {
                    **{"nbits": by.nbits, "tech": corner, "of": len(by.points)},
                    **{"front": ", ".join(names) or None, "maybe": maybe or None},
                }


FRONTS = Table(
    "Fronts in several technologies",
    NBITS
    + words({"technology": "tech"})
    + numbers(0, {"of\ndesigns": "of"})
    + words({"on the front, from small to fast": "front", "maybe, within noise": "maybe"}),
    f"By area and by the time of workload {WORKLOAD}, of the designs that were measured in each of "
    "the technologies, in the corner where setup is told and, where that is another, the typical "
    "one. Designs for moduli of one form are on none. ~ uncertain within the noise.",
    rows=_fronts,
)


def _compared(widths: list[ByTechnology]) -> Iterator[Compared]:
    return (one for by in widths for one in by.compared())


def _orders(widths: list[ByTechnology]) -> Lines:
    for one in _compared(widths):
        values = one.values(one.one), one.values(one.other)
        count = len(one.points)
        yield {
            **{"nbits": one.by.nbits, "pair": one.pair, "by": one.figure, "of": count},
            **{"spearman": spearman(*values), "kendall": kendall(*values)},
            **{"pairs": count * (count - 1) // 2, "changed": len(one.exchanged)},
            "sure": sum(pair.is_sure for pair in one.exchanged),
        }


ORDERS = Table(
    "Do rankings hold",
    NBITS
    + words({"technologies": "pair", "by": "by"})
    + numbers(0, {"designs": "of"})
    + numbers(3, {"Spear-\nman": "spearman", "Ken-\ndall": "kendall"})
    + numbers(0, {"pairs": "pairs", "change\nplaces": "changed", "beyond\nnoise": "sure"}),
    f"Area: of the smallest netlist. Period: the shortest. Area x time: the least, workload "
    f"{WORKLOAD}. Energy: of workload {WORKLOAD} with glitches, at the usual clock, from "
    "1024 bits on at that of the least area x period. Correlations of ranks: 1 where the order is "
    "the same. Beyond noise: both differences are larger than what noise moves, by its bands in "
    "NanGate 45.",
    rows=_orders,
)


def _places(widths: list[ByTechnology]) -> Lines:
    """Go through the pairs of designs that change places beyond the noise."""
    for one in _compared(widths):
        before, after = one.values(one.one), one.values(one.other)
        for first, second, is_sure in one.exchanged:
            if not is_sure:
                continue
            p, q = one.points[first], one.points[second]
            of_p, of_q = (one.by.techs[one.one][point] for point in (p, q))
            yield {
                **{"nbits": p.nbits, "pair": one.pair, "by": one.figure},
                "designs": f"{p.design} : {q.design}",
                **{"before": before[first] / before[second], "after": after[first] / after[second]},
                **{"registers": _both(of_p.registers, of_q.registers)},
                **{"adders": _both(of_p.adders, of_q.adders)},
            }


def _both(*parts: float | None) -> str | None:
    """Say two parts in per cent."""
    said = ["-" if part is None else f"{100 * part:.0f}" for part in parts]
    return " : ".join(said) if {*said} != {"-"} else None


PLACES = Table(
    "Designs that change places beyond the noise",
    NBITS
    + words({"technologies": "pair", "by": "by", "designs": "designs"})
    + numbers(2, {"first /\nsecond": "before", "\nin the\nother": "after"})
    + words({"registers\n% of area": "registers", "adders %\nof path": "adders"}),
    "The first is less in the first technology and more in the second. Why: of the netlists for "
    "the usual clock in the first technology, the part of the area that is registers, and the part "
    "of the slowest path's delay in full adders; table 'What cells cost' has what either costs.",
    rows=_places,
)


def _scales(widths: list[ByTechnology]) -> Lines:
    for one in _compared(widths):
        powers = one.powers
        yield {
            **{"nbits": one.by.nbits, "pair": one.pair, "by": one.figure},
            **one.scale._asdict(),
            **{"least": min(one.ratios), "most": max(one.ratios), "textbook": one.textbook},
            **{"low": min(powers, default=None), "high": max(powers, default=None)},
        }


SCALES = Table(
    "How figures scale",
    NBITS
    + words({"technologies": "pair", "of": "by"})
    + numbers(2, {"times,\nmean": "mean", "spread\nx or /": "spread"})
    + numbers(2, {"\nleast": "least", "\nmost": "most", "text-\nbook": "textbook"})
    + numbers(2, {"power of\nlength,\nleast": "low", "\n\nmost": "high"}),
    "The figure of the second technology over that of the first: the geometric mean of the designs "
    "and their standard deviation as a factor. Textbook: delays and capacitances in proportion "
    "to lengths, energies as capacitances and the square of the voltage.",
    rows=_scales,
)


def _designs(widths: list[ByTechnology]) -> Lines:
    """Go through the designs, each in all technologies; `*` marks those on a technology's front."""
    for by in widths:
        best = {tech: _front(by, tech, CURVES_VIEW).best for tech in by.techs}
        for point in by.points:
            for tech, designs in by.techs.items():
                one = designs[point]
                name = by.founds[tech].called(one.p) + " *" * (one.p in best[tech])
                yield {"name": name, "nbits": by.nbits, **_line(tech, one)}


def lines_of(widths: list[ByTechnology], point: Point) -> list[dict[str, Any]]:
    """List a design's figures in each technology; none if it is not in several."""
    return [
        _line(tech, designs[point])
        for by in widths
        for tech, designs in by.techs.items()
        if point in designs
    ]


def _line(tech: str, one: InTechnology) -> dict[str, Any]:
    period = one.figures.get(PERIOD)
    return {
        **{"tech": tech, "area": one.smallest.area_um2},
        "gates": one.smallest.area_um2 / one.tech.gate_um2,
        **{"period": period, "in_fo4": period and period / one.tech.fo4_ns},
        "time": period and one.fastest.time_us(WORKLOAD),
        **{"energy": one.figures.get(ENERGY), "parts": _both(one.registers, one.adders)},
        **{"command": _command(one), "card": one.p.card},
    }


def _command(one: InTechnology) -> tuple[str, ...]:
    """Name the commands that measure a design in a technology."""
    of_energy = (one.weighed.command,) if one.weighed else ()
    return tuple(dict.fromkeys((*((one.curve.command,) if one.curve else ()), *of_energy)))


FIGURES = (
    numbers(0, {"least\narea\num2": "area", "\n\ngates": "gates"})
    + numbers(3, {"shortest\nperiod\nns": "period"})
    + numbers(1, {"\n\nFO4": "in_fo4"})
    + numbers(2, {"time\nof d\nus": "time", "energy\nof d\nnJ": "energy"})
    + words({"regis-\nters :\nadders": "parts"})
)
SAID = (
    "Gates: by the area of the library's smallest NAND. FO4: the delay of an inverter that drives "
    "four like it, in the corner where setup is told. Registers: % of the area; adders: % of the "
    "slowest path's delay in full adders; both of the netlist for the usual clock."
)
DESIGNS = Table(
    "Designs in several technologies",
    words({"design": "name"}) + NBITS + words({"technology": "tech"}) + FIGURES,
    f"{SAID} *: on the front of its technology, by area and the time of workload {WORKLOAD}.",
    rows=_designs,
    commands="command",
    card="card",
)
CARD = Table("", words({"technology": "tech"}) + FIGURES, SAID, commands="command")


def _cells(widths: list[ByTechnology]) -> Lines:
    """Tell what the cells of roles cost in each technology whose files are here."""
    from flow.gates.liberty import Library
    from flow.technologies.files import LIBRARIES
    from flow.technologies.kit import kit_hash, view

    for tech in dict.fromkeys(tech for by in widths for tech in by.techs):
        said = technology(tech)
        cells = {"register": said.cells.flop, "adder": said.cells.full_adder}
        areas: dict[str, float] = {}
        if kit_hash(tech):
            library = Library(view(tech) / LIBRARIES["setup"])
            areas = {r: library[c.cell].area / said.gate_um2 for r, c in cells.items() if c}
        yield {
            **{"tech": tech, "node": said.node_nm, "gate": said.gate_um2, "fo4": said.fo4_ns},
            "typical": said.fo4_ns * slowness(said),
            **{"corner": said.signoff.setup, "clock": said.clock_ns, **areas},
        }


CELLS = Table(
    "What cells cost",
    words({"technology": "tech"})
    + numbers(0, {"nm": "node"})
    + numbers(3, {"gate\num2": "gate"})
    + numbers(2, {"register\ngates": "register", "full adder\ngates": "adder"})
    + numbers(3, {"FO4\nns": "fo4"})
    + words({"corner\nof setup": "corner"})
    + numbers(3, {"typical\nFO4, ns": "typical"})
    + numbers(1, {"usual\nclock, ns": "clock"}),
    "Gate: the smallest NAND. Register and full adder: the least ones. Typical: where power is "
    "told.",
    rows=_cells,
)


def _printed(widths: list[ByTechnology]) -> Lines:
    """Scale what others print of times at known nodes, by the powers as which periods grew."""
    powers = [
        power
        for one in _compared(widths)
        if one.figure == PERIOD and technology(one.one).node_nm == OURS_NM
        for power in one.typical_powers
    ]
    for printed in accelerators() if powers else ():
        if printed.scaled_ms is None or printed.node_nm == OURS_NM:
            continue
        lengths = OURS_NM / (printed.node_nm or OURS_NM)
        low, high = sorted(
            (printed.time_ms or 0.0) * lengths**power for power in (min(powers), max(powers))
        )
        yield {
            **{"by": printed.by, "on": printed.on, "nbits": printed.nbits},
            **{"exponent": printed.exponent, "node": printed.node_nm, "time": printed.time_ms},
            **{"textbook": printed.scaled_ms, "low": low, "high": high},
        }


PRINTED = Table(
    f"Printed times scaled to {OURS_NM} nm",
    words({"by": "by", "on": "on"})
    + NBITS
    + words({"expo-\nnent": "exponent"})
    + numbers(0, {"node\nnm": "node"})
    + numbers(2, {"time\nms": "time", "text-\nbook": "textbook"})
    + numbers(2, {"measured,\nleast": "low", "\nmost": "high"}),
    "Textbook: delays in proportion to lengths. Measured: as the power of lengths by which "
    f"shortest periods of our designs grew from {OURS_NM} nm to the other technologies, the least "
    "and the most of all designs, brought to typical corners by FO4; beyond their nodes that is "
    "an extrapolation. Logic on an FPGA is "
    "several times as slow as cells of its node: neither column corrects that.",
    rows=_printed,
)
TABLES = (FRONTS, ORDERS, PLACES, CELLS, SCALES, DESIGNS, PRINTED)


def comparisons_json(found: StudyResult) -> list[dict[str, Any]]:
    """List what each two technologies say of each figure: orders, and scales."""
    widths = by_width(found)
    both = zip(_orders(widths), _scales(widths), strict=True)
    return [order | scale for order, scale in both]


def _shown(found: StudyResult) -> list[Grid | None]:
    widths = by_width(found)
    return [table.of(widths) for table in TABLES] if widths else []


SECTION = Section(results=_shown)
