"""What a page shows of a layout in layers, counted by hand."""

import numpy as np
import pytest

from flow.layout.design import Cell, Design
from flow.layout.layers import density, layers, lengths, packed, power_of_cells, unpacked
from flow.layout.lef import UNITS_PER_UM
from flow.layout.plot import Part
from flow.layout.wires import Wires
from tests.flow.test_placing import SHAPES

pytestmark = pytest.mark.quick
UM = UNITS_PER_UM
WIRES = Wires([], h={("metal3", 3 * UM): [(1 * UM, 5 * UM)]}, v={("metal2", 3 * UM): [(0, 4 * UM)]})


def test_numbers_are_unpacked_as_they_were_packed() -> None:
    numbers = [0, 1, -1, 2**31 - 1, -(2**31), 12345]
    assert unpacked(packed(numbers)) == numbers
    assert packed(numbers) == packed(iter(numbers))  # the same bytes each time


@pytest.mark.parametrize(
    ("begin", "end", "each"),
    [
        *((1, 5, [1, 2, 1, 0]), (5, 1, [1, 2, 1, 0]), (2, 4, [0, 2, 0, 0]), (3, 3, [0, 0, 0, 0])),
        *((-1, 9, [3, 2, 2, 3]), (7, 8, [0, 0, 0, 1])),
    ],
)
def test_the_lengths_of_a_line_in_bins(begin: int, end: int, each: list[int]) -> None:
    assert lengths(begin, end, 2.0, 4).tolist() == each


def test_a_line_in_one_bin() -> None:
    assert lengths(1.0, 5.0, 9.0, 1).tolist() == [4.0]


def test_wires_are_counted_square_by_square() -> None:
    """A core of 5 x 4 um in squares of 2 um, the last across half as wide: 4 um along x at y of 3,
    4 along y at x of 3."""
    assert density([WIRES], (5.0, 4.0), 2.0) == [[0.0, 0.5, 0.0], [0.25, 1.0, 0.5]]
    areas = np.outer([2, 2], [2, 2, 1])
    assert np.sum(areas * density([WIRES, WIRES], (5.0, 4.0), 2.0)) == 16


@pytest.mark.usefixtures("strapless")
def test_the_layers_of_two_cells() -> None:
    """Of 200 sites of 0.19 um and 6 rows of 1.4 um: a square has two rows, 14 across."""
    cells = [Cell("a", "INV", 99, 0), Cell("b", "INV", 7, 1, "FS")]
    design = Design("Top", 200, 6, {}, cells, shapes=SHAPES)
    parts = {"a": Part("unit", (1.0, 0.5, 0.0)), "b": Part("clock tree", (0.0, 0.0, 1.0))}
    found = layers(design, parts, ["b", "gone", "a"], {"net": WIRES})
    sites = design.shape(cells[0]).sites
    assert found.parts == [("clock tree", "#0000ff"), ("unit", "#ff8000")]
    assert unpacked(found.cells) == [0, 99, sites, 1, 1, 7, sites, 0]
    assert (found.core_um, found.site_um) == ((38.0, 8.4), (0.19, 1.4))
    assert found.bin_um == 2.8
    assert (len(found.wires), len(found.wires[0])) == (3, 14)
    (x0, y0), (x1, y1) = found.path_um
    assert (x0, y0) == pytest.approx(((7 + sites / 2) * 0.19, 2.1))
    assert (x1, y1) == pytest.approx(((99 + sites / 2) * 0.19, 0.7))
    assert found.nw is None
    assert found.straps == []
    assert unpacked(power_of_cells(design, {"b": 2.5}, 1.1)) == [0, 2750]


def test_the_straps_of_a_wide_core() -> None:
    """In 418 um five of each supply, the first in the middle of the first tenth, on a track of
    metal4: 21.0 um, 4 um to either side."""
    design = Design("Top", 2200, 6, {}, shapes=SHAPES)
    found = layers(design, {}, [], {}).straps
    assert [supply for supply, _, _ in found] == ["VSS", "VDD"] * 5
    assert found[0] == ("VSS", pytest.approx(17.0), 8.0)
