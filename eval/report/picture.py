"""The picture of the space of designs: a Vega-Lite chart, whose parameters are the page's controls.

Vega-Lite takes 0.9 MB of a page (Plotly 4.5), draws the same chart as SVG where no script runs, and
names each point for those who listen to the page.
"""

from dataclasses import dataclass
from typing import Any

from eval.catalog.workloads import WORKLOADS
from eval.chart.drawing import svg
from eval.chart.families import rank
from eval.report.space import Axis, axes_of, places
from eval.report.vega import ALL, chart
from eval.study.results import StudyResult
from eval.tasks.marks import MEANINGS
from eval.tasks.section import commonest

PREFERRED = (("area", "time"), ("area", "cycles"), ("cycles", "time"))
CAPTION = (
    "Each point is a design at a width under a workload; less is better on every axis, both are "
    "logarithmic. Shape and colour: the family; open: moduli of one form only. The line is the "
    "front of the designs shown that take any key: of these no other is as good in both; they have "
    "their names. Bars: what noise moves, by the design's own noise where it was measured, else by "
    "the most of others. " + " ".join(MEANINGS.values())
)


@dataclass(frozen=True)
class Space:
    """The picture: its data, its axes, and what its controls choose from."""

    places: list[dict[str, Any]]
    axes: list[Axis]
    spec: dict[str, Any]
    svg: str
    caption: str = CAPTION

    @property
    def choices(self) -> dict[str, list[Any]]:
        """List what there is to choose, by control."""
        return {
            name: sorted({place[name] for place in self.places}, key=order)
            for name, order in (("bits", int), ("workload", str), ("family", rank))
        }

    @property
    def first(self) -> dict[str, Any]:
        """Return what is chosen at first, by control."""
        return {parameter["name"]: parameter["value"] for parameter in self.spec["params"]}


def space_of(found: StudyResult) -> Space | None:
    """Draw the space of a study; None if no design has two quantities."""
    shown = places(found)
    axes = axes_of(shown)
    if len(axes) < 2:
        return None
    names = [axis.name for axis in axes]
    across, up = next((pair for pair in PREFERRED if {*pair} <= {*names}), names[:2])
    families = sorted({place["family"] for place in shown}, key=rank)
    width = commonest(place["bits"] for place in shown)
    parameters = {
        "across": across,
        "up": up,
        "bits": width,
        "workload": [
            w for w in WORKLOADS if (width, w) in {(p["bits"], p["workload"]) for p in shown}
        ][-1],
        "families": families,
        "moduli": ALL,
        "constant": ALL,
        "clock": ALL,
    }
    spec = chart([_row(place, axes) for place in shown], axes, parameters, families)
    return Space(shown, axes, spec, svg(spec, "the space of designs"))


def _row(place: dict[str, Any], axes: list[Axis]) -> dict[str, Any]:
    """Make a row of the chart's data: values on axes by name, texts to show of them, and the bands
    around them."""
    values = place["values"]
    texts = {
        f"{axis.name} text": f"{values[axis.name]:,.6g} {axis.unit}".strip()
        for axis in axes
        if axis.name in values
    }
    bands = {f"{name} band": band for name, band in place["bands"].items()}
    others = {name: v for name, v in place.items() if name not in ("values", "bands")}
    return others | values | texts | bands
