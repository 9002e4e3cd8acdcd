"""The tables of NanGate 45's wires: solved again, against the LEF, and against what others use."""

import random
import tomllib
from pathlib import Path

import msgspec
import pytest

from flow.layout import calibrate
from flow.layout.calibrate import Metal, metals, part_of_plane, seen, wire
from flow.layout.design import Access, Design
from flow.layout.field import EPSILON_0
from flow.layout.lef import UNITS_PER_UM
from flow.layout.parasitics import extract_wires
from flow.layout.technology import stack_of
from flow.layout.wires import PinAt, Wires
from flow.technologies.wires import WireTables, read_tables
from tests.flow.technology_lef import read_technology
from tests.flow.toys import KIT

pytestmark = pytest.mark.quick

TABLES = read_tables()
STACK = stack_of()
HEIGHTS = metals(STACK)

# fF/um that OpenROAD's flow scripts use for these cells, fitted to extracted layouts of theirs.
PUBLISHED = {"metal3": 0.0889, "metal4": 0.1071, "metal5": 0.1090, "metal6": 0.1020}


def test_the_insulator_is_that_of_the_lef() -> None:
    """Its capacitances to the silicon grow by what lies between the metals."""
    layers, _ = read_technology(KIT / "rtk-tech.lef")
    low, high = (layers[name] for name in (STACK.metals[0], STACK.metals[-1]))
    between = 1e-3 / high.area_capacitance - 1e-3 / low.area_capacitance  # um2/fF
    found = (high.height - low.height) / between / EPSILON_0
    assert found == pytest.approx(TABLES.permittivity, rel=0.01)
    assert TABLES.permittivity == STACK.rules.permittivity


@pytest.mark.parametrize(
    ("name", "number", "spacing"), [("metal3", 0, 0), ("metal4", 5, 3), ("metal6", 2, 5)]
)
def test_a_row_solved_again(name: str, number: int, spacing: int) -> None:
    row = TABLES.metals[name]
    between, space = row.between[number], row.spacing_um[spacing]
    planes = HEIGHTS[between.below], HEIGHTS.get(between.above)
    ground, left, right = wire(HEIGHTS[name], *planes, (space, space), TABLES.permittivity)
    assert (ground, left) == pytest.approx(
        (between.ground[spacing], between.coupling[spacing]), rel=2e-3, abs=1e-5
    )
    assert right == pytest.approx(left, rel=1e-4)
    assert wire(HEIGHTS[name], *planes, (None, None), TABLES.permittivity) == pytest.approx(
        [between.alone], rel=2e-3
    )


def test_tables_are_in_order() -> None:
    """The nearer the planes, the more there is to them; the nearer the wires, the more between."""
    for name, metal in TABLES.metals.items():
        assert metal.spacing_um[0] == HEIGHTS[name].spacing
        for between in metal.between:
            assert [*between.ground, between.alone] == sorted([*between.ground, between.alone])
            assert list(between.coupling) == sorted(between.coupling, reverse=True)
        alone = {(row.below, row.above): row.alone for row in metal.between}
        lower, upper = (list(dict.fromkeys(names)) for names in zip(*alone, strict=True))
        for planes, value in alone.items():
            assert value <= alone[lower[0], upper[0]], (name, planes)
            assert value >= alone[lower[-1], upper[-1]], (name, planes)


def test_unlike_spaces_are_two_halves() -> None:
    """A wire 0.07 um from one wire and 0.21 from another, as the extraction adds them up."""
    row = TABLES.metals["metal3"]
    between, near, far = row.between[0], 0, row.spacing_um.index(0.21)
    planes = HEIGHTS[between.below], HEIGHTS[between.above]
    ground, left, right = wire(HEIGHTS["metal3"], *planes, (0.07, 0.21), TABLES.permittivity)
    assert ground == pytest.approx((between.ground[near] + between.ground[far]) / 2, rel=0.03)
    assert left == pytest.approx(between.coupling[near], rel=0.03)
    assert right == pytest.approx(between.coupling[far], rel=0.05)


