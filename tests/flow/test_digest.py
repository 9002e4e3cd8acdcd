"""Who imports whom in the flow, and so what a step depends on."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from flow import digest
from flow.digest import FLOW, kit_hash, step_hash, used_files
from sim.closure import Code, facts_of
from sim.paths import ROOT

pytestmark = pytest.mark.quick
BELOW = {FLOW / f"{name}.py" for name in ("constraints", "netlist", "recording", "__init__")}


def imports(module: Path) -> set[Path]:
    """The modules of the flow that a module imports itself."""
    direct = Code()._direct(module)[0]
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


def test_an_edited_file_of_the_kit_has_another_hash(tmp_path, monkeypatch):
    library = tmp_path / digest.KIT / "view-tiny/stdcells.lib"
    library.parent.mkdir(parents=True)
    library.write_text("area : 1.0;\n")
    kits = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(digest, "find_spec", lambda name: kits)
    before = kit_hash.__wrapped__()
    library.write_text("area : 2.0;\n")
    assert before != kit_hash.__wrapped__()
    monkeypatch.undo()
    assert kit_hash()


def test_a_step_is_hashed_by_what_counts(monkeypatch):
    step, code = FLOW / "steps/timing", Code()
    monkeypatch.setattr(digest, "CODE", code)
    before = step_hash(step)
    for file, said, counts in (
        (FLOW / "opensta.tcl", b"# more\n", b"puts 1\n"),
        (FLOW / "constraints.py", b"# more\n", b"MORE = 1\n"),
        (step / "timing.py", b"# more\n", b"MORE = 1\n"),
        (step / "configure.yml", b"# more\n", b"more: 1\n"),
    ):
        content, known = file.read_bytes() + b"\n", code.facts(file)
        code._facts[file] = facts_of(file.suffix, content + said)
        assert step_hash(step) == before
        code._facts[file] = facts_of(file.suffix, content + counts)
        assert step_hash(step) != before
        code._facts[file] = known
