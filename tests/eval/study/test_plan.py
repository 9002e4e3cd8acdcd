"""Plans: which designs they name at which widths, and what they measure of each."""

import pytest

from eval.catalog import DESIGNS
from eval.catalog.point import Point
from eval.catalog.processor import ALONE, SYSTEM, Processor
from eval.study.plan import COMPARED_AT, SYSTEM_FILL, Plan
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.simulation import Simulation
from eval.tasks.unit import ACCELERATOR

pytestmark = pytest.mark.quick
PLAN = Plan(2.0)


@pytest.mark.parametrize("end", [0, 1], ids=["narrowest", "widest"])
def test_a_design_is_named_from_its_narrowest_to_its_widest(end: int) -> None:
    for name, design in DESIGNS.items():
        width = design.widths[end]
        beyond = width + (1 if end else -1)
        assert Point(name, width) in PLAN.every_design(width)
        assert name not in {point.design for point in PLAN.every_design(beyond)}


def test_designs_are_compared_at_one_width_unless_others_are_named() -> None:
    assert COMPARED_AT == 32
    every = PLAN.every_design()
    assert {point.nbits for point in every} == {32}
    assert PLAN.points(["mont-best", "mont-ct"]) == [Point("mont-best", 32), Point("mont-ct", 32)]
    assert PLAN.points(["mont-best"], 8, 64) == [Point("mont-best", 8), Point("mont-best", 64)]


def test_designs_for_any_key_are_those_without_a_modulus_of_their_own() -> None:
    named = {point.design for point in PLAN.for_any_key()}
    fixed = {name for name, design in DESIGNS.items() if design.moduli.only}
    assert fixed
    assert not named & fixed
    assert named | fixed >= {point.design for point in PLAN.every_design()}


@pytest.mark.parametrize("gated", [False, True])
def test_a_unit_is_measured_as_it_is_and_then_gated(gated: bool) -> None:
    point = Point("mont-ct", 32)
    found = PLAN.designs([point], gated=gated)
    plain = FlowRun(point, ACCELERATOR, 2.0)
    assert [task for task in found if task.kind == "flow"] == [plain] + gated * [
        FlowRun(point, ACCELERATOR, 2.0, gated=True)
    ]
    assert [task.workload for task in found if isinstance(task, Simulation)] == ["e", "d"]


def test_the_largest_processor_comes_first_and_one_alone_runs_no_program() -> None:
    small, large = Processor(ALONE), Processor("mont-ct", 32)
    assert PLAN.processors([small, large], "power") == [
        FlowRun(large, SYSTEM, 2.0, "power"),
        FlowRun(small, SYSTEM, 2.0, "timing"),
    ]
    layouts = PLAN.system_layouts(["mont-ct"])
    assert [layout.point for layout in layouts] == [Processor("mont-ct", 32), Processor()]
    assert {layout.fill for layout in layouts} == {SYSTEM_FILL} == {25}


def test_a_processor_by_itself_runs_no_program_so_it_has_no_energy() -> None:
    """The last is the largest, and first."""
    asked = PLAN.processors([Processor(ALONE), Processor("mul-rem")], "power", gated=True)
    assert [(t.point.attached, t.unit, t.to, t.gated, t.clock_ns) for t in asked] == [
        ("mul-rem", SYSTEM, "power", False, 2.0),
        ("mul-rem", SYSTEM, "power", True, 2.0),
        (ALONE, SYSTEM, "timing", False, 2.0),
        (ALONE, SYSTEM, "timing", True, 2.0),
    ]
