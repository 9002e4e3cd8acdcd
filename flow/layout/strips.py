"""Lay strips over the pins of the cells, so that a router can reach them.

Pins of a library are small polygons, most of them met by no routing track. Each gets a vertical
strip of the next metal over nearly the whole height of the cell, with one via where the polygon is
tall enough. Strips of one cell keep the distance that wires of their metal need; where they can,
they lie on its tracks, of which there is one per site. Where the cell itself has shapes on that
metal, strips end before these.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flow.layout.lef import UNITS_PER_UM, Box, Macro, Pin, Point, read_macros, units
from flow.layout.spans import Span, merged
from flow.layout.technology import Stack, stack_of

IO_INPUT, IO_OUTPUT = "IOPORT_I", "IOPORT_O"
IO_PIN = "P"

Choices = dict[int, Span]


def ends(stack: Stack) -> Span:
    """Tell from where to where strips are at most."""
    end = units(stack.rules.strips.end_um)
    return end, stack.row_height - end


def port_slots(stack: Stack) -> list[Span]:
    """Tell from where to where the strips of ports are, as many in a row as vias can reach: on each
    there is a track of the first wires for one."""
    rules, (low, high) = stack.rules, ends(stack)
    grid, apart = units(rules.routing.grid_um), stack.spacing[stack.pin_metal]
    least = max(2 * stack.reach + stack.pitch(stack.routed[0]), units(rules.strips.least_um))
    count = (high - low + apart) // (least + apart)
    pitch = (high - low + apart) // count // (2 * grid) * 2 * grid
    return [(low + n * pitch, low + (n + 1) * pitch - apart) for n in range(count)]


@dataclass(frozen=True)
class Strip:
    """A strip from `bottom` to `top` centred at `x`, with its via at `via`, within the cell; if not
    said, as long as strips are in the usual technology."""

    x: int
    via: int
    bottom: int = field(default_factory=lambda: ends(stack_of())[0])
    top: int = field(default_factory=lambda: ends(stack_of())[1])


@dataclass(frozen=True)
class CellShape:
    """What placement and routing know of a cell: width, and its pins' strips and directions; and
    the width of a site, that of the usual technology if not said."""

    width: int
    strips: dict[str, Strip]
    directions: dict[str, str]
    site: int = field(default_factory=lambda: stack_of().site_width)

    @property
    def sites(self) -> int:
        """Its width in sites."""
        return self.width // self.site


def widest(stack: Stack) -> int:
    """Tell half the width of what the router's vias have on the metal of strips, or of a strip."""
    return max(
        stack.half_width[stack.pin_metal], stack.half_size(stack.first_cut, stack.pin_metal)[0]
    )


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


