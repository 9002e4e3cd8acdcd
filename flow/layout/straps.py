"""Lay strips of metal2 over the pins of the cells, so that a router can reach them.

Pins of the library are small metal1 polygons, most of them met by no routing track. Each gets a
vertical strip of metal2 over nearly the whole height of the cell, with one via1 where the polygon
is tall enough. Strips of one cell keep the distance that metal2 wires need; where they can, they
lie on the metal2 tracks, of which there is one per site.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flow.layout.lef import UNITS_PER_UM, Macro, Pin, Point, read_macros, units
from flow.layout.spans import Span, merged
from flow.layout.technology import HORIZONTAL, METALS, ROW_HEIGHT, SITE, SITE_WIDTH, TRACKS, Stack

HALF_WIDTH = units(0.035)
RAIL_HALF_WIDTH = units(0.085)
BOTTOM, TOP = units(0.07), ROW_HEIGHT - units(0.07)
TRACK_START = units(TRACKS["metal2"][1])
STEP = units(0.005)
GRID = units(0.0025)
# Tried in this order: the height of pin under the via, then the distance between strips.
LANDINGS = (units(0.14), units(0.07))
DISTANCES = tuple(units(um) for um in (0.19, 0.175, 0.16, 0.15, 0.14))
IO_INPUT, IO_OUTPUT = "IOPORT_I", "IOPORT_O"
IO_PIN = "P"

Choices = dict[int, Span]


@dataclass(frozen=True)
class Strap:
    """A strip from `bottom` to `top` centred at `x`, with its via1 at `via`, within the cell."""

    x: int
    via: int
    bottom: int = BOTTOM
    top: int = TOP


@dataclass(frozen=True)
class CellShape:
    """What placement and routing know of a cell: width, and its pins' strips and directions."""

    width: int
    straps: dict[str, Strap]
    directions: dict[str, str]

    @property
    def sites(self) -> int:
        """Its width in sites."""
        return self.width // SITE_WIDTH


def covered(polygon: list[Point], left: int, right: int) -> list[Span]:
    """Find the y spans in which a rectilinear polygon covers all of left..right."""
    xs = [x for x, _ in polygon]
    if left < min(xs) or right > max(xs):
        return []
    cuts = sorted({*xs, left, right})
    common: list[Span] | None = None
    for a, b in zip(cuts, cuts[1:], strict=False):
        if b <= left or a >= right:
            continue
        ys = sorted(
            y0
            for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
            if y0 == y1 and min(x0, x1) <= a and max(x0, x1) >= b
        )
        spans = list(zip(ys[::2], ys[1::2], strict=True))
        common = spans if common is None else _intersect(common, spans)
    return merged(common or [])


def _intersect(first: list[Span], second: list[Span]) -> list[Span]:
    pairs = ((max(a, c), min(b, d)) for a, b in first for c, d in second)
    return [(low, high) for low, high in pairs if high > low]


