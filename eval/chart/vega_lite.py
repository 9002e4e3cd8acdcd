"""The Vega-Lite chart of panels, with every name in its place."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import Any

from eval.chart.names import FONT, Name, along, around, place
from eval.chart.panel import Axis, Marker, Panel

Json = dict[str, Any]
WIDTH, LEFT = 860, 85  # pixels of the chart, and of what stands left of each panel
SIZE, HALF = 50, 4.5  # of a point: its area and half its width, in pixels
FEW, MOST = 3, 10  # numbers along a logarithmic axis
CONFIG = {
    "font": "sans-serif",
    "axis": {
        "gridColor": "#e5e5e5",
        "labelFontSize": FONT,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelFlush": False,
        "labelOverlap": "greedy",
        "labelSeparation": 8,
    },
    "legend": {"labelFontSize": FONT, "symbolSize": SIZE},
    "title": {"anchor": "start", "frame": "group", "fontSize": 13},
    "text": {"fontSize": FONT},
}
LOOK = ("shape", "fill", "stroke")  # of a marker
POINT = {"size": SIZE, "opacity": 1, "strokeWidth": 1.2}
SIDES = {side: {"expr": f"datum.{side}"} for side in ("align", "baseline")}
ALIGN, BASELINE = {1: "left", 0: "center", -1: "right"}, {1: "top", 0: "middle", -1: "bottom"}


def spec(panels: Sequence[Panel], columns: int = 1) -> Json:
    """Make the chart of these panels, so many beside each other."""
    own = dict.fromkeys(LOOK, "independent")
    return {
        "concat": [_panel(panel, WIDTH // columns - LEFT) for panel in panels],
        "columns": columns,
        "background": None,
        "config": CONFIG,
        "resolve": {"scale": own, "legend": own},
    }


def names_of(panel: Panel, width: int) -> list[Name]:
    """Place the names of a panel that is so many pixels wide."""
    x, y = panel.settled()

    def pixels(spot: Sequence[float]) -> tuple[float, float]:
        return x.part(spot[0]) * width, (1 - y.part(spot[1])) * panel.height

    named = sorted((*pixels((p.x, p.y)), p.name) for p in panel.points if p.name)
    if not named:
        return []
    markers = [around(pixels((p.x, p.y)), HALF) for p in panel.points]
    lines = [box for line in panel.lines for box in along([*map(pixels, line.corners)])]
    return place(named, markers, lines, (width, panel.height))


def _panel(panel: Panel, width: int) -> Json:
    """Draw each kind of mark in a layer, each mark from a row of data that says how it looks."""
    x, y = panel.settled()
    axes = {"x": _position("x", x), "y": _position("y", y)}
    in_pixels = {c: {"field": c, "type": "quantitative", "scale": None, "axis": None} for c in "xy"}
    ends = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    along_line = {"order": {"field": "order"}, "detail": {"field": "line", "type": "nominal"}}
    names = names_of(panel, width)
    bars = [_ends(*bar.corners) | {"fill": bar.fill} for bar in panel.bars]
    spots = [
        {"x": at[0], "y": at[1], "order": order, "line": i}
        | {"stroke": line.colour, "strokeDash": line.dash}
        for i, line in enumerate(panel.lines)
        for order, at in enumerate(line.corners)
    ]
    points = [
        {"x": p.x, "y": p.y, "name": p.name, "href": f"#{p.card}" * bool(p.card), **_look(p.marker)}
        for p in panel.points
    ]
    texts = [
        {"x": name.at[0], "y": name.at[1], "text": name.text}
        | {"align": ALIGN[name.way[0]], "baseline": BASELINE[name.way[1]]}
        for name in names
    ]
    leaders = [_ends(name.of, name.at) for name in names if name.far]
    layers = [
        _layer("rect", bars, axes | ends | _as_is("fill"), stroke="black", strokeWidth=0.6),
        _layer("line", spots, axes | along_line | _as_is("stroke", "strokeDash"), strokeWidth=1),
        _layer("rule", leaders, in_pixels | ends, color="#666", strokeWidth=0.5),
        _layer("point", [p for p in points if not p["href"]], axes | _as_is(*LOOK), **POINT),
        _layer("point", [p for p in points if p["href"]], axes | _as_is(*LOOK, "href"), **POINT),
        _layer("text", texts, in_pixels | _as_is("text"), **SIDES),
        *([_legend(panel.keys)] if panel.keys else []),
    ]
    return {"title": panel.title or None, "width": width, "height": panel.height, "layer": layers}


def _layer(mark: str, rows: list[Json], encoding: Json, **style: Any) -> Json:
    mark_with = {"type": mark, "aria": False, **style}
    return {"mark": mark_with, "data": {"values": rows}, "encoding": encoding}


def _as_is(*fields: str) -> Json:
    """Take what the rows of data say."""
    return {field: {"field": field, "type": "nominal", "scale": None} for field in fields}


def _look(marker: Marker) -> Json:
    fill = marker.colour if marker.filled else "white"
    return {"shape": marker.shape, "fill": fill, "stroke": marker.colour}


def _ends(one: Sequence[float], other: Sequence[float]) -> Json:
    return {"x": one[0], "y": one[1], "x2": other[0], "y2": other[1]}


def _legend(keys: Mapping[str, Marker]) -> Json:
    """Say what markers mean, in a layer that draws nothing else."""
    looks = [_look(marker) for marker in keys.values()]
    legend = {"orient": "top", "title": None, "direction": "horizontal", "columns": len(keys)}
    channels = {
        channel: {
            "field": "key",
            "type": "nominal",
            "scale": {"domain": [*keys], "range": [look[channel] for look in looks]},
            "legend": legend,
        }
        for channel in LOOK
    }
    return _layer("point", [], channels, **POINT)


def _position(channel: str, axis: Axis) -> Json:
    """Place a field along an axis."""
    shown: Json = {"format": ",.6~r", "tickCount": 8}
    if axis.ticks:
        shown |= {"values": [*axis.ticks], "format": "~r"}
    elif ticks := _ticks(axis):
        shown["values"] = ticks
    if axis.words:
        shown["labelExpr"] = f"{[*axis.words]}[datum.value]"
    scale: Json = {"type": axis.kind, "domain": axis.ends, "nice": False, "zero": False}
    if axis.kind == "symlog":
        scale["constant"] = axis.constant
    title = {"title": axis.title, "scale": scale, "axis": shown}
    return {"field": channel, "type": "quantitative", **title}


def _ticks(axis: Axis) -> list[float]:
    """List round numbers along a logarithmic axis; none where Vega finds more."""
    if axis.kind != "log":
        return []
    assert axis.ends is not None, f"the axis {axis.title!r} is not settled"
    low, high = axis.ends
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for digits in ((1, 2, 5), (1,)):
        numbers = (digit * 10.0**power for power in powers for digit in digits)
        found = [number for number in numbers if low <= number <= high]
        if len(found) <= MOST:
            break
    return found if len(found) >= FEW else []
