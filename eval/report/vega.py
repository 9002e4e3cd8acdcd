"""The Vega-Lite chart of the space of designs: its marks, and its transforms."""

from typing import Any

import vl_convert

from eval.chart.drawing import VEGA_LITE
from eval.chart.families import ESTIMATE, PRINTED, look
from eval.chart.vega_lite import CONFIG, WIDTH
from eval.report.space import OPERATIONS, Axis
from eval.table.units import label_expression

Json = dict[str, Any]
ALL = "all"
HEIGHT = 400
SIZE = 70  # of a point, in square pixels
CLEAR = 80  # the same with most of its ring, where no name is
FLUSH = 26  # pixels from an end of the axis, where numbers do not stand beyond it
NEAR, FAR = 3, 9  # pixels between a name and its point; the second where there is no room nearer
NARROW = 500  # pixels of a chart in which points are so close that no name is far from its own
DIM = {"size": 16, "opacity": 0.35}
FRONTS = {
    "front": "datum.compared",
    "constant_front": "datum.compared && datum.constant === 'yes'",
}


def chart(rows: list[Json], axes: list[Axis], parameters: Json, families: list[str]) -> Json:
    """Make the chart of rows, whose parameters are what is chosen at first."""
    shapes, colours = zip(*map(look, families), strict=True)
    x, y = _position("x", "across", axes), _position("y", "up", axes)
    at: Json = {"x": x, "y": y}
    in_order: Json = {"order": {"field": "x", "type": "quantitative"}}
    colour = _scaled("family", families, colours)
    own = {"shape": _scaled("family", families, shapes), "color": colour}
    ring = _scaled("constant", ["yes", "no"], ["black", "transparent"])
    of_ours = {"filter": OURS}
    return {
        "params": [{"name": name, "value": value} for name, value in parameters.items()],
        "data": {"values": rows},
        "transform": CHOSEN,
        "width": WIDTH,
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        "config": CONFIG,
        "layer": [
            *([_dim({**at, **own})] if ESTIMATE in families else []),
            _steps("front", at),
            _steps("constant_front", at, strokeDash=[5, 3]),
            {
                "transform": [*ENVELOPES, of_ours],
                "mark": {"type": "line", "size": 1, "opacity": 0.55, "aria": False},
                "encoding": {
                    **at,
                    **in_order,
                    "color": {**colour, "legend": None},
                    "detail": [{"field": "design"}, {"field": "name"}],
                },
            },
            _bar({"x": {**x, "field": "x_low"}, "x2": {"field": "x_high"}, "y": y}),
            _bar({"x": x, "y": {**y, "field": "y_low"}, "y2": {"field": "y_high"}}),
            {
                "name": "names",
                "transform": [*ENVELOPES, of_ours],
                "mark": NAMED,
                "encoding": {**at, "text": {"field": "called"}},
            },
            {
                "name": "points",
                "transform": [*ENVELOPES, of_ours, {"filter": "!datum.assumed"}],
                "mark": _point(strokeWidth=2.2, cursor="pointer"),
                "encoding": {**at, **own, "fill": colour, "stroke": ring, **TOLD},
            },
            {
                "name": "assumed",
                "transform": [*ENVELOPES, {"filter": "datum.assumed"}],
                "mark": _point(strokeWidth=1.4, filled=False, strokeDash=[2, 2], cursor="pointer"),
                "encoding": {**at, **own, **TOLD},
            },
            {
                "name": "printed",
                "transform": [*ENVELOPES, {"filter": f"datum.family === '{PRINTED}'"}],
                "mark": _point(strokeWidth=1.4, filled=False),
                "encoding": {**at, **own, **TOLD},
            },
            {
                "name": "beside",
                "transform": BESIDE,
                "mark": _point(strokeWidth=1.4, filled=False),
                "encoding": {**own, "x": {"value": "width"}, "y": y, **TOLD},
            },
            {
                "name": "edge_names",
                "transform": BESIDE,
                "mark": {**NAMED, "color": "#555", "align": "right", "dx": -8},
                "encoding": {"x": {"value": "width"}, "y": y, "text": {"field": "called"}},
            },
        ],
    }


