"""What a unit's Verilog is hashed to, and when it is not translated for that."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import eval.tasks.unit
import eval.tasks.versions
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.tasks.execution import Execution, traced
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.unit import ACCELERATOR, MULTIPLIER, translation, verilog_digest
from eval.tasks.versions import hardware_tools
from sim.translate import Translation

pytestmark = pytest.mark.quick
POINT = Point("mul-rem", 8)


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list]:
    """What is translated from now on; nothing is kept yet."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    found = []

    def recorded(target: Point, unit: str = ACCELERATOR) -> Translation:
        found.append((target, unit))
        return translation(target, unit)

    monkeypatch.setattr(eval.tasks.unit, "translation", recorded)
    hardware_tools.cache_clear()
    yield found
    hardware_tools.cache_clear()  # of a test that has changed what it says


def test_a_unit_is_translated_once(translated: list) -> None:
    units = [(POINT, ACCELERATOR), (POINT, MULTIPLIER), (Point("mul-rem", 9), ACCELERATOR)]
    for target, unit in units * 2:
        assert verilog_digest(target, unit) == translation(target, unit).digest
    assert translated == units
    assert FlowRun(POINT, ACCELERATOR, 3.0).verilog() == translation(POINT, ACCELERATOR).digest
    assert translated == units


def test_the_processor_that_is_simulated_is_another_than_that_of_the_flow(translated: list) -> None:
    processor = Processor()
    for _ in range(2):
        digests = [Execution(processor, "e").verilog(), verilog_digest(processor, "system")]
        assert digests == [traced(processor).digest, translation(processor, "system").digest]
    assert digests[0] != digests[1]
    assert translated == [(processor, "system")]


@pytest.mark.parametrize(
    ("changed", "to"),
    [
        ("code_hash", lambda *patterns: "other"),
        ("version", lambda package: "other"),
    ],
)
def test_it_is_translated_anew_if(
    changed: str, to: Callable, translated: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    verilog_digest(POINT, ACCELERATOR)
    monkeypatch.setattr(eval.tasks.versions, changed, to)
    hardware_tools.cache_clear()
    verilog_digest(POINT, ACCELERATOR)
    assert len(translated) == 2


def test_what_somebody_has_brought_always_is(
    translated: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eval.tasks.unit, "design_code", lambda design: {"design code": "theirs"})
    for _ in range(2):
        verilog_digest(POINT, ACCELERATOR)
    assert len(translated) == 2


def test_code_that_makes_hardware_is_hashed(
    translated: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it: a file of any folder from which components come."""
    asked = []
    monkeypatch.setattr(eval.tasks.versions, "code_hash", lambda *patterns: asked.extend(patterns))
    verilog_digest(POINT, ACCELERATOR)
    component = POINT.component(ACCELERATOR)
    component.elaborate()
    folders = {pattern.split("/**")[0] for pattern in asked}
    for part in component.get_all_components():
        module = type(part).__module__
        if not module.startswith("pymtl3"):
            assert any(module.startswith(folder.replace("/", ".")) for folder in folders), module
