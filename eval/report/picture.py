"""The picture of the space of designs: a Vega-Lite chart, whose parameters are the page's controls,
and the same as it is at first, for readers without scripts.

Vega-Lite takes 0.9 MB of a page (Plotly 4.5), and names each point for those who listen to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from eval.chart.drawing import svg
from eval.chart.families import ESTIMATE, look, marker, rank
from eval.chart.panel import DASHED, DOTTED, GREY, Axis, Line, Panel, Point
from eval.chart.vega_lite import spec as chart_of
from eval.report.pareto import LEAST_BITS, Spot, front
from eval.report.space import ANYWHERE, OPERATIONS, axes_of, ours, places
from eval.report.space import Axis as Quantity
from eval.report.vega import ALL, chart, compiled
from eval.study.results import StudyResult
from eval.table.units import STEPS

PREFERRED = (("area", "time"), ("area", "cycles"), ("cycles", "time"))
RSA_BITS = (1024, 2048)
MEASURES = "modexplorer report rsa"  # the command that adds designs at these widths
CAPTION = (
    "Each point is one netlist at its minimum clock period: area, time and energy are those of one "
    "circuit at one clock. A line joins the netlists of a design. Less is better on every axis, "
    "both are logarithmic. Black steps: the Pareto front of the designs shown that accept any key; "
    "dashed: that of the constant-time designs among them. Black ring: constant time. On no front: "
    "designs for moduli of one form (#), what-if designs (open and dashed, with a ?), systems with "
    "a processor, and published accelerators (open; at the right edge where their area is not in "
    "um2). Bars: the synthesis noise of the design where it was measured, else the most of others."
)

DIM = " Dim: what a search has looked at, by its estimates; nothing has measured it."


@dataclass(frozen=True)
class Space:
    """The picture: its data, its axes, and what its controls choose from."""

    places: list[dict[str, Any]]
    axes: list[Quantity]
    drawn: dict[str, Any]
    caption: str = CAPTION

    @property
    def choices(self) -> dict[str, list[Any]]:
        """List what there is to choose, by control: the widths of keys in use first."""
        found = {name: {place[name] for place in ours(self.places)} for name in ("bits", "family")}
        shown = {place["workload"] for place in self.places}
        families = {place["family"] for place in self.places}
        techs = dict.fromkeys(place["tech"] for place in self.places)
        return {
            "tech": [tech for tech in techs if tech != ANYWHERE],
            "bits": sorted(found["bits"], key=_use),
            "workload": [name for name in OPERATIONS if name in shown],
            "family": sorted(families, key=rank),
        }

    @property
    def first(self) -> dict[str, Any]:
        """Return what is chosen at first, by control."""
        return {parameter["name"]: parameter["value"] for parameter in self.drawn["params"]}

    @property
    def looks(self) -> dict[str, tuple[str, str]]:
        """Return shape and colour of each family."""
        return {family: look(family) for family in self.choices["family"]}

    @property
    def lacks(self) -> list[int]:
        """List the widths of RSA keys in use at which nothing has both quantities shown first."""
        names = {self.first["across"], self.first["up"]}
        there = {p["bits"] for p in ours(self.places) if names <= p["values"].keys()}
        return [nbits for nbits in RSA_BITS if nbits not in there]

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The chart as Vega, which scripts draw."""
        return compiled(self.drawn, self.axes)

    @cached_property
    def svg(self) -> str:
        """The chart as it is at first."""
        return svg(chart_of([panel(self)]), "the space of designs")


def space_of(found: StudyResult) -> Space | None:
    """Draw the space of a study; None if no design has two quantities."""
    shown = places(found)
    axes = axes_of(shown)
    if len(axes) < 2:
        return None
    names = [axis.name for axis in axes]
    across, up = next((pair for pair in PREFERRED if {*pair} <= {*names}), (names[0], names[1]))
    there = [place for place in ours(shown) if {across, up} <= place["values"].keys()]
    widths = {place["bits"] for place in there or ours(shown)}
    width = RSA_BITS[0] if RSA_BITS[0] in widths else max(widths)
    workloads = {place["workload"] for place in there if place["bits"] == width}
    families = sorted({place["family"] for place in shown}, key=rank)
    techs = [place["tech"] for place in shown if place["tech"] != ANYWHERE]
    own = found.study.tech
    parameters = {
        "tech": own if own in techs or not techs else techs[0],
        "across": across,
        "up": up,
        "bits": width,
        "workload": "d" if "d" in workloads else min(workloads, default="d"),
        "families": families,
        "moduli": ALL,
        "constant": ALL,
    }
    rows = [_row(place, axes) for place in shown]
    caption = CAPTION + DIM * (ESTIMATE in families)
    return Space(shown, axes, chart(rows, axes, parameters, families), caption)


