"""What identifies a result: what is asked for, Verilog, tools and stages; and what a cache adds."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.tasks import at_clock, task, timing
from eval.tasks.keyed import asked_of
from eval.tasks.kinds import KINDS
from eval.tasks.timing import TimeTells
from sim.closure import Code, facts_of
from sim.paths import ROOT
from sim.stages import FILE, Stages
from tests.eval.tasks.keys import TASKS


def with_stages(monkeypatch: pytest.MonkeyPatch, stages: Stages) -> None:
    """Let keys rest on these stages."""
    monkeypatch.setattr(task, "stages", lambda: stages)


@pytest.mark.parametrize("of", ["simulate", "energy", "timing"])
def test_a_cache_sees_code_and_an_identity_sees_versions(of, monkeypatch):
    before = TASKS[of].key
    code = Code()
    file = ROOT / "eval/tasks/port.py"
    code._facts[file] = facts_of(".py", file.read_bytes() + b"\nMORE = 1\n")
    with_stages(monkeypatch, Stages(code))
    edited = TASKS[of].key
    assert edited.digest != before.digest
    assert edited.identity == before.identity
    table = FILE.read_text()
    other = table.replace("[measure]\nversion = 1", "[measure]\nversion = 2")
    assert other != table
    with_stages(monkeypatch, Stages(table=other))
    assert TASKS[of].key.identity != before.identity


@pytest.mark.parametrize(
    "file", ["eval/report/pareto.py", "eval/tasks/noise_section.py", "eval/tasks/metrics.py"]
)
def test_what_shows_moves_no_key(file, monkeypatch):
    before = {of: TASKS[of].key for of in ("simulate", "noise")}
    code = Code()
    code._facts[ROOT / file] = facts_of(".py", b"MORE = 1\n")
    with_stages(monkeypatch, Stages(code))
    assert {of: TASKS[of].key for of in before} == before


def test_formulas_are_known_by_the_file_of_the_design(monkeypatch):
    before = {of: TASKS[of].key for of in ("timing", "simulate")}
    code = Code()
    file = ROOT / "eval/catalog/montgomery.py"
    code._facts[file] = facts_of(".py", b"MORE = 1\n")
    with_stages(monkeypatch, Stages(code))
    assert TASKS["timing"].key.identity != before["timing"].identity
    assert TASKS["simulate"].key == before["simulate"]


@pytest.mark.quick
def test_there_is_a_task_of_every_kind():
    assert {task.kind for task in TASKS.values()} == set(KINDS)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 32])
def test_a_row_of_constant_time_is_known_by_all_hardware_that_it_speaks_of(nbits, monkeypatch):
    """The exponentiator alone would not tell of a port that tells the exponent."""
    said: dict[object, str] = {}
    monkeypatch.setattr(timing, "verilog_digest", lambda point, unit: said.get(unit, unit))
    monkeypatch.setattr("eval.tasks.task.verilog_digest", lambda point, unit: unit)
    monkeypatch.setattr(timing, "traced_digest", lambda system: said.get(system, str(system)))
    task = TimeTells(Point("systolic-16", nbits))
    before = task.verilog()
    around = ["accelerator", "peripheral"][: 1 + (nbits == 32)]
    for part in (*around, Processor("systolic-16", nbits)):
        said[part] = "other"
        assert task.verilog() != before
        said.clear()
    assert TimeTells(Point("mul-rem", nbits)).verilog() == "exponentiator"  # claims nothing


@pytest.mark.quick
def test_what_a_workload_asks_is_in_the_key_of_an_energy(monkeypatch):
    """Its requests and the cycles that say how it is sampled come from the design's entry."""
    for of in ("energy", "noise", "crosscheck", "layout", "energy of a peripheral"):
        before = TASKS[of].parameters()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(at_clock, "asked_of", lambda point: "other")
            assert TASKS[of].parameters() != before, of


@pytest.mark.quick
def test_an_edited_library_of_cells_moves_what_is_mapped(monkeypatch, tmp_path):
    from eval.tasks import versions
    from flow.technologies import kit

    before = {of: TASKS[of].tools() for of in TASKS}
    monkeypatch.setattr(kit, "kit_hash", lambda tech: "other")
    versions.flow_tools.cache_clear()
    try:
        moved = {of for of in TASKS if TASKS[of].tools() != before[of]}
    finally:
        versions.flow_tools.cache_clear()
    unmapped = {"simulate", "cycles by formula", "timing", "leakage", "run", "rsa", "rsa by d"}
    unmapped |= {"rsa by a key", "table-004", "faults", "stuck bits", "attack"}
    unmapped |= {"skips", "skips and wrong powers", "skips by a key"}
    assert moved == set(TASKS) - unmapped - {"fpga, counted", "fpga, routed"}


@pytest.mark.quick
def test_the_tools_of_a_task_are_the_same_whichever_asked_before():
    def named() -> dict[str, dict[str, str]]:
        return {of: dict(task.tools()) for of, task in TASKS.items()}

    assert named() == named()


@pytest.mark.quick
def test_what_is_asked_of_a_point_tells_apart_what_decides_it():
    """The operands, the cycles that they take, and whether the modulus is fixed."""
    point = Point("ssmm-best", 32)

    def asked(cycles: int = 0, only: bool = False, key: Any = None) -> str:
        entry = point.entry
        moduli = replace(entry.moduli, only=entry.at if only else None, key=key)
        taken = lambda nbits, **operands: entry.cycles(nbits, **operands) + cycles  # noqa: E731
        other: Any = SimpleNamespace(
            entry=SimpleNamespace(moduli=moduli, cycles=taken), nbits=point.nbits
        )
        return asked_of.__wrapped__(other)

    assert asked() == asked_of(point)
    other_key = find("near-power-4").moduli.key
    assert len({asked(), asked(cycles=1), asked(only=True), asked(key=other_key)}) == 4
