"""Systems x levels: one operation with every part at every level, results and cycles equal."""

from dataclasses import replace

import pytest

from cl.around import InCycles
from cl.exponentiator import ExponentiatorOfParts
from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.levels import Way, run_ways, ways
from sim.stream import LEVELS
from tests.command_line import assert_refused, run, run_json

REQUEST = Request(200, 0b10110101, 251)
PYTHON = ("fl", "cl", "rtl")


def check(design: str, levels: tuple[str, ...]) -> list[Way]:
    """Every row is right, and the timed ones of a system have the same cycles."""
    point = Point(design, 8)
    found = list(run_ways(point, REQUEST, ways(point, levels)))
    assert all(ran.right and ran.result == pow(200, 0b10110101, 251) for ran in found)
    for system in ("exponentiator", "accelerator", "processor"):
        assert len({ran.cycles for ran in found if ran.way.system == system and ran.cycles}) == 1
    return [ran.way for ran in found]


@pytest.mark.parametrize("design", ["mont-small", "what-if(latency=9,interval=3)"])
def test_levels_that_python_runs(design: str):
    there = check(design, LEVELS if "what" in design else PYTHON)
    assert {way.levels for way in there} >= {
        *(("fl",), ("cl",), ("rtl",), ("cl", "rtl"), ("rtl", "cl"), ("rtl", "fl")),
        *(("fl", "cl"), ("cl", "cl"), ("cl", "rtl"), ("rtl", "rtl")),
    }


@pytest.mark.long
@pytest.mark.parametrize("design", ["mont-best", "mul-rem", "systolic-16", "array-4"])
def test_all_levels(design: str):
    assert len(check(design, LEVELS)) == (20 if design == "array-4" else 25)


@pytest.mark.quick
def test_the_command_tells_what_is_wrong(monkeypatch):
    asked = "levels mont-best --nbits 8 --level cl"
    answer = run_json(asked)
    assert [row["right"] for row in answer["rows"]] == [True] * 3
    assert answer["rows"][0]["cycles"] == find("mont-best").cycles(
        8, answer["base"], answer["exp"], answer["mod"]
    )

    def slower(self: ExponentiatorOfParts):
        late = InCycles(self.nbits, self.parts.unit, 3)
        return made(replace(self, parts=replace(self.parts, unit=late)))

    made = ExponentiatorOfParts.cl
    monkeypatch.setattr(ExponentiatorOfParts, "cl", slower)
    result = run(asked)
    assert result.exit_code == 1
    assert "exponentiator at cl is wrong" in result.stderr
    assert "wrong" in result.stdout


@pytest.mark.quick
def test_what_cannot_be():
    assert_refused("levels mont-best --nbits 8 --level xl", "--level: no level 'xl'")
    assert_refused("levels mont-best --nbits 8 --workload x", "--workload: no workload")