def compiled(spec: Json, axes: list[Axis]) -> Json:
    """Compile the chart to Vega, where axes are called as is chosen, names give way to each other
    and to points, and the row of a point is told at it."""
    vega = vl_convert.vegalite_to_vega(spec, vl_version=VEGA_LITE)
    titles = {axis.name: axis.title for axis in axes}
    by_workload = [axis.name for axis in axes if axis.is_by_workload]
    for axis in vega["axes"]:
        if "title" in axis:
            chosen = "across" if axis["orient"] == "bottom" else "up"
            whose = f"indexof({by_workload!r}, {chosen}) < 0 ? '' : ', ' + {OPERATIONS!r}[workload]"
            axis["title"] = {"signal": f"{titles!r}[{chosen}] + ({whose})"}
    marks = {mark["name"]: mark for mark in vega["marks"]}
    for name in marks.keys() & {*POINTS}:
        marks[name]["encode"]["update"]["tooltip"] = {"signal": "datum.told"}
    _give_way(vega["marks"], marks["names_marks"], {"scale": "x", "field": "x"}, AROUND)
    _give_way(vega["marks"], marks["edge_names_marks"], {"signal": "width"}, LEFT, "names_marks")
    return vega


POINTS = ("points_marks", "assumed_marks", "printed_marks", "beside_marks", "estimates_marks")
BOTH = "isValid(datum.x) && isValid(datum.y)"
OURS = f"datum.family !== '{PRINTED}' && datum.family !== '{ESTIMATE}'"
LEFT = ("left", "bottom-left", "top-left")
AROUND = ("right", "top-right", "bottom-right", "left", "top-left", "top", "bottom", "bottom-left")


def _give_way(
    marks: list[Json], names: Json, x: Json, sides: tuple[str, ...], *avoided: str
) -> None:
    """Place the names of a mark at a side of their points where neither these nor other names are,
    nor marks that are avoided, which must not be empty; names that find no place go, those of the
    front last."""
    anchors = f"{names['name']}_anchors"
    encoding = names["encode"]["update"]
    y = encoding["y"]
    # Names go round what is drawn, however faint; of opacity 0 that is nothing.
    spot = {"x": x, "y": y, "size": {"value": CLEAR}} | {
        "fill": {"value": "black"},
        "opacity": {"value": 0.01},
    }
    hidden = {"name": anchors, "type": "symbol", "from": names["from"], "aria": False}
    marks.insert(marks.index(names), hidden | {"encode": {"update": spot}, "interactive": False})
    for channel in ("x", "y", "dx", "dy", "align", "baseline"):
        encoding.pop(channel, None)
    encoding["text"] = {"signal": "datum.datum.called"}
    names["from"] = {"data": anchors}
    names["interactive"] = False
    near, far = [NEAR] * len(sides), [FAR] * len(sides)
    names["transform"] = [
        {
            "type": "label",
            "size": {"signal": "[width + 8, height]"},
            "anchor": [*sides, *sides],
            "offset": {"signal": f"width < {NARROW} ? {near} : {[*near, *far]}"},
            "sort": {"field": "datum.datum.rank", "order": "descending"},
            "avoidMarks": [*avoided],
        }
    ]


def _window(field: str, name: str, group: list[str]) -> list[Json]:
    """Say in `name` whether a row is less in y than all before it in x; rows without `field` are
    none of them."""
    common = {
        "groupby": group,
        "sort": [{"field": "x"}, {"field": "y"}],
        "ignorePeers": True,
    }
    least, before = f"{name}_least", f"{name}_before"
    return [
        {
            "window": [{"op": "min", "field": field, "as": least}],
            "frame": [None, 0],
            **common,
        },
        {"window": [{"op": "lag", "field": least, "as": before}], "frame": [None, 0], **common},
        {
            "calculate": f"isValid(datum.{field})"
            f" && (!isValid(datum.{before}) || datum.y < datum.{before})",
            "as": name,
        },
    ]


