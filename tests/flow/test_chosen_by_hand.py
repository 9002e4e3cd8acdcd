"""What is left of the netlists that were chosen, and what is said of them; without a tool."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from flow.results.netlist import COMPOSED, MIXED, Attempt, Candidate
from flow.synthesis.area import Own
from flow.synthesis.chosen import FLAT, HIERARCHICAL, report
from flow.synthesis.front import Front
from flow.synthesis.modules import Module
from flow.synthesis.netlists import WORK, Goal, write_modules
from tests.flow.test_netlist_sizing_by_hand import module
from tests.flow.toys import LIBERTY

pytestmark = pytest.mark.quick
GOAL = Goal(Path("design.v"), LIBERTY, "Made", 1.0, "clk", (), 0.0)
LEAF = module("clk d -> q", "DFF_X1 held_reg CK=clk D=d Q=q").replace("Made", "Leaf")
TOP = module(
    "clk a -> y", "INV_X1 _0_ A=a ZN=n", "Leaf leaf clk=clk d=n q=m", "INV_X1 _1_ A=m ZN=y"
)
WHOLE = module(
    *("clk a -> y", "INV_X2 _5_ A=a ZN=n", "DFF_X1 leaf.held_reg CK=clk D=n Q=m"),
    "INV_X1 _6_ A=m ZN=y",
).replace("leaf.held_reg", r"\leaf.held_reg ")


def parts(leaf_area: float) -> dict[str, Module]:
    """A design with hierarchy, of 2 um2 at its top."""
    return {
        "Made": Module(TOP, Own(2.0, 0.0, 2, {"Leaf": 1}), {"leaf": "Leaf"}, {}),
        "Leaf": Module(LEAF, Own(leaf_area, leaf_area, 1, {}), {}, {"held": {0: 1, 2: 4}}),
    }


def row(recipe: str, area: float) -> Candidate:
    return Candidate(recipe, area, 3, 0.1, 0.9, True, 1.0)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Netlists with hierarchy, flat and mixed; the folder for what is chosen."""
    monkeypatch.chdir(tmp_path)
    WORK.mkdir()
    write_modules("area", parts(5.0))
    write_modules(MIXED, parts(4.5))
    write_modules(
        "area+flat", {"Made": Module(WHOLE, Own(6.0, 4.0, 3, {}), {}, {"leaf.held": {0: 2, 2: 1}})}
    )
    folder = tmp_path / "chosen"
    folder.mkdir()
    return folder


def test_of_a_flat_netlist_modules_are_those_of_the_one_with_hierarchy(made: Path) -> None:
    """Cells belong to the instance whose register they feed, and registers to that in their name;
    the figures of the whole are its own."""
    hierarchical, flat, failed = (
        row("area", 7.0),
        row("area+flat", 6.0),
        Attempt("fast", error="none"),
    )
    found = Front([hierarchical, failed, flat], hierarchical=hierarchical, flat=flat)
    said, total = report(found, GOAL, made)
    assert (said.recipe, said.mapping) == ("area+flat", FLAT)
    assert [(one.module, one.area_um2, one.recipe) for one in said.modules] == [
        ("Leaf", 5.0, "area"),
        ("Made", 2.0, "area"),
    ]
    assert said.front == [hierarchical, failed, flat]
    assert (said.hierarchical, said.flat, said.unmapped, said.gating) == (
        hierarchical,
        flat,
        [],
        None,
    )
    assert total == {"area_um2": 6.0, "sequential_area_um2": 4.0, "cells": 3}
    assert (made / "netlist.v").read_text() == (WORK / "area+flat.v").read_text()
    owners = json.loads((made / "cells.json").read_text())
    assert owners == {
        "_5_": ["leaf", "Leaf"],
        "_6_": ["", "Made"],
        "leaf.held_reg": ["leaf", "Leaf"],
    }
    assert json.loads((made / "states.json").read_text()) == {"leaf.held": {"0": 2, "2": 1}}


def test_a_cell_that_the_library_does_not_know_is_named(made: Path) -> None:
    """Wherever it stands, though what nothing known drives is left out of the netlist."""
    cells = ("DFF_X1 held_reg CK=clk D=d Q=q", "LATCH_X9 odd D=d")
    text = module("clk d -> q", *cells).replace("Made", "Leaf")
    odd = parts(4.5)
    write_modules("area", {**odd, "Leaf": replace(odd["Leaf"], text=text)})
    first = row("area", 7.0)
    said, _ = report(Front([first], hierarchical=first), GOAL, made)
    assert said.unmapped == ["LATCH_X9"]
    assert "leaf.odd" not in json.loads((made / "cells.json").read_text())


def test_of_a_mix_each_module_has_its_own_recipe(made: Path) -> None:
    """And states are coded as its modules have them, by instance."""
    first, mix = row("area", 7.0), row(MIXED, 6.5)
    choice = {"Made": "area", "Leaf": "fast"}
    found = Front([first], mix=mix, hierarchical=mix, choices={MIXED: choice, COMPOSED: {}})
    said, total = report(found, GOAL, made)
    assert (said.recipe, said.mapping) == (MIXED, HIERARCHICAL)
    assert [(one.module, one.area_um2, one.recipe) for one in said.modules] == [
        ("Leaf", 4.5, "fast"),
        ("Made", 2.0, "area"),
    ]
    assert said.front == [first, mix]
    assert total == {"area_um2": 6.5, "sequential_area_um2": 4.5, "cells": 3}
    assert json.loads((made / "cells.json").read_text()) == {
        "_0_": ["", "Made"],
        "_1_": ["", "Made"],
        "leaf.held_reg": ["leaf", "Leaf"],
    }
    assert json.loads((made / "states.json").read_text()) == {"leaf.held": {"0": 1, "2": 4}}
