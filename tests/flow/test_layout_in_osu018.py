"""A layout in OSU's cells, of which there is a LEF and no GDS."""

from pathlib import Path

import klayout.db as kdb
import pytest

from flow.layout import checks
from flow.layout.design import Design
from flow.layout.estimate import estimate
from flow.layout.gds import extract
from flow.layout.lef import read_macros
from flow.layout.parasitics import extract_wires
from flow.layout.placement import illegal
from flow.layout.routes import load_routes
from flow.layout.strips import strips
from flow.layout.technology import stack_of
from flow.layout_run import run_layout
from flow.technologies.kit import files_of
from flow.technologies.rules import rules_of
from flow.technologies.technology import technology
from flow.technologies.wires import read_tables
from sim.paths import build_dir
from sim.translate import translate
from tests.flow.runs import folder_of
from tests.flow.toys import FlowToy

NAME, LEF = "osu018", "osu018_stdcells.lef"
# Between neighbouring metals, and between metal1 and the silicon: aF for a square of 0.1 um, as the
# package's file for Magic has them.
OVERLAPS = {"metal1": 0.417, "metal2": 0.461, "metal3": 0.461, "metal4": 0.461, "metal5": 0.4}
OVER_ANOTHER = {"metal3": 0.15, "metal4": 0.15, "metal5": 0.15}
AF_PER_UM = 8.8541878


@pytest.fixture(scope="module")
def run():
    """The results of a layout of two adders between registers."""
    return run_layout(
        *("toy_in_osu018", translate(FlowToy(12), "FlowToy").text, "FlowToy"),
        *(build_dir("test flow"),),
        **{"to": "layout", "tech": NAME, "clock_period": 13.5, "recipes": ["area"]},
        wait=True,
    )


@pytest.fixture
def outputs(run) -> Path:
    return folder_of(run, "layout") / "outputs"


@pytest.fixture
def design(outputs: Path) -> Design:
    return Design.load(outputs / "placed.json")


def test_it_is_clean_and_fast_enough(run, design: Design) -> None:
    metrics, layout = run["metrics"], run["steps"]["layout"]
    assert (layout["label"], layout["violations"], illegal(design)) == ("clean", {}, [])
    assert layout["read_back"]["nets"] == run["steps"]["route"]["nets"] == len([*design.routable()])
    assert metrics["layout_setup_slack_ns"] > 0
    assert metrics["layout_hold_slack_ns"] > 0
    assert set(layout["wire_um_by_metal"]) == {"metal2", "metal3", "metal4", "metal5"}


def test_antennas_are_not_said_to_be_checked(run) -> None:
    """No gate has an area in the LEF."""
    assert not [name for name in run["metrics"] if "antenna" in name]


def test_wires_have_what_their_estimate_says(outputs: Path, design: Design) -> None:
    """As in the other technologies; resistances, too, are those of routed wires."""
    nets, _ = load_routes(outputs / "routes.json", design, design.stack)
    found = extract_wires(design.stack, read_tables(NAME), design, nets).nets
    told = estimate(design)[1].nets
    assert sum(rc.total for rc in told.values()) == pytest.approx(
        sum(rc.total for rc in found.values()), rel=0.2
    )
    had, said = (sum(ohm for rc in of.values() for *_, ohm in rc.resistors) for of in (found, told))
    assert said == pytest.approx(had, rel=0.2)


def test_nets_are_read_back_from_the_file(outputs: Path, design: Design) -> None:
    """A wire of metal3 that is drawn across the core, and wider than it is, is a short, and too
    close."""
    found = extract(outputs / "layout.gds", design)
    assert (found.opens, found.shorts, found.missing) == ([], [], [])
    layout, path = kdb.Layout(), outputs.parent / "planted.gds"
    layout.read(str(outputs / "layout.gds"))
    metal3 = layout.layer(*rules_of(NAME).metals[2].gds)
    boxes = [shape.bbox() for shape in layout.top_cell().each_shape(metal3)]
    wire, width = max(boxes, key=kdb.Box.width), round(1000 * design.width / 2000)
    layout.top_cell().shapes(metal3).insert(kdb.Box(0, wire.bottom, width, wire.top + 500))
    layout.write(str(path))
    assert extract(path, design).shorts
    assert checks.geometry(path, design.stack)["metal3 spacing"] > 0


def test_pins_of_the_lef_are_on_the_layers_of_the_rules() -> None:
    """KLayout numbers what it reads from a LEF itself."""
    layout = kdb.Layout()
    layout.read(str(files_of(technology(NAME))[LEF]))
    numbers = {info.name: (info.layer, info.datatype) for info in layout.layer_infos()}
    rules = rules_of(NAME)
    for one in (*rules.metals[:2], rules.cuts[0]):
        assert numbers[f"{one.name}.PIN"] == tuple(one.gds)
    of_rules = {tuple(one.gds) for one in (*rules.metals, *rules.cuts)}
    others = {at for name, at in numbers.items() if not name.endswith(".PIN")}
    assert not of_rules & others
    assert numbers["OUTLINE"] == tuple(rules.drawn.border)


def test_vias_on_pins_are_within_them() -> None:
    """For each cell of the library, by KLayout; and as far from all else that it has on metal1."""
    stack, path = stack_of(NAME), files_of(technology(NAME))[LEF]
    layout = kdb.Layout()
    layout.read(str(path))
    pins, others = layout.layer(6, 2), layout.layer(6, 3)
    half = stack.half_size(stack.pin_cut, stack.cell_metal)[0]
    seen = 0
    for name, macro in read_macros([path], stack.cell_metal, stack.pin_metal).items():
        cell = layout.cell(name)
        if not macro.signals():
            continue
        found = strips(stack, macro)
        assert found, name
        metal = kdb.Region(cell.begin_shapes_rec(pins)).merged()
        below = metal + kdb.Region(cell.begin_shapes_rec(others))
        for pin, strip in found.items():
            corners = (strip.x - half, strip.via - half, strip.x + half, strip.via + half)
            pad = kdb.Region(kdb.Box(*(length // 2 for length in corners)))
            assert (pad - metal).is_empty(), (name, pin)
            assert not (below + pad).merged().space_check(300).count(), (name, pin)
            seen += 1
    assert seen > 90


def test_heights_are_those_of_the_overlaps() -> None:
    metals = {metal.name: metal for metal in rules_of(NAME).metals}
    factor = AF_PER_UM * rules_of(NAME).permittivity
    below = [None, *metals]
    for name, lower in zip(metals, below, strict=False):
        top = metals[lower].height_um + metals[lower].thickness_um if lower else 0.0
        gap = metals[name].height_um - top
        assert factor / gap / 100 == pytest.approx(OVERLAPS[name], rel=0.01), name
    names = [*metals]
    for name, overlap in OVER_ANOTHER.items():
        lower = metals[names[names.index(name) - 2]]
        gap = metals[name].height_um - lower.height_um - lower.thickness_um
        assert factor / gap / 100 == pytest.approx(overlap, rel=0.01), name
