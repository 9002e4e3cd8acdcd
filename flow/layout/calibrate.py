"""Write a technology's tables of wires: `python -m flow.layout.calibrate NAME`.

Each metal's wire is solved with a wire on both sides, at several spacings, and alone, between
planes: a metal below, that of the cells being the last, and a metal above, or none. Wires that
cross are a plane in part. How much of one they are is solved for wires at four times their width
from each other, seen from a plane where our wire is.
"""

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flow.layout.field import EPSILON_0, Box, charges, panel_charges, panels
from flow.layout.lef import UNITS_PER_UM
from flow.layout.technology import Stack, stack_of
from flow.technologies.asked import DEFAULT
from flow.technologies.rules import TABLES
from flow.technologies.technology import folders

LEVELS = 2  # of metals below and above that a wire is seen between, the plane of the cells aside
SPACINGS = (1, 1.5, 2, 3, 5, 7, 9)  # in the least
PITCH = 4  # in widths, of the wires that are seen as a part of a plane
PERIODS = 6  # of that pitch or height, which are as good as an endless row
PLANE_PANELS, SAMPLES = 100, 100
WIDE = 10  # a plane above, to either side, in its height
TITLE = """\
# Written by `python -m flow.layout.calibrate`: mend that, not this. flow/technologies/wires.py says
# what the figures are.
"""


@dataclass(frozen=True)
class Metal:
    """Where a metal is, um: the bottom and the top of its wires, their width and spacing."""

    bottom: float
    top: float
    width: float
    spacing: float


def metals(stack: Stack) -> dict[str, Metal]:
    """Tell where the metals are."""
    return {
        name: Metal(
            *(layer.height, layer.height + layer.thickness),
            *(layer.width / UNITS_PER_UM, layer.spacing / UNITS_PER_UM),
        )
        for name, layer in ((name, stack.layers[name]) for name in stack.metals)
    }


def wire(
    metal: Metal,
    below: Metal,
    above: Metal | None,
    beside: tuple[float | None, ...],
    permittivity: float,
) -> list[float]:
    """Solve a wire between two planes: what it has, fF/um, to the planes and to each wire beside
    it, at these spacings from its left and right; None is no wire."""
    floor, width = below.top, metal.width
    low, high = metal.bottom - floor, metal.top - floor
    boxes = [Box(-width / 2, low, width / 2, high)]
    for way, space in zip((-1, 1), beside, strict=True):
        if space is not None:
            at = way * (width + space)
            boxes.append(Box(at - width / 2, low, at + width / 2, high))
    wires = len(boxes)
    if above:
        height = above.bottom - floor
        boxes.append(Box(-WIDE * height, height, WIDE * height, height, PLANE_PANELS))
    own, *others = charges(boxes, [1, *[0] * (len(boxes) - 1)], permittivity)
    coupled = [-charge for charge in others[: wires - 1]]
    return [own - sum(coupled), *coupled]


def plates(metal: Metal, below: Metal, above: Metal | None, permittivity: float) -> float:
    """Tell what a um2 of a metal has to two planes, fF, if they are near for its size."""
    gaps = [metal.bottom - below.top, *([above.bottom - metal.top] if above else [])]
    return sum(EPSILON_0 * permittivity / gap for gap in gaps)


def part_of_plane(distance: float, other: Metal, beneath: float) -> float:
    """Solve how much of a plane the wires of another metal are at this distance from ours, with a
    plane `beneath` them. Here ours is the plane at 0 V, and all others have 1 V."""
    pitch, end = PITCH * other.width, distance + other.top - other.bottom + beneath
    count = math.ceil(PERIODS * end / pitch / 2)
    boxes = [
        Box(
            *(at * pitch - other.width / 2, distance),
            *(at * pitch + other.width / 2, distance + other.top - other.bottom),
        )
        for at in range(-count, count + 1)
    ]
    wide = (count + 0.5) * pitch
    boxes.append(Box(-wide, end, wide, end, PLANE_PANELS))
    cut = panels(boxes)
    lines, (x, y) = panel_charges(cut, [1] * len(boxes), 1.0), cut.middle
    at = ((np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5)[:, None] * pitch
    seen = (lines * y / np.pi / ((at - x) ** 2 + y**2)).sum(axis=1).mean()
    nearest, furthest = (EPSILON_0 / far for far in (distance, end))
    return float((seen - furthest) / (nearest - furthest))


def seen(names: list[str], known: dict[str, Metal], name: str, other: str) -> float:
    """Tell the exponent by which wires of another metal are a plane for those of this one."""
    own, far = known[name], known[other]
    below = far.bottom < own.bottom
    distance = own.bottom - far.top if below else far.bottom - own.top
    further = names.index(other) + (-1 if below else 1)
    beneath = own.bottom - known[names[0]].top
    if further < len(names):
        last = known[names[further]]
        beneath = far.bottom - last.top if below else last.bottom - far.top
    share = part_of_plane(distance, far, beneath)
    return math.log(1 - share) / math.log(1 - 1 / PITCH)


def table(known: dict[str, Metal], name: str, permittivity: float) -> str:
    """Write the tables of a metal; the first of all is the plane of the cells."""
    names, own = list(known), known[name]
    plane = names[0]
    at = names.index(name)
    lower = [other for other in names[max(0, at - LEVELS) : at] if other != plane][::-1]
    upper = names[at + 1 : at + 1 + LEVELS]
    spacings = [round(own.spacing * times, 4) for times in SPACINGS]
    shares = (f"{other} = {seen(names, known, name, other):.2f}" for other in (*lower, *upper))
    lines = [
        "",
        f"[metals.{name}]",
        f"spacing_um = {spacings}",
        f"seen = {{ {', '.join(shares)} }}",
    ]
    for below in (*lower, plane):
        for above in (*upper, ""):
            planes = known[below], known.get(above)
            rows = [wire(own, *planes, (space, space), permittivity) for space in spacings]
            [alone] = wire(own, *planes, (None, None), permittivity)
            area = plates(own, *planes, permittivity)
            lines += [
                f"[[metals.{name}.between]]",
                f'below = "{below}"',
                f'above = "{above}"',
                f"ground = [{', '.join(f'{row[0]:.5f}' for row in rows)}]",
                f"coupling = [{', '.join(f'{(row[1] + row[2]) / 2:.5f}' for row in rows)}]",
                f"alone = {alone:.5f}",
                f"area = {area:.5f}",
                f"edge = {(alone - area * own.width) / 2:.5f}",
            ]
    return "\n".join([*lines, ""])


def main(tech: str, path: Path | None = None) -> None:
    """Solve all of a technology, and write the file into its folder."""
    stack = stack_of(tech)
    known, permittivity = metals(stack), stack.rules.permittivity
    text = f'{TITLE}\npermittivity = {permittivity}\nplane = "{stack.cell_metal}"\n'
    for name in stack.metals[1:]:
        print(name, flush=True)
        text += table(known, name, permittivity)
    (path or folders()[tech] / TABLES).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else DEFAULT)