# What the controls choose.
CHOSEN = [
    {
        "filter": "datum.bits === bits && datum.workload === workload"
        " && (!datum.tech || datum.tech === tech)"
        " && indexof(families, datum.family) >= 0"
        f" && (moduli === '{ALL}' || datum.moduli === moduli)"
        f" && (constant === '{ALL}' || datum.constant === constant)"
    },
    {"calculate": "datum[across]", "as": "x"},
    {"calculate": "datum[up]", "as": "y"},
]
# What is printed without what is across stands at the edge.
BESIDE = [
    {"filter": f"datum.family === '{PRINTED}' && !isValid(datum.x) && isValid(datum.y)"},
    {"calculate": "datum.name", "as": "called"},
]
# Of each design, the netlists than which no other of it is better in both; of them, the fronts.
ENVELOPES = [
    {"filter": f"{BOTH} && datum.family !== '{ESTIMATE}'"},
    *_window("y", "own", ["design", "name"]),
    {"filter": "datum.own"},
    *(
        step
        for front, of in FRONTS.items()
        for step in (
            {
                "calculate": f"{of} ? datum.y : null",
                "as": f"of_{front}",
            },
            *_window(f"of_{front}", front, []),
        )
    ),
    *(
        {"calculate": f"datum.{axis} * (1 {sign} datum[{name} + ' band'])", "as": f"{axis}_{end}"}
        for axis, name in (("x", "across"), ("y", "up"))
        for sign, end in (("-", "low"), ("+", "high"))
    ),
    {
        "joinaggregate": [
            {"op": "max", "field": "x", "as": "last"},
            {"op": "max", "field": "front", "as": "rank"},
        ],
        "groupby": ["design", "name"],
    },
    {"calculate": "datum.x === datum.last ? datum.name : ''", "as": "called"},
]
TOLD: Json = {"href": {"field": "card"}, "description": {"field": "description"}}


NAMED = {"type": "text", "fontSize": 12, "aria": False, "dx": 6, "dy": -4} | {
    "align": "left",
    "baseline": "bottom",
}


def _scaled(field: str, values: list[str], shown: Any) -> Json:
    """Show each of the values of a field as something; the page says as what."""
    scale = {"domain": values, "range": [*shown]}
    return {"field": field, "type": "nominal", "scale": scale, "legend": None}


def _position(channel: str, chosen: str, axes: list[Axis]) -> Json:
    """Place what is chosen along an axis, whose numbers have the units with a prefix that fits."""
    labels = "''"
    for axis in axes:
        labels = f"({chosen} === '{axis.name}' ? {label_expression(axis.unit)} : {labels})"
    return {
        "field": channel,
        "type": "quantitative",
        "title": chosen,
        "scale": {"type": "log", "nice": False, "padding": 24},
        "axis": {
            **{"labelExpr": labels, "labelOverlap": "greedy", "tickCount": 6},
            "labelFlush": FLUSH if channel == "x" else False,
        },
    }


def _dim(encoding: Json) -> Json:
    """Draw what was estimated alone: below all else, and told to nobody but by the mouse."""
    return {
        "name": "estimates",
        "transform": [{"filter": f"{BOTH} && datum.family === '{ESTIMATE}'"}],
        "mark": {"type": "point", "filled": True, "aria": False, **DIM},
        "encoding": encoding,
    }


def _steps(front: str, at: Json, **style: Any) -> Json:
    """Draw a front: across to the next netlist, then down to it."""
    line = {"type": "line", "interpolate": "step-after", "color": "#555", "size": 1.2}
    return {
        "transform": [*ENVELOPES, {"filter": f"datum.{front}"}],
        "mark": {**line, "aria": False, **style},
        "encoding": {**at, "order": {"field": "x", "type": "quantitative"}},
    }


def _bar(encoding: Json) -> Json:
    """Draw what noise moves on the front."""
    shown = {"type": "rule", "color": "#999", "aria": False}
    return {
        "transform": [*ENVELOPES, {"filter": "datum.front"}],
        "mark": shown,
        "encoding": encoding,
    }


def _point(**style: Any) -> Json:
    return {"type": "point", "size": SIZE, "opacity": 1, **style}
