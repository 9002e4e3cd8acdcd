"""The README's picture: Pareto fronts of signatures at RSA sizes, from cached results."""

from eval.catalog import find
from eval.chart.drawing import svg_file
from eval.chart.families import FAMILIES, marker
from eval.chart.panel import BLACK, DASHED, Axis, Line, Panel, Point
from eval.chart.vega_lite import spec
from eval.quoting.source import Source

PICTURE = "docs/fronts.svg"
COMMAND = "report rsa --tables"
FRONT = "RSA of {} bits: the front of area and time of a signature"
DASHES = {1024: (), 2048: DASHED}


def drawn(source: Source) -> str:
    """Return the picture as SVG."""
    return svg_file(spec([fronts(source)]))


def fronts(source: Source) -> Panel:
    """Return the front of each width, area against the time of a signature without CRT."""
    points: list[Point] = []
    lines: list[Line] = []
    families: set[str] = set()
    for nbits, dash in DASHES.items():
        front = source.rows(COMMAND, FRONT.format(nbits))
        spots = [(float(row[4]), float(row[3])) for row in front]
        lines.append(Line(sorted(spots), BLACK, dash, steps=True))
        named: set[str] = set()
        for (design, constant, *_), (x, y) in zip(front, spots, strict=True):
            family = find(design).family
            families.add(family)
            name = "" if design in named else f"{design}, {nbits}"
            named.add(design)
            points.append(Point(x, y, marker(family, constant == "yes"), name))
    keys = {family: marker(family) for family in FAMILIES if family in families}
    return Panel(
        Axis("time of a signature, ms"),
        Axis("area, mm2 (NanGate 45)"),
        points,
        lines,
        title="Pareto fronts at 1024 bits (solid) and 2048 bits (dashed); filled: constant-time",
        keys=keys,
        height=360,
    )