@pytest.mark.seconds
def test_wires_are_as_much_of_a_plane_at_other_pitches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exponent is that of wires at four widths; it holds at two and at eight, within 0.05."""
    other, own = HEIGHTS["metal4"], HEIGHTS["metal3"]
    distance = other.bottom - own.top
    beneath = HEIGHTS["metal5"].bottom - other.top
    for pitch in (2, 8):
        monkeypatch.setattr("flow.layout.calibrate.PITCH", pitch)
        share = 1 - (1 - 1 / pitch) ** TABLES.metals["metal3"].seen["metal4"]
        assert part_of_plane(distance, other, beneath) == pytest.approx(share, abs=0.05)


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("tech", "name", "other"),
    [
        ("nangate45", "metal4", "metal3"),  # below, where one more is
        ("nangate45", "metal3", "metal4"),  # above, where one more is
        ("sky130", "met3", "met4"),  # the last one
    ],
)
def test_how_much_of_a_plane_others_are_solved_again(tech: str, name: str, other: str) -> None:
    heights = metals(stack_of(tech))
    found = seen([*heights], heights, name, other)
    assert found == pytest.approx(read_tables(tech).metals[name].seen[other], abs=0.006)


@pytest.mark.parametrize("tech", ["nangate45", "osu018", "sky130"])
def test_tables_are_written_for_all_pairs_of_planes(
    tech: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a solver that says where it was asked: to the planes ten times their distance, to the
    left wire its space, to the right one three times its own: twice that in the mean."""

    def solved(
        own: Metal, below: Metal, above: Metal | None, beside: tuple, permittivity: float
    ) -> list[float]:
        height = (above.bottom if above else 99.0) - below.top
        return [10 * height, *(factor * s for factor, s in zip((1, 3), beside, strict=True) if s)]

    monkeypatch.setattr(calibrate, "wire", solved)
    monkeypatch.setattr(calibrate, "seen", lambda names, known, name, other: 1.5)
    calibrate.main(tech, tmp_path / "wires.toml")
    text = (tmp_path / "wires.toml").read_text()
    found = msgspec.convert(tomllib.loads(text), WireTables, strict=False)
    kept, heights = read_tables(tech), metals(stack_of(tech))
    assert (found.plane, found.permittivity) == (kept.plane, kept.permittivity)
    assert found.metals.keys() == kept.metals.keys()
    for name, metal in found.metals.items():
        assert metal.spacing_um == kept.metals[name].spacing_um
        assert metal.seen == dict.fromkeys(kept.metals[name].seen, 1.5)
        for row, known in zip(metal.between, kept.metals[name].between, strict=True):
            assert (row.below, row.above) == (known.below, known.above)
            top = heights[row.above].bottom if row.above else 99.0
            between = pytest.approx(10 * (top - heights[row.below].top), abs=1e-5)
            assert row.alone == between
            assert list(row.ground) == [between] * len(metal.spacing_um)
            assert row.coupling == pytest.approx([2 * s for s in metal.spacing_um], abs=1e-5)


def random_wires(share: float) -> dict[str, Wires]:
    """Wires on a share of the tracks of each metal, on a core of 44.8 um, 10 um long."""
    rng, side = random.Random(1), 16 * 2 * 1400 * UNITS_PER_UM // 1000
    nets: dict[str, Wires] = {}
    for metal in STACK.metals[1:]:
        flat, long = metal in ("metal3", "metal5"), 10 * UNITS_PER_UM
        for track in range(2, side // STACK.pitch(metal) - 1):
            at = rng.randrange(long)
            while at + long < side:
                if rng.random() < share:
                    span = at + 200, at + long - 200
                    place = track * STACK.pitch(metal)
                    x, y = (span[0], place) if flat else (place, span[0])
                    pin = PinAt(0, "A", Access(x, y, y, y), False)
                    tracks = {(metal, place): [span]}
                    cuts = {(f"via{cut}", x, y) for cut in range(2, int(metal[-1]))}
                    name = f"{metal}_{len(nets)}"
                    nets[name] = Wires([pin], *((tracks, {}) if flat else ({}, tracks)), cuts)
                at += long
    return nets


def test_a_um_of_wire_has_what_others_use() -> None:
    """Where three tenths of all tracks have wires; the LEF's part to ground alone is half of it."""
    nets = random_wires(0.3)
    rows = 32
    design = Design("Random", round(rows * 1.4 / 0.19), rows, {})
    found = extract_wires(STACK, TABLES, design, nets)
    layers, _ = read_technology(KIT / "rtk-tech.lef")
    for name, published in PUBLISHED.items():
        assert found.metals[name].ff_per_um == pytest.approx(published, rel=0.15), name
        layer = layers[name]
        edges = layer.area_capacitance * layer.width / UNITS_PER_UM + 2 * layer.edge_capacitance
        assert 1000 * edges < 0.65 * published
