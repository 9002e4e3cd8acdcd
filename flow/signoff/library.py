"""Hold the cells in a layout's file against those of the library: a cell is known by its name, and
nothing else in LVS or in the rules says that its shapes are the library's."""

from collections.abc import Iterable
from pathlib import Path

import klayout.db as kdb


def different_cells(layout: kdb.Layout, library: Iterable[Path]) -> list[str]:
    """Say which cells below the top are not the library's, shape by shape and label by label."""
    other = kdb.Layout()
    for file in library:
        other.read(str(file))
    top = layout.top_cell()
    found = []
    for cell in sorted(layout.each_cell(), key=lambda cell: cell.name):
        if cell.cell_index() == top.cell_index():
            continue
        its = other.cell(cell.name)
        if its is None:
            found.append(f"{cell.name} is not in the library")
        elif layers := _differing(layout, cell, other, its):
            found.append(f"{cell.name} is not the library's on layer {', '.join(layers)}")
    return found


def _differing(one: kdb.Layout, cell: kdb.Cell, other: kdb.Layout, its: kdb.Cell) -> list[str]:
    infos = {(info.layer, info.datatype): info for at in (one, other) for info in at.layer_infos()}
    scale = kdb.ICplxTrans(other.dbu / one.dbu)
    found = []
    for info in (infos[key] for key in sorted(infos)):
        ours, theirs = one.layer(info), other.layer(info)
        shapes = kdb.Region(cell.begin_shapes_rec(ours))
        library = kdb.Region(its.begin_shapes_rec(theirs)).transformed(scale)
        # Of texts alone, a region that is not merged yet is not empty.
        other_shapes = shapes.merged() ^ library.merged()
        if other_shapes.count() or _labels(cell, ours) != _labels(its, theirs):
            found.append(f"{info.layer}/{info.datatype}")
    return found


def _labels(cell: kdb.Cell, layer: int) -> set[tuple[str, float, float]]:
    texts = (shape.dtext for shape in cell.each_shape(layer) if shape.is_text())
    return {(text.string, round(text.x, 4), round(text.y, 4)) for text in texts}
