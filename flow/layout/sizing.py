"""Change the sizes of placed cells by OpenSTA's slacks, with the wires estimated.

A cell is exchanged for one of the same pins and functions only, so that the netlist differs by
sizes alone, which `differences` of buffering.py proves of the result.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

from flow.gates.liberty import LibertyError, Library
from flow.gates.strengths import Cells
from flow.layout.buffering import CLOCK_PREFIX
from flow.layout.design import Design
from flow.layout.limits import MARGIN, Limits, loads
from flow.layout.parasitics import NetRC
from flow.opensta import Timed, run_script
from flow.technologies.technology import beside

SCRIPT = Path(__file__).with_name("sizing.tcl")
NONE = "-"
# Of the clock period: the slack that is enough before wires are routed. The router's detours took
# 0.2 of 3 ns from `mont-best` at 32 bits.
ENOUGH = 0.08
RESIZED = re.compile(r"^RESIZED (\S+) (\S+)$", re.MULTILINE)


def families(shapes: Collection[str], liberty: Path) -> list[list[str]]:
    """List the cells that can replace each other, the smallest first: those that logic is mapped to
    and whose pins can be reached, and of gates of clocks none."""
    library = Library(liberty)
    cells, unused = Cells(library), beside(liberty).cells.unused
    alike = {
        tuple(name for name in cells.alike(first) if name in shapes)
        for first in shapes
        if first in library and not any(fnmatch(first, pattern) for pattern in unused)
    }
    found = []
    for names in sorted(alike):
        with suppress(LibertyError):  # of cells that no design has
            found.append(sorted(names, key=lambda name: (library[name].area, name)))
    return found


def by_name(found: list[list[str]]) -> dict[str, list[str]]:
    """Find by a cell's name those that can replace it, and itself."""
    return {name: names for names in found for name in names}


def kinds(found: list[list[str]]) -> dict[str, str]:
    """Name each cell by the smallest that may replace it."""
    return {name: names[0] for names in found for name in names}


def sizes(found: list[list[str]]) -> str:
    """Write for each cell the next larger and the next smaller one."""
    lines = []
    for names in found:
        around = [NONE, *names, NONE]
        for at, name in enumerate(names, 1):
            lines.append(f"{name} {around[at + 1]} {around[at - 1]}")
    return "\n".join([*lines, ""])


def needed(
    design: Design, limits: Limits, found: list[list[str]], wires: Mapping[str, NetRC]
) -> list[str]:
    """Name the cells that would drive too much if they were a size smaller."""
    below = {name: before for names in found for before, name in pairwise(names)}
    named = []
    for _, cell, pin, ff in loads(design, limits, wires):
        smaller = cell._replace(master=below.get(cell.master, cell.master))
        if smaller != cell and ff > MARGIN * limits.most_of(smaller, pin):
            named.append(cell.name)
    return named


def resize(
    design: Design,
    timed: Timed,
    folder: Path,
    enough: float | None = None,
    room: dict[str, int] | None = None,
    stay: Iterable[str] = (),
) -> list[int]:
    """Change the sizes of a design's cells, timed with wires, until there is enough slack, ns; the
    numbers of those that were changed. With `room`, how many sites each cell may be wide at most,
    cells only get larger; those that `stay` get no smaller."""
    enough = ENOUGH * timed.period if enough is None else enough
    table = folder / "sizes.txt"
    table.write_text(sizes(families(design.shapes, timed.liberty)))
    staying = folder / "stay.txt"
    staying.write_text("".join(f"{name}\n" for name in stay))
    more = {"SIZES": table, "KEEP": CLOCK_PREFIX, "ENOUGH": enough, "ROOM": None, "STAY": staying}
    if room is not None:
        widths = {name: shape.sites for name, shape in design.shapes.items()}
        file = folder / "room.txt"
        file.write_text("".join(f"{name} {sites}\n" for name, sites in (widths | room).items()))
        more["ROOM"] = file
    text = run_script(SCRIPT, timed, more)
    masters = dict(RESIZED.findall(text))
    changed = []
    for number, cell in enumerate(design.cells):
        master = masters.get(cell.name, cell.master)
        if master != cell.master:
            changed.append(number)
        design.cells[number] = cell._replace(master=master)
    return changed
