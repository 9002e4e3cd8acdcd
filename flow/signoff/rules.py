"""Check a layout by a technology's design rules, with KLayout, on what its file has: all layers,
the cells' own among them, each merged over the whole hierarchy, so that neighbours count."""

from collections.abc import Callable, Iterator

import klayout.db as kdb

from flow.results.record import Record
from flow.signoff.rulefile import Derived, Drawn, Rule, RuleFile, in_gds

PLACES = 3  # that a result names of one rule
METRIC = kdb.Metrics.Euclidian


class Checked(Record, frozen=True):
    """A rule: what it asks, how often it is broken, and where first, in um."""

    rule: str
    layer: str
    asks: str
    source: str
    violations: int
    places: tuple[tuple[float, float], ...] = ()


class Layers:
    """The layers of a cell, flat and merged, each when it is asked for; lengths are in database
    units."""

    def __init__(self, top: kdb.Cell, rules: RuleFile) -> None:
        self.layout = top.layout()
        self.top, self.rules = top, rules
        self._found: dict[str, kdb.Region] = {}

    def length(self, um: float) -> int:
        """Return a length in database units."""
        return round(um / self.layout.dbu)

    def place(self, point: kdb.Point) -> tuple[float, float]:
        """Return a place in um, as results tell it."""
        unit = self.layout.dbu
        return round(point.x * unit, 4), round(point.y * unit, 4)

    def __getitem__(self, name: str) -> kdb.Region:
        """Return a layer, drawn or derived."""
        if name not in self._found:
            self._found[name] = self._make(name)
        return self._found[name]

    def _make(self, name: str) -> kdb.Region:
        if (derived := self.rules.derived.get(name)) is None:
            return self.drawn(self.rules.layers[name])
        return derive(derived, *(self[of] for of in derived.of)).merged()

    def drawn(self, layer: Drawn) -> kdb.Region:
        """Return all shapes of a layer of the file, merged."""
        return kdb.Region(self.top.begin_shapes_rec(self.layout.layer(*in_gds(layer)))).merged()


def derive(derived: Derived, one: kdb.Region, other: kdb.Region) -> kdb.Region:
    """Make a layer of two others."""
    if derived.how == "and":
        return one & other
    if derived.how == "or":
        return one | other
    return one - other


def check_rules(layers: Layers) -> Iterator[Checked]:
    """Check every rule."""
    for rule in layers.rules.rules:
        yield check(layers, rule)


def check(layers: Layers, rule: Rule) -> Checked:
    """Check one rule."""
    other = layers[rule.to] if rule.to else kdb.Region()
    found = CHECKS[rule.kind](layers[rule.layer], other, layers, rule)
    boxes = sorted(found, key=lambda box: (box.left, box.bottom))
    places = tuple(layers.place(box.center()) for box in boxes[:PLACES])
    return Checked(rule.name, rule.layer, asked(rule), rule.source, len(boxes), places)


def asked(rule: Rule) -> str:
    """Say what a rule asks, in short."""
    um = f"{rule.um:g}"
    texts = {
        "width": f"width {um}",
        "square": f"{um} square",
        "space": f"space {um}",
        "area": f"area {um}",
        "hole": f"hole {um}",
        "grid": f"grid {um}",
        "enclosure": f"in {rule.to} by {um}",
        "ends": f"in {rule.to} by {um} on 2 sides",
        "extension": f"beyond {rule.to} {um}",
        "inside": f"in {rule.to}",
        "beside": f"beside {rule.to} {um}",
        "apart": f"from {rule.to} {um}" if rule.um else f"not over {rule.to}",
    }
    beside = f", wider {rule.wider:g}, longer {rule.longer:g}" if rule.wider else ""
    return texts[rule.kind] + beside


def _boxes(pairs: kdb.EdgePairs) -> list[kdb.Box]:
    return [pair.bbox() for pair in pairs.each()]


def _parts(region: kdb.Region) -> list[kdb.Box]:
    return [polygon.bbox() for polygon in region.merged().each()]


Found = list[kdb.Box]


def _width(layer: kdb.Region, _: kdb.Region, at: Layers, rule: Rule) -> Found:
    return _boxes(layer.width_check(at.length(rule.um), False, METRIC))


def _space(layer: kdb.Region, _: kdb.Region, at: Layers, rule: Rule) -> Found:
    if not rule.wider:
        return _boxes(_close(layer, at.length(rule.um), METRIC, 0))
    half = at.length(rule.wider) // 2
    wide = layer.sized(-half).sized(half)  # what is left is wider: of what is as wide, nothing is
    if wide.is_empty():
        return []
    longer = at.length(rule.longer) + 1
    close = _close(layer, at.length(rule.um), kdb.Metrics.Projection, longer)
    return _parts(close.polygons(1).interacting(wide))


