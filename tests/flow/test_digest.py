"""Who imports whom in the flow, and so what a step depends on."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from flow import digest
from flow.digest import FLOW, step_hash, used_files
from flow.technologies import kit
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import technology
from sim.closure import Code, facts_of
from sim.paths import ROOT

pytestmark = pytest.mark.quick
BELOW = {"technologies", "netlist.py", "recording.py", "child.py", "results", "__init__.py"}
LIBRARIES = {
    "gates": set(),
    "layout": {"gates", "opensta.py"},
    "equivalence": {"gates", "yosys_json.py"},
    "synthesis": {"gates", "opensta.py", "digest.py"},
}


def imports(module: Path) -> set[Path]:
    """The modules of the flow that a module imports itself."""
    direct = Code()._direct(module)[0]
    return {path for path in direct if path.is_relative_to(FLOW) and path.suffix == ".py"}


@pytest.mark.parametrize("folder", LIBRARIES)
def test_a_library_knows_no_step_and_nothing_of_the_flow_but_what_is_below_it(folder):
    for module in (FLOW / folder).glob("*.py"):
        others = {path.relative_to(FLOW).parts[0] for path in imports(module)}
        assert others <= BELOW | LIBRARIES[folder] | {folder}
    for module in BELOW - {"results", "technologies"}:
        assert not imports(FLOW / module) - {FLOW / "__init__.py"}


def test_a_step_is_stale_if_a_library_that_it_uses_changed(monkeypatch):
    code = Code()
    monkeypatch.setattr(digest, "CODE", code)
    steps = ("rtl", "synthesis", "route", "equivalence", "fpga_map", "fpga_route", "power")
    before = {step: step_hash(FLOW / "steps" / step) for step in steps}
    for file, of in (
        ("product.v", {"rtl"}),
        ("synthesis/candidate.py", {"synthesis"}),  # a process of its own, as katana.py, model.py
        ("synthesis/ripple.v", {"synthesis"}),
        ("layout/katana.py", {"route"}),
        ("layout/katana.toml", {"route"}),
        ("equivalence/model.py", {"equivalence"}),
        ("fpga/devices.py", {"fpga_map"}),
        ("fpga/devices.toml", {"fpga_map"}),
        ("fpga/shell.py", {"fpga_route"}),
        ("gates/window_power.py", {"power"}),
    ):
        path = FLOW / file
        known = code.facts(path)
        more = b"wire more;\n" if path.suffix == ".v" else b"MORE = 1\n"
        code._facts[path] = facts_of(path.suffix, path.read_bytes() + more)
        assert {step for step in steps if step_hash(FLOW / "steps" / step) != before[step]} == of
        code._facts[path] = known


def test_a_step_depends_on_what_its_scripts_use_and_nothing_else():
    used = {
        step: {str(file.relative_to(ROOT)) for file in used_files(FLOW / "steps" / step)}
        for step in ("simulation", "timing", "layout")
    }
    of_timing = {"__init__.py", "critical_path.py", "step.py"}
    of_timing |= {"opensta.py", "opensta.tcl"}
    of_timing |= {f"results/{name}.py" for name in ("__init__", "netlist", "record")}
    names = ("__init__", "asked", "files", "technology")
    of_timing |= {f"technologies/{name}.py" for name in names}
    assert {name for name in used["timing"] if name.startswith("flow")} == {
        f"flow/{name}" for name in of_timing
    }
    # Also by way of other modules, and what is compiled, and by what.
    assert used["simulation"] >= {"flow/netlist.py", "flow/gates/liberty_tables.py"}
    assert used["simulation"] >= {"flow/gates/simulator.cpp", "sim/toolchain.py"}
    assert "flow/gates/power.py" not in used["simulation"]
    assert used["layout"] >= {"flow/layout/wires.py", "flow/layout/plot.py"}
    assert "flow/layout/katana.py" not in used["layout"]


def test_an_edited_file_of_the_kit_has_another_hash(tmp_path, monkeypatch):
    source = technology().source
    for name in source.files:
        library = tmp_path / source.folder / name
        library.parent.mkdir(parents=True, exist_ok=True)
        library.write_text("area : 1.0;\n")
    kits = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(kit, "find_spec", lambda name: kits)
    kit._hashes.cache_clear()
    before = kit.kit_hash(DEFAULT)
    library.write_text("area : 2.0;\n")
    kit._hashes.cache_clear()
    assert before != kit.kit_hash(DEFAULT)
    monkeypatch.undo()
    kit._hashes.cache_clear()
    assert kit.kit_hash(DEFAULT) not in ("", before)


def test_a_step_is_hashed_by_what_counts(monkeypatch):
    step, code = FLOW / "steps/timing", Code()
    monkeypatch.setattr(digest, "CODE", code)
    before = step_hash(step)
    for file, said, counts in (
        (FLOW / "opensta.tcl", b"# more\n", b"puts 1\n"),
        (FLOW / "technologies/files.py", b"# more\n", b"MORE = 1\n"),
        (step / "timing.py", b"# more\n", b"MORE = 1\n"),
        (step / "configure.yml", b"# more\n", b"more: 1\n"),
    ):
        content, known = file.read_bytes() + b"\n", code.facts(file)
        code._facts[file] = facts_of(file.suffix, content + said)
        assert step_hash(step) == before
        code._facts[file] = facts_of(file.suffix, content + counts)
        assert step_hash(step) != before
        code._facts[file] = known
