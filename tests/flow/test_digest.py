"""Who imports whom in the flow, and so what a step depends on."""

import pytest

from flow.digest import FLOW, imports, used_files

BELOW = {FLOW / f"{name}.py" for name in ("constraints", "netlist", "recording")}


@pytest.mark.quick
@pytest.mark.parametrize("folder", ["gates", "layout"])
def test_gates_and_layout_know_no_step_and_nothing_of_the_flow_but_what_is_below_them(folder):
    for module in (FLOW / folder).glob("*.py"):
        assert {other for other in imports(module) if other.parent != module.parent} <= BELOW
    assert not any(imports(module) for module in BELOW)


@pytest.mark.quick
def test_a_step_depends_on_what_its_scripts_use_and_nothing_else():
    used = {
        step: {str(file.relative_to(FLOW)) for file in used_files(FLOW / "steps" / step)}
        for step in ("simulation", "timing", "layout")
    }
    assert used["timing"] == {"constraints.py", "opensta.py", "opensta.tcl", "step.py"}
    # Also by way of other modules, and what is compiled.
    assert used["simulation"] >= {"netlist.py", "gates/liberty_tables.py", "gates/simulator.cpp"}
    assert "gates/power.py" not in used["simulation"]
    assert used["layout"] >= {"layout/wires.py", "layout/plot.py"}
    assert "layout/maze.py" not in used["layout"]
