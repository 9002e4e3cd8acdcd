"""What a page shows of a layout in layers."""

from flow.results.record import Record


class Layers(Record):
    """A layout in layers.

    core_um, site_um: width and height of the core, and of a site. parts: name and colour of what
        cells are parts of. cells: of each cell its row, its first site, its sites and the number
        of its part, packed. nw: of each cell its power in nW, packed, in the window of the greatest
        power; None without a workload. path_um: through the middles of the slowest path's cells.
    bin_um: the side of a square in which wires are counted. wires: um of wire per um2 in these,
        from left to right in lines from the bottom to the top.
    straps: of each strap of supply its name, its left edge and its width, um.
    """

    core_um: tuple[float, float]
    site_um: tuple[float, float]
    parts: list[tuple[str, str]]
    cells: str
    path_um: list[tuple[float, float]]
    bin_um: float
    wires: list[list[float]]
    nw: str | None = None
    straps: list[tuple[str, float, float]] = []
