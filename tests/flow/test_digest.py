"""Who imports whom in the flow, and so what a step depends on."""

from pathlib import Path

import pytest

from flow.digest import FLOW, used_files
from sim.closure import Code
from sim.paths import ROOT

pytestmark = pytest.mark.quick
BELOW = {FLOW / f"{name}.py" for name in ("constraints", "netlist", "recording", "__init__")}


def imports(module: Path) -> set[Path]:
    """The modules of the flow that a module imports itself."""
    others = [str(path.relative_to(ROOT)) for path in FLOW.rglob("*.py") if path != module]
    direct = Code()._direct(module)[0]
    assert others
    return {path for path in direct if path.is_relative_to(FLOW) and path.suffix == ".py"}


@pytest.mark.parametrize("folder", ["gates", "layout"])
def test_gates_and_layout_know_no_step_and_nothing_of_the_flow_but_what_is_below_them(folder):
    for module in (FLOW / folder).glob("*.py"):
        assert {other for other in imports(module) if other.parent != module.parent} <= BELOW
    assert not any(imports(module) - {FLOW / "__init__.py"} for module in BELOW)


def test_a_step_depends_on_what_its_scripts_use_and_nothing_else():
    used = {
        step: {str(file.relative_to(ROOT)) for file in used_files(FLOW / "steps" / step)}
        for step in ("simulation", "timing", "layout")
    }
    of_timing = {"__init__.py", "constraints.py", "opensta.py", "opensta.tcl", "step.py"}
    assert used["timing"] == {f"flow/{name}" for name in of_timing}
    # Also by way of other modules, and what is compiled, and by what.
    assert used["simulation"] >= {"flow/netlist.py", "flow/gates/liberty_tables.py"}
    assert used["simulation"] >= {"flow/gates/simulator.cpp", "sim/toolchain.py"}
    assert "flow/gates/power.py" not in used["simulation"]
    assert used["layout"] >= {"flow/layout/wires.py", "flow/layout/plot.py"}
    assert "flow/layout/maze.py" not in used["layout"]
