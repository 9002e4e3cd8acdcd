"""The Vega-Lite chart of the space of designs: its marks, its transforms, itself as SVG, and the
library that draws it in a browser."""

import re
from functools import cache
from typing import Any

import vl_convert

from eval.report.space import ANY, Axis
from eval.tasks.drawing import element

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
WIDTH, HEIGHT = 860, 440


def rank(family: str) -> tuple[int, str]:
    """Order families as STYLES has them, others by name."""
    names = list(STYLES)
    return (names.index(family) if family in names else len(names), family)


def chart(
    rows: list[dict[str, Any]], axes: list[Axis], parameters: dict[str, Any], families: list[str]
) -> dict[str, Any]:
    """Make the chart of rows, whose parameters are what is chosen at first."""
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
        {"calculate": f"datum.{axis} * (1 {sign} datum[{name} + ' band'])", "as": f"{axis}_{end}"}
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
        *({"field": f"{axis.name} text", "title": axis.title, "type": "nominal"} for axis in axes),
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
