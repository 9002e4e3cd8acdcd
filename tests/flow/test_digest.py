"""What the digest of a step of the flow depends on."""

from types import SimpleNamespace

import pytest

from flow import digest
from flow.digest import FLOW, step_hash
from flow.technologies import kit
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import technology
from sim.closure import Code, facts_of
from sim.stages import Stages

pytestmark = pytest.mark.quick


def test_a_step_is_stale_if_a_library_that_it_uses_changed(monkeypatch):
    code = Code()
    monkeypatch.setattr(digest, "stages", lambda: Stages(code))
    steps = ("rtl", "synthesis", "route", "equivalence", "fpga_map", "fpga_route", "power")
    before = {step: step_hash(FLOW / "steps" / step) for step in steps}
    for file, of in (
        ("synthesis/candidate.py", {"synthesis"}),  # a process of its own, as katana.py, model.py
        ("synthesis/ripple.v", {"synthesis"}),
        ("layout/katana.py", {"route"}),
        ("layout/katana.toml", {"route"}),
        ("equivalence/model.py", {"equivalence"}),
        ("fpga/devices.py", {"fpga_map", "fpga_route"}),
        ("fpga/devices.toml", {"fpga_map", "fpga_route"}),
        ("fpga/shell.py", {"fpga_map", "fpga_route"}),
        ("gates/window_power.py", {"power", "synthesis", "route", "equivalence"}),
    ):
        path = FLOW / file
        known = code.facts(path)
        more = b"wire more;\n" if path.suffix == ".v" else b"MORE = 1\n"
        code._facts[path] = facts_of(path.suffix, path.read_bytes() + more)
        assert {step for step in steps if step_hash(FLOW / "steps" / step) != before[step]} == of
        code._facts[path] = known


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
    monkeypatch.setattr(digest, "stages", lambda: Stages(code))
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
