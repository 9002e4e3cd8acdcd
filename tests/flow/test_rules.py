"""What layout.toml of a technology may say, and what is said of one that is wrong."""

import re
import shutil
from pathlib import Path

import pytest

from flow.layout.technology import Stack, stack_of
from flow.layout_run import LayoutRequest
from flow.request import Request
from flow.technologies import rules
from flow.technologies.rules import layout_hash, no_layout, rules_of
from flow.technologies.technology import MORE, folders
from flow.technologies.wires import read_tables
from sim.errors import UserError

pytestmark = pytest.mark.quick
WITH_LAYOUTS = ("nangate45", "osu018", "sky130")
GRID_UM = 0.005


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A technology of one's own, with the rules of SKY130; its layout.toml."""
    folder = tmp_path / "own"
    shutil.copytree(folders()["sky130"], folder)
    monkeypatch.setenv(MORE, str(tmp_path))
    return folder / rules.FILE


def test_rules_of_ones_own_are_found(own: Path) -> None:
    assert rules_of("own") == rules_of("sky130")
    assert no_layout("own") is None
    LayoutRequest("Top", tech="own", to="layout")


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('name = "met2"', 'nam = "met2"', "unknown field `nam`"),
        ("width_um = 0.14", 'width_um = "thin"', "Expected `float`, got `str`"),
        ("[rails]", "[rails", "Expected ']'"),
        ('metal = "met1"', 'metal = "met9"', "rails: no metal 'met9'"),
        ('name = "met3"', 'name = "met2"', "metals: met2 twice"),
        ("tracks = { pitch_um = 0.42 }", "", "metals: met2 has no tracks"),
        (
            'name = "met3"\nwires = "vertical"',
            'name = "met3"\nwires = "horizontal"',
            "metals: wires of met3 are not vertical",
        ),
        ('[[cuts]]\nname = "mcon"', '[[gone]]\nname = "mcon"', "unknown field `gone`"),
        ("permittivity = 3.9", "", "missing required field `permittivity`"),
        ("permittivity = 3.9", 'permittivity = 3.9\nlef = ["a"]\ngds = ["b"]', "lef, gds: give"),
        ("[cells]", "[unused]", "unknown field `unused`"),
    ],
)
def test_a_slip_in_the_rules_is_named(own: Path, was: str, now: str, said: str) -> None:
    text = own.read_text()
    assert was in text
    own.write_text(text.replace(was, now, 1))
    with pytest.raises(
        UserError, match=rf"tech: .*own/layout.toml: .*{re.escape(said)}.*; mend it"
    ):
        rules_of("own")


def test_what_is_left_out_is_named(own: Path) -> None:
    text = own.read_text()
    own.write_text(text[: text.index("[cells]")])
    with pytest.raises(UserError, match="layout.toml: cells: missing; mend it"):
        rules_of("own")
    first, _, others = text.partition("[[cuts]]")
    own.write_text(first + "[[cuts]]" + others.partition("[[cuts]]")[2])
    with pytest.raises(UserError, match="cuts: 3 between 5 metals"):
        rules_of("own")
    last = text[text.rindex("[[metals]]") :]
    own.write_text(text.replace(last[: last.index("\n[")], ""))
    with pytest.raises(UserError, match="metals: 4 of at least 5"):
        rules_of("own")


def test_straps_are_read(own: Path) -> None:
    own.write_text(own.read_text().replace("pitch_um = 300.0", "pitch_um = 99.0"))
    straps = rules_of("own").straps
    assert straps
    assert straps.pitch_um == 99.0
    assert Stack("own").layers["met5"].spacing == 3200


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('"met5"', '"met4"', "met4 carries wires"),
        ("width_um = 3.2", "width_um = -1.6", "width_um: -1.6 is less than that of their cut"),
        ("width_um = 3.2", "width_um = 0.7", "width_um: 0.7 is less than that of their cut"),
        ("= 300.0", "= 19.1", "pitch_um: 19.1 is less than four times width and spacing"),
        ("= 300.0", "= 0.0", "pitch_um: 0 is less than four times width and spacing"),
    ],
)
def test_straps_that_do_not_fit_are_refused(own: Path, was: str, now: str, said: str) -> None:
    text = own.read_text()
    before, straps = text[: text.index("[straps]")], text[text.index("[straps]") :]
    assert was in straps
    own.write_text(before + straps.replace(was, now, 1))
    with pytest.raises(UserError, match=rf"tech: .*: straps: {said}; mend it"):
        rules_of("own")


def test_straps_may_be_as_close_as_that(own: Path) -> None:
    """3.2 um wide and 1.6 um apart, in a core that is a little wider than a pitch of 19.25 um."""
    own.write_text(own.read_text().replace("= 300.0", "= 19.25"))
    straps = rules_of("own").straps
    assert straps
    assert straps.pitch_um == 19.25


