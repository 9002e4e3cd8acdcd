"""The Vega-Lite chart of the space of designs: its marks, and its transforms."""

from typing import Any

from eval.chart.families import look
from eval.chart.vega_lite import CONFIG, WIDTH
from eval.report.space import ANY, Axis

ALL = "all"
HEIGHT = 440


def chart(
    rows: list[dict[str, Any]], axes: list[Axis], parameters: dict[str, Any], families: list[str]
) -> dict[str, Any]:
    """Make the chart of rows, whose parameters are what is chosen at first."""
    shapes, colours = zip(*map(look, families), strict=True)
    titles = {axis.name: axis.heading for axis in axes}
    x = _position("x", titles[parameters["across"]])
    y = _position("y", titles[parameters["up"]])
    colour = {
        "field": "family",
        "type": "nominal",
        "scale": {"domain": families, "range": colours},
        "legend": {"orient": "top", "title": None, "columns": 4},
    }
    shape = {**colour, "scale": {"domain": families, "range": shapes}}
    return {
        "params": [{"name": name, "value": value} for name, value in parameters.items()],
        "data": {"values": rows},
        "transform": TRANSFORM,
        "width": WIDTH,
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        "config": CONFIG,
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
