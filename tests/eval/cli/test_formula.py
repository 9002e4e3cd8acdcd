"""`simulate --level formula`: what every level must answer, and when, without running anything."""

import pytest

from tests.command_line import assert_refused, run_json

pytestmark = pytest.mark.quick
TOLD = ("result", "status", "cycles")


@pytest.mark.parametrize("design", ["ssmm-small", "mont-best", "array-4", "near-power-4"])
@pytest.mark.parametrize("options", ["--workload e", "--workload d --xcel"])
def test_it_says_what_the_cycle_level_answers(design, options) -> None:
    line = f"simulate {design} --nbits 8 {options} --level"
    formula, clocked = run_json(f"{line} formula"), run_json(f"{line} cl")
    assert [formula[name] for name in TOLD] == [clocked[name] for name in TOLD]


@pytest.mark.parametrize("option", ["--trace", "--vcd a.vcd", "--unit peripheral"])
def test_there_is_nothing_to_watch(option) -> None:
    assert_refused(
        f"simulate ssmm-best --nbits 32 --workload e --level formula {option}", "runs nothing"
    )
