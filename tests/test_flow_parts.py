"""The parts of the flow's steps that are plain functions, on small inputs."""

import importlib.util
import sys
from pathlib import Path

import pytest

import flow
from flow import opensta
from flow.process import error_lines

STEPS = Path(flow.__file__).parent / "steps"


def step_module(step, name):
    """A script of a step, which is no package."""
    spec = importlib.util.spec_from_file_location(f"flow_step_{name}", STEPS / step / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


# The scripts of a step import each other by name, as in their own folder.
sys.path.append(str(STEPS / "synthesis"))
recipes = step_module("synthesis", "recipes")
synthesis = step_module("synthesis", "synthesis")
area = step_module("synthesis", "area")
hierarchy = step_module("timing", "hierarchy")
summary = step_module("summary", "summary")


@pytest.mark.parametrize("name", ["area", "fast+booth+ripple", "area+sklansky+generic"])
def test_recipe_names_read_back(name):
    assert recipes.parse(name).name == name


@pytest.mark.parametrize("name", ["", "booth", "area+boot", "area+ripple+sklansky"])
def test_wrong_recipe_names_are_refused(name):
    with pytest.raises(ValueError, match="expected area"):
        recipes.parse(name)


def test_recipes_without_use_are_left_out():
    names = ["area", "area+booth", "area+booth+ripple", "fast+booth"]
    every = [recipes.parse(name) for name in names]

    def left(*operators):
        return [recipe.name for recipe in recipes.applicable(every, dict.fromkeys(operators, 1))]

    assert left("mul", "dff") == names
    assert left("sub", "dff") == ["area", "area+ripple", "fast"]
    assert left("xor") == ["area", "fast"]


def test_abc_script_has_the_clock_in_ps():
    script = recipes.parse("fast").abc_script(3.0)
    assert "map -B 0.9 -D 3000\n" in script
    assert "upsize -c -D 2750\n" in script
    assert "-D 100\n" in recipes.parse("area").abc_script(0.2)


def row(area, period, met):
    return {"area_um2": area, "shortest_period_ns": period, "clock_met": met}


def test_best_is_the_smallest_that_meets_the_clock_else_the_fastest():
    small, quick, between = row(1.0, 4.0, False), row(3.0, 2.0, True), row(2.0, 2.9, True)
    assert synthesis.best([small, quick, between]) is between
    late = row(2.0, 3.5, False)
    assert synthesis.best([small, late]) is late


def test_a_recipe_that_takes_too_long_is_given_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    synthesis.TEMPORARY.mkdir(parents=True)
    goal = synthesis.Goal("Top", 3.0, "clk", False, (), 0.01)
    got = synthesis.candidate(recipes.parse("area"), goal)
    assert got == {"recipe": "area", "error": "given up after 0.01 s"}


def stat(**modules):
    return {"modules": {f"\\{name}": module for name, module in modules.items()}}


def test_areas_of_a_deep_hierarchy_add_up():
    leaf = {"area": 2.0, "sequential_area": 1.0, "num_cells": 2, "num_cells_by_type": {"INV_X1": 2}}
    middle = {
        **{"area": 7.0, "sequential_area": 3.0, "num_cells": 1},
        "num_cells_by_type": {"INV_X1": 1, "Leaf": 3},
    }
    top = {
        **{"area": 16.5, "sequential_area": 7.0, "num_cells": 1},
        "num_cells_by_type": {"BUF_X1": 1, "Middle": 2, "Leaf": 1},
    }
    rows = area.module_areas(stat(Top=top, Middle=middle, Leaf=leaf), "Top")
    got = {row["module"]: (row["instances"], row["area_each_um2"], row["area_um2"]) for row in rows}
    assert got == {"Leaf": (7, 2.0, 14.0), "Middle": (2, 1.0, 2.0), "Top": (1, 0.5, 0.5)}
    assert {r["module"]: r["sequential_area_um2"] for r in rows} == {
        **{"Leaf": 7.0, "Middle": 0.0, "Top": 0.0},
    }


def test_cells_outside_the_library_are_named():
    design = {
        **stat(Top={}),
        "design": {"num_cells_by_type": {"INV_X1": 1, "Top": 1, "$_DLATCH_P_": 2, "Box": 1}},
    }
    assert area.unmapped_cells(design, "  cell (INV_X1) {\n") == ["$_DLATCH_P_", "Box"]


def test_instance_paths_find_their_module():
    netlist = (
        "module Leaf(a, y);\n  INV_X1 _1_ (\n  );\nendmodule\n"
        "module Mid(a, y);\n  Leaf \\l[0]  (\n  );\nendmodule\n"
        "module Top(a, y);\n  Mid m (\n  );\n  DFF_X1 \\r[0]_reg  (\n  );\nendmodule\n"
    )
    tree = hierarchy.children(netlist)
    assert tree == {"Leaf": {}, "Mid": {"l[0]": "Leaf"}, "Top": {"m": "Mid"}}
    assert hierarchy.modules_of("m/l[0]/_1_/ZN", "Top", tree) == ("m/l[0]", "Leaf")
    assert hierarchy.modules_of("r[0]_reg/Q", "Top", tree) == ("", "Top")
    assert hierarchy.modules_of("a", "Top", tree) == ("", "Top")


def test_two_steps_may_not_claim_one_metric():
    merged = summary.merge({"a": {"metrics": {"x": 1}, "more": 2}, "b": {"metrics": {"y": 3}}})
    assert merged["metrics"] == {"x": 1, "y": 3}
    assert merged["steps"] == {"a": {"more": 2}, "b": {}}
    with pytest.raises(ValueError, match="step b: metrics already given: x"):
        summary.merge({"a": {"metrics": {"x": 1}}, "b": {"metrics": {"x": 3}}})


def test_sta_refuses_a_netlist_with_an_unknown_cell(tmp_path):
    import adks

    liberty = Path(list(adks.__path__)[0]) / "freepdk-45nm/view-tiny/stdcells.lib"
    netlist = tmp_path / "netlist.v"
    netlist.write_text("module Top(a, y); input a; output y; NOPE_X1 n (.A(a), .ZN(y)); endmodule")
    with pytest.raises(opensta.StaError, match="NOPE_X1 not found"):
        opensta.run_sta(netlist, "Top", liberty, 3.0, "clk")
    netlist.write_text("module Top(a, y); input a; output y; BUF_X1 n (.A(a), .Z(y)); endmodule")
    timing = opensta.summary(opensta.run_sta(netlist, "Top", liberty, 3.0, "clk"), 3.0)
    assert timing["start"] == "a"
    assert timing["clock_met"]


def test_sta_that_stops_early_is_no_result(tmp_path, monkeypatch):
    (tmp_path / "sta").write_text("#!/bin/sh\necho RESULT setup_slack 1.0\n")
    (tmp_path / "sta").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(opensta.StaError, match=r"sta stopped early: RESULT setup_slack 1\.0"):
        opensta.run_sta(tmp_path / "n.v", "Top", tmp_path / "l.lib", 3.0, "clk")


def test_error_lines_of_a_log(tmp_path):
    log = tmp_path / "log"
    log.write_text("fine\n\x1b[31mE   AssertionError: no netlist\x1b[0m\nmake: *** Error 1\n")
    assert error_lines(log) == ["AssertionError: no netlist"]
    log.write_text("nothing plain\nkilled\n")
    assert error_lines(log) == ["nothing plain", "killed"]
