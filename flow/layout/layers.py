"""What a page shows of a layout in layers: its cells, in the colour of their module or of their
power, how dense wires are, and the slowest path."""

import base64
import gzip
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.plot import Part, places, site_um
from flow.layout.straps import strap_shape, straps
from flow.layout.wires import Wires
from flow.results.layers import Layers

MOST_BINS, LEAST_ROWS = 64, 2  # along the longer side of the core; that a bin is high


def packed(numbers: Iterable[int]) -> str:
    """Pack numbers of 32 bits, the low byte first, as a browser unpacks them: gzip, base64."""
    data = np.fromiter(numbers, dtype="<i4").tobytes()
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def unpacked(text: str) -> list[int]:
    """Unpack what was packed."""
    found: list[int] = np.frombuffer(gzip.decompress(base64.b64decode(text)), "<i4").tolist()
    return found


def layers(
    design: Design,
    parts: Mapping[str, Part],
    path: Sequence[str],
    nets: Mapping[str, Wires],
) -> Layers:
    """Put together what is known once wires are routed."""
    numbers = {part: number for number, part in enumerate(sorted({*parts.values()}))}
    cells = (
        number
        for cell in design.cells
        for number in (cell.row, cell.site, design.shape(cell).sites, numbers[parts[cell.name]])
    )
    core = design.width / UNITS_PER_UM, design.height / UNITS_PER_UM
    side = max(*(length / MOST_BINS for length in core), LEAST_ROWS * site_um(design)[1])
    return Layers(
        core_um=core,
        site_um=site_um(design),
        parts=[(part.name, hexadecimal(part)) for part in numbers],
        cells=packed(cells),
        path_um=[(round(x, 3), round(y, 3)) for x, y in places(design, path)],
        bin_um=side,
        wires=density(nets.values(), core, side),
        straps=[
            (strap.supply, left / UNITS_PER_UM, (right - left) / UNITS_PER_UM)
            for strap in straps(design)
            for _, left, _, right, _ in [strap_shape(design, strap)]
        ],
    )


def hexadecimal(part: Part) -> str:
    """Write a colour as a page does."""
    return "#" + "".join(f"{round(255 * value):02x}" for value in part.colour)


def density(nets: Iterable[Wires], core_um: tuple[float, float], side: float) -> list[list[float]]:
    """Count um of wire per um2, square by square of such a side in um."""
    across, up = (max(1, int(np.ceil(length / side - 1e-9))) for length in core_um)
    um = np.zeros((up, across))
    for wires in nets:
        for _, *ends in wires.segments():
            x, y, to_x, to_y = (end / UNITS_PER_UM for end in ends)
            if y == to_y:
                um[_bin(y, side, up)] += lengths(x, to_x, side, across)
            else:
                um[:, _bin(x, side, across)] += lengths(y, to_y, side, up)
    high, wide = (lengths(0, core_um[i], side, count) for i, count in ((1, up), (0, across)))
    found: list[list[float]] = np.round(um / np.outer(high, wide), 2).tolist()
    return found


def _bin(where: float, side: float, count: int) -> int:
    return min(count - 1, max(0, int(where / side)))


def lengths(begin: float, end: float, side: float, count: int) -> np.ndarray:
    """Tell how long a line is in each of so many bins; the outer ones have what is outside."""
    edges = np.arange(1, count) * side
    inner = np.clip(edges, min(begin, end), max(begin, end))
    return np.diff([min(begin, end), *inner, max(begin, end)])


def power_of_cells(design: Design, ua: Mapping[str, float], volt: float) -> str:
    """Pack the power of each cell in nW, by the uA of all cells at a voltage."""
    return packed(round(1000 * volt * ua.get(cell.name, 0.0)) for cell in design.cells)