def test_a_technology_without_rules_has_no_layout(bare: str) -> None:
    others = ", ".join(WITH_LAYOUTS)
    for asked in (bare, f"{bare}@typical"):
        with pytest.raises(UserError, match=f"bare has no layout: .*; take {others} for"):
            LayoutRequest("Top", tech=asked, to="layout")
    with pytest.raises(UserError, match="step 'timing': makes no layout, take one of place"):
        LayoutRequest("Top", tech="sky130", to="timing")
    with pytest.raises(UserError, match="bare has no layout"):
        rules_of(bare)
    Request("Top", tech=bare, to="power")


def test_tables_of_wires_are_asked_for(own: Path) -> None:
    assert read_tables("own") == read_tables("sky130")
    tables = own.with_name(rules.TABLES)
    tables.write_text(tables.read_text().replace("alone = ", "alon = ", 1))
    with pytest.raises(UserError, match=r"wires.toml: .*unknown field `alon`.*; mend it"):
        read_tables("own")
    tables.unlink()
    with pytest.raises(UserError, match="make it with: python -m flow.layout.calibrate own"):
        read_tables("own")


def test_what_decides_a_layout_is_in_its_hash(own: Path) -> None:
    before = layout_hash("own")
    assert before == layout_hash("sky130") != layout_hash("nangate45")
    tables = own.with_name(rules.TABLES)
    tables.write_text(tables.read_text() + "# another\n")
    changed = layout_hash("own")
    assert changed != before
    own.write_text(own.read_text().replace("spacing_um = 0.3\n", "spacing_um = 0.31\n", 1))
    rules._read.cache_clear()
    assert layout_hash("own") not in (before, changed)


@pytest.mark.parametrize("tech", WITH_LAYOUTS)
def test_vias_of_two_nets_on_tracks_keep_their_distance(tech: str) -> None:
    """Beside each other, on neighbouring tracks: metal does, except where rows have no room."""
    stack = stack_of(tech)
    for metal in stack.routed:
        across = 1 if metal in stack.horizontal else 0
        pads = [
            stack.half_size(c, metal)[across]
            for c in stack.cuts  # of wires
            if metal in (stack.vias[c].below, stack.vias[c].above)
        ]
        layer, pitch = stack.layers[metal], stack.pitch(metal)
        assert max(pads) * 2 >= layer.width
        assert pitch - 2 * max(pads) >= layer.spacing, metal
        assert pitch - layer.width >= layer.spacing, metal


@pytest.mark.parametrize("tech", WITH_LAYOUTS)
def test_a_via_is_covered_by_its_metals(tech: str) -> None:
    stack = stack_of(tech)
    for cut, via in stack.vias.items():
        for metal in (via.below, via.above):
            assert min(stack.half_size(cut, metal)) >= stack.layers[cut].width // 2


def test_vias_of_sky130_are_enclosed_as_its_rules_say() -> None:
    """By so much at least on all sides, and by so much on two opposite ones, um."""
    enclosures = {
        "mcon": {"li1": (0.0, 0.0), "met1": (0.03, 0.06)},
        "via": {"met1": (0.055, 0.085), "met2": (0.055, 0.085)},
        "via2": {"met2": (0.04, 0.085), "met3": (0.065, 0.065)},
        "via3": {"met3": (0.06, 0.09), "met4": (0.065, 0.065)},
    }
    stack = stack_of("sky130")
    for cut, metals in enclosures.items():
        for metal, (all_sides, two) in metals.items():
            beyond = sorted(
                (half - stack.layers[cut].width / 2) / 2000 for half in stack.half_size(cut, metal)
            )
            assert beyond[0] >= all_sides - 1e-9, (cut, metal)
            assert beyond[1] >= two - 1e-9, (cut, metal)


def test_the_insulator_of_sky130_is_that_of_the_capacitances_to_the_silicon() -> None:
    """Of the technology LEF's, fF/um2 by layer, which technology.toml has."""
    found, said = rules_of("sky130"), stack_of("sky130").entry.layers
    for metal in found.metals:
        capacitance = 8.8541878e-3 * found.permittivity / metal.height_um
        assert capacitance == pytest.approx(said[metal.name].ff_per_um2, rel=0.03), metal.name
        assert metal.ohm_per_square == said[metal.name].ohm_per_square
        assert (metal.width_um, read_tables("sky130").permittivity) == (
            *(said[metal.name].width_um, found.permittivity),
        )


def test_places_of_sky130_are_on_its_grid() -> None:
    found = rules_of("sky130")
    lengths = [m.tracks.pitch_um for m in found.metals if m.tracks]
    lengths += [found.strips.step_um, found.strips.grid_um, found.strips.end_um]
    lengths += [half for cut in found.cuts for half in (*cut.below_um, *cut.above_um)]
    for length in lengths:
        assert round(length / GRID_UM, 6).is_integer(), length
