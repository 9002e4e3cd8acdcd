"""Tell what share of each window of a layout a layer covers."""

from collections.abc import Iterator

import klayout.db as kdb

from flow.results.record import Record
from flow.signoff.rules import PLACES, Layers

HALVES = 2  # a window is two pixels wide and high: windows overlap by half
ENOUGH = 1e-9  # that shares are off by rounding


class Covered(Record, frozen=True):
    """The share of windows that a layer covers: least, most and mean; limits, if there are any; in
    how many windows it is beyond these, and the first of them by their lower left corner, um."""

    layer: str
    windows: int
    least: float
    most: float
    mean: float
    limits: tuple[float, float] | None
    violations: int
    places: tuple[tuple[float, float], ...] = ()


def densities(layers: Layers) -> Iterator[Covered]:
    """Tell the density of each layer in the windows of the core."""
    rules = layers.rules.density
    core = layers.drawn(layers.rules.outline).bbox()
    if core.empty():
        return
    pixel = layers.length(rules.window_um) // HALVES
    # As many as fit, a little larger so that they cover the core: no window is a part of one.
    across, up = (max(HALVES, side // pixel) for side in (core.width(), core.height()))
    size = kdb.Vector(-(-core.width() // across), -(-core.height() // up))
    for name in dict.fromkeys((*rules.layers, *rules.limits)):
        inside = layers[name] & kdb.Region(core)
        areas = inside.rasterize(core.p1, size, across, up)
        yield _covered(layers, name, areas, core, size)


def _covered(
    layers: Layers, name: str, areas: list[list[float]], core: kdb.Box, size: kdb.Vector
) -> Covered:
    limit = layers.rules.density.limits.get(name)
    least, most = (limit.least, limit.most) if limit else (0.0, 1.0)
    shares: list[float] = []
    beyond: list[tuple[float, float]] = []
    for row in range(len(areas) - 1):
        for column in range(len(areas[0]) - 1):
            corner = core.p1 + kdb.Vector(column * size.x, row * size.y)
            window = kdb.Box(corner, corner + kdb.Vector(HALVES * size.x, HALVES * size.y)) & core
            covered = sum(sum(areas[row + up][column : column + HALVES]) for up in range(HALVES))
            share = covered / window.area()
            shares.append(share)
            if not least - ENOUGH <= share <= most + ENOUGH:
                beyond.append(layers.place(corner))
    return Covered(
        layer=name,
        windows=len(shares),
        least=round(min(shares), 4),
        most=round(max(shares), 4),
        mean=round(sum(shares) / len(shares), 4),
        limits=(least, most) if limit else None,
        violations=len(beyond),
        places=tuple(beyond[:PLACES]),
    )
