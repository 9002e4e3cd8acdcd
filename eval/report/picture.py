"""The picture of the space of designs: a Vega-Lite chart, whose parameters are the page's controls.

Vega-Lite takes 0.9 MB of a page (Plotly 4.5), draws the same chart as SVG where no script runs, and
names each point for those who listen to the page.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import vl_convert

from eval.catalog.workloads import WORKLOADS
from eval.report.pareto import noise_of
from eval.report.space import ANY, AXES, Axis, axes_of, main_width, places
from eval.study.results import StudyResult
from eval.tasks.drawing import element
from eval.tasks.marks import MEANINGS

VEGA_LITE = "6.1"
ALL = "all"
# By family: shape and colour, told apart without the colour, too.
STYLES = {
    "naive": ("circle", "#000000"),
    "shift-sub": ("square", "#d55e00"),
    "Montgomery": ("triangle-up", "#0072b2"),
    "pseudo-modulus": ("cross", "#009e73"),
}
OTHER = ("diamond", "#cc79a7")
PREFERRED = (("area", "time"), ("area", "cycles"), ("cycles", "time"))
WIDTH, HEIGHT = 860, 440
CAPTION = (
    "Each point is a design at a width under a workload; less is better on every axis, both are "
    "logarithmic. Shape and colour: the family; open: moduli of one form only. The line is the "
    "front of the designs shown that take any key: of these no other is as good in both; they have "
    "their names. Bars: what noise moves, where it was measured. " + " ".join(MEANINGS.values())
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
            for name, order in (("bits", int), ("workload", str), ("family", _rank))
        }

    @property
    def first(self) -> dict[str, Any]:
        """Return what is chosen at first, by control."""
        return {parameter["name"]: parameter["value"] for parameter in self.spec["params"]}


def _rank(family: str) -> tuple[int, str]:
    names = list(STYLES)
    return (names.index(family) if family in names else len(names), family)


def space_of(found: StudyResult) -> Space | None:
    """Draw the space of a study; None if no design has two quantities."""
    shown = places(found)
    axes = axes_of(shown)
    if len(axes) < 2:
        return None
    names = [axis.name for axis in axes]
    across, up = next((pair for pair in PREFERRED if {*pair} <= {*names}), names[:2])
    noise = noise_of(found)
    families = sorted({place["family"] for place in shown}, key=_rank)
    at_width = [place for place in shown if place["bits"] == main_width(found)]
    parameters = {
        "across": across,
        "up": up,
        "bits": main_width(found),
        "workload": [w for w in WORKLOADS if any(p["workload"] == w for p in at_width)][-1],
        "families": families,
        "moduli": ALL,
        "constant": ALL,
        "clock": ALL,
        "bands": {axis.name: axis.band(noise) for axis in axes},
    }
    spec = _spec([_row(place, axes) for place in shown], axes, parameters, families)
    return Space(shown, axes, spec, static(spec))


def _row(place: dict[str, Any], axes: list[Axis]) -> dict[str, Any]:
    """Make a row of the chart's data: values on axes by name, and texts to show of them."""
    values = place["values"]
    texts = {
        f"{axis.name} text": f"{values[axis.name]:,.6g} {axis.unit}".strip()
        for axis in axes
        if axis.name in values
    }
    return {name: v for name, v in place.items() if name != "values"} | values | texts


