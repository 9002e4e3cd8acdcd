"""What vias, ends and corners of wires have: by their area and the length of their outline."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flow.layout.calibrate import metals
from flow.layout.design import Access, Design
from flow.layout.field import EPSILON_0
from flow.layout.parasitics import extract_wires
from flow.layout.technology import Stack, stack_of
from flow.layout.wires import PinAt, Wires, shapes
from flow.technologies.rules import TABLES, rules_of
from flow.technologies.technology import folders
from flow.technologies.wires import Between, Metal, WireTables, read_tables

pytestmark = pytest.mark.quick
UM = 2000
STEP = 70  # units: half of the width of metal3, and all sizes here are so many times that
FAR = 1e-6  # um: wires beside each other beyond this are alone

# fF/um2 and fF/um of the outline, of the metals that nets are on here.
FIGURES = {"metal2": (0.11, 0.03), "metal3": (0.07, 0.05), "metal4": (0.05, 0.02)}


def tables(stack: Stack) -> WireTables:
    """Tables in which a wire has what its area and its two sides have."""
    metals = {}
    for name, (area, edge) in FIGURES.items():
        alone = area * stack.layers[name].width / UM + 2 * edge
        between = Between("metal1", "", (alone, alone), (0.0, 0.0), alone, area, edge)
        metals[name] = Metal((FAR, 2 * FAR), {}, (between,))
    return WireTables(2.5, "metal1", metals)


def outline(boxes: list[tuple[int, ...]]) -> tuple[float, float]:
    """Count the um2 and the um of outline of boxes together, square by square."""
    left, low = (min(box[side] for box in boxes) for side in (0, 1))
    right, high = (max(box[side] for box in boxes) for side in (2, 3))
    assert all(
        (side - start) % STEP == 0
        for box in boxes
        for side, start in zip(box, (left, low) * 2, strict=True)
    )
    squares = np.zeros(((right - left) // STEP + 2, (high - low) // STEP + 2), bool)
    for x0, y0, x1, y1 in boxes:
        squares[
            (x0 - left) // STEP + 1 : (x1 - left) // STEP + 1,
            (y0 - low) // STEP + 1 : (y1 - low) // STEP + 1,
        ] = True
    sides = sum(
        np.diff(squares.astype(int), axis=axis, append=0).astype(bool).sum() for axis in (0, 1)
    )
    return squares.sum() * (STEP / UM) ** 2, sides * STEP / UM


@st.composite
def nets(draw: st.DrawFn) -> Wires:
    """A pin's via, a wire of any length to a corner or to a via further up, and a branch of it."""
    x, y = (STEP * draw(st.integers(40, 60)) for _ in range(2))
    long, up, branch = (2 * STEP * draw(st.integers(0, 9)) for _ in range(3))
    wires = Wires(
        [PinAt(0, "A", Access(x, 0, 9 * UM, y), False)], cuts={("via1", x, y), ("via2", x, y)}
    )
    wires.v["metal2", x] = [(y, y)]
    wires.h["metal3", y] = [(x, x + long)]
    if draw(st.booleans()):
        wires.v["metal3", x + long] = [(y, y + up)]
    if draw(st.booleans()):
        wires.cuts.add(("via3", x + long, y))
        wires.v["metal4", x + long] = [(y - branch, y)]
    return wires


@given(wires=nets())
def test_a_net_has_what_its_area_and_outline_have(wires: Wires) -> None:
    """Wherever its vias, ends and corners are: nothing twice, and nothing left out."""
    stack = stack_of()
    expected = 0.0
    for name, (area, edge) in FIGURES.items():
        if boxes := [box for layer, *box in shapes(stack, wires) if layer == name]:
            um2, um = outline(boxes)
            expected += area * um2 + edge * um
    design = Design("Small", 60, 8, {})
    found = extract_wires(stack, tables(stack), design, {"n": wires})
    assert found.nets["n"].total == pytest.approx(expected)
    assert found.nets["n"].coupling == []
    assert sum(on.ground_ff for on in found.metals.values()) == pytest.approx(expected)


def test_pads_beside_each_other_are_coupled() -> None:
    """Of two nets that have vias alone, on neighbouring tracks of metal3."""
    stack = stack_of()

    def via(y: int) -> Wires:
        pin = PinAt(0, "A", Access(UM, 0, 9 * UM, y), False)
        wires = Wires([pin], {("metal3", y): [(UM, UM)]}, {("metal2", UM): [(y, y)]})
        wires.cuts = {("via1", UM, y), ("via2", UM, y)}
        return wires

    between = Between("metal1", "", (0.04, 0.06), (0.05, 0.01), 0.1)
    metal = Metal((0.07, 0.21), {}, (between,))
    given = WireTables(2.5, "metal1", dict.fromkeys(("metal2", "metal3"), metal))
    design = Design("Small", 60, 8, {})
    found = extract_wires(stack, given, design, {"a": via(10 * 280), "b": via(11 * 280)})
    for own, other in (("a", "b"), ("b", "a")):
        [*parts] = found.nets[own].coupling
        assert {part.net for part in parts} == {other}
        assert sum(part.ff for part in parts) == pytest.approx(0.07 * 0.05)


@pytest.mark.parametrize(
    "tech", [name for name, folder in folders().items() if (folder / TABLES).is_file()]
)
def test_the_figures_of_pads_are_those_of_wires(tech: str) -> None:
    """A wire alone is its area and two sides; the area is that of plates in the insulator."""
    heights = metals(stack_of(tech))
    for name, metal in read_tables(tech).metals.items():
        for row in metal.between:
            own, below, above = heights[name], heights[row.below], heights.get(row.above)
            gaps = [own.bottom - below.top] + ([above.bottom - own.top] if above else [])
            plates = sum(EPSILON_0 * rules_of(tech).permittivity / gap for gap in gaps)
            assert row.area == pytest.approx(plates, abs=1e-5)
            assert row.edge > 0
            assert row.area * own.width + 2 * row.edge == pytest.approx(row.alone, abs=3e-5)


# aF/um2 between two metals of SKY130, as its extraction rules are published.
PUBLISHED = {
    ("met1", "li1"): 114.2,
    ("met2", "met1"): 133.9,
    ("met2", "li1"): 37.6,
    ("met3", "met2"): 86.2,
    ("met3", "met1"): 34.5,
    ("met4", "met3"): 84.0,
    ("met4", "met2"): 20.3,
}


@pytest.mark.parametrize(("above", "below"), PUBLISHED)
def test_plates_of_sky130_are_as_published(above: str, below: str) -> None:
    rows = read_tables("sky130").metals[above].between
    [area] = [row.area for row in rows if (row.below, row.above) == (below, "")]
    assert 1000 * area == pytest.approx(PUBLISHED[above, below], rel=0.12)