def _row(place: dict[str, Any], axes: list[Quantity]) -> dict[str, Any]:
    """Make a row of the chart's data: values on axes by name, the bands around them, and what is
    told of it."""
    values = place["values"]
    texts = {a.title: a.text(values[a.name]) for a in axes if a.name in values}
    told = {"title": f"{place['name']}, {place['bits']} bits", "is": place["title"], **texts}
    told |= {"takes": place["moduli"], "constant time": place["constant"]}
    said = ", ".join(f"{name} {text}" for name, text in texts.items())
    description = f"design: {place['name']}, {place['bits']} bits, {said}"
    bands = {f"{name} band": band for name, band in place["bands"].items()}
    left_out = ("values", "bands", "title")
    others = {name: value for name, value in place.items() if name not in left_out}
    return others | values | bands | {"told": told, "description": description}


def panel(space: Space) -> Panel:
    """Draw what is chosen at first."""
    first = space.first
    across, up = first["across"], first["up"]
    by_name: dict[str, list[dict[str, Any]]] = {}
    for place in ours(space.places):
        is_chosen = all(place[name] == first[name] for name in ("bits", "workload"))
        is_chosen &= place["tech"] in (ANYWHERE, first["tech"])
        if is_chosen and {across, up} <= place["values"].keys():
            by_name.setdefault(place["name"], []).append(place)
    titles, units = {}, {}
    for name in (across, up):
        axis = next(axis for axis in space.axes if axis.name == name)
        values = [p["values"][name] for own in by_name.values() for p in own]
        units[name], unit = _unit(axis.unit, values)
        titles[name] = f"{axis.title}, {unit}" if unit else axis.title

    def at(place: dict[str, Any]) -> Spot:
        return Spot(*(place["values"][name] / units[name] for name in (across, up)))

    points, lines = [], []
    every: dict[str, list[Spot]] = {"all": [], "constant": []}
    for name, own in by_name.items():
        envelope = front(map(at, own))
        filled = own[0]["constant"] == "yes" and not own[0]["assumed"]
        look_of = marker(own[0]["family"], filled)
        card = own[0]["card"].removeprefix("#")
        points += [
            Point(*spot, look_of, name if spot == envelope[-1] else "", card) for spot in envelope
        ]
        lines.append(Line(envelope, GREY, DOTTED))
        if own[0]["compared"]:
            every["all"] += envelope
            every["constant"] += envelope if own[0]["constant"] == "yes" else []
    lines.append(Line(front(every["all"]), steps=True))
    lines.append(Line(front(every["constant"]), dash=DASHED, steps=True))
    shown = {own[0]["family"] for own in by_name.values()}
    keys = {f: marker(f) for f in space.choices["family"] if f in shown}
    keys |= {"constant time": marker("naive"), "other": marker("naive", False)}
    title = f"{first['bits']} bits, {OPERATIONS[first['workload']]}"
    return Panel(Axis(titles[across]), Axis(titles[up]), points, lines, title=title, keys=keys)


def _use(nbits: int) -> tuple[bool, int]:
    """Order widths: those of keys in use, then those for lessons from the widest."""
    return (nbits < LEAST_BITS, nbits if nbits >= LEAST_BITS else -nbits)


def _unit(unit: str, values: Sequence[float]) -> tuple[float, str]:
    """Choose the unit with a prefix that suits values: what it is times the other, and its name."""
    most = max(values, default=1.0)
    steps = reversed(STEPS.get(unit, ((0, 1, unit),)))
    return next((factor, name) for least, factor, name in steps if most >= least)
