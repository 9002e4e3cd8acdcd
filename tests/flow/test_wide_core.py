"""A wide core through router, repair, GDS and sign-off: wires keep off the pillars of supply."""

from pathlib import Path
from random import Random

import klayout.db as kdb
import pytest

from flow.gates.liberty import Library
from flow.layout.checks import geometry, open_nets, shorted_pairs
from flow.layout.conflicts import index
from flow.layout.design import SUPPLIES, Cell, Design
from flow.layout.gds import GdsWriter
from flow.layout.placement import free_spans, illegal, row_orientation
from flow.layout.repair import Repaired, repair
from flow.layout.router import run_katana
from flow.layout.routes import load_routes
from flow.layout.straps import pillars, supply_shapes
from flow.layout.strips import read_cells
from flow.layout.technology import Stack
from flow.layout.wires import Wires
from flow.signoff.rulefile import read_rules, rules_path
from flow.signoff.signed import Signed, sign_off
from tests.flow.toys import KIT

SITES, ROWS, CELLS, APART = 2200, 8, 400, 18


@pytest.fixture(scope="module")
def ring(stack: Stack) -> Design:
    """Inverters in a ring, each beside a column that is kept free or anywhere else in a wide core;
    the next one is near it in half of the cases."""
    shapes = read_cells(stack, [KIT / "stdcells.lef"], Library(KIT / "stdcells.lib").names)
    design = Design("Ring", SITES, ROWS, {}, shapes=shapes)
    places = [
        (row, site)
        for row, first, end in free_spans(design)
        for site in range(first, end - shapes["INV_X1"].sites, APART)
    ]
    chosen = sorted(Random(1).sample(places, CELLS), key=lambda at: (at[1] // 300, at[0]))
    for number, (row, site) in enumerate(chosen):
        design.cells.append(Cell(f"i{number}", "INV_X1", site, row, row_orientation(row)))
    for number in range(CELLS):
        design.nets[f"n{number}"] = [(number, "ZN"), ((number + 1) % CELLS, "A")]
    assert illegal(design) == []
    return design


@pytest.fixture(scope="module")
def routed(
    ring: Design, stack: Stack, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Wires], Repaired, int]:
    """Its wires, repaired; how that went, and how many nets the router had through pillars."""
    folder = tmp_path_factory.mktemp("ring")
    ring.save(folder / "placed.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run_katana(folder / "placed.json", folder / "routes.json")
    nets, _ = load_routes(folder / "routes.json", ring, stack)
    shapes = index(stack, nets, fixed=supply_shapes(ring))
    through = [shapes.near(f"supply {supply}") for supply in SUPPLIES]
    return nets, repair(stack, ring, nets), sum(map(len, through))


def signed(design: Design, nets: dict[str, Wires], folder: Path, stack: Stack) -> Signed:
    """Write a layout's files and sign it off."""
    design.powered().write_verilog(folder / "ring.v")
    gds = folder / "ring.gds"
    GdsWriter([KIT / "stdcells.gds"], stack).write(design, nets, gds)
    rules = read_rules(rules_path("nangate45"))
    return sign_off(gds, folder / "ring.v", [KIT / "stdcells.gds"], rules)


def test_wires_keep_off_pillars(ring: Design, routed, stack: Stack, tmp_path: Path) -> None:
    nets, repaired, through = routed
    assert through == 0
    assert repaired.conflicts == 0
    assert open_nets(stack, nets) == shorted_pairs(stack, nets, supply_shapes(ring)) == []
    found = signed(ring, nets, tmp_path, stack)
    assert geometry(tmp_path / "ring.gds", stack) == {}
    assert [rule for rule in found.rules if rule.violations] == []
    assert found.connections == ()
    rails = {one.name: (one.parts, one.rails) for one in found.supplies}
    assert rails == {"VDD": (1, ROWS // 2), "VSS": (1, ROWS // 2 + 1)}


def test_pillars_are_what_joins_the_rails(
    ring: Design, routed, stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its last cuts each rail is a part of its own, and each strap is on nothing."""
    monkeypatch.setattr(
        "flow.layout.gds.supply_shapes",
        lambda design: {
            supply: [box for box in boxes if box[0] != "via6"]
            for supply, boxes in supply_shapes(design).items()
        },
    )
    found = signed(ring, routed[0], tmp_path, stack)
    rails = {one.name: (one.parts, one.rails) for one in found.supplies}
    assert rails == {"VDD": (ROWS // 2,) * 2, "VSS": (ROWS // 2 + 1,) * 2}


@pytest.mark.parametrize("layer", ["metal3", "metal4"])
def test_a_wire_on_a_pillar_is_found(
    ring: Design, routed, stack: Stack, tmp_path: Path, layer: str
) -> None:
    """Metal from a net's first wire of the layer to the pillar of VDD that is nearest to it."""
    supply, _, cuts = next(p for p in pillars(ring) if p.supply == "VDD")
    nets = routed[0]
    gds = tmp_path / "ring.gds"
    signed(ring, nets, tmp_path, stack)
    layout = kdb.Layout()
    layout.read(str(gds))
    number = layout.layer(*stack.layers[layer].gds)
    own = next(w for w in nets.values() for metal, *_ in w.segments() if metal == layer)
    metal, x, y, *_ = next(s for s in own.segments() if s[0] == layer)
    _, to_x, to_y = cuts[-1]
    wire = kdb.Path([kdb.Point(x, y), kdb.Point(to_x, y), kdb.Point(to_x, to_y)], 280)
    scale = kdb.ICplxTrans(0.0005 / layout.dbu)
    layout.top_cell().shapes(number).insert(wire.transformed(scale))
    layout.write(str(gds))
    rules = read_rules(rules_path("nangate45"))
    found = sign_off(gds, tmp_path / "ring.v", [KIT / "stdcells.gds"], rules)
    assert any(f"is on {supply}" in wrong for wrong in found.connections)
