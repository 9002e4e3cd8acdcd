"""Draw the amoeba plot: every cell where it was placed, in the colour of its module, and
the slowest path from cell to cell."""

import colorsys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flow.layout.buffering import CLOCK_PREFIX, PREFIXES
from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.modules import OTHER, groups
from flow.layout.spans import Span, merged
from flow.results.layout import GroupArea

if TYPE_CHECKING:
    import matplotlib.path

Colour = tuple[float, float, float]
Run = tuple[float, float, float]  # x, y and width of cells side by side, um

# Far apart from each other, also for those who do not see red and green alike.
HUES = (0.58, 0.08, 0.38, 0.95, 0.15, 0.72, 0.48, 0.03, 0.25, 0.85, 0.53, 0.65)
GREY, CLOCK, FANOUT, PORT = (0.6, 0.6, 0.6), (0.85, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.9)
PATH = (1.0, 0.9, 0.0)
SHADES = 4


class Part(NamedTuple):
    """What a cell is part of, as pictures show it."""

    name: str
    colour: Colour


def shade(hue: float, number: int) -> Colour:
    """Choose the colour of one instance of a group: neighbours differ."""
    step = number % SHADES
    return colorsys.hsv_to_rgb(hue, 0.75 - 0.13 * step, 0.8 + 0.06 * step)


def site_um(design: Design) -> tuple[float, float]:
    """Tell the width and height of a site, um."""
    return design.stack.site_width / UNITS_PER_UM, design.stack.row_height / UNITS_PER_UM


def runs(design: Design, parts: Mapping[str, Part]) -> dict[Colour, list[Run]]:
    """Find the boxes to fill, by colour; cells side by side in one colour are one box."""
    rows: dict[tuple[Colour, int], list[Span]] = defaultdict(list)
    for cell in design.cells:
        end = cell.site + design.shape(cell).sites
        rows[parts[cell.name].colour, cell.row].append((cell.site, end))
    boxes: dict[Colour, list[Run]] = defaultdict(list)
    wide, high = site_um(design)
    for (colour, row), spans in rows.items():
        y = row * high
        boxes[colour] += [(a * wide, y, (b - a) * wide) for a, b in merged(spans)]
    return boxes


def colouring(
    design: Design, modules: dict[str, tuple[str, str]]
) -> tuple[dict[str, Part], list[tuple[str, float, Colour]]]:
    """Tell what each cell is part of; the legend: name, area in um2 and colour."""
    wide, high = site_um(design)
    area = {c.name: design.shape(c).sites * wide * high for c in design.cells}
    parts: dict[str, Part] = {}
    legend = []
    own = {c.name: modules[c.name] for c in design.instances() if c.name in modules}
    for number, group in enumerate(groups(own, area)):
        hue, grey = HUES[number % len(HUES)], group.name == OTHER
        for cell, instance in group.shades.items():
            parts[cell] = Part(group.name, GREY if grey else shade(hue, instance))
        legend.append((group.name, group.area, GREY if grey else shade(hue, 0)))
    legend += _added(design, area, parts)
    return parts, legend


def _added(
    design: Design, area: dict[str, float], parts: dict[str, Part]
) -> Iterable[tuple[str, float, Colour]]:
    """Add what is of no module: buffers that were added, and ports."""
    kinds = (
        ("clock tree", CLOCK_PREFIX, CLOCK),
        ("other buffers", tuple(p for p in PREFIXES if p != CLOCK_PREFIX), FANOUT),
    )
    for name, prefix, colour in kinds:
        cells = [c.name for c in design.instances() if c.name.startswith(prefix)]
        parts.update(dict.fromkeys(cells, Part(name, colour)))
        if cells:
            yield name, round(sum(area[cell] for cell in cells), 3), colour
    parts.update({cell.name: Part("ports", PORT) for cell in design.cells if cell.is_port})
    yield "ports", 0.0, PORT


def places(design: Design, cells: Iterable[str]) -> list[tuple[float, float]]:
    """Find the middles of cells of these names, um; what is no cell is left out."""
    by_name = {cell.name: cell for cell in design.cells}
    wide, high = site_um(design)
    return [
        ((cell.site + design.shape(cell).sites / 2) * wide, (cell.row + 0.5) * high)
        for cell in (by_name[name] for name in cells if name in by_name)
    ]


def draw(
    design: Design,
    modules: dict[str, tuple[str, str]],
    title: str,
    files: Sequence[Path],
    path: Sequence[str] = (),
) -> tuple[dict[str, Part], list[GroupArea]]:
    """Draw the placement, and a path by the names of its cells, into each of the files (.png,
    .svg); what cells are parts of, and the legend."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch, PathPatch
    from matplotlib.patheffects import Normal, Stroke

    matplotlib.rcParams["svg.hashsalt"] = "modexplorer"
    matplotlib.rcParams["svg.fonttype"] = "none"
    parts, legend = colouring(design, modules)
    wide, high = site_um(design)
    width, height = design.sites * wide, design.rows * high
    figure = Figure(figsize=(11.5, 8))
    axes = figure.add_subplot()
    for colour, boxes in runs(design, parts).items():
        axes.add_patch(PathPatch(_outline(boxes, high), facecolor=colour, linewidth=0))
    axes.set(xlim=(0, width), ylim=(0, height), aspect="equal", xlabel="um", ylabel="um")
    axes.set_title(title, loc="left", fontsize=12)
    total = sum(area for _, area, _ in legend)
    handles: list[Patch | Line2D] = [
        Patch(color=colour, label=_label(name, area, total)) for name, area, colour in legend
    ]
    if way := places(design, path):
        across, up = zip(*way, strict=True)
        edge = [Stroke(linewidth=3.5, foreground="black"), Normal()]
        line = Line2D(
            *(across, up), color=PATH, linewidth=2, marker="o", markersize=3, path_effects=edge
        )
        axes.add_line(line)
        handles.append(Line2D([], [], color=PATH, path_effects=edge, label="slowest path"))
    axes.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize=10
    )
    for file in files:
        metadata = {"Date": None} if file.suffix == ".svg" else {"Software": None}
        figure.savefig(file, dpi=110, metadata=metadata, bbox_inches="tight")
    return parts, [GroupArea(name, round(area, 3)) for name, area, _ in legend]


def _label(name: str, area: float, total: float) -> str:
    return f"{name}  {area:,.0f} um2, {area / total:.0%}" if area else name


def _outline(boxes: Sequence[Run], high: float) -> "matplotlib.path.Path":
    """Make one path of all boxes: a picture of a hundred thousand cells stays small."""
    import numpy as np
    from matplotlib.path import Path as Outline

    x, y, w = np.array(boxes).T
    corners = np.stack(
        [
            np.stack([x, y], 1),
            np.stack([x + w, y], 1),
            np.stack([x + w, y + high], 1),
            np.stack([x, y + high], 1),
            np.stack([x, y], 1),
        ],
        1,
    ).reshape(-1, 2)
    one = [Outline.MOVETO, Outline.LINETO, Outline.LINETO, Outline.LINETO, Outline.CLOSEPOLY]
    return Outline(corners, one * len(boxes))