def _landings(pin: Pin, height: int) -> Choices:
    """Find where a strip may be: x to the tallest span of the pin there, of at least `height`."""
    choices: Choices = {}
    for polygon in pin.polygons:
        low = min(x for x, _ in polygon) + HALF_WIDTH
        high = max(x for x, _ in polygon) - HALF_WIDTH
        for x in range(-(-low // STEP) * STEP, high + 1, STEP):
            for a, b in covered(polygon, x - HALF_WIDTH, x + HALF_WIDTH):
                old = choices.get(x, (0, 0))
                if b - a >= height and b - a > old[1] - old[0]:
                    choices[x] = (a, b)
    return choices


def _order(
    choices: Mapping[str, Iterable[int]], width: int, distance: int
) -> list[tuple[str, int]] | None:
    """Choose an x for each pin, from left to right, at least `distance` apart; None if none
    fits."""
    margin = distance // 2
    xs = {p: [x for x in sorted(v) if margin <= x <= width - margin] for p, v in choices.items()}

    def search(left: frozenset[str], least: int) -> list[tuple[str, int]] | None:
        if not left:
            return []
        tried = []
        for pin in left:
            x = next((x for x in xs[pin] if x >= least), None)
            if x is None:
                return None
            tried.append((xs[pin][-1], x, pin))
        for _, x, pin in sorted(tried):
            rest = search(left - {pin}, x + distance)
            if rest is not None:
                return [(pin, x), *rest]
        return None

    return search(frozenset(xs), margin)


def _spread(
    order: list[tuple[str, int]], choices: dict[str, Choices], width: int, distance: int
) -> dict[str, int]:
    """Move each strip to a metal2 track if its neighbours allow, else to the middle of its room."""
    x, names = dict(order), [pin for pin, _ in order]
    for _ in range(3):
        for i, pin in enumerate(names):
            low = x[names[i - 1]] + distance if i else distance // 2
            last = i == len(names) - 1
            high = width - distance // 2 if last else x[names[i + 1]] - distance
            free = [v for v in choices[pin] if low <= v <= high]
            tracks = [v for v in free if (v - TRACK_START) % SITE_WIDTH == 0]
            if tracks:
                x[pin] = min(tracks, key=lambda v: abs(v - x[pin]))
            elif free:
                middle = max(low, min(free)) + min(high, max(free))
                x[pin] = min(free, key=lambda v: abs(2 * v - middle))
    return x


def straps(macro: Macro) -> dict[str, Strap] | None:
    """Choose the strips of a cell's pins; None if they do not fit."""
    pins = macro.signals()
    for height in LANDINGS:
        choices = {name: _landings(pin, height) for name, pin in pins.items()}
        for distance in DISTANCES:
            order = _order(choices, macro.width, distance)
            if order is not None:
                xs = _spread(order, choices, macro.width, distance)
                middles = {pin: sum(choices[pin][x]) // 2 for pin, x in xs.items()}
                return {pin: Strap(x, middles[pin] // GRID * GRID) for pin, x in xs.items()}
    return None


@cache
def read_cells(lef: Path) -> dict[str, CellShape]:
    """Read the cells that can be placed and routed, and add the two that stand for ports."""
    cells = {}
    for name, macro in read_macros(lef).items():
        found = straps(macro)
        if found is not None:
            directions = {pin: macro.pins[pin].direction for pin in found}
            cells[name] = CellShape(macro.width, found, directions)
    for name, direction in ((IO_INPUT, "output"), (IO_OUTPUT, "input")):
        strap = Strap(TRACK_START, ROW_HEIGHT // 2)
        cells[name] = CellShape(SITE_WIDTH, {IO_PIN: strap}, {IO_PIN: direction})
    return cells


def write_lef(cells: dict[str, CellShape], stack: Stack, path: Path) -> None:
    """Write the cells as a router needs them: outline, strips as pins, and the supply rails."""
    lines = ["VERSION 5.6 ;", 'BUSBITCHARS "[]" ;', 'DIVIDERCHAR "/" ;']
    lines += ["UNITS", f"  DATABASE MICRONS {UNITS_PER_UM} ;", "END UNITS"]
    for metal in METALS:
        direction = "HORIZONTAL" if metal in HORIZONTAL else "VERTICAL"
        lines += [f"LAYER {metal}", "  TYPE ROUTING ;", f"  DIRECTION {direction} ;"]
        width, pitch = stack.layers[metal].width, stack.layers[metal].pitch
        lines += [f"  WIDTH {_um(width)} ;", f"  PITCH {_um(pitch)} ;", f"END {metal}"]
    lines += [f"SITE {SITE}", "  SYMMETRY Y ;", "  CLASS core ;"]
    lines += [f"  SIZE {_um(SITE_WIDTH)} BY {_um(ROW_HEIGHT)} ;", f"END {SITE}"]
    for name, shape in cells.items():
        lines += [f"MACRO {name}", "  CLASS core ;", "  ORIGIN 0 0 ;", "  SYMMETRY X Y ;"]
        lines += [f"  SITE {SITE} ;", f"  SIZE {_um(shape.width)} BY {_um(ROW_HEIGHT)} ;"]
        for pin, strap in shape.straps.items():
            box = (strap.x - HALF_WIDTH, strap.bottom, strap.x + HALF_WIDTH, strap.top)
            way = shape.directions[pin].upper()
            lines += _pin(pin, way, "SIGNAL", "metal2", box)
        for pin, use, y in (("VDD", "POWER", ROW_HEIGHT), ("VSS", "GROUND", 0)):
            box = (0, y - RAIL_HALF_WIDTH, shape.width, y + RAIL_HALF_WIDTH)
            lines += _pin(pin, "INOUT", use, "metal1", box)
        lines.append(f"END {name}")
    path.write_text("\n".join([*lines, "END LIBRARY", ""]))


def _um(length: int) -> str:
    return f"{length / UNITS_PER_UM:g}"


def _pin(name: str, direction: str, use: str, layer: str, box: tuple[int, ...]) -> list[str]:
    shape = [] if use == "SIGNAL" else ["    SHAPE ABUTMENT ;"]
    return [
        f"  PIN {name}",
        f"    DIRECTION {direction} ;",
        f"    USE {use} ;",
        *shape,
        "    PORT",
        f"      LAYER {layer} ;",
        f"        RECT {' '.join(map(_um, box))} ;",
        "    END",
        f"  END {name}",
    ]
