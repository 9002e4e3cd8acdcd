"""What a unit's Verilog is hashed to, and when it is not translated for that."""

from dataclasses import replace
from pathlib import Path

import pytest

import eval.tasks.unit
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.tasks.execution import Execution
from eval.tasks.flow_run.task import FlowRun, multiplier_class
from eval.tasks.traced import traced
from eval.tasks.unit import ACCELERATOR, MULTIPLIER, digest_of, translation, verilog_digest
from sim.closure import Code, facts_of
from sim.paths import ROOT
from sim.stages import Stages
from sim.translate import Translation

pytestmark = pytest.mark.quick
POINT = Point("mul-rem", 8)


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list:
    """What is translated from now on; nothing is kept yet."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    found = []

    def recorded(target: Point, unit: str = ACCELERATOR) -> Translation:
        found.append((target, unit))
        return translation(target, unit)

    monkeypatch.setattr(eval.tasks.unit, "translation", recorded)
    return found


def test_a_unit_is_translated_once(translated: list) -> None:
    units = [(POINT, ACCELERATOR), (POINT, MULTIPLIER), (Point("mul-rem", 9), ACCELERATOR)]
    for target, unit in units * 2:
        assert verilog_digest(target, unit) == digest_of(translation(target, unit))
    assert translated == units
    said = f"{digest_of(translation(POINT, ACCELERATOR))} {multiplier_class(POINT)}"
    assert FlowRun(POINT, ACCELERATOR, 3.0).verilog() == said
    assert translated == units


def test_what_components_say_to_synthesis_is_hashed_with_the_verilog() -> None:
    found = replace(translation(POINT, ACCELERATOR), flattened=(), carry_save=False)
    others = [replace(found, flattened=("A",)), replace(found, carry_save=True)]
    assert len({digest_of(one) for one in (found, *others)}) == 3


def test_the_processor_that_is_simulated_is_another_than_that_of_the_flow(translated: list) -> None:
    processor = Processor()
    for _ in range(2):
        digests = [Execution(processor, "e").verilog(), verilog_digest(processor, "system")]
        wanted = [traced(processor), translation(processor, "system")]
        assert digests == [digest_of(one) for one in wanted]
    assert digests[0] != digests[1]
    assert translated == [(processor, "system")]


@pytest.mark.parametrize(
    ("file", "times"),
    [
        ("rtl/mul/mul_rem.py", 2),
        ("rtl/port/xcel.py", 2),
        ("eval/catalog/naive.py", 2),
        ("sim/translate.py", 2),
        ("eval/report/pareto.py", 1),
    ],
)
def test_it_is_translated_anew_if_code_that_makes_hardware_has_changed(
    file: str, times: int, translated: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    verilog_digest(POINT, ACCELERATOR)
    code = Code()
    code._facts[ROOT / file] = facts_of(".py", (ROOT / file).read_bytes() + b"\nSOMETHING = 1\n")
    monkeypatch.setattr(eval.tasks.unit, "stages", lambda: Stages(code))
    verilog_digest(POINT, ACCELERATOR)
    assert len(translated) == times


def test_what_somebody_has_brought_always_is(
    translated: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eval.tasks.unit, "design_code", lambda design: {"design code": "theirs"})
    for _ in range(2):
        verilog_digest(POINT, ACCELERATOR)
    assert len(translated) == 2
