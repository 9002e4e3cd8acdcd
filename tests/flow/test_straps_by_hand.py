"""Straps and pillars of a wide core, where they are and what keeps away from them."""

from collections import Counter, defaultdict
from itertools import pairwise

import klayout.db as kdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flow.layout.checks import shorted_pairs
from flow.layout.conflicts import Conflicts
from flow.layout.deffile import write_def
from flow.layout.design import Access, Cell, Design
from flow.layout.gaps import Gaps
from flow.layout.gds import fillers
from flow.layout.lef import units
from flow.layout.maze import Maze
from flow.layout.placement import free_spans, illegal
from flow.layout.repair import Repair
from flow.layout.straps import (
    Strap,
    least_sites,
    pillars,
    strap_shapes,
    straps,
    supply_shapes,
)
from flow.layout.technology import Stack, stack_of
from flow.layout.wires import PinAt, Tidier, cut_shapes, segment_shape
from tests.flow.test_placing import SHAPES

pytestmark = pytest.mark.quick
SITES = 2200  # of 0.19 um: 418 um, where there are ten straps, 220 sites from one to the next


def wide(*cells: Cell, rows: int = 8) -> Design:
    """A core that is wide enough for straps."""
    return Design("Top", SITES, rows, {}, [*cells], shapes=SHAPES)