def _spec(
    rows: list[dict[str, Any]], axes: list[Axis], parameters: dict[str, Any], families: list[str]
) -> dict[str, Any]:
    styles = [STYLES.get(family, OTHER) for family in families]
    titles = {axis.name: axis.heading for axis in axes}
    x = _position("x", titles[parameters["across"]])
    y = _position("y", titles[parameters["up"]])
    colour = {
        "field": "family",
        "type": "nominal",
        "scale": {"domain": families, "range": [colour for _, colour in styles]},
        "legend": {"orient": "top", "title": None, "columns": 4},
    }
    shape = {**colour, "scale": {"domain": families, "range": [shape for shape, _ in styles]}}
    return {
        "params": [{"name": name, "value": value} for name, value in parameters.items()],
        "data": {"values": rows},
        "transform": TRANSFORM,
        "width": WIDTH,
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        "config": {"font": "sans-serif", "axis": {"gridColor": "#e5e5e5"}},
        "layer": [
            {
                "transform": [{"filter": "datum.front"}],
                "mark": {"type": "line", "interpolate": "step-after", "color": "#777", "size": 1},
                "encoding": {"x": x, "y": y, "order": {"field": "x", "type": "quantitative"}},
            },
            _bar({"x": {**x, "field": "x_low"}, "x2": {"field": "x_high"}, "y": y}),
            _bar({"x": x, "y": {**y, "field": "y_low"}, "y2": {"field": "y_high"}}),
            _named({"stroke": "white", "strokeWidth": 4}, x, y),
            {
                "mark": {"type": "point", "size": 85, "strokeWidth": 1.6, "cursor": "pointer"},
                "encoding": {
                    "x": x,
                    "y": y,
                    "shape": shape,
                    "color": colour,
                    "fill": {
                        "condition": {**colour, "test": f"datum.moduli === '{ANY}'"},
                        "value": "white",
                    },
                    "href": {"field": "card"},
                    "tooltip": _hover(axes),
                },
            },
            _named({}, x, y),
            {
                "transform": [{"filter": "!datum.front"}],
                "mark": _text(13, fontWeight="bold", color="#b00020", align="right", dx=-4),
                "encoding": {"x": x, "y": y, "text": {"field": "marks"}},
            },
        ],
    }


TRANSFORM = [
    {
        "filter": "datum.bits === bits && datum.workload === workload"
        " && indexof(families, datum.family) >= 0"
        + "".join(
            f" && ({name} === '{ALL}' || datum.{name} === {name})"
            for name in ("moduli", "constant", "clock")
        )
    },
    {"calculate": "datum[across]", "as": "x"},
    {"calculate": "datum[up]", "as": "y"},
    {"filter": "isValid(datum.x) && isValid(datum.y)"},
    *(
        {"calculate": f"datum.{axis} * (1 {sign} bands[{name}])", "as": f"{axis}_{end}"}
        for axis, name in (("x", "across"), ("y", "up"))
        for sign, end in (("-", "low"), ("+", "high"))
    ),
    {"calculate": f"datum.moduli === '{ANY}' ? datum.y : null", "as": "of_any"},
    *(
        {
            "window": [{"op": op, "field": field, "as": name}],
            "sort": [{"field": "x"}, {"field": "y"}],
            "frame": [None, 0],
            "ignorePeers": True,
        }
        for op, field, name in (("min", "of_any", "least"), ("lag", "least", "before"))
    ),
    {
        "calculate": "isValid(datum.of_any) && (!isValid(datum.before) || datum.y < datum.before)",
        "as": "front",
    },
]


def _position(channel: str, title: str) -> dict[str, Any]:
    return {
        "field": channel,
        "type": "quantitative",
        "title": title,
        "scale": {"type": "log", "nice": False, "padding": 24},
        "axis": {"format": ",.5~r", "labelOverlap": "greedy", "tickCount": 8},
    }


def _bar(encoding: dict[str, Any]) -> dict[str, Any]:
    return {"mark": {"type": "rule", "color": "#999", "aria": False}, "encoding": encoding}


def _named(style: dict[str, Any], x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Write the names of the front, or what is white around them."""
    return {
        "transform": [{"filter": "datum.front"}],
        "mark": _text(12, **style),
        "encoding": {"x": x, "y": y, "text": {"field": "name"}},
    }


def _text(size: int, **style: Any) -> dict[str, Any]:
    place = {"align": "left", "baseline": "bottom", "dx": 6, "dy": -4}
    return {"type": "text", "fontSize": size, "aria": False, **place, **style}


def _hover(axes: list[Axis]) -> list[dict[str, str]]:
    """Show the whole row at a point."""
    words = {"name": "design", "title": "is", "bits": "bits", "workload": "workload"}
    words |= {"moduli": "takes", "constant": "constant time", "clock": "clock asked for"}
    return [
        *({"field": field, "title": title, "type": "nominal"} for field, title in words.items()),
        *(
            {"field": f"{axis.name} text", "title": axis.title, "type": "nominal"}
            for axis in AXES
            if axis in axes
        ),
    ]


def static(spec: dict[str, Any]) -> str:
    """Draw the picture as it is at first."""
    drawing = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    # Links to the page itself are given a site that is none of ours.
    return element(re.sub(r'href="https?:[^"]*#', 'href="#', drawing), "the space of designs")


@cache
def script() -> str:
    """Return the library that draws the picture in a browser, with nothing that ends a script
    element in it."""
    return vl_convert.javascript_bundle(vl_version=VEGA_LITE).replace("</script", "<\\/script")