def _close(layer: kdb.Region, by: int, metric: kdb.Metrics, run: int) -> kdb.EdgePairs:
    """Find edges that face each other too close, along so much.

    A rail with all that hangs on it is a polygon of very many corners, which take long. By edges
    alone it is short; those that a polygon lies between are found so, too. The polygons of what is
    found say which it is.
    """
    edges = layer.edges().space_check(by, False, metric, min_projection=run)
    if edges.is_empty():
        return edges
    near = layer.interacting(edges.edges())
    return near.space_check(by, False, metric, min_projection=run)


def _square(layer: kdb.Region, _: kdb.Region, at: Layers, rule: Rule) -> Found:
    side = at.length(rule.um)
    return [
        polygon.bbox()
        for polygon in layer.each()
        if not polygon.is_box() or {polygon.bbox().width(), polygon.bbox().height()} != {side}
    ]


def _area(layer: kdb.Region, _: kdb.Region, at: Layers, rule: Rule) -> Found:
    least = rule.um / at.layout.dbu**2
    return [polygon.bbox() for polygon in layer.each() if polygon.area() < least]


def _hole(layer: kdb.Region, _: kdb.Region, at: Layers, rule: Rule) -> Found:
    return _area(layer.holes(), _, at, rule)


def _grid(layer: kdb.Region, _: kdb.Region, at: Layers, rule: Rule) -> Found:
    return _boxes(layer.grid_check(at.length(rule.um), at.length(rule.um)))


def _enclosure(layer: kdb.Region, other: kdb.Region, at: Layers, rule: Rule) -> Found:
    """What lies in `other` in part must lie in it altogether, and away from its edge."""
    outside = layer - other
    if not outside.is_empty():
        outside = outside.interacting(layer & other)
    close = other.enclosing_check(layer, at.length(rule.um), False, METRIC)
    return _parts(outside) + _boxes(close)


def _ends(layer: kdb.Region, other: kdb.Region, at: Layers, rule: Rule) -> Found:
    by = at.length(rule.um)
    found = []
    reached = [_reaching(layer, other, dx, dy) for dx, dy in ((by, 0), (0, by))]
    for polygon in layer.each():
        box = polygon.bbox()
        if not any((box.left, box.bottom) in corners for corners in reached):
            found.append(box)
    return found


def _reaching(layer: kdb.Region, other: kdb.Region, dx: int, dy: int) -> set[tuple[int, int]]:
    """Find the shapes that stay within `other` if they grow so on two sides, by their corners."""
    grown = kdb.Region()
    for polygon in layer.each():
        grown.insert(polygon.bbox().enlarged(dx, dy))
    grown.merged_semantics = False  # of two that then overlap each counts by itself
    reaching = grown.not_overlapping(grown - other)
    inside = (polygon.bbox() for polygon in reaching.each())
    return {(box.left + dx, box.bottom + dy) for box in inside}


def _extension(layer: kdb.Region, other: kdb.Region, at: Layers, rule: Rule) -> Found:
    """Where the edge of `other` crosses the layer, the layer goes on."""
    ends = (layer & other).edges() & other.edges()
    return _parts(ends.extended_out(at.length(rule.um)) - layer)


def _inside(layer: kdb.Region, other: kdb.Region, at: Layers, rule: Rule) -> Found:
    return _parts(layer - other)


def _apart(layer: kdb.Region, other: kdb.Region, at: Layers, rule: Rule) -> Found:
    if not rule.um:
        return _parts(layer & other)
    return _boxes(layer.separation_check(other, at.length(rule.um), False, METRIC))


def _beside(layer: kdb.Region, other: kdb.Region, at: Layers, rule: Rule) -> Found:
    """Edges that face each other; those that touch are where one goes over into the other."""
    touching = kdb.Region.NeverIncludeZeroDistance
    metric = kdb.Metrics.Projection
    by = at.length(rule.um)
    return _boxes(layer.separation_check(other, by, False, metric, zero_distance_mode=touching))


CHECKS: dict[str, Callable[[kdb.Region, kdb.Region, Layers, Rule], Found]] = {
    "width": _width,
    "square": _square,
    "space": _space,
    "area": _area,
    "hole": _hole,
    "grid": _grid,
    "enclosure": _enclosure,
    "ends": _ends,
    "extension": _extension,
    "inside": _inside,
    "apart": _apart,
    "beside": _beside,
}