def _landings(stack: Stack, pin: Pin, height: int) -> Choices:
    """Find where a strip may be: x to the tallest span of the pin there, of at least `height`, and
    as wide as what its via has on the metal of pins."""
    choices: Choices = {}
    half, _ = stack.half_size(stack.pin_cut, stack.cell_metal)
    step = units(stack.rules.strips.step_um)
    for polygon in pin.polygons:
        low = min(x for x, _ in polygon) + half
        high = max(x for x, _ in polygon) - half
        for x in range(-(-low // step) * step, high + 1, step):
            for a, b in covered(polygon, x - half, x + half):
                old = choices.get(x, (0, 0))
                if b - a >= height and b - a > old[1] - old[0]:
                    choices[x] = (a, b)
    return choices


def _order(
    choices: Mapping[str, Iterable[int]], width: int, distance: int, least: int = 0
) -> list[tuple[str, int]] | None:
    """Choose an x for each pin, from left to right, at least `distance` apart, and half of that or
    `least` from the edges of the cell; None if none fits."""
    margin = max(distance // 2, least)
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
    stack: Stack,
    order: list[tuple[str, int]],
    choices: Mapping[str, Iterable[int]],
    width: int,
    distance: int,
    least: int = 0,
) -> dict[str, int]:
    """Move each strip to a track if its neighbours allow, else to the middle of its room."""
    margin = max(distance // 2, least)
    pitch, first = stack.tracks[stack.pin_metal]
    x, names = dict(order), [pin for pin, _ in order]
    for _ in range(3):
        for i, pin in enumerate(names):
            low = x[names[i - 1]] + distance if i else margin
            last = i == len(names) - 1
            high = width - margin if last else x[names[i + 1]] - distance
            free = [v for v in choices[pin] if low <= v <= high]
            tracks = [v for v in free if (v - first) % pitch == 0]
            if tracks:
                x[pin] = min(tracks, key=lambda v: abs(v - x[pin]))
            elif free:
                middle = max(low, min(free)) + min(high, max(free))
                x[pin] = min(free, key=lambda v: abs(2 * v - middle))
    return x


def _placed(stack: Stack, x: int, landing: Span, others: Sequence[Box]) -> Strip | None:
    """Place a strip at x with its via on a span of the pin, away from other shapes of the cell, as
    long as it may be. Its via is in the middle of what is left of the span. None if it is too
    short."""
    rules, (lowest, highest) = stack.rules.strips, ends(stack)
    wide, tall = stack.half_size(stack.pin_cut, stack.pin_metal)
    wide = max(wide, widest(stack))
    space = stack.layers[stack.pin_metal].spacing
    free = [(lowest, highest)]
    for left, low, right, high in others:
        if left - space < x + wide and x - wide < right + space:
            free = _intersect(free, [(lowest, low - space), (high + space, highest)])
    half = stack.layers[stack.pin_cut].width // 2
    grid, first = units(rules.grid_um), units(rules.via_um)
    least = units(min(rules.landings_um))
    best: Strip | None = None
    for bottom, top in free:
        low, high = landing
        if others:  # else all strips are as long, and no via is near the end of one
            low = max(low, bottom + tall - half)
            high = min(high, top - tall + half)
        low, high = max(low, first - half), min(high, stack.row_height - first + half)
        long_enough = top - bottom >= units(rules.least_um)
        if high - low < least or not long_enough:
            continue
        if best is None or top - bottom > best.top - best.bottom:
            best = Strip(x, (low + high) // 2 // grid * grid, bottom, top)
    return best


def strips(stack: Stack, macro: Macro) -> dict[str, Strip] | None:
    """Choose the strips of a cell's pins; None if they do not fit."""
    pins, rules = macro.signals(), stack.rules.strips
    # So that there is the spacing between a via here and one in the next cell.
    pad = max(stack.half_size(stack.pin_cut, stack.pin_metal)[0], widest(stack))
    least = pad + stack.layers[stack.pin_metal].spacing // 2
    for height in map(units, rules.landings_um):
        choices: dict[str, dict[int, Strip]] = {}
        for name, pin in pins.items():
            landings = _landings(stack, pin, height)
            found = {x: _placed(stack, x, at, macro.beside(name)) for x, at in landings.items()}
            choices[name] = {x: strip for x, strip in found.items() if strip}
        for distance in map(units, rules.distances_um):
            order = _order(choices, macro.width, distance, least)
            if order is not None:
                xs = _spread(stack, order, choices, macro.width, distance, least)
                return {pin: choices[pin][x] for pin, x in xs.items()}
    return None


def read_cells(
    stack: Stack, files: Iterable[Path], known: Container[str] | None = None
) -> dict[str, CellShape]:
    """Read the cells that can be placed and routed, of those that are `known` if that is said, and
    add those that stand for ports: an input and an output for each place in a row."""
    cells, site = {}, stack.site_width
    for name, macro in read_macros(files, stack.cell_metal, stack.pin_metal).items():
        found = strips(stack, macro) if known is None or name in known else None
        if found is not None:
            directions = {pin: macro.pins[pin].direction for pin in found}
            cells[name] = CellShape(macro.width, found, directions, site)
    _, first = stack.tracks[stack.pin_metal]
    for number, (low, high) in enumerate(port_slots(stack)):
        strip = Strip(first, (low + high) // 2, low, high)
        for name, direction in ((IO_INPUT, "output"), (IO_OUTPUT, "input")):
            shape = CellShape(site, {IO_PIN: strip}, {IO_PIN: direction}, site)
            cells[f"{name}{number or ''}"] = shape
    return cells


def write_lef(cells: dict[str, CellShape], stack: Stack, path: Path) -> None:
    """Write the cells as a router needs them: outline, strips as pins, and the supply rails."""
    lines = ["VERSION 5.6 ;", 'BUSBITCHARS "[]" ;', 'DIVIDERCHAR "/" ;']
    lines += ["UNITS", f"  DATABASE MICRONS {UNITS_PER_UM} ;", "END UNITS"]
    height, site, rails = stack.row_height, stack.cells.site, stack.rules.rails
    for metal in stack.metals:
        direction = "HORIZONTAL" if metal in stack.horizontal else "VERTICAL"
        lines += [f"LAYER {metal}", "  TYPE ROUTING ;", f"  DIRECTION {direction} ;"]
        width, pitch = stack.layers[metal].width, stack.layers[metal].pitch
        lines += [f"  WIDTH {_um(width)} ;", f"  PITCH {_um(pitch)} ;", f"END {metal}"]
    lines += [f"SITE {site}", "  SYMMETRY Y ;", "  CLASS core ;"]
    lines += [f"  SIZE {_um(stack.site_width)} BY {_um(height)} ;", f"END {site}"]
    # Katana has vias in the middle of strips that are as wide as these.
    half, half_rail = widest(stack), units(rails.width_um) // 2
    for name, shape in cells.items():
        lines += [f"MACRO {name}", "  CLASS core ;", "  ORIGIN 0 0 ;", "  SYMMETRY X Y ;"]
        lines += [f"  SITE {site} ;", f"  SIZE {_um(shape.width)} BY {_um(height)} ;"]
        for pin, strip in shape.strips.items():
            box = (strip.x - half, strip.bottom, strip.x + half, strip.top)
            way = shape.directions[pin].upper()
            lines += _pin(pin, way, "SIGNAL", stack.pin_metal, box)
        for pin, use, y in (("VDD", "POWER", height), ("VSS", "GROUND", 0)):
            box = (0, y - half_rail, shape.width, y + half_rail)
            lines += _pin(pin, "INOUT", use, rails.metal, box)
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