def test_straps_of_the_two_supplies_in_turn(stack: Stack) -> None:
    """The first stands in the middle of the first tenth: site 110. Its strips' track is at 110.5
    sites, 41,990; the track of metal4 that is nearest to it, of 560 each, at 42,000."""
    found = list(straps(wide()))
    assert [strap.supply for strap in found] == ["VSS", "VDD"] * 5
    assert [(strap.x - 190) // 380 for strap in found] == [110 + 220 * n for n in range(10)]
    assert found[0] == Strap("VSS", 41_990, 42_000)
    assert all(strap.middle % 560 == 0 for strap in found)
    assert all(abs(strap.middle - strap.x) <= 280 for strap in found)


@pytest.mark.parametrize(("sites", "count"), [(40, 2), (526, 2), (527, 4), (2631, 10), (2632, 12)])
def test_all_cores_have_straps(sites: int, count: int) -> None:
    """One of each supply in every 100 um."""
    assert len(Design("Top", sites, 8, {}, shapes=SHAPES).strap_sites()) == count


@given(
    tech=st.sampled_from(["nangate45", "osu018", "sky130"]),
    more=st.integers(0, 1500),
    rows=st.integers(4, 9),
)
def test_straps_of_any_core_keep_their_rules(tech: str, more: int, rows: int) -> None:
    """They are as far from each other as they must be, no narrower than that, and within the core;
    each covers its cuts, and both supplies have one."""
    stack = stack_of(tech)
    design = Design("Top", least_sites(stack) + more, 2 * rows, {}, tech=tech)
    said = stack.rules.straps
    boxes = sorted(box[1:] for shapes in strap_shapes(design).values() for box in shapes)
    assert strap_shapes(design).keys() == {"VSS", "VDD"}
    for left, _, right, _ in boxes:
        assert units(said.spacing_um) <= right - left <= units(said.width_um)
        assert 0 <= left < right <= design.width
    for one, other in pairwise(boxes):
        assert other[0] - one[2] >= units(said.spacing_um)
    drawn = kdb.Region([kdb.Box(*box) for box in boxes])
    for pillar in pillars(design):
        assert stack.vias[pillar.cuts[0][0]].below == stack.rules.rails.metal
        for layer, *box in cut_shapes(stack, pillar.cuts[-1]):
            if layer == said.metal:
                assert (kdb.Region(kdb.Box(*box)) - drawn).is_empty()


def test_a_pillar_stands_on_each_rail_of_its_supply() -> None:
    """Nine rails of 1.4 um: VSS at 0, 2, 4, 6 and 8, VDD at 1, 3, 5 and 7."""
    found = list(pillars(wide()))
    heights = {
        s: sorted({p.lead[2] // 2800 for p in found if p.supply == s}) for s in ("VSS", "VDD")
    }
    assert heights == {"VSS": [0, 2, 4, 6, 8], "VDD": [1, 3, 5, 7]}
    assert len(found) == 5 * (5 + 4)
    first = found[0]
    assert first.lead == ("metal3", 41_990, 0, 42_000, 0)
    below = [("via1", 41_990, 0), ("via2", 41_990, 0)]
    above = [(cut, 42_000, 0) for cut in ("via3", "via4", "via5", "via6")]
    assert [*first.cuts] == below + above


def test_the_boxes_of_a_pillar_hang_together(stack: Stack) -> None:
    """On each metal between two cuts what is drawn is in one piece, and covers both."""
    for pillar in pillars(wide()):
        boxes = [segment_shape(stack, pillar.lead)]
        boxes += [box for cut in pillar.cuts for box in cut_shapes(stack, cut)]
        by_layer: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        for layer, *box in boxes:
            by_layer[layer].append(tuple(box))
        for metal, below, above in zip(
            stack.metals[1:], stack.cuts, [*stack.cuts[1:], "via6"], strict=True
        ):
            piece = kdb.Region([kdb.Box(*box) for box in by_layer[metal]]).merged()
            assert piece.count() == 1
            for cut in (below, above):
                assert (kdb.Region([kdb.Box(*box) for box in by_layer[cut]]) - piece).is_empty()


def test_straps_cover_the_last_cuts() -> None:
    """They are 8 um wide, and end where the outer rails do."""
    for supply, boxes in supply_shapes(wide()).items():
        layers = Counter(layer for layer, *_ in boxes)
        count = 5 * (5 if supply == "VSS" else 4)
        assert layers["metal7"] == 5 + count
        assert layers["via1"] == layers["via6"] == count
        strap = next(box for box in boxes if box[0] == "metal7")
        assert strap[3] - strap[1] == 16_000
        assert (strap[2], strap[4]) == (-170, 8 * 2800 + 170)
        for layer, left, low, right, high in boxes:
            if layer == "via6":
                assert any(
                    other[1] <= left and right <= other[3] and other[2] <= low and high <= other[4]
                    for other in boxes
                    if other[0] == "metal7" and other[3] - other[1] == 16_000
                )


def test_cells_keep_off_the_sites_below() -> None:
    columns = [110 + 220 * n for n in range(10)]
    design = wide(
        Cell("a", "INV", 108, 0), Cell("b", "INV", 330, 1, "FS"), Cell("c", "INV", 329, 2)
    )
    kept = {(row, first, behind) for row, first, behind in design.kept_free()}
    assert kept == {(row, at, at + 1) for row in range(8) for at in columns}
    assert sum(end - start for _, start, end in free_spans(design)) == 8 * (SITES - 10)
    assert illegal(design) == ["a column kept free overlaps b", "c overlaps a column kept free"]


def test_nothing_is_put_there_later() -> None:
    """Free sites of a row end at a column; fillers fill it, and the row with it."""
    design = wide()
    gaps = Gaps(design)
    assert gaps.free[0][:2] == [(0, 110), (111, 330)]
    site, row = gaps.take(110 * 380 + 190, 1400, 2)
    assert row == 0
    assert site in (108, 111)
    sites = sum(
        2 if cell.master == "FILLCELL_X2" else int(cell.master.partition("_X")[2])
        for cell in fillers(design)
    )
    assert sites == 8 * SITES


def test_a_search_that_pushes_does_not_push_supply(stack: Stack) -> None:
    """A box that other nets' wires may be pushed out of is a wall if it is fixed."""
    box = ("metal3", 2000, 2000, 4000, 3600)
    asked = (0, 2800, 2800)
    for fixed in (False, True):
        conflicts = Conflicts(stack.spacing)
        if fixed:
            conflicts.fix("VDD", [box])
        else:
            conflicts.add("other", [box])
        maze = Maze(stack, conflicts, "own", (0, 0, 11_200, 11_200), True, {2800})
        costs = [cost for _, cost in maze.steps(asked)]
        assert bool(costs) != fixed
        assert maze.via_cost("via3", 2800, 2800) == (-1 if fixed else 6000)
        assert conflicts.of("own", [box]) == {"supply VDD" if fixed else "other"}


def test_a_wire_through_a_pillar_is_a_short_and_goes_around(stack: Stack) -> None:
    """Along the second rail, through the pillar of VSS at 320,000; metal3 has room above and
    below."""
    design = wide()
    pillar = next(p for p in pillars(design) if p.lead[2] == 5600)
    x, y = pillar.lead[1], pillar.lead[2]
    ends = [(x - 190 - 5 * 380, y), (x - 190 + 6 * 380 + 380, y)]
    pins = [
        PinAt(number, "A", Access(end, at - 700, at + 700, at), is_port=False)
        for number, (end, at) in enumerate(ends)
    ]
    cuts = [("via2", *end) for end in ends]
    wires = Tidier(stack).tidy([("metal3", ends[0][0], y, ends[1][0], y)], cuts, pins)
    supply = supply_shapes(design)
    assert shorted_pairs(stack, {"a": wires}) == []
    assert shorted_pairs(stack, {"a": wires}, supply) == [("a", "supply VSS")]
    assert shorted_pairs(stack, {"VSS": wires}, supply) == [("VSS", "supply VSS")]  # a port's net
    work = Repair(stack, design, {"a": wires})
    live = work.conflicts.pairs({"a"})
    assert live == {("a", "supply VSS")}
    assert work.settle_all(live) == (0, 1)
    assert shorted_pairs(stack, work.nets, supply) == []


def test_def_has_straps_and_pillars(stack: Stack, tmp_path) -> None:
    write_def(tmp_path / "wide.def", stack, wide(), {})
    text = (tmp_path / "wide.def").read_text()
    special = text[text.index("SPECIALNETS 2 ;") : text.index("END SPECIALNETS")]
    assert " - VSS ( PIN VSS ) ( * VSS ) + USE GROUND" in special
    assert " - VDD ( PIN VDD ) ( * VDD ) + USE POWER" in special
    assert "metal7 16000 ( 42000 -170 ) ( * 22570 )" in special
    assert "metal3 140 ( 41990 0 ) ( 42000 * )" in special
    assert special.count("our_via6") == 45
    pins = text[text.index("PINS 2 ;") : text.index("END PINS")]
    assert " - VSS + NET VSS + SPECIAL + DIRECTION INOUT + USE GROUND\n" in pins
    assert pins.count("+ PORT + LAYER metal7 ") == 10
    assert "+ PORT + LAYER metal7 ( 34000 -170 ) ( 50000 22570 ) + PLACED ( 0 0 ) N" in pins
